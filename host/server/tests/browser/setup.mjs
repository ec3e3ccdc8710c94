// Pages on which something is set up: projects and agents, the model, settings, the code.

import assert from "node:assert/strict";
import { assertQuiet, changed, MODELS, until } from "./harness.mjs";

/** What a model found in a session. */
const TRIAL = {
  reader: "ollama/qwen3:8b",
  file: "/sessions/session-000.jsonl",
  agent: "claude",
  session: "session-000",
  events: 61,
  found: [{ type: "decision", kind: "", title: "Keep `leases` short", body: "A **minute** is enough.", quotes: ["a minute"] }],
  usage: { calls: 2, input_tokens: 9_400, output_tokens: 810 },
  total_ms: 6_200,
};

export const checks = {
  async "projects: register, trust, connect, exclude"(browser) {
    const page = await browser.open("#/projects");
    const row = (name) => page.getByRole("row").filter({ hasText: name });
    await row("unregistered").getByRole("button", { name: "Register" }).click();
    await row("unregistered").getByRole("button", { name: "Leave out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave out" }).click();
    await row("unregistered").getByRole("button", { name: "Register" }).waitFor();
    const first = (await browser.api("GET", "/api/project/list")).projects.find((project) => project.registered);
    await row(first.root).getByRole("button", { name: "Trust" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Trust" }).click();
    await row(first.root).getByRole("button", { name: "Ignore them" }).click();
    await row(first.root).getByRole("button", { name: "Trust" }).waitFor();
    const agent = (await browser.api("GET", "/api/connect")).find((one) => one.granted && one.path);
    const reading = page.getByRole("region", { name: "Agents" }).getByRole("row").filter({ hasText: agent.agent });
    await reading.getByRole("button", { name: "Disconnect" }).click();
    await reading.getByRole("button", { name: "Connect", exact: true }).click();
    await reading.getByRole("button", { name: "Disconnect" }).waitFor();
    const before = await browser.api("GET", "/api/exclude");
    await page.getByLabel("Exclude a folder").fill("/home/sam/diary");
    await page.getByRole("button", { name: "Exclude" }).click();
    await page
      .locator(".line")
      .filter({ hasText: "/home/sam/diary" })
      .getByRole("button", { name: "Read again" })
      .click();
    await page.locator(".line").filter({ hasText: "/home/sam/diary" }).waitFor({ state: "detached" });
    assert.deepEqual(await browser.api("GET", "/api/exclude"), before);
    assertQuiet(page);
  },

  async "model: who reads, a limit, and a trial"(browser) {
    const page = await browser.open("#/model", {
      before: async (one) => {
        await changed(one, "**/api/model", (model) => void (model.found = MODELS));
        await one.route("**/api/model/test", (route) => route.fulfill({ json: TRIAL }));
      },
    });
    await page.locator(".choice-row").first().waitFor();
    await page.getByRole("button", { name: "Use qwen3:8b on Ollama" }).click();
    await page.locator(".choice-row.is-used").filter({ hasText: "qwen3" }).waitFor();
    await page.getByRole("button", { name: "Read a session" }).click();
    await page.locator(".found").getByText("Keep leases short").waitFor();
    await page.getByLabel("Most calls a day").fill("50");
    await page.getByLabel("Most calls a day").press("Enter");
    await page.locator(".toast").filter({ hasText: "limit" }).waitFor();
    const { settings } = await browser.api("GET", "/api/settings");
    assert.equal(settings.find((one) => one.key === "llm.budget.day_calls").value, 50);
    await page.getByRole("button", { name: "Use Nobody: rules alone" }).click();
    await page.locator(".choice-row.is-used").filter({ hasText: "rules alone" }).waitFor();
    await browser.api("POST", "/api/model", { name: "claude" });
    assertQuiet(page);
  },

  async "settings: found, set, and left alone where they name things"(browser) {
    const page = await browser.open("#/settings");
    await page.locator(".setting").first().waitFor();
    await page.getByLabel("Value of hooks.prompt").selectOption("false");
    await page.locator('.setting[data-key="hooks.prompt"] .badge').waitFor();
    const { settings } = await browser.api("GET", "/api/settings");
    assert.equal(settings.find((one) => one.key === "hooks.prompt").value, false);
    const command = page.locator('.setting[data-key="llm.roles.extract.provider"]');
    assert.equal(await command.locator("input, select").count(), 0);
    await page.getByLabel("Find a setting").fill("sync_minutes");
    await until(page, () => document.querySelectorAll(".setting").length === 1);
    assertQuiet(page);
  },

  async "code: the codebase, and files for a task"(browser) {
    const page = await browser.open("#/code");
    await page.getByText("Entry points").waitFor();
    await page.getByLabel("A task").fill("fix the queue");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Files" }).getByText("src/queue.rs").waitFor();
    assertQuiet(page);
  },
};
