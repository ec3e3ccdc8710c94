// A thousand memories: the document stays small, every one can be reached, and scrolling keeps up.

import assert from "node:assert/strict";
import { assertQuiet, rows, until } from "./harness.mjs";

const MOST_NODES = 2_000;
const MOST_ROWS = 60;

export const checks = {
  async "large: a thousand memories in a bounded document"(browser) {
    const origin = browser.options.largeOrigin;
    const { total } = await browser.api("GET", "/api/memories?limit=1", undefined, origin);
    assert.ok(total >= 1_000, `only ${total}`);
    const page = await browser.open("#/memories", { origin });
    await rows(page).first().waitFor();
    const list = page.locator(".virtual");
    const nodes = () => page.evaluate(() => document.getElementsByTagName("*").length);
    let most = await nodes();
    for (const share of [0.1, 0.5, 0.9, 1, 0.3, 0]) {
      await list.evaluate((element, part) => {
        element.scrollTop = (element.scrollHeight - element.clientHeight) * part;
      }, share);
      // All that is in view has come.
      await until(
        page,
        () => {
          const element = document.querySelector(".virtual");
          const box = element.getBoundingClientRect();
          const shown = [...element.querySelectorAll(".virtual-row")].filter((row) => {
            const at = row.getBoundingClientRect();
            return at.bottom > box.top && at.top < box.bottom;
          });
          return shown.length >= 3 && shown.every((row) => row.dataset.ready);
        },
        undefined,
        `rows at ${share}`,
      );
      assert.ok((await page.locator(".virtual-row").count()) <= MOST_ROWS);
      most = Math.max(most, await nodes());
    }
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await page.locator(`.virtual-row[data-ready][aria-posinset="${total}"]`).waitFor();
    await page.locator(`.virtual-row[aria-posinset="${total}"]`).click();
    await page.locator("article.memory").waitFor();
    assert.ok(most < MOST_NODES, `${most} nodes`);
    assertQuiet(page);
    return `${total} memories, at most ${most} nodes`;
  },

  async "large: a long scroll asks for each page once at a time and stays smooth"(browser) {
    // Without the stream: what happens elsewhere makes the list ask again.
    const page = await browser.open("#/memories", {
      origin: browser.options.largeOrigin,
      before: (one) => one.route("**/api/events*", (route) => route.abort()),
    });
    await rows(page).first().waitFor();
    const asked = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/memories?")) asked.push(request.url());
    });
    const longest = await page.evaluate(async () => {
      const element = document.querySelector(".virtual");
      let last = performance.now();
      let gap = 0;
      for (let frame = 0; frame < 120; frame += 1) {
        element.scrollTop += 240;
        const now = await new Promise(requestAnimationFrame);
        gap = Math.max(gap, now - last);
        last = now;
      }
      return gap;
    });
    assert.equal(new Set(asked).size, asked.length, "a page was asked for twice");
    assertQuiet(page);
    // A figure to read, not one to fail by: machines differ.
    return `${asked.length} pages of rows, longest frame ${Math.round(longest)} ms`;
  },

  async "large: figures of the first paint and of scrolling"(browser) {
    const page = await browser.open("#/memories", {
      origin: browser.options.largeOrigin,
      before: (one) =>
        one.addInitScript(() => {
          window.longTasks = [];
          new PerformanceObserver((list) =>
            window.longTasks.push(...list.getEntries().map((one) => one.duration)),
          ).observe({ type: "longtask", buffered: true });
        }),
    });
    await rows(page).first().waitFor();
    await page.reload();
    await rows(page).first().waitFor();
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    const longest = await page.evaluate(async () => {
      window.longTasks.length = 0;
      const element = document.querySelector(".virtual");
      for (let frame = 0; frame < 200; frame += 1) {
        element.scrollTop += 400;
        await new Promise(requestAnimationFrame);
      }
      return Math.max(0, ...window.longTasks);
    });
    assert.ok(paint > 0, "nothing was painted");
    assertQuiet(page);
    // Figures to read, not to fail by: machines differ.
    return `first paint after ${Math.round(paint)} ms, longest task while scrolling ${longest === 0 ? "under 50" : Math.round(longest)} ms`;
  },

  async "large: the keyboard goes to the end, and search and timeline stay bounded"(browser) {
    const origin = browser.options.largeOrigin;
    const page = await browser.open("#/memories", { origin });
    await rows(page).first().waitFor();
    await page.locator(".virtual").focus();
    await page.keyboard.press("End");
    const { total } = await browser.api("GET", "/api/memories?limit=1", undefined, origin);
    await page.locator(`.virtual-row.is-current[data-ready][aria-posinset="${total}"]`).waitFor();
    await page.keyboard.press("Home");
    await page.locator('.virtual-row.is-current[data-ready][aria-posinset="1"]').waitFor();
    await page.getByLabel("Search memories").fill("the");
    await until(
      page,
      () => document.querySelectorAll(".virtual-row[data-ready]").length > 0 || document.querySelector(".empty-title"),
    );
    await browser.go(page, "#/timeline");
    await page.locator(".moment").first().waitFor();
    assert.ok((await page.evaluate(() => document.getElementsByTagName("*").length)) < 3_000);
    assertQuiet(page);
  },
};
