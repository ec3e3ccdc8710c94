// Review: decisions by keyboard, several at once, and undone.

import assert from "node:assert/strict";
import { assertQuiet, settled, until } from "./harness.mjs";

const current = (page) => page.locator(".review-row.is-current").getAttribute("data-item");
const ids = (page) => page.locator(".review-row").evaluateAll((rows) => rows.map((row) => row.dataset.item));
const waits = async (browser) => (await browser.api("GET", "/api/review")).items.map((item) => item.id);

/** So many untrusted memories that can become one: of one project, and all decisions or none. */
async function alike(browser, count) {
  const { items } = await browser.api("GET", "/api/review");
  const untrusted = items.filter((item) => item.kind === "untrusted");
  const group = (one) => `${one.scope} ${one.memories[0].kind === "decision"}`;
  const groups = untrusted.map((one) => untrusted.filter((other) => group(other) === group(one)));
  return groups.find((one) => one.length >= count).slice(0, count).map((item) => item.id);
}

/** An untrusted memory, and the title of one that it can be merged with. */
async function mergeable(browser) {
  for (const id of await waits(browser)) {
    if (!id.startsWith("u-")) continue;
    const detail = await browser.api("GET", `/api/review/${id}`);
    if (detail.alike.length > 0) return [id, detail.alike[0].title];
  }
  return assert.fail("nothing can be merged");
}

/** Opened, with the first item read. */
async function opened(browser, options) {
  const page = await browser.open("#/review", options);
  await page.locator(".review-item").waitFor();
  await settled(page);
  return page;
}

export const checks = {
  async "review: accept, reject and undo by keyboard"(browser) {
    const page = await opened(browser);
    const before = await ids(page);
    assert.deepEqual(before, await waits(browser));
    assert.ok(before.length > 6, `${before.length} items`);
    assert.equal(await current(page), before[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await until(page, (id) => document.querySelector(".review-row.is-current")?.dataset.item === id, before[1]);
    await settled(page);
    await page.keyboard.press("a");
    await page.getByText("Accepted", { exact: true }).waitFor();
    await until(page, (id) => !document.querySelector(`[data-item="${id}"]`), before[1]);
    assert.equal(await current(page), before[2], "the next item is open");
    await settled(page);
    await page.keyboard.press("r");
    await page.getByText("Rejected", { exact: true }).waitFor();
    await until(page, (id) => !document.querySelector(`[data-item="${id}"]`), before[2]);
    assert.deepEqual(
      await waits(browser),
      before.filter((id) => id !== before[1] && id !== before[2]),
    );
    await settled(page);
    await page.keyboard.press("u");
    await until(page, (id) => document.querySelector(".review-row.is-current")?.dataset.item === id, before[2]);
    await settled(page);
    await page.keyboard.press("u");
    await until(page, (id) => document.querySelector(".review-row.is-current")?.dataset.item === id, before[1]);
    assert.deepEqual(await ids(page), before);
    assert.deepEqual(await waits(browser), before);
    assertQuiet(page);
  },

  async "review: several at once, and the message takes them back"(browser) {
    const page = await opened(browser);
    const before = await ids(page);
    await page.keyboard.press("x");
    await settled(page);
    await page.keyboard.press("x");
    await page.getByText(/^2 of \d+ selected$/).waitFor();
    await settled(page);
    await page.keyboard.press("r");
    const shown = page.getByRole("dialog", { name: "Reject 2 items?" });
    await shown.waitFor();
    assert.equal(await shown.locator(".review-effect").count(), 2);
    assert.ok((await shown.locator(".diff-line.is-removed").count()) > 0, "the effect is shown before");
    assert.deepEqual(await waits(browser), before);
    await page.keyboard.press("Enter");
    await until(page, (count) => document.querySelectorAll(".review-row").length === count, before.length - 2);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await until(page, (count) => document.querySelectorAll(".review-row").length === count, before.length);
    assert.deepEqual(await waits(browser), before);
    assertQuiet(page);
  },

  async "review: several become one"(browser) {
    const page = await opened(browser);
    const before = await ids(page);
    const untrusted = await alike(browser, 3);
    for (const id of untrusted) await page.locator(`[data-item="${id}"] input`).check();
    await page.locator(".review-batch").getByRole("button", { name: "Merge" }).click();
    await page.getByRole("dialog").locator(".choice").first().click();
    const request = page.waitForRequest((one) => one.method() === "POST" && !one.postDataJSON().dry_run);
    await page.getByRole("dialog").getByRole("button", { name: "Merge 2 items" }).click();
    const { decisions } = (await request).postDataJSON();
    assert.deepEqual(
      decisions.map((one) => one.id),
      untrusted.slice(1),
    );
    assert.equal(new Set(decisions.map((one) => one.keep)).size, 1);
    // The one that remains is confirmed by that.
    await until(page, (count) => document.querySelectorAll(".review-row").length === count, before.length - 3);
    await settled(page);
    await page.keyboard.press("u");
    await until(page, (count) => document.querySelectorAll(".review-row").length === count, before.length);
    assertQuiet(page);
  },

  async "review: evidence in its conversation and the effect of each action"(browser) {
    const page = await opened(browser);
    await page.locator(".talk-turn.is-quoted").first().waitFor();
    assert.ok((await page.locator(".talk-turn").count()) >= 3);
    const effect = page.locator(".review-effect");
    assert.match(await effect.innerText(), /becomes confirmed/);
    await page.locator("[data-action=reject]").hover();
    await until(page, () => document.querySelector(".review-effect")?.innerText.includes("does not bring it back"));
    assert.ok((await effect.locator(".diff-line.is-removed").count()) > 0);
    await page.locator('.review-row[data-item^="r-"] a').first().click();
    await effect.locator(".diff-line.is-added").first().waitFor();
    assertQuiet(page);
  },

  async "review: edit in a dialog, merge with a choice"(browser) {
    const page = await opened(browser);
    const before = await ids(page);
    const pending = before.findIndex((id) => id.startsWith("p-"));
    for (let step = 0; step < pending; step += 1) {
      await page.keyboard.press("j");
      await settled(page);
    }
    await page.keyboard.press("e");
    await page.getByRole("dialog").getByLabel("Title").fill("In my own words");
    const request = page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/api/review"));
    await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    assert.equal((await request).postDataJSON().decisions[0].edit.title, "In my own words");
    await until(page, (id) => !document.querySelector(`[data-item="${id}"]`), before[pending]);
    await settled(page);
    const [untrusted, target] = await mergeable(browser);
    await page.locator(`[data-item="${untrusted}"] a`).click();
    await settled(page);
    await page.keyboard.press("m");
    await page.getByRole("dialog").getByRole("button", { name: target }).click();
    await page.getByText("Merged", { exact: true }).waitFor();
    await settled(page);
    await page.keyboard.press("u");
    await settled(page);
    await page.keyboard.press("u");
    await until(page, (count) => document.querySelectorAll(".review-row").length === count, before.length);
    assertQuiet(page);
  },

  async "review: narrow, the list first and then the item"(browser) {
    const page = await browser.open("#/review", { viewport: { width: 360, height: 740 }, hasTouch: true });
    await page.locator(".review-row").first().waitFor();
    assert.equal(await page.locator(".review-item").count(), 0);
    await page.locator(".review-row a").nth(1).click();
    await page.locator(".review-item").waitFor();
    assert.equal(await page.locator(".review-list").isVisible(), false);
    await browser.picture("review-item-narrow");
    await page.getByRole("button", { name: "List" }).click();
    await page.locator(".review-list").waitFor();
    assertQuiet(page);
  },
};
