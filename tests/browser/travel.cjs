// node travel.cjs CHROMIUM PAGE: drives a report of runs over a travel build in all setups and prints what failed;
// exits 1 if anything did. The page must hold a run with misses, in which some dialogue calls a tool.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { withBrowser, open } = require("./browser.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [executable, file] = process.argv.slice(2);
const data = JSON.parse(fs.readFileSync(file, "utf8").match(/<script type="application\/json" id="payload">(.*?)<\/script>/s)[1]);
const linkOf = (reply) => `#task=${data.tasks[reply.t].id}&run=${encodeURIComponent(data.runs[reply.r][0])}&roll=${reply.k}&condition=${reply.c}`;
const callsOf = (task) => task.turns.filter((turn) => Array.isArray(turn[5])).flatMap((turn) => turn[5]);
const itemsOf = (task) => task.items ?? data.tasks[task.like].items;
const missed = data.replies.find((reply) => reply.v === "m" && reply.tags && callsOf(data.tasks[reply.t]).length);
const count = (page) => page.textContent("#count");

const checks = {
  async "shows calls, results and tools by their parts"(browser) {
    const { page, faults, requests, context } = await open(browser, file, {}, linkOf(missed));
    const task = data.tasks[missed.t], shown = await page.textContent("#detail");
    const system = task.turns.find((turn) => turn[0] === "system");
    for (const place of system[2]) assert.ok(shown.includes(data.texts[place]));
    for (const [name, place] of callsOf(task)) {
      assert.ok(shown.includes(`calls ${name}`));
      for (const [key, value] of Object.entries(JSON.parse(data.texts[place]))) assert.ok(shown.includes(key) && shown.includes(String(value)));
    }
    const result = task.turns.find((turn) => turn[0] === "tool");
    const raw = result[2].map((n) => data.texts[n]).join("\n\n");
    assert.ok(shown.includes(`result of ${result[5]}`));
    assert.ok(!shown.includes(raw.slice(0, 3000)));
    await page.$$eval("#detail .turns details", (nodes) => { for (const node of nodes) node.open = true; });
    await page.waitForFunction((text) => document.getElementById("detail").textContent.includes(text), raw.slice(0, 3000));
    const rows = Object.values(JSON.parse(raw)).find(Array.isArray);
    await page.waitForFunction((n) => document.querySelector("#detail table.result tbody")?.rows.length === n, rows.length);
    await page.click("#detail summary:has-text('Tools offered')");
    await page.waitForFunction((n) => document.querySelectorAll("#detail .tools dt").length === n, task.tools.length);
    assert.deepEqual([faults, requests], [[], []]);
    await context.close();
  },
  async "says what was read, and which failures give which answer"(browser) {
    const { page, context } = await open(browser, file, {}, linkOf(missed));
    const row = await page.locator("#detail .table-items tbody tr").first().textContent();
    const [item] = itemsOf(data.tasks[missed.t]);
    assert.ok(row.includes(item[5]) && row.includes("read as"));
    for (const [value, failures] of item[6]) assert.ok(row.includes(`${value} (${failures.join(", ")})`));
    for (const tag of missed.tags) assert.ok((await page.textContent("#detail .facts")).includes(tag));
    await context.close();
  },
  async "filters by task, setup and failure"(browser) {
    const { page, context } = await open(browser, file);
    const all = data.replies.length.toLocaleString("en");
    const expect = async (n) => page.waitForFunction((text) => document.getElementById("count").textContent === text, `${n.toLocaleString("en")} of ${all} replies`);
    const task = data.tasks[missed.t], [tag] = missed.tags;
    const fits = { name: (r) => data.tasks[r.t].name === task.name, setup: (r) => data.tasks[r.t].setup === task.setup, tag: (r) => (r.tags || []).includes(tag) };
    for (const [name, value] of [["name", task.name], ["setup", task.setup], ["tag", tag]]) {
      await page.selectOption(`#f-${name}`, value);
      await expect(data.replies.filter(fits[name]).length);
      await page.click("#f-reset");
      await expect(data.replies.length);
    }
    const [, place] = callsOf(task)[0];
    await page.fill("#f-text", data.texts[place].slice(0, 30));
    await page.waitForFunction((text) => document.getElementById("count").textContent !== text, `${all} of ${all} replies`);
    assert.doesNotMatch(await count(page), /^0 /);
    await context.close();
  },
  async "goes from setup to setup of an instance"(browser) {
    const { page, context } = await open(browser, file, {}, linkOf(missed));
    const own = data.tasks[missed.t];
    const pick = page.locator("#detail select[aria-label='This instance in other setups']");
    const setups = new Set(data.tasks.filter((t) => t.instance === own.instance).map((t) => t.setup));
    assert.equal(await pick.locator("option").count(), setups.size);
    await pick.selectOption({ index: 1 });
    await page.waitForFunction((id) => !document.getElementById("reply-head").textContent.startsWith(id), own.id);
    const other = data.tasks.find((t) => t.id === new URLSearchParams(new URL(page.url()).hash.slice(1)).get("task"));
    assert.equal(other.instance, own.instance);
    assert.notEqual(other.setup, own.setup);
    await context.close();
  },
  async "gives its tables without scripts, with headers for every cell"(browser) {
    const { page, context } = await open(browser, file, { javaScriptEnabled: false });
    assert.ok(await page.locator("#setups table").first().isVisible());
    await context.close();
    const seen = await open(browser, file);
    const faults = await seen.page.$$eval("#setups table", (tables) => tables.filter((table) => !table.caption?.textContent.trim()
      || [...table.tHead.rows[0].cells].some((cell) => cell.scope !== "col" || !cell.textContent.trim())
      || [...table.tBodies].some((body) => [...body.rows].some((row) => !row.querySelector("th[scope=row]")))).map((table) => table.caption?.textContent ?? "no caption"));
    assert.deepEqual(faults, []);
    const loose = await seen.page.$$eval("a.term", (links) => links.filter((a) => !document.getElementById(a.getAttribute("aria-describedby"))?.textContent.trim()).map((a) => a.textContent));
    assert.deepEqual(loose, []);
    await seen.context.close();
  },
  async "fits a phone"(browser) {
    const { page, context } = await open(browser, file, { viewport: { width: 390, height: 844 } }, linkOf(missed));
    await page.$$eval("details", (nodes) => { for (const node of nodes) node.open = true; });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await context.close();
  },
  async "has no serious accessibility violation"(browser) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1280, 390]) {
        const { page, context } = await open(browser, file, { colorScheme, viewport: { width, height: 900 } }, linkOf(missed));
        await page.$$eval("details", (nodes) => { for (const node of nodes) node.open = true; });
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const grave = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
        const light = found.violations.filter((v) => !grave.includes(v)).map((v) => `${v.id} ${v.nodes[0].html.slice(0, 120)}`);
        if (light.length) console.log(`axe ${colorScheme} ${width}, minor: ${light.join(", ")}`);
        assert.deepEqual(grave.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary]), []);
        await context.close();
      }
    }
  },
};
withBrowser(executable, async (browser) => {
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(browser);
      console.log(`ok ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}\n${error.stack}`);
    }
  }
  console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
});
