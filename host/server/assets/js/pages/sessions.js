// Sessions: the list, and a conversation. The address says which: `#/sessions` or `#/sessions/AGENT/ID`.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { become, go, link, sessionLink } from "../router.js";
import { scoped, state } from "../state.js";
import { baseName, bytes, dictionary, plural } from "../text.js";
import { virtualList } from "../virtual.js";
import { badge, empty, failure, loading, select } from "../widgets.js";
import { showConversation } from "./conversation.js";
import { WHO } from "./decision.js";

const ROW_HEIGHT = 60;
const STATES = dictionary({
  waiting: "not registered",
  new: "not taken in yet",
  queued: "in the queue",
  done: "taken in",
  cancelled: "cancelled",
  failed: "failed",
});
const TONES = dictionary({ waiting: "", new: "accent", queued: "warn", done: "good", failed: "bad" });

export function page(main, route) {
  let view;
  function change(next) {
    if (!next.rest[1] && view?.isList) {
      view.change(next.params);
      return;
    }
    if (next.rest[1] && view?.session === `${next.rest[0]}/${next.rest[1]}`) {
      view.change(next.params);
      return;
    }
    view?.leave();
    replace(main);
    view = next.rest[1]
      ? showConversation(main, next.rest[0], next.rest[1], next.params)
      : showList(main, next.params);
  }
  change(route);
  return {
    change,
    leave: () => view?.leave(),
    keys: {
      j: () => view.keys.j(),
      k: () => view.keys.k(),
      n: () => view.keys.n?.() ?? false,
      p: () => view.keys.p?.() ?? false,
      Enter: () => view.keys.Enter?.() ?? false,
      Escape: () => {
        if (view.isList) return false;
        go(link("sessions"));
        return true;
      },
    },
  };
}

export const sessionBadge = (value) => badge(STATES[value] ? value : "unknown", TONES[value]);

function showList(main, first) {
  let params = first;
  let typing;
  const count = h("span", { class: "muted small", role: "status" });
  const problem = h("div", null);
  const filters = h("div", { class: "row session-filters" });
  const where = h("div", { class: "segments", role: "group", "aria-label": "Search in" });
  const results = h("div", { class: "session-hits", hidden: true });
  const scope = (more) => (params.all || state.isAll ? more : scoped(more));
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "Search sessions",
    "aria-label": "Search sessions",
    autocomplete: "off",
    spellcheck: "false",
    value: params.text ?? "",
    data: { search: "yes" },
  });
  const agents = new Set();
  const list = virtualList({
    label: "Sessions",
    rowHeight: () => ROW_HEIGHT,
    key: (row) => `${row.agent}/${row.id}`,
    render: rowOf,
    fetch: async (offset, limit, signal) => {
      const { agent, state: step, text } = params;
      const answer = await get("/api/sessions", scope({ agent, state: step, text, offset, limit }), { signal });
      return { items: answer.sessions, total: answer.total };
    },
    open: (row) => go(sessionLink(row.agent, row.id)),
    shown: (total) => {
      replace(problem);
      replace(count, plural(total, "session"));
    },
    failed: (error) =>
      replace(
        problem,
        failure(error, () => list.reload()),
      ),
    none: () =>
      params.agent || params.state || params.text
        ? empty("Nothing fits", "Try fewer filters.")
        : empty(
            "No session found",
            state.project
              ? "No agent worked in this project yet, or none may be read: `acreta connect list`."
              : "`acreta connect add claude` lets acreta read an agent's sessions; then press Sync.",
          ),
  });
  main.append(
    h(
      "section",
      { class: "full-list", "aria-label": "List of sessions" },
      h(
        "div",
        { class: "list-head" },
        h("div", { class: "row wrap" }, h("div", { class: "search grow" }, box), where),
        h("div", { class: "row spread" }, filters, count),
      ),
      problem,
      list.element,
      results,
    ),
  );

  const filter = (change) => become(link("sessions", [], { ...params, ...change }));
  const isDeep = () => params.in === "text";
  let searching = new AbortController();

  /** Looks through conversations, or shows the list. */
  async function show() {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    list.element.hidden = isDeep();
    results.hidden = !isDeep();
    if (!isDeep()) {
      list.reload();
      return;
    }
    if (!params.text) {
      replace(count, "");
      replace(
        results,
        empty(
          "Search what was said",
          "Words, “a phrase”, start*, and filters such as role:user, tool:bash, file:src/a.rs or since:2w. Conversations that their agents have deleted are searched, too.",
        ),
      );
      return;
    }
    replace(results, loading("Looking through conversations"));
    try {
      const asked = { q: params.text, agent: params.agent, limit: 100 };
      const found = await get("/api/sessions/search", scope(asked), { signal });
      if (signal.aborted) return;
      replace(count, `${plural(found.hits.length, "place")} in ${plural(found.searched, "session")}`);
      replace(
        results,
        found.hits.length > 0
          ? hits(found.hits)
          : empty("Nothing found", "Other words may do, or fewer; “a phrase” in quotes is looked for as it stands."),
        found.left > 0 &&
          h(
            "p",
            { class: "muted small" },
            `${plural(found.left, "session")} being read; search again in a moment.`,
          ),
        found.left_out > 0 &&
          h(
            "p",
            { class: "muted small" },
            `${plural(found.left_out, "older session")} left out, since the index is full (sessions.index_mb).`,
          ),
        found.unreadable.length > 0 &&
          h("p", { class: "muted small" }, `${plural(found.unreadable.length, "session")} could not be read.`),
      );
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(results, failure(error, show));
    }
  }

  function drawFilters() {
    const segment = (value, label) =>
      h(
        "button",
        {
          type: "button",
          class: "segment",
          "aria-pressed": String((params.in ?? "") === value),
          on: { click: () => filter({ in: value }) },
        },
        label,
      );
    replace(where, segment("", "Titles"), segment("text", "Conversations"));
    const everywhere = h("input", {
      type: "checkbox",
      checked: Boolean(params.all),
      on: { change: (event) => filter({ all: event.target.checked ? "true" : "" }) },
    });
    replace(
      filters,
      select("Agent", [["", "Any"], ...[...agents].sort().map((agent) => [agent, agent])], params.agent, (agent) =>
        filter({ agent }),
      ),
      !isDeep() &&
        select("State", [["", "Any"], ...Object.entries(STATES)], params.state, (value) => filter({ state: value })),
      !state.isAll && h("label", { class: "check" }, everywhere, h("span", null, "All projects")),
    );
  }
  get("/api/status").then(
    (status) => {
      for (const one of status.sessions) agents.add(one.agent);
      drawFilters();
    },
    () => {},
  );
  box.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => filter({ text: box.value.trim() }), isDeep() ? 500 : 180);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      list.element.focus();
      list.move(0);
    }
  });
  drawFilters();
  show();
  return {
    isList: true,
    change: (next) => {
      params = next;
      drawFilters();
      show();
    },
    leave: () => {
      clearTimeout(typing);
      searching.abort();
      list.stop();
    },
    keys: {
      j: () => {
        list.move(1);
      },
      k: () => {
        list.move(-1);
      },
      Enter: () => {
        list.openCurrent();
      },
    },
  };
}

