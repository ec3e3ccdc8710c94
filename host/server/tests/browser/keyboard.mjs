// Everything without a pointer.

import assert from "node:assert/strict";
import { assertQuiet, rows, until } from "./harness.mjs";

export const checks = {
  async "keyboard: search, move, open, edit, close"(browser) {
    const page = await browser.open("#/memories");
    await rows(page).first().waitFor();
    await page.keyboard.press("/");
    await until(page, () => document.activeElement?.matches("[data-search]"));
    assert.equal(await page.getByLabel("Search memories").inputValue(), "");
    await page.keyboard.press("Escape");
    await until(page, () => !document.activeElement?.matches("[data-search]"));
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const wanted = await page.locator(".virtual-row.is-current").getAttribute("data-key");
    assert.equal(await page.locator(".virtual-row.is-current").getAttribute("aria-posinset"), "2");
    await page.keyboard.press("Enter");
    await page.locator("article.memory").waitFor();
    assert.ok(page.url().includes(encodeURIComponent(wanted)));
    await page.keyboard.press("e");
    await page.locator("dialog[open] textarea").waitFor();
    // Letters typed in a field stay there.
    await page.keyboard.type("jk?/e");
    assert.match(await page.locator("dialog[open] textarea").inputValue(), /jk\?\/e/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await page.getByText("No memory is open").waitFor();
    assertQuiet(page);
  },

  async "keyboard: help, places, theme"(browser) {
    const page = await browser.open("#/home");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    for (const [key, name] of Object.entries({
      v: "Review",
      m: "Memories",
      t: "Timeline",
      s: "Sessions",
      b: "Briefs given",
      j: "Projects and agents",
      l: "Model",
      c: "Code context",
      p: "Plugins",
      e: "Settings",
      r: "Runs",
      q: "Queue",
      h: "Home",
    })) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name }).waitFor();
    }
    const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.keyboard.press("t");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), before);
    await page.keyboard.press("/");
    await until(page, () => document.activeElement?.matches("[data-search]"));
    assertQuiet(page);
  },

  async "keyboard: lists of links move by j and k and open by Enter"(browser) {
    const page = await browser.open("#/runs");
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const href = await page.evaluate(() => document.activeElement.getAttribute("href"));
    await page.keyboard.press("Enter");
    await page.locator(".timeline, .empty").first().waitFor();
    assert.ok(page.url().endsWith(href));
    await browser.go(page, "#/sessions");
    await rows(page).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(".conversation").waitFor();
    assertQuiet(page);
  },

  async "keyboard: Tab reaches the content and the focus is seen"(browser) {
    const page = await browser.open("#/memories");
    await rows(page).first().waitFor();
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    const met = new Set();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        const style = getComputedStyle(element);
        return {
          what: `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent.slice(0, 20)}`,
          isSeen: style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1,
          isBody: element === document.body,
          role: element.getAttribute("role"),
        };
      });
      if (at.isBody) break;
      assert.ok(at.isSeen, `no outline on ${at.what}`);
      met.add(at.role ?? at.what);
    }
    assert.ok(met.has("listbox"), [...met].join(", "));
    assertQuiet(page);
  },
};
