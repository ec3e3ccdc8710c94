// Usage: what agents recorded in their sessions. A figure that nobody recorded is unknown, and said to be; it is never
// shown as zero.

import { get } from "../api.js";
import { calendar, columnChart } from "../charts.js";
import { h, replace } from "../dom.js";
import { become, link } from "../router.js";
import { scoped, state } from "../state.js";
import { baseName, compact, dollars, number, percent, plural } from "../text.js";
import { empty, failure, loading, panel, table } from "../widgets.js";

const DAY_MS = 86_400_000;
/** A year of the calendar, from the Monday before. */
const YEAR = "371d";
const RANGES = [
  ["30d", "30 days", 30],
  ["90d", "90 days", 90],
  ["364d", "Year", 364],
];
/** How often figures are asked for again while sessions are read. */
const FOLLOW_MS = 3_000;
/** Longer than this, a column stands for a week. */
const DAYS_OF_COLUMNS = 90;
const GROUPS = [
  ["model", "Models"],
  ["agent", "Agents"],
  ["project", "Projects"],
];
const UNKNOWN = "unknown";
const known = (value, show) => (value === null || value === undefined ? UNKNOWN : show(value));

export function page(main, route) {
  let range = rangeOf(route);
  let all = route.params.all;
  let abort = new AbortController();
  let following;
  const segments = h("div", { class: "segments", role: "group", "aria-label": "Time" });
  const where = h("div", null);
  const body = h("div", { class: "stack loose" }, loading());
  main.append(h("div", { class: "stack loose page" }, h("div", { class: "row" }, segments, where), body));

  async function load() {
    leave();
    abort = new AbortController();
    const { signal } = abort;
    drawFilters();
    const isAll = state.isAll || Boolean(all);
    const ask = (by, since) => get("/api/usage", isAll ? { by, since } : scoped({ by, since }), { signal });
    try {
      const groups = isAll ? GROUPS : GROUPS.filter(([by]) => by !== "project");
      const [year, ...reports] = await Promise.all([
        ask("day", YEAR),
        ...groups.map(([by]) => ask(by, range[0])),
      ]);
      if (signal.aborted) return;
      replace(body, content(year, groups, reports));
      if (year.left > 0) following = setTimeout(load, FOLLOW_MS);
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(body, failure(error, load));
    }
  }

  function drawFilters() {
    // Also the sessions of projects that are not registered.
    const everywhere = h("input", {
      type: "checkbox",
      checked: Boolean(all),
      on: { change: (event) => become(link("usage", [], { since: range[0], all: event.target.checked ? "true" : "" })) },
    });
    replace(where, !state.isAll && h("label", { class: "check" }, everywhere, h("span", null, "All projects")));
    replace(
      segments,
      RANGES.map(([value, label]) =>
        h(
          "button",
          {
            type: "button",
            class: "segment",
            "aria-pressed": String(value === range[0]),
            on: { click: () => become(link("usage", [], { since: value, all })) },
          },
          label,
        ),
      ),
    );
  }

  function content(year, groups, reports) {
    if (year.rows.length === 0 && year.left === 0)
      return empty(
        "Nothing counted yet",
        "What agents record of tokens, calls and time shows here once `acreta sync` has archived sessions.",
      );
    const reading =
      year.left > 0 && h("p", { class: "notice" }, `${plural(year.left, "session")} being read. The figures follow.`);
    if (year.rows.length === 0) return reading;
    const byDay = new Map(year.rows.filter((row) => row.name).map((row) => [row.name, row]));
    const { total } = reports[0];
    return [
      reading,
      tiles(total),
      panel("Tokens by day", days(byDay, year.total)),
      panel(range[2] > DAYS_OF_COLUMNS ? "Tokens by week" : "Tokens in these days", columns(byDay, range[2], total)),
      ...groups.map(([, name], index) => panel(name, group(name, reports[index], groups[index][0]))),
      h("p", { class: "muted small" }, footnote(total, year.prices_as_of)),
    ];
  }

  function leave() {
    clearTimeout(following);
    abort.abort();
  }

  load();
  return {
    change: (next) => {
      const wanted = rangeOf(next);
      if (wanted === range && next.params.all === all) return;
      [range, all] = [wanted, next.params.all];
      load();
    },
    leave,
  };
}

const rangeOf = (route) => RANGES.find(([value]) => value === route.params.since) ?? RANGES[0];

/** Tokens in and out; null if nobody recorded them. */
function tokens({ input_tokens: input, output_tokens: output }) {
  return isUnknown(input) && isUnknown(output) ? null : (input ?? 0) + (output ?? 0);
}

const isUnknown = (value) => value === null || value === undefined;
const about = (one) => `~${dollars(one)}`.replace("~<", "<");
const estimate = (value) => known(value, (one) => (one < 100 ? about(one) : `~$${compact(Math.round(one))}`));
const hours = (minutes) => known(minutes, (one) => (one < 60 ? `${one} min` : `${(one / 60).toFixed(1)} h`));

