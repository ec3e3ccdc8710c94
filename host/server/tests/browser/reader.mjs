// A session as one reads it: calls that open, prompts that lead to their place, search in it, sentences that are marked, and a
// long one that stays small and scrolls.

import assert from "node:assert/strict";
import { assertQuiet, settled, until } from "./harness.mjs";

/** Rows of a session in the document, whatever its length. */
const MOST_ROWS = 400;

const api = (one) => `/api/sessions/${encodeURIComponent(one.agent)}/${encodeURIComponent(one.id)}`;
const place = (one, more = "") => `#/sessions/${encodeURIComponent(one.agent)}/${encodeURIComponent(one.id)}${more}`;

/** The longest of the newest sessions, with its outline. */
async function longest(browser) {
  const { sessions: items } = await browser.api("GET", "/api/sessions?limit=20");
  let found;
  for (const one of items) {
    const outline = await browser.api("GET", `${api(one)}/outline`);
    if (!found || outline.rows > found.outline.rows) found = { ...one, outline };
  }
  return found;
}

async function opened(browser, one, more) {
  const page = await browser.open(place(one, more));
  await page.locator(".event").first().waitFor();
  await settled(page);
  return page;
}

const isInView = (page, selector) =>
  until(
    page,
    (what) => {
      const one = document.querySelector(what)?.getBoundingClientRect();
      const frame = document.querySelector(".conversation").getBoundingClientRect();
      return one && one.top < frame.bottom && one.bottom > frame.top;
    },
    selector,
  );

export const checks = {
  async "reader: a call is one line and opens to its difference, input and output"(browser) {
    const one = await longest(browser);
    const page = await opened(browser, one);
    const edit = page.locator(".event.is-call", { has: page.locator(".call-edit") }).first();
    assert.match(await edit.locator("summary").first().innerText(), /Edit[^]*src\/queue\.rs[^]*\+\d+[^]*−\d+/);
    assert.equal(await edit.locator(".diff-line").count(), 0);
    await edit.locator("summary").first().click();
    await edit.locator(".diff-line.is-added").first().waitFor();
    await edit.locator(".diff-line.is-removed").first().waitFor();
    await edit.getByText("Output", { exact: true }).waitFor();
    const failed = page.locator(".event.is-call.is-failed").first();
    await failed.locator("summary").first().click();
    await failed.getByText("error: test failed").waitFor();
    await browser.picture("reader-call");
    const thinking = page.locator(".event.is-thinking").first();
    assert.equal(await thinking.locator(".fold-body").isVisible(), false);
    await thinking.locator("summary").click();
    await thinking.locator(".fold-body").getByText("Something stays behind.").waitFor();
    await page.locator(".attachment", { hasText: "queue.png" }).first().waitFor();
    assertQuiet(page);
  },

  async "reader: a difference in an output is coloured, too"(browser) {
    const page = await opened(browser, await longest(browser));
    const shown = page.locator(".event.is-call", { hasText: "git diff" }).first();
    await shown.locator("summary").first().click();
    await shown.locator(".diff-line.is-removed").first().waitFor();
    assert.equal(await shown.locator(".diff-path").innerText(), "src/queue.rs");
    assertQuiet(page);
  },

  async "reader: prompts beside the text lead to their place, and n and p step through them"(browser) {
    const one = await longest(browser);
    const page = await opened(browser, one);
    const { chapters } = one.outline;
    const list = page.getByRole("listbox", { name: "Prompts" });
    await list.evaluate((node) => {
      node.scrollTop = node.scrollHeight;
    });
    await list.locator(`[aria-posinset="${chapters.length}"][data-ready]`).click();
    const last = chapters.at(-1);
    await page.locator(`.event.is-wanted[data-row="${last.row}"]`).waitFor();
    await isInView(page, ".event.is-wanted");
    await page.keyboard.press("p");
    await page.locator(`.event.is-wanted[data-row="${chapters.at(-2).row}"]`).waitFor();
    await page.keyboard.press("n");
    await page.locator(`.event.is-wanted[data-row="${last.row}"]`).waitFor();
    await list.locator(`.is-open[aria-posinset="${chapters.length}"]`).waitFor();
    assertQuiet(page);
    return `${chapters.length} prompts`;
  },

  async "reader: search goes through all of the session"(browser) {
    const one = await longest(browser);
    const { total, rows } = await browser.api("GET", `${api(one)}/find?q=error%3A%20test`);
    const page = await opened(browser, one);
    const box = page.getByLabel("Search in this session");
    await page.keyboard.press("/");
    await until(page, () => document.activeElement?.matches("[data-search]"));
    await box.fill("Error: test");
    await page.getByText(`1 of ${total.toLocaleString("en")}`).waitFor();
    const first = page.locator(`.event[data-row="${rows[0]}"] mark`);
    await first.waitFor();
    assert.equal(await first.innerText(), "error: test");
    await isInView(page, `.event[data-row="${rows[0]}"] mark`);
    await page.keyboard.press("Enter");
    await page.locator(`.event[data-row="${rows[1]}"] mark`).waitFor();
    assert.equal(await page.locator(".conversation mark").count(), 1);
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Shift+Enter");
    await page.getByText(`${total.toLocaleString("en")} of ${total.toLocaleString("en")}`).waitFor();
    await isInView(page, `.event[data-row="${rows.at(-1)}"] mark`);
    await browser.picture("reader-search");
    await box.fill("not said anywhere");
    await page.getByText("no match").waitFor();
    assertQuiet(page);
    return `${total} rows`;
  },

  async "reader: an address leads to a sentence"(browser) {
    const one = await longest(browser);
    const { rows } = await browser.api("GET", `${api(one)}/rows?offset=${one.outline.rows - 60}&limit=60`);
    const said = rows.find((row) => row.kind === "text" && row.text.startsWith("Done"));
    const quote = said.text.split(/\s+/).slice(0, 6).join(" ");
    const page = await opened(
      browser,
      one,
      `?event=${encodeURIComponent(said.id)}&quote=${encodeURIComponent(quote.toUpperCase())}`,
    );
    await page.locator(`.event.is-wanted[data-event="${said.id}"] mark`).first().waitFor();
    await isInView(page, ".event.is-wanted mark");
    assertQuiet(page);
  },

  async "reader: a long session stays small while it scrolls"(browser) {
    const one = await longest(browser);
    let asked = 0;
    const page = await opened(browser, one);
    page.on("request", (request) => {
      if (request.url().includes("/rows?")) asked += 1;
    });
    const seen = await page.evaluate(async () => {
      const frame = document.querySelector(".conversation");
      const tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
        entryTypes: ["longtask"],
      });
      let rows = 0;
      for (let turn = 0; turn < 240; turn += 1) {
        frame.scrollTop += 240;
        await new Promise(requestAnimationFrame);
        rows = Math.max(rows, document.querySelectorAll(".event").length);
      }
      return { rows, tasks: tasks.length, longest: Math.round(Math.max(0, ...tasks)) };
    });
    await settled(page);
    assert.ok(seen.rows <= MOST_ROWS, `${seen.rows} rows`);
    assert.ok(asked <= one.outline.pages.length, `${asked} requests`);
    assertQuiet(page);
    return `${one.outline.rows} rows, at most ${seen.rows} in the document, ${seen.tasks} tasks over 50 ms, the longest ${seen.longest} ms`;
  },
};
