// Overview: what there is, how it grows and fades, what was run, what it cost, what was refused.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { barList, columnChart, days } from "../charts.js";
import { icon } from "../icons.js";
import { onEvents } from "../live.js";
import { link, runLink } from "../router.js";
import { on, scoped, state } from "../state.js";
import { compact, counts, dictionary, dollars, duration, number, percent, plural, words } from "../text.js";
import { badge, empty, failure, loading, panel, table } from "../widgets.js";

const AGENTS_SHOWN = 5;
const REFUSED_SHOWN = 50;
const TONES = dictionary({
  decision: 1,
  learning: 2,
  summary: 3,
  confirmed: 2,
  reviewed: 3,
  grounded: 1,
  untrusted: 4,
});

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  main.append(loading());

  async function refresh() {
    try {
      const [overview, status] = await Promise.all([
        get("/api/overview", scoped(), { signal }),
        get("/api/status", {}, { signal }),
      ]);
      if (!signal.aborted) replace(main, content(overview, status));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }

  const offChanged = on("changed", refresh);
  const offEvents = onEvents(
    on,
    (event) => ["run", "job", "memory"].includes(event.kind) && event.name !== "queued",
    () => {
      if (!main.querySelector("details[open]")) refresh();
    },
    3_000,
  );
  refresh();
  return {
    leave: () => {
      abort.abort();
      offChanged();
      offEvents();
    },
  };
}

function content(overview, status) {
  const { memories } = overview;
  const isNew = memories.active + memories.archived === 0 && overview.runs.recent.length === 0;
  return h(
    "div",
    { class: "overview" },
    isNew &&
      empty(
        "Nothing learned yet",
        state.projects.length === 0
          ? "Register a project with `acreta project add .`, then press Sync."
          : "Press Sync: the sessions of your agents become memory. `acreta connect list` says which agents are read.",
      ),
    overview.waiting_for_model.map((one) =>
      h("div", { class: "notice" }, icon("warning"), h("span", null, one.message)),
    ),
    tiles(overview, status),
    h(
      "div",
      { class: "grid" },
      panel("Memory over time", growth(overview.growth), { look: "span-2" }),
      panel("What there is", whatThereIs(memories)),
      panel("How sure it still is", decay(overview.decay)),
      panel("Sessions", sessions(overview.sessions), { look: "span-2" }),
      panel("Recent runs", recent(overview.runs.recent), {
        look: "span-2",
        aside: h("a", { href: link("runs") }, "All runs"),
      }),
      panel("Cost", cost(overview.cost)),
      panel("Refused operations", denied(overview.denied), { look: "span-3" }),
    ),
  );
}

function tiles({ memories, runs, cost: spent }, { queue, sessions: counted, schedule, review }) {
  const inAll = counted.reduce((sum, one) => sum + one.sessions, 0);
  const waiting = queue.queued + queue.running;
  const tile = (label, value, detail, href, tone = "") =>
    h(
      "li",
      { class: `tile ${tone}` },
      h(
        href ? "a" : "div",
        href ? { href } : null,
        h("span", { class: "tile-label" }, label),
        h("span", { class: "tile-value" }, value),
        h("span", { class: "tile-detail" }, detail),
      ),
    );
  return h(
    "ul",
    { class: "tiles", "aria-label": "In short" },
    tile("Active memories", compact(memories.active), `${compact(memories.archived)} archived`, link("memories")),
    tile(
      "To review",
      compact(review.total),
      review.conflicts > 0 ? plural(review.conflicts, "conflict") : "wait for your word",
      link("review"),
      review.total > 0 ? "warn" : "",
    ),
    tile(
      "Stale",
      compact(memories.stale),
      "name what is gone",
      link("memories", [], { stale: "true" }),
      memories.stale > 0 ? "warn" : "",
    ),
    tile("Sessions", compact(inAll), plural(new Set(counted.map((one) => one.agent)).size, "agent"), link("sessions")),
    tile(
      "Runs",
      compact(runs.completed),
      runs.failed > 0 ? `${compact(runs.failed)} failed` : "none failed",
      link("runs"),
      runs.failed > 0 ? "bad" : "",
    ),
    tile(
      "Queue",
      compact(waiting),
      queue.dead > 0 ? `${compact(queue.dead)} ${queue.dead === 1 ? "needs" : "need"} you` : next(schedule.sync),
      link("queue"),
      queue.dead > 0 ? "bad" : "",
    ),
    tile(
      "Spent",
      spent.total.dollars === undefined
        ? compact(spent.total.input_tokens + spent.total.output_tokens)
        : dollars(spent.total.dollars),
      spent.total.dollars === undefined ? "tokens" : plural(spent.total.calls, "call"),
      undefined,
    ),
  );
}

