// Briefs given: the texts that agents got when their sessions started, and why each line was in them.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { go, link, memoryLink, sessionLink } from "../router.js";
import { scoped } from "../state.js";
import { number, plural } from "../text.js";
import { badge, button, empty, failure, facts, loading, withCode } from "../widgets.js";

const BRIEFS = 100;

/** A line as the agent got it, its kind as a badge. */
function told({ id, text }) {
  const [, kind, rest] = /^- ([a-z]+): (.*)$/s.exec(text) ?? [, "", text.replace(/^- /, "")];
  return h(
    "a",
    { href: memoryLink(id), class: "brief-text" },
    kind && [badge(kind, kind === "decision" ? "type-decision" : "type-learning"), " "],
    withCode(rest),
  );
}

export function page(main, route) {
  const abort = new AbortController();
  const { signal } = abort;
  let briefs = [];
  let open = Number(route.rest[0] ?? -1);
  const count = h("p", { class: "muted small", role: "status" });
  const list = h("ul", { class: "review-list", "aria-label": "Briefs" });
  const pane = h("section", { class: "pane", "aria-label": "The brief", tabindex: "-1" });
  const split = h(
    "div",
    { class: "split review" },
    h(
      "section",
      { class: "split-list", "aria-label": "List of briefs" },
      h("div", { class: "list-head" }, count),
      list,
    ),
    pane,
  );
  main.append(split);
  replace(pane, loading());

  async function load() {
    try {
      briefs = (await get("/api/briefs", scoped({ limit: BRIEFS }), { signal })).briefs;
      if (signal.aborted) return;
      replace(count, plural(briefs.length, "brief", "briefs"), briefs.length === BRIEFS && ", the newest");
      const isNarrow = matchMedia("(max-width: 860px)").matches;
      if (open < 0 && briefs.length > 0 && !isNarrow) open = briefs[0].at_ms;
      draw();
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(pane, failure(error, load));
    }
  }

  function draw() {
    const shown = briefs.find((brief) => brief.at_ms === open);
    replace(list, briefs.map(row));
    split.classList.toggle("has-open", Boolean(shown));
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    replace(
      pane,
      shown
        ? content(shown)
        : briefs.length > 0
          ? empty("No brief is open", "Choose one from the list, or press `j`.")
          : empty(
              "No agent got a brief here yet",
              "An agent that is connected gets what memory knows when its session starts. `acreta init` connects agents.",
            ),
    );
    pane.scrollTo(0, 0);
  }

  function row(brief) {
    const isOpen = brief.at_ms === open;
    return h(
      "li",
      { class: `review-row${isOpen ? " is-current" : ""}` },
      h(
        "a",
        { href: link("briefs", [String(brief.at_ms)]), "aria-current": isOpen ? "true" : undefined },
        h(
          "span",
          { class: "review-title" },
          brief.branch ? h("code", null, brief.branch) : brief.directory || "the project's root",
        ),
        h(
          "span",
          { class: "review-meta" },
          brief.agent && h("span", null, brief.agent),
          h("span", null, plural(brief.lines.length, "line")),
          time(brief.at_ms),
        ),
      ),
    );
  }

  function content(brief) {
    const { left_out: left } = brief;
    return h(
      "article",
      { class: "memory" },
      h(
        "div",
        { class: "pane-back" },
        button("List", () => go(link("briefs")), { look: "quiet", image: "back" }),
      ),
      h(
        "header",
        { class: "memory-head" },
        h("h2", null, plural(brief.lines.length, "memory", "memories"), ` for ${brief.agent ?? "an agent"}`),
        facts([
          ["Given", time(brief.at_ms)],
          [
            "Session",
            brief.session &&
              (brief.agent ? h("a", { href: sessionLink(brief.agent, brief.session) }, brief.session) : brief.session),
          ],
          ["Branch", brief.branch && h("code", null, brief.branch)],
          ["Folder", brief.directory && h("code", null, brief.directory)],
          ["Changed files", brief.changed > 0 && number(brief.changed)],
          ["Size", `${number(brief.tokens)} tokens`],
        ]),
      ),
      brief.open.length > 0 &&
        h(
          "section",
          { class: "section" },
          h("h3", null, "Open ends of the last session"),
          h(
            "ul",
            { class: "prose-list" },
            brief.open.map((text) => h("li", null, withCode(text))),
          ),
        ),
      h(
        "section",
        { class: "section" },
        h("h3", null, "Lines and why each was told"),
        h(
          "ol",
          { class: "plain brief-lines" },
          brief.lines.map((line) =>
            h("li", { class: "brief-line" }, told(line), h("p", { class: "muted small" }, withCode(line.reason))),
          ),
        ),
      ),
      h(
        "section",
        { class: "section" },
        h("h3", null, "Left out"),
        left.space + left.weak + left.doubtful === 0
          ? h("p", { class: "muted" }, "Nothing: all of memory was told.")
          : h(
              "ul",
              { class: "chips" },
              left.space > 0 && h("li", null, badge(`${number(left.space)} did not fit`, "accent")),
              left.weak > 0 && h("li", null, badge(`${number(left.weak)} too weak or faded`, "")),
              left.doubtful > 0 && h("li", null, badge(`${number(left.doubtful)} doubtful`, "warn")),
            ),
      ),
      brief.text &&
        h(
          "details",
          { class: "fold" },
          h("summary", null, "The text as the agent got it"),
          h("pre", { class: "code wrap" }, brief.text),
        ),
    );
  }

  const step = (by) => {
    if (briefs.length === 0) return false;
    const at = briefs.findIndex((brief) => brief.at_ms === open);
    const next = briefs[Math.max(0, Math.min(briefs.length - 1, at < 0 ? 0 : at + by))];
    go(link("briefs", [String(next.at_ms)]));
    return true;
  };
  load();
  return {
    change: (next) => {
      open = Number(next.rest[0] ?? -1);
      draw();
    },
    leave: () => abort.abort(),
    keys: { j: () => step(1), k: () => step(-1) },
  };
}
