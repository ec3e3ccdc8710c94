// How it looks, as far as a program can say: light and dark, narrow, names for everything, and pictures for people.

import assert from "node:assert/strict";
import { assertQuiet, PAGES, settled } from "./harness.mjs";

/** What every page must have; a small part of what accessibility checkers look for. */
function audit() {
  const problems = [];
  const name = (element) => {
    const labelled = element
      .getAttribute("aria-labelledby")
      ?.split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ");
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
    return (
      element.getAttribute("aria-label") ||
      labelled ||
      labels ||
      element.textContent ||
      element.getAttribute("title") ||
      ""
    ).trim();
  };
  const describe = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
  const isShown = (element) => element.checkVisibility?.() ?? true;
  for (const element of document.querySelectorAll("input, select, textarea")) {
    const own = element.tagName === "SELECT" ? { ...element, textContent: "" } : element;
    const labelled =
      element.getAttribute("aria-label") || [...element.labels].some((label) => label.textContent.trim());
    if (isShown(element) && !labelled) problems.push(`no label: ${describe(element)}${own.id ?? ""}`);
  }
  for (const element of document.querySelectorAll(
    "button, a[href], summary, [role=region], [role=listbox], [role=img], dialog, nav, aside",
  )) {
    if (isShown(element) && !name(element)) problems.push(`no name: ${describe(element)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`twice: #${id}`);
  for (const [what, wanted] of [
    ["main", 1],
    ["h1", 1],
    ["nav", 1],
    ["header.top", 1],
    ["[aria-live]#messages", 1],
  ]) {
    if (document.querySelectorAll(what).length !== wanted)
      problems.push(`${document.querySelectorAll(what).length} of ${what}`);
  }
  if (document.documentElement.lang !== "en") problems.push("no language");
  let last = 0;
  for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")) {
    const level = Number(heading.tagName[1]);
    if (last > 0 && level > last + 1 && !heading.closest(".prose"))
      problems.push(`heading ${level} after ${last}: ${heading.textContent}`);
    last = level;
  }
  for (const table of document.querySelectorAll("main table"))
    if (!table.closest(".prose") && !table.querySelector("th")) problems.push("a table without headings");
  for (const option of document.querySelectorAll("[role=option]"))
    if (!option.closest("[role=listbox]")) problems.push("an option outside a list");
  if (document.documentElement.scrollWidth > window.innerWidth)
    problems.push(`wider than the window by ${document.documentElement.scrollWidth - window.innerWidth}`);
  return [...new Set(problems)];
}

async function everyPlace(browser) {
  const [{ memories: items }, { runs }, { sessions }] = await Promise.all([
    browser.api("GET", "/api/memories?limit=20"),
    browser.api("GET", "/api/runs?limit=20"),
    browser.api("GET", "/api/sessions?limit=20"),
  ]);
  const memory = items.find((item) => item.proposals > 0) ?? items[0];
  const run = runs.find((one) => one.state === "completed" && one.agent) ?? runs[0];
  const [session] = sessions;
  return {
    ...Object.fromEntries(PAGES.map((name) => [name, `#/${name}`])),
    memory: `#/memories/${encodeURIComponent(memory.id)}`,
    run: `#/runs/${encodeURIComponent(run.run_id)}`,
    session: `#/sessions/${encodeURIComponent(session.agent)}/${encodeURIComponent(session.id)}`,
  };
}

async function tour(browser, name, options) {
  const page = await browser.open("#/home", options);
  for (const [place, fragment] of Object.entries(await everyPlace(browser))) {
    await browser.go(page, fragment);
    await settled(page);
    assert.deepEqual(await page.evaluate(audit), [], `${place}, ${name}`);
    await browser.picture(`${place}-${name}`);
  }
  assertQuiet(page);
  return page;
}

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const lightness = (colour) =>
  colour
    .match(/\d+/g)
    .slice(0, 3)
    .reduce((sum, one) => sum + Number(one), 0);

export const checks = {
  async "look: light"(browser) {
    const page = await tour(browser, "light", { colorScheme: "light", viewport: { width: 1440, height: 900 } });
    assert.ok(lightness(await background(page)) > 600);
  },

  async "look: dark"(browser) {
    const page = await tour(browser, "dark", { colorScheme: "dark", viewport: { width: 1440, height: 900 } });
    assert.ok(lightness(await background(page)) < 150);
  },

  async "look: 360 pixels wide"(browser) {
    const page = await tour(browser, "narrow", {
      viewport: { width: 360, height: 740 },
      deviceScaleFactor: 2,
      hasTouch: true,
    });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Memories" }).click();
    await page.locator(".virtual-row[data-ready]").first().click();
    await page.locator("article.memory").waitFor();
    assert.equal(await page.locator(".virtual").isVisible(), false);
    await page.getByRole("button", { name: "List" }).click();
    await page.locator(".virtual").waitFor();
    assertQuiet(page);
  },

  async "look: the chosen theme is kept"(browser) {
    const page = await browser.open("#/home", { colorScheme: "light" });
    const light = await background(page);
    await page.getByRole("button", { name: "Light or dark" }).click();
    const dark = await background(page);
    assert.notEqual(dark, light);
    await page.reload();
    await page.waitForSelector(".frame");
    assert.equal(await background(page), dark);
    assertQuiet(page);
  },

  async "look: nothing moves for those who asked for that"(browser) {
    const page = await browser.open("#/home", { reducedMotion: "reduce" });
    for (const name of PAGES) {
      await browser.go(page, `#/${name}`);
      await settled(page);
      const moving = await page.evaluate(
        () => document.getAnimations().filter((one) => one.playState === "running").length,
      );
      assert.equal(moving, 0, name);
    }
    assertQuiet(page);
  },

  async "look: empty places say what to do"(browser) {
    const page = await browser.open("#/home", {
      origin: browser.options.emptyOrigin,
      before: async (one) => {
        await one.route(/\/api\/connect$/, (route) => route.fulfill({ json: [] }));
        await one.route(/\/api\/plugins$/, (route) => route.fulfill({ json: { plugins: [] } }));
        await one.route(/\/api\/project\/list$/, (route) => route.fulfill({ json: { projects: [], waiting: [] } }));
      },
    });
    for (const name of [
      "review",
      "memories",
      "timeline",
      "sessions",
      "usage",
      "briefs",
      "ask",
      "projects",
      "code",
      "plugins",
      "runs",
      "queue",
    ]) {
      await browser.go(page, `#/${name}`);
      await page.locator(".empty").first().waitFor();
      assert.ok((await page.locator(".empty").first().innerText()).split("\n").length > 1, name);
    }
    await browser.go(page, "#/home");
    await page.getByText("acreta project add .").waitFor();
    await browser.picture("home-empty");
    assertQuiet(page);
  },
};
