// node check.cjs CHROMIUM PAGE: drives the report page and prints what failed; exits 1 if anything did.
// The page must hold a run "sim/oracle", a real run and a run whose replies attack the page (label begins "evil/").
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { withBrowser, open } = require("./browser.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [executable, file] = process.argv.slice(2);
const data = JSON.parse(fs.readFileSync(file, "utf8").match(/<script type="application\/json" id="payload">(.*?)<\/script>/s)[1]);
const linkOf = (reply) => `#task=${data.tasks[reply.t].id}&run=${encodeURIComponent(data.runs[reply.r][0])}&roll=${reply.k}&condition=${reply.c}`;
const evil = data.replies.filter((reply) => data.runs[reply.r][0].startsWith("evil/"));
const missed = data.replies.find((reply) => !data.runs[reply.r][1] && /m/.test(reply.v) && /h/.test(reply.v));
const count = (page) => page.textContent("#count");

const checks = {
  async "asks the network for nothing and runs nothing foreign"(browser) {
    const { page, faults, requests, context } = await open(browser, file);
    assert.ok(evil.length > 5);
    for (const reply of evil) {
      await page.evaluate((hash) => { location.hash = hash; }, linkOf(reply));
      await page.waitForFunction((id) => document.getElementById("reply-head")?.textContent.startsWith(id), data.tasks[reply.t].id);
      assert.equal(await page.$$eval("#detail :is(script, img, iframe, object, style, b a)", (nodes) => nodes.length), 0);
    }
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.deepEqual(requests, []);
    assert.deepEqual(faults, []);
    await context.close();
  },
  async "shows attacks as text, controls as marks, huge replies in pieces"(browser) {
    const { page, context } = await open(browser, file, {}, linkOf(evil.find((r) => r.a.startsWith("<script>"))));
    assert.match(await page.textContent("#detail .reply"), /^<script>window\.pwned=1<\/script><img src=x onerror/);
    const bidi = evil.find((r) => r.a.includes("\u202e"));
    await page.evaluate((hash) => { location.hash = hash; }, linkOf(bidi));
    await page.waitForFunction(() => document.querySelector("#detail .reply .mark")?.textContent === "U+202E");
    assert.doesNotMatch(await page.textContent("#detail"), /[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u0000\u001b]/);
    const marks = await page.$$eval("#detail .reply .mark", (nodes) => nodes.map((node) => node.textContent));
    assert.ok(["U+202E", "U+2066", "U+200B", "U+FEFF", "U+0000", "U+001B", "U+E0041", "U+2028"].every((m) => marks.includes(m)), marks.join());
    const template = evil.find((r) => r.a.includes("{{ 7*7 }}"));
    await page.evaluate((hash) => { location.hash = hash; }, linkOf(template));
    await page.waitForFunction(() => document.querySelector("#detail .reply")?.textContent.includes("{{ 7*7 }} {% raw %} ${7*7}"));
    const huge = evil.find((r) => r.a.length > 100000);
    await page.evaluate((hash) => { location.hash = hash; }, linkOf(huge));
    await page.waitForFunction(() => document.querySelector("#detail .reply")?.textContent.startsWith("长长"));
    assert.ok((await page.textContent("#detail .reply")).length < 5000);
    await page.click("#detail button:has-text('Show more')");
    assert.ok((await page.$$eval("#detail .reply", (nodes) => nodes.map((n) => n.textContent).join("").length)) > 40000);
    await context.close();
  },
  async "filters by text, run, verdict, kind and world"(browser) {
    const { page, context } = await open(browser, file);
    const all = data.replies.length.toLocaleString("en");
    assert.equal(await count(page), `${all} of ${all} replies`);
    const expect = async (n) => page.waitForFunction((text) => document.getElementById("count").textContent === text, `${n.toLocaleString("en")} of ${all} replies`);
    await page.selectOption("#f-run", { label: "sim/oracle (instrument)" });
    await expect(data.replies.filter((r) => data.runs[r.r][0] === "sim/oracle").length);
    await page.click("#f-reset");
    await expect(data.replies.length);
    await page.selectOption("#f-verdict", "m");
    await expect(data.replies.filter((r) => r.v.includes("m")).length);
    const kind = data.tasks[0].items[0][1];
    await page.selectOption("#f-kind", kind);
    await expect(data.replies.filter((r) => data.tasks[r.t].items.some((i, n) => i[1] === kind && r.v[n] === "m")).length);
    await page.click("#f-reset");
    await page.selectOption("#f-world", data.tasks[0].world);
    await expect(data.replies.filter((r) => data.tasks[r.t].world === data.tasks[0].world).length);
    await page.click("#f-reset");
    await page.fill("#f-text", "END-OF-HUGE-REPLY");
    await expect(data.replies.filter((r) => r.a.includes("end-of-huge-reply")).length);
    await page.fill("#f-text", "no such text anywhere");
    await expect(0);
    await context.close();
  },
  async "follows and writes deep links"(browser) {
    const { page, context } = await open(browser, file, {}, linkOf(missed));
    const task = data.tasks[missed.t];
    assert.match(await page.textContent("#reply-head"), new RegExp(`^${task.id}: .*condition ${missed.c}, roll ${missed.k}$`));
    const wrong = [...missed.v].findIndex((letter) => letter === "m");
    const row = page.locator("#detail table tbody tr").filter({ hasText: task.items[wrong][4] }).first();
    assert.match(await row.textContent(), /miss/);
    assert.ok((await row.textContent()).includes(task.items[wrong][5]));
    assert.ok((await page.$$("#detail .turns li.needed")).length > 0);
    await page.click("#list li:nth-child(3) a");
    await page.waitForFunction(() => location.hash.includes("task="));
    const shown = await page.textContent("#reply-head");
    const again = await open(browser, file, {}, await page.evaluate(() => location.hash));
    assert.equal(await again.page.textContent("#reply-head"), shown);
    await again.context.close();
    await page.evaluate(() => { location.hash = "#task=nothing&run=nobody&roll=1"; });
    await page.waitForFunction(() => document.getElementById("detail").textContent === "This report holds no such reply.");
    await context.close();
  },
  async "defines every term on hover and focus"(browser) {
    const { page, context } = await open(browser, file);
    const loose = await page.$$eval("a.term", (links) => links.filter((a) => !document.getElementById(a.getAttribute("aria-describedby"))?.textContent.trim()).map((a) => a.textContent));
    assert.deepEqual(loose, []);
    const term = page.locator("#headline th a.term[data-term=strict]");
    await term.focus();
    assert.match(await page.textContent("#tip"), /miss no item/);
    assert.ok(await page.isVisible("#tip"));
    await page.keyboard.press("Escape");
    assert.ok(await page.isHidden("#tip"));
    await term.hover();
    assert.ok(await page.isVisible("#tip"));
    await context.close();
  },
  async "switches theme and keeps it"(browser) {
    const { page, context } = await open(browser, file, { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await ground(), "rgb(255, 255, 255)");
    await page.click("#theme");
    assert.equal(await ground(), "rgb(22, 25, 29)");
    await page.reload();
    assert.equal(await ground(), "rgb(22, 25, 29)");
    await context.close();
  },
  async "fits a phone"(browser) {
    const { page, context } = await open(browser, file, { viewport: { width: 390, height: 844 } }, linkOf(evil.find((r) => r.a.length > 100000)));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await context.close();
  },
  async "gives its figures without scripts"(browser) {
    const { page, context } = await open(browser, file, { javaScriptEnabled: false });
    assert.ok(await page.locator("#headline tbody tr").first().isVisible());
    assert.ok(await page.locator("#browse noscript").isVisible());
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
        const light = found.violations.filter((v) => !grave.includes(v)).map((v) => v.id);
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
