// The dashboard in a real browser. `browser.rs` starts the servers and says where they are:
//   ACRETA_ORIGIN, ACRETA_EMPTY_ORIGIN,  servers with invented memory: the usual one, and with none, twenty and a
//   ACRETA_SMALL_ORIGIN, ACRETA_LARGE_ORIGIN   thousand
//   ACRETA_TOKEN                         their token
//   ACRETA_CHROMIUM                      the browser
//   ACRETA_PLAYWRIGHT                    a node_modules folder with playwright-core, and axe-core if pages shall be checked with it
//   ACRETA_SHOTS                         optional: a folder for pictures of every page
// Prints a line for each check and ends with 1 if one failed. `browser.mjs NAME` runs those whose name has NAME in it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Browser } from "./browser/harness.mjs";
import { checks as pages } from "./browser/pages.mjs";
import { checks as setup } from "./browser/setup.mjs";
import { checks as everyday } from "./browser/everyday.mjs";
import { checks as memories } from "./browser/memories.mjs";
import { checks as reader } from "./browser/reader.mjs";
import { checks as review } from "./browser/review.mjs";
import { checks as keyboard } from "./browser/keyboard.mjs";
import { checks as hostile } from "./browser/hostile.mjs";
import { checks as large } from "./browser/large.mjs";
import { checks as look } from "./browser/look.mjs";
import { checks as quality } from "./browser/quality.mjs";

const from = process.env.ACRETA_PLAYWRIGHT
  ? path.join(process.env.ACRETA_PLAYWRIGHT, "..", "package.json")
  : import.meta.url;
const tools = createRequire(from);
const { chromium } = tools("playwright-core");
let axe;
try {
  axe = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");
} catch {
  // The checks say that they went without.
}
const browser = await Browser.start(chromium, {
  origin: process.env.ACRETA_ORIGIN,
  emptyOrigin: process.env.ACRETA_EMPTY_ORIGIN,
  smallOrigin: process.env.ACRETA_SMALL_ORIGIN,
  largeOrigin: process.env.ACRETA_LARGE_ORIGIN,
  axe,
  token: process.env.ACRETA_TOKEN,
  executable: process.env.ACRETA_CHROMIUM,
  shots: process.env.ACRETA_SHOTS,
});
const wanted = process.argv[2] ?? "";
let failed = 0;
let passed = 0;
for (const [name, check] of Object.entries({
  ...pages,
  ...setup,
  ...everyday,
  ...memories,
  ...reader,
  ...review,
  ...keyboard,
  ...hostile,
  ...large,
  ...look,
  ...quality,
})) {
  if (!name.includes(wanted)) continue;
  try {
    const said = await check(browser);
    passed += 1;
    console.log(`ok      ${name}${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    await browser.picture(`failed-${failed}`);
  } finally {
    await browser.closePages();
  }
}
await browser.stop();
console.log(`browser checks: ${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
