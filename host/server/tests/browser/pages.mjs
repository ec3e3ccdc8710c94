// Each page shows what the API says, and what can be done on it is done.

import assert from "node:assert/strict";
import http from "node:http";
import { assertQuiet, PAGES, rows, settled, until } from "./harness.mjs";

/** The project that the frame chooses. */
async function firstProject(browser) {
  return (await browser.api("GET", "/api/project/list")).projects.find((project) => project.current).root;
}

/** Rows of a session in the document, whatever its length. */
const MOST_ROWS = 400;

export const checks = {
  async "login: without one the page says what to run"(browser) {
    const page = await browser.open("", { isLoggedIn: false });
    await page.getByRole("heading", { name: "Log in from your terminal" }).waitFor();
    assert.match(await page.locator("main").innerText(), /acreta dashboard/);
    assertQuiet(page);
  },

  async "login: a code works once and leaves the address"(browser) {
    const { url } = await browser.api("POST", "/api/login/code", {});
    const fragment = url.slice(url.indexOf("#"));
    const page = await browser.open(fragment, { isLoggedIn: false });
    await page.waitForSelector(".frame");
    assert.doesNotMatch(page.url(), /code=/);
    await page.reload();
    await page.waitForSelector(".frame");
    const other = await browser.open(fragment, { isLoggedIn: false });
    await other.getByRole("alert").waitFor();
    assert.match(await other.locator("main").innerText(), /acreta dashboard/);
    assert.doesNotMatch(other.url(), /code=/);
    assertQuiet(page);
  },

  async "login: another port of this host gets nothing, and another tab is logged in"(browser) {
    const page = await browser.open();
    assert.deepEqual(await page.context().cookies(), []);
    const heard = [];
    const other = http.createServer((request, response) => {
      heard.push(request.headers);
      response.end("<!doctype html><title>another port</title>");
    });
    await new Promise((ready) => other.listen(0, "127.0.0.1", ready));
    try {
      await page.context().unrouteAll();
      const stranger = await page.context().newPage();
      await stranger.goto(`http://127.0.0.1:${other.address().port}/`);
      assert.ok(heard.length > 0);
      for (const headers of heard) assert.ok(!headers.cookie && !headers.authorization, JSON.stringify(headers));
      assert.equal(await stranger.evaluate(() => localStorage.length), 0);
      const tab = await page.context().newPage();
      await tab.goto(`${page.origin}/#/memories`);
      await tab.waitForSelector(".frame");
    } finally {
      other.close();
    }
    assertQuiet(page);
  },

  async "pages: each shows itself without a complaint"(browser) {
    const page = await browser.open();
    for (const name of PAGES) {
      await browser.go(page, `#/${name}`);
      assert.ok((await page.locator("h1").innerText()).toLowerCase().startsWith(name), name);
      assert.equal(await page.locator('nav [aria-current="page"]').count(), 1);
      assert.equal(await page.getByRole("alert").count(), 0, name);
    }
    await browser.go(page, "#/nowhere");
    await page.getByText("There is no page").waitFor();
    assertQuiet(page);
  },

  async "pages: one whose answer comes late stays left"(browser) {
    const page = await browser.open();
    let answer;
    const asked = new Promise((done) => {
      page.route("**/api/review?*", async (route) => {
        await new Promise((go) => {
          answer = go;
          done();
        });
        await route.continue();
      });
    });
    await browser.go(page, "#/review");
    await asked;
    await browser.go(page, "#/plugins");
    const answered = page.waitForResponse("**/api/review?*");
    answer();
    await (await answered).finished();
    await settled(page);
    assert.match(page.url(), /#\/plugins$/);
    assert.equal(await page.locator("h1").innerText(), "Plugins");
    assertQuiet(page);
  },

  async "home: what was learnt, what needs you, and every number leads to what it counts"(browser) {
    const page = await browser.open("#/home");
    const home = await browser.api("GET", "/api/home");
    await page.locator(".headline").waitFor();
    assert.match(await page.locator(".headline").innerText(), new RegExp(`^${home.learnt.total} memor`));
    const { review } = await browser.api("GET", "/api/status");
    await page.getByRole("link", { name: `${review.conflicts} conflict` }).waitFor();
    await page.getByText("About to be deleted by their agent").waitFor();
    await page.getByText(`of ${home.spend.calls_limit}`).waitFor();
    for (const [label, value] of [
      ["Decisions", home.memories.decisions],
      ["Summaries", home.memories.summaries],
      ["Stale", home.memories.stale],
    ]) {
      const link = page.getByRole("list", { name: "What there is" }).getByRole("link", { name: label });
      assert.match(await link.innerText(), new RegExp(`^${value}`));
      await link.click();
      await page
        .getByRole("status")
        .filter({ hasText: new RegExp(`^${value} memor`) })
        .waitFor();
      await browser.go(page, "#/home");
      await page.locator(".headline").waitFor();
    }
    // Another visit begins where this one was.
    const key = await page.evaluate(() => Object.keys(localStorage).find((name) => name.startsWith("acreta.visit.")));
    await page.evaluate((name) => localStorage.setItem(name, String(Date.now() - 3 * 86_400_000)), key);
    await page.reload();
    await page.getByText("since your last visit, 3 d ago").waitFor();
    assertQuiet(page);
  },

  async "timeline: days, kinds and changes of mind"(browser) {
    const page = await browser.open("#/timeline");
    const all = await browser.api("GET", "/api/timeline");
    await page.locator(".moment").first().waitFor();
    assert.equal(await page.locator(".moment").count(), all.entries.length);
    await page.getByRole("button", { name: /^Changes of mind/ }).click();
    await until(
      page,
      (count) =>
        document.querySelectorAll(".moment.is-change_of_mind").length === count &&
        document.querySelectorAll(".moment").length === count,
      all.counts.changes_of_mind,
    );
    await page.getByText("instead of").first().waitFor();
    await page.locator(".moment-main").first().click();
    await page.locator("article.memory").waitFor();
    assertQuiet(page);
  },

  async "briefs: each line with its reason"(browser) {
    const page = await browser.open("#/briefs");
    const { briefs } = await browser.api("GET", "/api/briefs");
    await page.locator(".brief-line").first().waitFor();
    assert.equal(await page.locator(".review-row").count(), briefs.length);
    const text = await page.locator(".brief-lines").innerText();
    for (const line of briefs[0].lines) assert.ok(text.includes("is about"), line.reason);
    await page.keyboard.press("j");
    await page.locator(".review-row.is-current").nth(0).waitFor();
    assert.equal(await page.locator(".review-row").nth(1).getAttribute("class"), "review-row is-current");
    assertQuiet(page);
  },

  async "runs: the list, and one run with its steps, plugins, actions and candidates"(browser) {
    const page = await browser.open("#/runs");
    const { runs } = await browser.api(
      "GET",
      `/api/runs?limit=50&project_root=${encodeURIComponent(await firstProject(browser))}`,
    );
    await page.locator("[data-row]").first().waitFor();
    assert.equal(await page.locator("[data-row]").count(), runs.length);
    let detail;
    for (const run of runs) {
      detail = await browser.api("GET", `/api/runs/${encodeURIComponent(run.run_id)}`);
      if (
        detail.candidates.length > 0 &&
        detail.report?.metrics?.plugins?.length > 0 &&
        detail.report.actions?.length > 0
      )
        break;
    }
    await browser.go(page, `#/runs/${encodeURIComponent(detail.run_id)}`);
    await page.locator(".timeline").waitFor();
    assert.equal(await page.locator(".timeline .step").count(), detail.report.todos.length);
    const plugins = page.getByRole("region", { name: "Plugins" });
    assert.equal(await plugins.locator("tbody tr").count(), detail.report.metrics.plugins.length);
    assert.match(await plugins.innerText(), /MiB|KiB|B/);
    assert.equal(
      await page.getByRole("link", { name: "Show the memory" }).count(),
      detail.report.actions.filter((one) => one.memory_id).length,
    );
    const kept = detail.candidates.filter((one) => one.kept).length;
    await page.getByText(`${kept} kept, ${detail.candidates.length - kept} dropped`).waitFor();
    for (const artifact of detail.artifacts)
      await page.locator(".chips").getByText(artifact, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[data-row]").first().waitFor();
    assertQuiet(page);
  },

  async "sessions: filters, and the conversation in pages with bounded nodes"(browser) {
    const page = await browser.open("#/sessions");
    await rows(page).first().waitFor();
    const all = await browser.api("GET", "/api/sessions?limit=500");
    await page.getByLabel("All projects").check();
    const { agent } = all.sessions[0];
    const own = await browser.api("GET", `/api/sessions?limit=1&agent=${encodeURIComponent(agent)}`);
    await page.getByLabel("Agent").selectOption(agent);
    await page.getByText(`${own.total} session`).waitFor();
    let longest;
    for (const session of all.sessions.slice(0, 40)) {
      const { total } = await browser.api(
        "GET",
        `/api/sessions/${encodeURIComponent(session.agent)}/${encodeURIComponent(session.id)}/events?limit=1`,
      );
      if (!longest || total > longest.total) longest = { ...session, total };
    }
    await browser.go(page, `#/sessions/${encodeURIComponent(longest.agent)}/${encodeURIComponent(longest.id)}`);
    await page.locator(".event").first().waitFor();
    const { rows: length } = await browser.api(
      "GET",
      `/api/sessions/${encodeURIComponent(longest.agent)}/${encodeURIComponent(longest.id)}/outline`,
    );
    const seen = new Set();
    for (let turn = 0; turn < 400; turn += 1) {
      const shown = await page.locator(".event").evaluateAll((nodes) => nodes.map((node) => node.dataset.row));
      for (const place of shown) seen.add(place);
      assert.ok(shown.length <= MOST_ROWS, `${shown.length} rows`);
      const isAtEnd = await page.locator(".conversation").evaluate((node) => {
        const isLast = node.scrollTop + node.clientHeight >= node.scrollHeight - 1;
        node.scrollTop += 2_000;
        return isLast;
      });
      await settled(page);
      if (isAtEnd) break;
    }
    assert.equal(seen.size, length);
    await page
      .locator("aside")
      .getByRole("heading", { name: /Memories/ })
      .waitFor();
    assertQuiet(page);
    return `${seen.size} rows read`;
  },

  async "usage: what nobody recorded is unknown, and the range is in the address"(browser) {
    // New sessions are read as long as there is time.
    while ((await browser.api("GET", "/api/usage")).left > 0);
    const page = await browser.open("#/usage");
    await page.getByRole("heading", { name: "Models" }).waitFor();
    const unpriced = page.getByRole("row", { name: /own-model/ });
    assert.equal(await unpriced.getByText("unknown", { exact: true }).count(), 5);
    const priced = page.getByRole("row", { name: /gpt-5-codex/ });
    assert.equal(await priced.getByText("unknown").count(), 0);
    assert.ok((await page.locator(".day-cell").count()) >= 365);
    assert.ok((await page.locator(".day-cell.tone-1").count()) > 0);
    await page.getByRole("button", { name: "Year" }).click();
    await page.getByRole("heading", { name: "Tokens by week" }).waitFor();
    assert.match(page.url(), /since=364d/);
    assertQuiet(page);
  },

  async "sessions: conversations are searched, and turns say what was learned there"(browser) {
    const page = await browser.open("#/sessions");
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByLabel("Search sessions").fill("lease");
    await page.locator(".hit-place mark").first().waitFor();
    await page.locator(".hit-place").first().click();
    await page.locator(".event.is-wanted").waitFor();
    const { sessions: items } = await browser.api("GET", "/api/sessions?limit=20");
    let found;
    for (const one of items) {
      found = await browser.api("GET", `/api/sessions/${encodeURIComponent(one.agent)}/${encodeURIComponent(one.id)}`);
      if (found.memories.some((memory) => memory.type !== "summary" && memory.events.length > 0)) break;
    }
    const memory = found.memories.find((one) => one.type !== "summary" && one.events.length > 0);
    await browser.go(page, `#/sessions/${encodeURIComponent(found.agent)}/${encodeURIComponent(found.id)}`);
    const turn = page.locator(`.event[data-event="${memory.events[0]}"]`);
    await turn.locator(".learnt-link").first().waitFor();
    assert.ok((await turn.locator(".learnt-link").count()) > 0);
    await turn.locator(".learnt-link").first().click();
    await page.locator("article.memory").waitFor();
    assertQuiet(page);
  },

  async "queue: what can be done with a job is done"(browser) {
    const page = await browser.open("#/queue");
    await page.locator("[data-row]").first().waitFor();
    const { jobs } = await browser.api("GET", "/api/queue");
    const project = await firstProject(browser);
    assert.equal(await page.locator("[data-row]").count(), jobs.filter((job) => job.project === project).length);
    const dead = jobs.find((job) => job.dead && job.project === project);
    await page.locator(`[data-job="${dead.id}"][data-action="retry"]`).click();
    await page.locator(".toast").waitFor();
    const after = await browser.api("GET", "/api/queue");
    assert.equal(after.jobs.find((job) => job.id === dead.id).dead, false);
    await page.getByLabel("State").selectOption("queued");
    await until(page, () =>
      [...document.querySelectorAll("[data-row] td:first-child")].every((cell) => cell.innerText.startsWith("queued")),
    );
    assertQuiet(page);
  },

  async "plugins: grants, limits and use"(browser) {
    const page = await browser.open("#/plugins");
    const { plugins } = await browser.api("GET", "/api/plugins");
    await page.locator(".plugin").first().waitFor();
    assert.equal(await page.locator(".plugin").count(), plugins.length);
    const text = await page.locator("main").innerText();
    assert.match(text, /May read/);
    assert.doesNotMatch(text, /Limits/);
    await page.locator(".plugin summary").first().click();
    assert.match(await page.locator(".plugin").first().innerText(), /Limits/);
    assert.equal(
      await page.locator(".grant").count(),
      plugins.reduce((sum, one) => sum + (one.grants ?? []).length, 0),
    );
    assertQuiet(page);
  },

  async "ask: an answer with its sources"(browser) {
    const page = await browser.open("#/ask");
    await page.getByLabel("What do you want to know?").fill("Why is the queue in SQLite?");
    await page.keyboard.press("Enter");
    await page.locator(".answer").waitFor();
    assert.match(await page.locator(".answer h2").innerText(), /queue in SQLite/);
    assert.ok((await page.locator(".answer ol a").count()) > 0);
    await page.locator(".answer ol a").first().click();
    await page.locator("article.memory").waitFor();
    assertQuiet(page);
  },

  async "live: the stream is up, a sync is followed to its end"(browser) {
    const page = await browser.open("#/home");
    await page.locator('.live[data-status="live"]').waitFor();
    await page.getByRole("button", { name: "Sync" }).click();
    await page.locator(".job-line").first().waitFor();
    await page.locator(".toast").filter({ hasText: "Sync finished" }).waitFor({ timeout: 30_000 });
    assert.equal(await page.getByRole("button", { name: "Sync" }).isEnabled(), true);
    assertQuiet(page);
  },

  async "live: a lost server is said, and found again"(browser) {
    const page = await browser.open("#/home");
    await page.locator('.live[data-status="live"]').waitFor();
    let isDown = true;
    await page.route("**/api/events*", (route) =>
      isDown ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
    );
    await page.reload();
    await page.locator('.live[data-status="lost"]').waitFor();
    isDown = false;
    await page.locator('.live[data-status="live"]').waitFor({ timeout: 20_000 });
    assertQuiet(page);
  },

  async "errors: message, causes, hints and request id are shown, and trying again works"(browser) {
    let isBroken = true;
    const page = await browser.open("#/home", {
      before: (one) =>
        one.route("**/api/plugins", (route) =>
          isBroken
            ? route.fulfill({
                status: 500,
                contentType: "application/json",
                body: JSON.stringify({
                  error: {
                    code: "failed",
                    message: "the disk is full",
                    causes: ["no space left"],
                    hints: ["run `acreta doctor`"],
                  },
                  request_id: "req-7",
                }),
              })
            : route.continue(),
        ),
    });
    await browser.go(page, "#/plugins");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    for (const said of ["the disk is full", "no space left", "acreta doctor", "req-7"])
      assert.match(await alert.innerText(), new RegExp(said));
    isBroken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".plugin").first().waitFor();
    assertQuiet(page);
  },

  async "project: choosing one asks for it and is remembered"(browser) {
    const { projects } = await browser.api("GET", "/api/project/list");
    const chosen = projects.filter((project) => project.registered)[1].root;
    const page = await browser.open("#/memories");
    const asked = page.waitForRequest(
      (request) =>
        request.url().includes("/api/memories?") &&
        request.url().includes(`project_root=${new URLSearchParams({ p: chosen }).toString().slice(2)}`),
    );
    await page.getByLabel("Project", { exact: true }).selectOption(chosen);
    await asked;
    await page.reload();
    await page.waitForSelector(".frame");
    assert.equal(await page.getByLabel("Project", { exact: true }).inputValue(), chosen);
    assertQuiet(page);
  },
};