function next(sync) {
  if (sync.running) return "sync is running";
  if (!sync.every_seconds) return "sync is off";
  return sync.next_ms ? [`sync `, time(sync.next_ms)] : "sync is due";
}

function growth(rows) {
  const spread = days(rows);
  if (spread.length === 0) return empty("No days yet", "Memory shows here after the first sync.");
  const byDay = new Map(rows.map((row) => [row.day, row]));
  let active = 0;
  const columns = spread.map((one) => {
    const row = byDay.get(one.key);
    active = row?.active ?? active;
    return { ...one, values: { added: row?.added ?? 0, archived: row?.archived ?? 0 }, line: active };
  });
  const added = columns.reduce((sum, one) => sum + one.values.added, 0);
  const archived = columns.reduce((sum, one) => sum + one.values.archived, 0);
  return columnChart(
    "Memory over time",
    `${plural(active, "memory", "memories")} now; ${number(added)} added and ${number(archived)} archived in ${plural(spread.length, "day")}.`,
    columns,
    [
      { key: "added", label: "added", tone: 2 },
      { key: "archived", label: "archived", tone: 4 },
    ],
    { line: { label: "active", tone: 1 }, unit: "bars have their own scale" },
  );
}

function decay(rows) {
  if (rows.length === 0) return empty("Nothing to measure", "There is no active memory yet.");
  const all = rows.reduce((sum, row) => sum + row.memories, 0);
  const sure = rows.filter((row) => row.from >= 0.6).reduce((sum, row) => sum + row.memories, 0);
  return columnChart(
    "How sure it still is",
    `Confidence after fading: ${all === 0 ? "no memory" : `${percent(sure / all)} is at 60% or above`}.`,
    rows.map((row) => ({
      label: percent(row.from),
      full: `${percent(row.from)} to ${percent(row.to)}`,
      values: { memories: row.memories },
    })),
    [{ key: "memories", label: "memories", tone: 1 }],
  );
}

function whatThereIs(memories) {
  if (memories.active === 0) return empty("No memory", "Decisions, learnings and summaries show here.");
  const types = memories.by_type.map((one) => ({
    label: words(one.type),
    value: one.memories,
    tone: TONES[one.type],
    href: link("memories", [], { type: one.type }),
  }));
  const trusts = memories.by_trust.map((one) => ({
    label: words(one.trust),
    value: one.memories,
    tone: TONES[one.trust],
    href: link("memories", [], { trust: one.trust }),
  }));
  return h(
    "div",
    { class: "stack loose" },
    h("h3", { class: "small-head" }, "By type"),
    barList("Memories by type", types),
    h("h3", { class: "small-head" }, "By trust"),
    barList("Memories by trust", trusts),
  );
}

