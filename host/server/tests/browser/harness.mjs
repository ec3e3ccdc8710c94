// One browser for all checks. Every page that is opened is watched: whatever it asks of another place, whatever the
// content security policy stops, every dialog and every error that nobody caught fails the check.

import assert from "node:assert/strict";
import path from "node:path";

export const PAGES = [
  "home",
  "review",
  "memories",
  "timeline",
  "sessions",
  "usage",
  "briefs",
  "ask",
  "projects",
  "model",
  "code",
  "plugins",
  "settings",
  "runs",
  "queue",
];

export class Browser {
  #browser;
  #contexts = [];
  #last;

  static async start(chromium, options) {
    const browser = new Browser();
    browser.options = options;
    browser.#browser = await chromium.launch({
      executablePath: options.executable,
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    return browser;
  }

  /** A page that is logged in. `options`: what playwright's contexts take, `origin`, `before(page)`. */
  async open(fragment = "#/home", options = {}) {
    const { origin = this.options.origin, before, isLoggedIn = true, ...rest } = options;
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...rest });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    this.#last = page;
    const problems = [];
    page.problems = problems;
    page.origin = origin;
    // What is under way; the stream of events never ends.
    page.underWay = new Set();
    page.on("request", (request) => {
      if (!request.url().includes("/api/events")) page.underWay.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => page.underWay.delete(request));
    await context.route(
      (url) => url.origin !== origin && url.protocol !== "data:" && url.protocol !== "blob:",
      (route) => {
        problems.push(`asked another place: ${route.request().url()}`);
        return route.abort();
      },
    );
    page.on("dialog", (dialog) => {
      problems.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("pageerror", (error) => problems.push(`an error: ${error.stack}`));
    page.on("popup", (popup) => problems.push(`a window: ${popup.url()}`));
    page.on("console", (message) => {
      // The browser itself tells of every answer that is not a success; some checks want those.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        problems.push(`on the console: ${message.text()}`);
    });
    await page.addInitScript(() =>
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      ),
    );
    await before?.(page);
    if (!isLoggedIn) {
      await page.goto(`${origin}/${fragment}`);
      return page;
    }
    const { url } = await this.api("POST", "/api/login/code", {}, origin);
    await page.goto(url.replace(/^http:\/\/[^/]+/, origin));
    await page.waitForSelector(".frame");
    await this.go(page, fragment);
    return page;
  }

  async go(page, fragment) {
    // The page learns of its new address a moment later; until then it still shows the old one, and is ready.
    await page.evaluate(
      (hash) =>
        new Promise((done) => {
          const before = location.href;
          window.addEventListener("hashchange", () => done(), { once: true });
          location.hash = hash;
          if (location.href === before) done();
        }),
      fragment,
    );
    await page.waitForFunction(() => !document.querySelector("main > .loading"));
  }

  /** The API with the token, for what happens besides the page. */
  async api(method, route, body, origin = this.options.origin) {
    const response = await fetch(origin + route, {
      method,
      headers: {
        authorization: `Bearer ${this.options.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    assert.ok(response.ok, `${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A memory of its own for a check that changes it. */
  async newMemory(title, more = {}) {
    const added = await this.api("POST", "/api/memories", {
      title,
      body: `The text of ${title}.`,
      type: "learning",
      kind: "insight",
      tags: ["browser"],
      ...more,
    });
    return added.id;
  }

  async picture(name) {
    if (this.options.shots && this.#last && !this.#last.isClosed())
      await this.#last.screenshot({ path: path.join(this.options.shots, `${name}.png`) });
  }

  async closePages() {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  stop() {
    return this.#browser.close();
  }
}

export function assertQuiet(page) {
  assert.deepEqual(page.problems, []);
}

/** Answers of a route, changed by `edit` before the page sees them. */
export const changed = (page, route, edit) =>
  page.route(route, async (call) => {
    const response = await call.fetch();
    const answer = await response.json();
    await call.fulfill({ response, json: edit(answer) ?? answer });
  });

/** The models that the server finds on a machine that has some; on this one there may be none. */
export const MODELS = [
  {
    provider: "claude",
    models: [],
    label: "your Claude plan (max)",
    access: "plan",
    readiness: "ready",
    destination: "to Anthropic, through your own claude program",
  },
  {
    provider: "codex",
    models: [],
    label: "your ChatGPT plan",
    access: "plan",
    readiness: "logged-out",
    destination: "to OpenAI, through your own codex program",
    remedy: "codex login",
  },
  {
    provider: "ollama",
    models: ["qwen3:8b"],
    label: "qwen3:8b on Ollama",
    access: "local",
    readiness: "ready",
    destination: "stays on this machine",
  },
];

/** Waits until a function in the page says yes. */
export async function until(page, test, argument, what = "it never came true") {
  try {
    await page.waitForFunction(test, argument, { timeout: 10_000 });
  } catch (cause) {
    throw new Error(`${what}: ${test}`, { cause });
  }
}

export const rows = (page) => page.locator(".virtual-row[data-ready]");

/** Lets the page draw so many times. */
export function frames(page, count = 2) {
  return page.evaluate(async (times) => {
    for (let turn = 0; turn < times; turn += 1) await new Promise(requestAnimationFrame);
  }, count);
}

/** Waits until nothing is asked for any more and what came is drawn. */
export async function settled(page) {
  do {
    await frames(page);
    const [request] = page.underWay;
    // A request that the page gave up has no response.
    await request?.response().catch(() => null);
  } while (page.underWay.size > 0);
  await frames(page);
}
