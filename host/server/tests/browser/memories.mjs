// Memories: finding them, reading them with their evidence, and changing them.

import assert from "node:assert/strict";
import { assertQuiet, rows, until } from "./harness.mjs";

/** The text of a memory without the heading that repeats its title. */
const textOf = ({ body }) => body.replace(/^# [^\n]*\n+/, "").trim();

const dialogOf = (page) => page.locator("dialog[open]");

export const checks = {
  async "memories: search finds, marks and empties"(browser) {
    const id = await browser.newMemory("Quokkas guard the staging gate");
    const page = await browser.open("#/memories");
    await rows(page).first().waitFor();
    await page.getByLabel("Search memories").fill("quokkas");
    await until(page, () =>
      [...document.querySelectorAll(".virtual-row[data-ready] mark")].some((mark) => /quokka/i.test(mark.textContent)),
    );
    await page.locator(`.virtual-row[data-key="${id}"]`).click();
    await page.getByRole("heading", { name: "Quokkas guard the staging gate" }).waitFor();
    await page.getByLabel("Search memories").fill("zzyzxqwv");
    await page.getByText("Nothing fits").waitFor();
    await page.getByRole("button", { name: "Clear all" }).click();
    await rows(page).first().waitFor();
    assert.equal(await page.getByLabel("Search memories").inputValue(), "");
    assertQuiet(page);
  },

  async "memories: each filter shows what the API counts"(browser) {
    const page = await browser.open("#/memories");
    await rows(page).first().waitFor();
    const { facets } = await browser.api("GET", "/api/memories?facets=true&limit=1");
    const tag = facets.tags[0].value;
    const cases = [
      ["type", "decision"],
      ["kind", "pitfall"],
      ["trust", "untrusted"],
      ["tag", tag],
      ["stale", "true"],
    ];
    for (const [name, value] of cases) {
      await browser.go(page, "#/memories");
      await rows(page).first().waitFor();
      const { total } = await browser.api("GET", `/api/memories?${name}=${encodeURIComponent(value)}&limit=1`);
      if (name === "type") await page.getByRole("button", { name: /^Decisions/ }).click();
      else {
        if (!(await page.locator("details.facets").evaluate((details) => details.open)))
          await page.locator("details.facets > summary").click();
        const chip = page.locator(`.chip[data-facet="${name}"][data-value="${value}"]`);
        assert.match(await chip.innerText(), new RegExp(`${total}$`));
        await chip.click();
      }
      await page
        .getByRole("status")
        .filter({ hasText: new RegExp(`^${total.toLocaleString("en")} memor`) })
        .waitFor();
      assert.match(page.url(), new RegExp(`${name}=${value}`));
    }
    // Decisions and rules come before summaries.
    const { memories: ranked } = await browser.api("GET", "/api/memories?sort=rank&limit=3");
    await browser.go(page, "#/memories");
    await page.locator(`.virtual-row[data-key="${ranked[0].id}"][aria-posinset="1"]`).waitFor();
    assert.notEqual(ranked[0].type, "summary");
    assertQuiet(page);
  },

  async "memories: evidence leads to its place in the session"(browser) {
    const { memories: items } = await browser.api("GET", "/api/memories?limit=100");
    let found;
    for (const item of items) {
      const memory = await browser.api("GET", `/api/memories/${encodeURIComponent(item.id)}`);
      const said = memory.evidence?.contributions.find((one) => !["person", "import"].includes(one.agent));
      const quote = said?.evidence[0];
      if (quote) {
        found = { memory, quote };
        break;
      }
    }
    const page = await browser.open(`#/memories/${encodeURIComponent(found.memory.memory.id)}`);
    await page
      .getByText("used once")
      .or(page.getByText("used twice"))
      .or(page.getByText("used 3 times"))
      .first()
      .waitFor();
    await page.locator(".talk-turn.is-quoted").first().waitFor();
    await page.getByRole("link", { name: "Open the conversation" }).first().click();
    await page.locator(".event.is-wanted").waitFor();
    assert.equal(await page.locator(".event.is-wanted").getAttribute("data-event"), found.quote.event_id);
    await until(page, () => {
      const event = document.querySelector(".event.is-wanted").getBoundingClientRect();
      const frame = document.querySelector(".conversation").getBoundingClientRect();
      return event.top < frame.bottom && event.bottom > frame.top;
    });
    assertQuiet(page);
  },

  async "memories: earlier texts are shown as a difference"(browser) {
    const { memories: items } = await browser.api("GET", "/api/memories?limit=100");
    for (const item of items) {
      const { versions } = await browser.api("GET", `/api/memories/${encodeURIComponent(item.id)}/provenance`);
      if (versions.length < 2) continue;
      const page = await browser.open(`#/memories/${encodeURIComponent(item.id)}`);
      await page.getByRole("heading", { name: /^History/ }).waitFor();
      assert.equal(await page.locator(".version").count(), versions.length);
      await page.locator(".version .diff-line.is-added").first().waitFor();
      assertQuiet(page);
      return `${versions.length} texts`;
    }
    assert.fail("no memory has two texts");
  },

  async "memories: a new one, then an edit of title, text and tags"(browser) {
    const page = await browser.open("#/memories");
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: "New memory" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Title").fill("Lamas carry the release notes");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText("A memory needs a text").waitFor();
    await dialog.getByLabel("Text", { exact: true }).fill("They know the way.");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "Lamas carry the release notes" }).waitFor();
    const id = decodeURIComponent(/#\/memories\/([^?]+)/.exec(page.url())[1]);
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Title").fill("Lamas carry the notes");
    await dialog.getByLabel("Text", { exact: true }).fill("They know the **way**.\u202e");
    await dialog.getByText("does not show").or(dialog.getByText("do not show")).waitFor();
    await dialog.getByLabel("Text", { exact: true }).fill("They know the **way**.");
    await dialog.getByLabel("Tags").fill("lamas, release");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Lamas carry the notes" }).waitFor();
    const memory = await browser.api("GET", `/api/memories/${encodeURIComponent(id)}`);
    assert.equal(memory.memory.title, "Lamas carry the notes");
    assert.equal(textOf(memory), "They know the **way**.");
    assert.deepEqual(memory.memory.tags, ["lamas", "release"]);
    assert.equal(await page.locator(".prose strong").first().innerText(), "way");
    assertQuiet(page);
  },

  async "memories: a conflict keeps both texts and has three ways out"(browser) {
    const id = await browser.newMemory("Otters review the schema");
    const route = `/api/memories/${encodeURIComponent(id)}`;
    const page = await browser.open(`#/memories/${encodeURIComponent(id)}`);
    const dialog = dialogOf(page);
    const meanwhile = async (body) => {
      const { digest } = await browser.api("GET", route);
      await browser.api("PUT", route, { body, expected_digest: digest });
    };
    const save = () => dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await meanwhile("Theirs, the first.");
    await dialog.getByLabel("Text", { exact: true }).fill("Mine.");
    await save();
    await dialog.getByText("changed while you were writing").waitFor();
    await dialog.getByText("Theirs, the first.").waitFor();
    assert.equal(await dialog.getByLabel("Text", { exact: true }).inputValue(), "Mine.");
    assert.match((await browser.api("GET", route)).body, /Theirs, the first/);
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await dialog.waitFor({ state: "hidden" });
    assert.equal(textOf(await browser.api("GET", route)), "Mine.");

    await page.getByRole("button", { name: "Edit" }).click();
    await meanwhile("Theirs, the second.");
    await dialog.getByLabel("Text", { exact: true }).fill("Mine again.");
    await save();
    await dialog.getByRole("button", { name: "Take the newer text" }).click();
    await page.locator(".prose").getByText("Theirs, the second.").waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Text", { exact: true }).fill("Not saved.");
    await page.keyboard.press("Escape");
    await dialog.getByText("Close again to drop it").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.match((await browser.api("GET", route)).body, /Theirs, the second/);
    assertQuiet(page);
  },

  async "memories: confirm"(browser) {
    const { memories: items } = await browser.api("GET", "/api/memories?trust=untrusted&limit=1");
    const page = await browser.open(`#/memories/${encodeURIComponent(items[0].id)}`);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.locator("article .badge", { hasText: "confirmed" }).waitFor();
    assert.equal((await browser.api("GET", `/api/memories/${encodeURIComponent(items[0].id)}`)).memory.trust, "confirmed");
    assert.equal(await page.getByRole("button", { name: "Confirm" }).count(), 0);
    assertQuiet(page);
  },

  async "memories: archive, undo, archive, restore, reject"(browser) {
    const id = await browser.newMemory("Pandas hold the lock");
    const status = async () => (await browser.api("GET", `/api/memories/${encodeURIComponent(id)}`)).memory.status;
    const page = await browser.open(`#/memories/${encodeURIComponent(id)}`);
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    assert.equal(await status(), "archived");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Archive" }).waitFor();
    assert.equal(await status(), "active");
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("button", { name: "Archive" }).waitFor();
    assert.equal(await status(), "active");
    await page.getByRole("button", { name: "Reject" }).click();
    await dialogOf(page).getByRole("button", { name: "Keep it" }).click();
    assert.equal(await status(), "active");
    await page.getByRole("button", { name: "Reject" }).click();
    await dialogOf(page).getByRole("button", { name: "Reject" }).click();
    await page.getByRole("button", { name: "Restore" }).waitFor();
    assert.notEqual(await status(), "active");
    assertQuiet(page);
  },

  async "memories: a proposal is accepted"(browser) {
    const { memories: items } = await browser.api("GET", "/api/memories?limit=500");
    let waiting;
    for (const item of items.filter((one) => one.proposals > 0)) {
      waiting = await browser.api("GET", `/api/memories/${encodeURIComponent(item.id)}`);
      if (waiting.state.proposals.length > 0) break;
    }
    const page = await browser.open(`#/memories/${encodeURIComponent(waiting.memory.id)}`);
    const proposals = page.getByRole("region", { name: "Proposal" });
    await proposals.first().waitFor();
    const before = await proposals.count();
    await page.getByRole("button", { name: "Accept" }).click();
    await until(page, (count) => document.querySelectorAll(".proposal").length < count, before);
    const after = await browser.api("GET", `/api/memories/${encodeURIComponent(waiting.memory.id)}`);
    assert.ok(after.state.proposals.length < before);
    assertQuiet(page);
  },

  async "memories: one that is not there is said with a hint"(browser) {
    const page = await browser.open("#/memories/01ZZZZZZZZZZZZZZZZZZZZZZZZ");
    await page.getByRole("alert").waitFor();
    assertQuiet(page);
  },
};
