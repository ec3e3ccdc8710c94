// Every page with no, twenty and a thousand memories: axe finds nothing serious, nothing is wider than the window, nothing
// covers a control, nothing is blank, and a title stands once.

import assert from "node:assert/strict";
import { assertQuiet, PAGES, settled, until } from "./harness.mjs";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 800 };

/** What can be said of a layout without a picture to compare it with. */
function flaws() {
  const problems = [];
  const describe = (element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.innerText ?? "").slice(0, 30)}”`;
  const main = document.querySelector("main");
  if (main.innerText.trim().length < 15) problems.push("blank");
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one title");
  if (document.documentElement.scrollWidth > window.innerWidth)
    problems.push(`wider than the window by ${document.documentElement.scrollWidth - window.innerWidth}`);
  if (main.scrollWidth > main.clientWidth + 1) problems.push(`main is wider by ${main.scrollWidth - main.clientWidth}`);
  const isWithin = (element, x, y) => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflow === "visible") continue;
      const box = parent.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
    }
    return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
  };
  for (const element of document.querySelectorAll(
    "main :is(a, button, input, select, textarea, summary), header :is(button, select)",
  )) {
    if (!element.checkVisibility()) continue;
    const box = element.getClientRects()[0];
    if (!box || box.width === 0 || box.height === 0) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!isWithin(element, x, y)) continue;
    const top = document.elementFromPoint(x, y);
    const isOwn = top && (element.contains(top) || top.contains(element));
    // What sticks to an edge stands over what is scrolled beneath it.
    const isStuck = top && top.closest(".day-name, .review-actions, .messages");
    if (!isOwn && !isStuck) problems.push(`${describe(element)} is covered by ${describe(top)}`);
  }
  for (const article of document.querySelectorAll("article.memory")) {
    const title = article.querySelector("h2")?.innerText.trim();
    const headings = [...article.querySelectorAll("h1, h2, h3")].filter((one) => one.innerText.trim() === title);
    if (title && headings.length > 1) problems.push(`the title stands ${headings.length} times`);
  }
  return [...new Set(problems)];
}

async function serious(page) {
  const found = await page.evaluate(() =>
    window.axe.run(document, {
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    }),
  );
  return found.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .flatMap((one) => one.nodes.slice(0, 3).map((node) => `${one.id}: ${node.html.slice(0, 160)}`));
}

async function places(browser, origin) {
  const [{ memories: items }, { sessions }] = await Promise.all([
    browser.api("GET", "/api/memories?sort=rank&limit=1", undefined, origin),
    browser.api("GET", "/api/sessions?limit=1", undefined, origin),
  ]);
  return {
    ...Object.fromEntries(PAGES.map((name) => [name, `#/${name}`])),
    ...(items[0] && { memory: `#/memories/${encodeURIComponent(items[0].id)}` }),
    ...(sessions[0] && {
      session: `#/sessions/${encodeURIComponent(sessions[0].agent)}/${encodeURIComponent(sessions[0].id)}`,
      search: "#/sessions?in=text&text=lease",
    }),
  };
}

/** Looks at each page of a server; with axe where there is one. */
async function tour(browser, name, origin, options, hasAxe = true) {
  const { axe } = browser.options;
  const page = await browser.open("#/home", {
    origin,
    // Not by a script element: the content security policy holds.
    before: (one) => (axe && hasAxe ? one.addInitScript({ content: axe }) : undefined),
    ...options,
  });
  let count = 0;
  const problems = [];
  for (const [place, fragment] of Object.entries(await places(browser, origin))) {
    await browser.go(page, fragment);
    await settled(page);
    await until(page, () => !document.querySelector("main .loading"), undefined, `${place} never came`);
    problems.push(...(await page.evaluate(flaws)).map((one) => `${place}: ${one}`));
    if (axe && hasAxe) problems.push(...(await serious(page)).map((one) => `${place}: ${one}`));
    await browser.picture(`${place}-${name}`);
    count += 1;
  }
  assert.deepEqual(problems, [], name);
  assertQuiet(page);
  return `${count} pages${axe && hasAxe ? " with axe" : hasAxe ? "; skipped: there is no axe-core" : ""}`;
}

export const checks = {
  "quality: no memory": (browser) => tour(browser, "0", browser.options.emptyOrigin, { viewport: DESKTOP }),
  "quality: twenty memories": (browser) =>
    tour(browser, "20", browser.options.smallOrigin, { viewport: DESKTOP, colorScheme: "light" }),
  "quality: twenty memories, dark": (browser) =>
    tour(browser, "20-dark", browser.options.smallOrigin, { viewport: DESKTOP, colorScheme: "dark" }),
  "quality: twenty memories, on a phone": (browser) =>
    tour(browser, "20-phone", browser.options.smallOrigin, { viewport: PHONE, hasTouch: true }),
  "quality: a thousand memories": (browser) =>
    tour(browser, "1000", browser.options.largeOrigin, { viewport: DESKTOP }),
  "quality: a thousand memories, on a phone": (browser) =>
    tour(browser, "1000-phone", browser.options.largeOrigin, { viewport: PHONE, hasTouch: true }, false),
};