function rowOf(row) {
  return h(
    "div",
    { class: "memory-row" },
    h(
      "div",
      { class: "memory-row-top" },
      h("span", { class: "memory-row-title" }, row.title || row.id),
      row.updated_ms !== undefined && h("span", { class: "muted small" }, time(row.updated_ms)),
    ),
    h(
      "div",
      { class: "memory-row-meta" },
      sessionBadge(row.state),
      row.copy === "rescued" && badge("rescued", "good"),
      row.copy === "agent_only" && badge("no copy yet", "warn"),
      h("span", null, row.agent),
      h("span", { class: "muted", title: row.project }, row.project ? baseName(row.project) : "no project"),
      h("span", { class: "muted push" }, bytes(row.bytes)),
    ),
  );
}

/** Places where a text stands, by session. */
function hits(all) {
  const sessions = new Map();
  for (const hit of all) {
    const key = `${hit.agent}/${hit.session}`;
    sessions.set(key, [...(sessions.get(key) ?? []), hit]);
  }
  return [...sessions.values()].map((of) =>
    h(
      "section",
      { class: "session-hit" },
      h(
        "h2",
        null,
        h("a", { href: sessionLink(of[0].agent, of[0].session) }, of[0].title || of[0].session),
        h("span", { class: "count" }, of[0].agent),
      ),
      h(
        "ul",
        { class: "plain" },
        of.map((hit) =>
          h(
            "li",
            null,
            h(
              "a",
              { href: sessionLink(hit.agent, hit.session, hit.event), class: "hit-place" },
              h("span", { class: "talk-who" }, WHO[hit.role] ?? hit.role),
              h("span", { class: "hit-text" }, found(hit.snippet, hit.marks)),
              hit.at_ms !== undefined && h("span", { class: "muted small" }, time(hit.at_ms)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A text in which the words that were looked for are marked; marks count characters, not units of UTF-16. */
function found(snippet, marks) {
  const letters = [...snippet];
  const text = (from, to) => letters.slice(from, to).join("");
  const parts = [];
  let last = 0;
  for (const [from, to] of marks) {
    parts.push(text(last, from), h("mark", null, text(from, to)));
    last = to;
  }
  return [...parts, text(last)];
}
