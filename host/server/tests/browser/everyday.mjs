// What one meets in the first week: all projects at once, folders that moved, limits, and messages that are in nobody's
// way.

import assert from "node:assert/strict";
import { assertQuiet, changed, MODELS, rows, settled, until } from "./harness.mjs";

const box = (page, selector) => page.locator(selector).first().boundingBox();

export const checks = {
  async "all projects: on home, review and memories, each row with its project"(browser) {
    const page = await browser.open("#/home");
    await page.getByLabel("Project", { exact: true }).selectOption({ label: "All projects" });
    const home = await browser.api("GET", "/api/home?all_projects=true");
    const one = await browser.api("GET", "/api/home");
    assert.ok(home.memories.decisions > one.memories.decisions);
    const holdings = page.getByRole("list", { name: "What there is" });
    await holdings.getByRole("link", { name: `${home.memories.decisions} Decisions` }).waitFor();
    const other = home.learnt.memories.find((memory) => memory.scope.startsWith("/"));
    await page.locator(".home-news .line").filter({ hasText: other.title }).first().waitFor();
    assert.ok((await page.locator(".home-news .project-name").count()) === home.learnt.memories.length);

    await browser.go(page, "#/memories");
    const all = await browser.api("GET", "/api/memories?all_projects=true&sort=rank&limit=200");
    await page
      .getByRole("status")
      .filter({ hasText: `${all.total} memories` })
      .waitFor();
    assert.ok((await rows(page).locator(".project-name").count()) > 0);
    const elsewhere = all.memories.find((memory) => memory.scope.startsWith("/"));
    const asked = page.waitForRequest((request) => request.url().includes(`/api/memories/${elsewhere.id}?`));
    await page.getByLabel("Search memories").fill(elsewhere.title);
    await rows(page).filter({ hasText: elsewhere.title }).first().click();
    assert.equal(new URL((await asked).url()).searchParams.get("project_root"), elsewhere.scope);
    await page.locator("article.memory").waitFor();

    await browser.go(page, "#/review");
    await page.locator(".review-item").waitFor();
    const queue = await browser.api("GET", "/api/review?all_projects=true");
    const ids = () => page.locator(".review-row").evaluateAll((all) => all.map((row) => row.dataset.item));
    assert.deepEqual(
      await ids(),
      queue.items.map((item) => item.id),
    );
    const theirs = queue.items.find((item) => item.scope.startsWith("/"));
    await page.locator(`[data-item="${theirs.id}"] .project-name`).waitFor();
    await page.locator(`[data-item="${theirs.id}"] a`).click();
    await settled(page);
    await page.keyboard.press("a");
    await until(page, (id) => !document.querySelector(`[data-item="${id}"]`), theirs.id);
    await settled(page);
    await page.keyboard.press("u");
    await until(page, (id) => document.querySelector(`[data-item="${id}"]`), theirs.id);
    // A page about one project says which, and the choice of all stays.
    await browser.go(page, "#/settings");
    const { projects } = await browser.api("GET", "/api/project/list");
    assert.equal(await page.getByLabel("Project", { exact: true }).inputValue(), projects.find((project) => project.current).root);
    await page.reload();
    await page.waitForSelector(".frame");
    await browser.go(page, "#/home");
    assert.equal(await page.getByLabel("Project", { exact: true }).locator("option:checked").innerText(), "All projects");
    assertQuiet(page);
  },

  async "project: the dashboard opens on the one that the person stands in"(browser) {
    const [first, second] = (await browser.api("GET", "/api/project/list")).projects.filter((project) => project.registered);
    const page = await browser.open("#/home");
    await page.getByLabel("Project", { exact: true }).selectOption(first.root);
    const { url } = await browser.api("POST", "/api/login/code", {});
    const standing = new URLSearchParams({ project: second.root });
    await page.goto("about:blank");
    await page.goto(`${url}&${standing}`);
    await page.waitForSelector(".frame");
    assert.equal(await page.getByLabel("Project", { exact: true }).inputValue(), second.root);
    assert.doesNotMatch(page.url(), /code=|project=/);
    await page.reload();
    await page.waitForSelector(".frame");
    assert.equal(await page.getByLabel("Project", { exact: true }).inputValue(), second.root);
    assertQuiet(page);
  },

  async "projects: one whose folder is gone is moved to where it is"(browser) {
    const page = await browser.open("#/projects");
    const { projects } = await browser.api("GET", "/api/project/list");
    const { root } = projects.find((project) => project.registered);
    const gone = page.getByRole("row").filter({ hasText: "/srv/gone/elsewhere" });
    await gone.getByText("folder is gone").waitFor();
    assert.equal(await gone.getByRole("button", { name: "Register" }).count(), 0);
    await gone.getByRole("button", { name: "moved to" }).click();
    await page.getByRole("dialog").getByLabel("Where it is now").fill(root);
    const sent = page.waitForRequest((request) => request.url().endsWith("/api/project/add"));
    await page.getByRole("dialog").getByRole("button", { name: "It is there" }).click();
    assert.deepEqual((await sent).postDataJSON(), { path: root, former: "/srv/gone/elsewhere" });
    await gone.waitFor({ state: "detached" });
    assertQuiet(page);
  },

  async "projects: an agent that is not installed is not connected"(browser) {
    const page = await browser.open("#/projects");
    const agents = await browser.api("GET", "/api/connect");
    const absent = agents.find((agent) => agent.granted && !agent.path).agent;
    const here = agents.find((agent) => agent.granted && agent.path).agent;
    const row = (name) => page.getByRole("region", { name: "Agents" }).getByRole("row").filter({ hasText: name });
    await row(here).getByText("connected", { exact: true }).waitFor();
    await row(absent).getByText("not found on this machine").waitFor();
    assert.equal(await row(absent).getByText("connected", { exact: true }).count(), 0);
    assertQuiet(page);
  },

  async "home: sessions that go have titles, never ids"(browser) {
    const id = "0b1c7d2e-aaaa-4bbb-8ccc-000000000001";
    const said = { role: "user", kind: "text", text: "Why is it slow?\nPlease measure.", id: "e1", attrs: {} };
    const page = await browser.open("#/projects", {
      before: async (one) => {
        await one.route("**/api/sessions/claude/said/events?*", (route) => route.fulfill({ json: { events: [said] } }));
        await changed(one, "**/api/home?*", ({ leaving }) => {
          for (const session of leaving.sessions) Object.assign(session, { id, title: undefined });
          Object.assign(leaving.sessions[0], { title: "Speed up the queue", agent: "claude" });
          leaving.sessions[1].id = "said";
        });
      },
    });
    await browser.go(page, "#/home");
    const panel = page.locator(".home-leaving");
    await panel.getByText("Speed up the queue").waitFor();
    await panel.getByText("Why is it slow?", { exact: true }).waitFor();
    await panel
      .getByText(/^claude, last used/)
      .first()
      .waitFor();
    assert.doesNotMatch(await panel.innerText(), /0b1c7d2e/);
    assertQuiet(page);
  },

  async "home: a limit that is used up needs you"(browser) {
    const page = await browser.open("#/projects", {
      before: (one) => changed(one, "**/api/home?*", ({ spend }) => void Object.assign(spend, { calls: 100, calls_limit: 100 })),
    });
    await browser.go(page, "#/home");
    const needs = page.locator(".home-needs");
    await needs.getByText("Limit of today used up: 100 of 100 calls").waitFor();
    await needs.getByText("sessions wait for a model").waitFor();
    assert.doesNotMatch(await page.locator(".home-spend").innerText(), /wait for a model/);
    await needs.getByText("Limit of today").click();
    await page.getByText("Who reads your sessions").waitFor();
    assertQuiet(page);
  },

  async "home: on a phone the news come first"(browser) {
    const page = await browser.open("#/home", { viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.locator(".home-news").waitFor();
    const tops = [];
    for (const part of [".headline", ".home-news", ".home-needs", ".home-leaving", ".holdings", ".home-spend"])
      tops.push((await box(page, part)).y);
    assert.deepEqual(
      tops,
      [...tops].sort((left, right) => left - right),
    );
    assertQuiet(page);
  },

  async "memories: the counts of types follow a search"(browser) {
    const page = await browser.open("#/memories?q=queue");
    await rows(page).first().waitFor();
    const { hits } = await browser.api("GET", "/api/search?q=queue&limit=100");
    const group = page.getByRole("group", { name: "Type" });
    for (const [type, label] of [
      ["decision", "Decisions"],
      ["learning", "Learnings"],
      ["summary", "Summaries"],
    ]) {
      const count = hits.filter((hit) => hit.type === type).length;
      await group.getByRole("button", { name: new RegExp(`^${label}\\s*${count}$`) }).waitFor();
    }
    await group.getByRole("button", { name: "Decisions" }).click();
    const decisions = hits.filter((hit) => hit.type === "decision").length;
    await page
      .getByRole("status")
      .filter({ hasText: `${decisions} hit` })
      .waitFor();
    await group.getByRole("button", { name: /^Learnings/ }).waitFor();
    assertQuiet(page);
  },

  async "evidence: markdown is rendered"(browser) {
    const page = await browser.open("#/review");
    await page.locator(".talk-turn").first().waitFor();
    assert.ok((await page.locator(".talk-text strong").allInnerTexts()).includes("three tries"));
    assert.ok((await page.locator(".talk-text li").count()) >= 2);
    assert.doesNotMatch(await page.locator(".talk-turns").first().innerText(), /\*\*|^- /m);
    assertQuiet(page);
  },

  async "model: the chosen row is marked, and what to install is said"(browser) {
    let current = "ollama";
    const page = await browser.open("#/projects", {
      before: (one) =>
        changed(one, "**/api/model", (model) => {
          model.current = current;
          model.found = current === undefined ? [] : MODELS;
        }),
    });
    const chosen = page.locator('.choice-row[aria-current="true"]');
    // A program without its model is the row of that program.
    await browser.go(page, "#/model");
    await chosen.getByText("qwen3:8b on Ollama").waitFor();
    assert.equal(await chosen.count(), 1);
    await page.getByText("Not on this machine").click();
    await page.getByText("npm install -g @google/gemini-cli").waitFor();
    assert.equal(await page.getByText("npm install -g @openai/codex").count(), 0);
    current = "gemini/pro";
    await page.reload();
    await chosen.getByText("not installed").waitFor();
    assert.match(await chosen.innerText(), /npm install -g @google\/gemini-cli/);
    current = undefined;
    await page.reload();
    await chosen.getByText("rules alone").waitFor();
    await page.getByText("No model was found on this machine").waitFor();
    assert.ok(await page.getByText("npm install -g @anthropic-ai/claude-code").isVisible());
    assertQuiet(page);
  },

  async "messages: they cover nothing, and fade"(browser) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await browser.open("#/model", { viewport });
      await page.getByLabel("Most calls a day").fill("50");
      await page.getByLabel("Most calls a day").press("Enter");
      const toast = page.locator(".toast");
      await toast.waitFor();
      const [message, frame] = [await box(page, ".toast"), await box(page, ".frame")];
      assert.ok(message.y >= frame.y + frame.height, `${message.y} in ${frame.height}`);
      assert.ok(message.y + message.height <= viewport.height);
      assert.ok((await box(page, "main")).y + (await box(page, "main")).height <= message.y + 1);
      await toast.getByRole("button", { name: "Close" }).click();
      await page.locator(".toast.is-leaving").waitFor({ state: "attached" });
      await until(page, () => {
        const leaving = document.querySelector(".toast.is-leaving");
        return !leaving || Number(getComputedStyle(leaving).opacity) < 1;
      });
      await toast.waitFor({ state: "detached" });
      assert.equal((await box(page, ".frame")).height, viewport.height);
      assertQuiet(page);
    }
  },
};