function sessions(rows) {
  const spread = days(rows, 42);
  if (spread.length === 0) return empty("No sessions found", "`acreta connect list` says which agents are read.");
  const totals = new Map();
  for (const row of rows) totals.set(row.agent, (totals.get(row.agent) ?? 0) + row.sessions);
  const agents = [...totals].sort((left, right) => right[1] - left[1]).map(([agent]) => agent);
  const shown = agents.slice(0, AGENTS_SHOWN);
  const series = shown.map((agent, index) => ({ key: agent, label: agent, tone: index + 1 }));
  if (agents.length > shown.length) series.push({ key: "\u0000others", label: "others", tone: 6 });
  const columns = spread.map((one) => ({ ...one, values: dictionary() }));
  const byKey = new Map(columns.map((column) => [column.key, column]));
  for (const row of rows) {
    const column = byKey.get(row.day);
    const key = shown.includes(row.agent) ? row.agent : "\u0000others";
    if (column) column.values[key] = (column.values[key] ?? 0) + row.sessions;
  }
  const all = [...totals.values()].reduce((sum, one) => sum + one, 0);
  // Only the last days are drawn; what was before is told apart.
  const drawn = columns.reduce((sum, one) => sum + Object.values(one.values).reduce((all, count) => all + count, 0), 0);
  const earlier = all > drawn ? ` ${number(all - drawn)} on earlier days.` : "";
  return columnChart(
    "Sessions",
    `${plural(drawn, "session")} in ${plural(spread.length, "day")}, of ${plural(agents.length, "agent")} in all.${earlier}`,
    columns,
    series,
  );
}

function recent(rows) {
  if (rows.length === 0) return empty("No run yet", "Press Sync to start one.");
  return h(
    "ul",
    { class: "lines" },
    rows
      .slice(0, 8)
      .map((row) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: runLink(row.run_id), class: "line" },
            badge(row.state),
            h("span", { class: "line-main" }, words(row.mode), row.agent ? [" · ", row.agent] : null),
            h("span", { class: "muted" }, counts(row.counts)),
            h("span", { class: "muted num" }, row.finished_ms ? duration(row.finished_ms - row.started_ms) : ""),
            h("span", { class: "muted num" }, time(row.started_ms)),
          ),
        ),
      ),
  );
}

function cost({ days: rows, total }) {
  const spread = days(rows, 30);
  if (spread.length === 0) return empty("Nothing spent", "No model was asked. Extraction by rules costs nothing.");
  const hasPrices = rows.some((row) => row.dollars !== undefined);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const columns = spread.map((one) => {
    const row = byDay.get(one.key);
    return {
      ...one,
      values: hasPrices
        ? { dollars: row?.dollars ?? 0 }
        : { input: row?.input_tokens ?? 0, output: row?.output_tokens ?? 0 },
    };
  });
  const summary = `${hasPrices ? dollars(total.dollars) : "Price unknown"} for ${plural(total.calls, "call")}: ${compact(total.input_tokens)} tokens in, ${compact(total.output_tokens)} out.`;
  return hasPrices
    ? columnChart("Cost", summary, columns, [{ key: "dollars", label: "dollars a day", tone: 5 }], {
        format: dollars,
        axis: (value) => `$${value < 10 ? value.toFixed(2) : Math.round(value)}`,
      })
    : columnChart("Cost", summary, columns, [
        { key: "input", label: "tokens in", tone: 1 },
        { key: "output", label: "tokens out", tone: 5 },
      ]);
}

function denied(rows) {
  if (rows.length === 0)
    return empty("Nothing was refused", "When a plugin reaches for what it was not granted, it shows here.");
  return h(
    "div",
    { class: "stack" },
    table(
      "Refused operations",
      ["Plugin", "Operation", "Path", { label: "Times", class: "num" }, "Run"],
      rows
        .slice(0, REFUSED_SHOWN)
        .map((row) =>
          h(
            "tr",
            null,
            h("td", null, row.plugin),
            h("td", null, h("code", null, row.operation)),
            h("td", { class: "break" }, h("code", null, row.path)),
            h("td", { class: "num" }, number(row.count)),
            h("td", null, h("a", { href: runLink(row.run_id) }, "Show")),
          ),
        ),
    ),
    rows.length > REFUSED_SHOWN &&
      h("p", { class: "muted small" }, `and ${plural(rows.length - REFUSED_SHOWN, "more row")}`),
  );
}
