// node shots.cjs CHROMIUM PAGE FOLDER: screenshots at desktop and phone width, light and dark, and as printed.
const { withBrowser, open } = require("./browser.cjs");
const [executable, file, folder, hash = ""] = process.argv.slice(2);

withBrowser(executable, async (browser) => {
  for (const [name, width, height] of [["desktop", 1280, 900], ["phone", 390, 844]]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, context, faults } = await open(browser, file, { viewport: { width, height }, colorScheme, deviceScaleFactor: 1 }, hash);
      const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
      console.log(name, colorScheme, JSON.stringify(size), JSON.stringify(faults));
      const ids = await page.$$eval("main section", (nodes) => nodes.map((node) => node.id));
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-top.png` });
      for (const id of ids) {
        await page.locator(`#${id}`).screenshot({ path: `${folder}/${name}-${colorScheme}-${id}.png`, timeout: 20000 });
      }
      await context.close();
    }
  }
  const { page, context } = await open(browser, file, {}, hash);
  await page.pdf({ path: `${folder}/print.pdf`, format: "A4", margin: { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" } });
  await context.close();
});
