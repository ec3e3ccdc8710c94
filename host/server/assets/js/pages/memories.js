// Memories: search and filters, a list of any length, and beside it the memory that is open.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { changesMemory, onEvents } from "../live.js";
import { become, go, link } from "../router.js";
import { on, projectOf, reaching, state, within } from "../state.js";
import { percent, plural } from "../text.js";
import { virtualList } from "../virtual.js";
import { badge, button, empty, failure, projectName, tagList, toast, typeBadge } from "../widgets.js";
import { meter } from "../charts.js";
import { facetBar } from "./facets.js";
import { marked } from "./marks.js";
import { memoryPane } from "./memory.js";
import { editor } from "./editor.js";

const ROW_HEIGHT = 68;
const HIT_HEIGHT = 86;
const HITS_SHOWN = 200;
const SEARCH_PAGE = 100;
const TYPES = ["decision", "learning", "summary"];
const FILTERS = ["q", "type", "kind", "tag", "trust", "status", "stale", "scope", "sort"];

export function page(main, route) {
  let params = chosen(route.params);
  const count = h("span", { class: "muted small", role: "status" });
  const problem = h("div", null);
  const facets = facetBar(filter);
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "Search memories",
    "aria-label": "Search memories",
    autocomplete: "off",
    spellcheck: "false",
    value: params.q ?? "",
    data: { search: "yes" },
  });
  const list = virtualList({
    label: "Memories",
    rowHeight: () => (params.q ? HIT_HEIGHT : ROW_HEIGHT),
    key: (row) => row.id,
    render: rowOf,
    fetch: fetchRows,
    open: (row) => go(link("memories", [row.id], { ...params, ...within(row.scope) })),
    shown: (total) => {
      replace(problem);
      replace(
        count,
        params.q ? plural(total, total >= HITS_SHOWN ? "best hit" : "hit") : plural(total, "memory", "memories"),
      );
    },
    failed: (error) => {
      replace(
        problem,
        failure(error, () => list.reload()),
      );
    },
    none,
  });
  const pane = h("section", { class: "pane", "aria-label": "The memory" });
  const layout = h(
    "div",
    { class: "split" },
    h(
      "section",
      { class: "split-list", "aria-label": "List of memories" },
      h(
        "div",
        { class: "list-head" },
        h("div", { class: "search" }, box, h("kbd", { class: "only-wide", "aria-hidden": "true" }, "/")),
        facets.element,
        h(
          "div",
          { class: "row spread" },
          count,
          // A new memory belongs to one project.
          !state.isAll && button("New memory", () => add(), { look: "small", image: "plus" }),
        ),
      ),
      problem,
      list.element,
    ),
    pane,
  );
  main.append(layout);
  const detail = memoryPane(pane, {
    changed: (memory) => list.update(memory),
    listChanged: () => list.reload(true),
    close: () => go(link("memories", [], params)),
    tag: (tag) => filter({ tag }),
  });

  async function fetchRows(offset, limit, signal) {
    const { q, ...rest } = params;
    if (q) {
      const hits = await found(params, signal);
      facets.draw(params, hits.facets);
      return hits;
    }
    const asked = { sort: "rank", ...rest, offset, limit, facets: offset === 0 ? "true" : undefined };
    const answer = await get("/api/memories", reaching(asked), { signal });
    if (answer.facets) facets.draw(params, answer.facets);
    return { items: answer.memories, total: answer.total };
  }

  function filter(change) {
    const next = { ...params, ...change };
    become(link("memories", openId ? [openId] : [], { ...next, project }));
  }

  function none() {
    const isFiltered =
      params.q ||
      params.type ||
      params.kind ||
      params.tag ||
      params.trust ||
      params.stale ||
      params.scope ||
      params.status !== "active";
    if (isFiltered) {
      return empty(
        "Nothing fits",
        params.q ? "Try other words, or fewer filters." : "Try fewer filters.",
        button("Clear all", () => {
          box.value = "";
          filter({ q: "", type: "", kind: "", tag: "", trust: "", status: "active", stale: "", scope: "" });
        }),
      );
    }
    return empty(
      "No memory yet",
      state.project
        ? "Run `acreta sync` in this project, or press Sync above: sessions of your agents become memory. You can also write one yourself."
        : "Register a project with `acreta project add .`, then press Sync above.",
      !state.isAll && button("New memory", () => add(), { image: "plus" }),
    );
  }

  async function add() {
    const made = await editor({ title: "", body: "", tags: [], type: "learning", kind: "insight" }, "new");
    if (!made) return;
    toast("Added", { tone: "good" });
    list.reload();
    if (made.id) go(link("memories", [made.id], params));
  }

  let openId;
  let project;
  let lastFilters;
  function change(next) {
    params = chosen(next.params);
    openId = next.rest[0];
    project = openId ? next.params.project : undefined;
    if (document.activeElement !== box) box.value = params.q ?? "";
    const filtersNow = JSON.stringify(FILTERS.map((name) => params[name]));
    if (filtersNow !== lastFilters) {
      lastFilters = filtersNow;
      facets.draw(params);
      list.reload();
    }
    layout.classList.toggle("has-open", Boolean(openId));
    list.setOpened(openId);
    detail.show(openId, project ?? projectOf("project"));
    if (next.params.focus === "search") box.focus();
  }

  let typing;
  box.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => filter({ q: box.value.trim() }), 180);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      clearTimeout(typing);
      filter({ q: box.value.trim() });
      list.element.focus();
      list.move(0);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (box.value) {
        box.value = "";
        filter({ q: "" });
      } else box.blur();
    }
  });
  const offChanged = on("changed", () => list.reload(true));
  const offEvents = onEvents(on, changesMemory, () => list.reload(true), 1_500);
  change(route);

  return {
    change,
    leave: () => {
      clearTimeout(typing);
      list.stop();
      detail.stop();
      offChanged();
      offEvents();
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
      Escape: () => {
        if (!openId) return false;
        go(link("memories", [], params));
        list.element.focus();
        return true;
      },
      ...detail.keys,
    },
  };
}