function tiles(total) {
  const share = total.input_tokens > 0 && !isUnknown(total.cache_read_tokens);
  const rows = [
    ["Tokens in", known(total.input_tokens, compact)],
    ["Cached", share ? percent(total.cache_read_tokens / total.input_tokens) : UNKNOWN],
    ["Tokens out", known(total.output_tokens, compact)],
    ["At list prices", estimate(total.estimated_dollars)],
    ["Sessions", compact(total.sessions)],
    ["Prompts", compact(total.prompts)],
    ["Tool calls", compact(total.tool_calls)],
    ["Failed calls", known(total.failed_calls, compact)],
    ["Time at work", hours(total.active_minutes)],
  ];
  return h(
    "dl",
    { class: "tiles" },
    rows.map(([label, value]) =>
      h(
        "div",
        null,
        h("dt", { class: "tile-label" }, label),
        h("dd", { class: value === UNKNOWN ? "tile-value is-unknown" : "tile-value" }, value),
      ),
    ),
  );
}

function days(byDay, total) {
  const levels = new Map([...byDay].map(([day, row]) => [day, tokens(row)]));
  const summary = `${known(tokens(total), compact)} tokens on ${plural(byDay.size, "day")} of the last year. A frame without a fill is a day on which no tokens were recorded.`;
  return calendar("Tokens by day", summary, Date.now(), levels, (day) => {
    const row = byDay.get(day);
    if (!row) return `${day}: nothing`;
    return `${day}: ${known(tokens(row), number)} tokens, ${plural(row.sessions, "session")}, ${estimate(row.estimated_dollars)}`;
  });
}

function columns(byDay, length, total) {
  const today = Math.floor(Date.now() / DAY_MS);
  const step = length > DAYS_OF_COLUMNS ? 7 : 1;
  const shown = [];
  for (let first = today - length + 1; first <= today; first += step) {
    const keys = Array.from({ length: step }, (_, index) => new Date((first + index) * DAY_MS).toISOString().slice(0, 10));
    const rows = keys.map((key) => byDay.get(key)).filter(Boolean);
    const [, month, date] = keys[0].split("-").map(Number);
    shown.push({
      label: `${date}/${month}`,
      full: step > 1 ? `week from ${keys[0]}` : `${keys[0]}`,
      values: {
        read: sum(rows, (row) => row.cache_read_tokens),
        fresh: sum(rows, (row) => (isUnknown(row.input_tokens) ? null : row.input_tokens - (row.cache_read_tokens ?? 0))),
        output: sum(rows, (row) => row.output_tokens),
      },
    });
  }
  const summary = `${known(total.input_tokens, compact)} tokens in, of which ${known(total.cache_read_tokens, compact)} were read from a cache, and ${known(total.output_tokens, compact)} out.`;
  return columnChart("Tokens", summary, shown, [
    { key: "read", label: "in, cached", tone: 3 },
    { key: "fresh", label: "in", tone: 1 },
    { key: "output", label: "out", tone: 5 },
  ]);
}

/** Undefined if there is nothing to add, null if nothing of it is known. */
function sum(rows, of) {
  if (rows.length === 0) return undefined;
  const values = rows.map(of).filter((value) => !isUnknown(value));
  return values.length === 0 ? null : values.reduce((left, right) => left + right, 0);
}

function group(name, report, by) {
  const num = (label) => ({ label, class: "num" });
  const heads = [name.slice(0, -1), num("Sessions"), num("Calls"), num("Failed"), num("In"), num("Cached"), num("Out"), num("Dollars")];
  return table(
    `${name}, most tokens first`,
    heads,
    report.rows.map((row) => {
      const more = row.sessions_without_tokens > 0 && tokens(row) !== null ? "+" : "";
      const count = (value) => known(value, (one) => `${compact(one)}${more}`);
      const cells = [
        compact(row.sessions),
        compact(row.tool_calls),
        known(row.failed_calls, compact),
        count(row.input_tokens),
        count(row.cache_read_tokens),
        count(row.output_tokens),
        known(row.estimated_dollars, (one) => `${about(one)}${more || row.unpriced_tokens > 0 ? "+" : ""}`),
      ];
      const label = isUnknown(row.name) ? "not recorded" : by === "project" ? baseName(row.name) : row.name;
      return h(
        "tr",
        null,
        h("th", { scope: "row", class: "break", title: row.name ?? "" }, label),
        cells.map((cell) => h("td", { class: cell === UNKNOWN ? "num muted" : "num" }, cell)),
      );
    }),
  );
}

function footnote(total, month) {
  const missing =
    total.sessions_without_tokens > 0
      ? `${plural(total.sessions_without_tokens, "session")} recorded no tokens: sums with a + are without them. `
      : "";
  const unpriced =
    total.unpriced_tokens > 0 ? `${compact(total.unpriced_tokens)} tokens are of models without a price, or not recorded in full. ` : "";
  return `${missing}${unpriced}Dollars are estimates at the list prices of ${month}; what a plan costs is another matter. Days are those of UTC.`;
}
