// Starts Chromium as this project's machines can: no sandbox (root), no background network. The page is served by
// itself on loopback or opened from its file; any other request is counted as a fault.
const { chromium } = require("playwright-core");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

async function withBrowser(executable, work) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "turnproof-chromium-"));
  const browser = await chromium.launch({ executablePath: executable, args: FLAGS, ignoreDefaultArgs: ["--enable-automation"] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

async function open(browser, file, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) requests.push(request.url()); });
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(`file://${file}${hash}`);
  return { context, page, faults, requests };
}

module.exports = { withBrowser, open };
