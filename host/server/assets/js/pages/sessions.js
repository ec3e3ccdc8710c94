// Sessions: the list, and a conversation. The address says which: `#/sessions` or `#/sessions/AGENT/ID`.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { become, go, link, sessionLink } from "../router.js";
import { scoped, state } from "../state.js";
import { baseName, bytes, dictionary, plural } from "../text.js";
import { virtualList } from "../virtual.js";
import { badge, empty, failure, select } from "../widgets.js";
import { showConversation } from "./conversation.js";

const ROW_HEIGHT = 60;
const STATES = dictionary({
  waiting: "project not registered",
  new: "not taken in yet",
  queued: "in the queue",
  done: "taken in",
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
    view?.leave();
    replace(main);
    view = next.rest[1]
      ? showConversation(main, next.rest[0], next.rest[1], next.params.event)
      : showList(main, next.params);
  }
  change(route);
  return {
    change,
    leave: () => view?.leave(),
    keys: {
      j: () => view.keys.j(),
      k: () => view.keys.k(),
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
  const filters = h("div", { class: "filters" });
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "Title or id",
    "aria-label": "Filter sessions by title or id",
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
    fetch: (offset, limit, signal) =>
      get("/api/sessions", scoped({ agent: params.agent, state: params.state, text: params.text, offset, limit }), {
        signal,
      }),
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
        h("div", { class: "row wrap" }, h("div", { class: "search grow" }, box), filters),
        count,
      ),
      problem,
      list.element,
    ),
  );

  const filter = (change) => become(link("sessions", [], { ...params, ...change }));
  function drawFilters() {
    replace(
      filters,
      select("Agent", [["", "Any"], ...[...agents].sort().map((agent) => [agent, agent])], params.agent, (agent) =>
        filter({ agent }),
      ),
      select("State", [["", "Any"], ...Object.entries(STATES)], params.state, (value) => filter({ state: value })),
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
    typing = setTimeout(() => filter({ text: box.value.trim() }), 180);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      list.element.focus();
      list.move(0);
    }
  });
  drawFilters();
  list.reload();
  return {
    isList: true,
    change: (next) => {
      params = next;
      drawFilters();
      list.reload();
    },
    leave: () => {
      clearTimeout(typing);
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
      h("span", null, row.agent),
      h("span", { class: "muted", title: row.project }, row.project ? baseName(row.project) : "no project"),
      h("span", { class: "muted push" }, bytes(row.bytes)),
    ),
  );
}