/** The best hits, with the number of them that each type and kind has. They come with all types, so that each is counted. */
async function found({ q, type, kind, tag, trust, status, scope: where }, signal) {
  const hits = [];
  for (let offset = 0; hits.length < HITS_SHOWN; offset += SEARCH_PAGE) {
    const scope = where && `${where}_only`;
    const asked = { q, kind, tag, trust, status, scope, offset, limit: SEARCH_PAGE };
    const answer = await get("/api/search", reaching(asked), { signal });
    hits.push(...answer.hits);
    if (!answer.more) break;
  }
  const best = hits.slice(0, HITS_SHOWN);
  const items = best.filter((hit) => !type || hit.type === type);
  const facets = {
    types: counted(best, "type", TYPES),
    kinds: counted(items, "kind"),
    trusts: counted(items, "trust"),
  };
  return { items, total: items.length, facets };
}

/** How many rows have each value; values of `always` are counted even where no row has them. */
function counted(rows, name, always = []) {
  const counts = new Map(always.map((value) => [value, 0]));
  for (const row of rows) if (row[name]) counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
  return [...counts]
    .map(([value, memories]) => ({ value, memories }))
    .sort((left, right) => right.memories - left.memories);
}

function chosen(params) {
  const kept = Object.fromEntries(FILTERS.filter((name) => params[name]).map((name) => [name, params[name]]));
  return { status: "active", ...kept };
}

function rowOf(row) {
  const confidence = row.effective_confidence ?? row.confidence;
  return h(
    "div",
    { class: "memory-row" },
    h(
      "div",
      { class: "memory-row-top" },
      h("span", { class: "memory-row-title" }, row.title || "Without a title"),
      confidence !== undefined && confidence !== null ? meter(confidence, `confidence ${percent(confidence)}`) : null,
    ),
    row.snippet ? h("div", { class: "memory-row-snippet" }, marked(row.snippet, row.marks, row.title)) : null,
    h(
      "div",
      { class: "memory-row-meta" },
      typeBadge(row),
      row.trust !== "grounded" && badge(row.trust),
      row.stale && badge("stale"),
      row.status && row.status !== "active" && badge(row.status, ""),
      row.proposals > 0 && badge(plural(row.proposals, "proposal"), "accent"),
      !row.snippet && tagList(row.tags?.slice(0, 3)),
      projectName(row.scope),
      row.updated !== undefined && h("span", { class: "muted push" }, time(row.updated)),
    ),
  );
}
