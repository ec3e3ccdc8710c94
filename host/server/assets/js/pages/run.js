// One run as it went: its steps, what the plugins used, what was decided and why, what was left behind.

import { get, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { icon } from "../icons.js";
import { logLine } from "../logfmt.js";
import { onEvents } from "../live.js";
import { markdown } from "../markdown.js";
import { link, memoryLink, sessionLink } from "../router.js";
import { on } from "../state.js";
import { bytes, counts, dateTime, dictionary, duration, number, percent, plural, timeOfDay, words } from "../text.js";
import { badge, empty, facts, failure, loading, panel, table, tagList, withCode } from "../widgets.js";

const LINES_SHOWN = 2_000;
const ROWS_SHOWN = 300;
const ACTION_TONES = dictionary({ add: "good", update: "accent", archive: "warn" });

/** Shows the run in the element; gives how to stop. */
export function showRun(main, id) {
  const abort = new AbortController();
  const { signal } = abort;
  const body = h("div", null, loading());
  main.append(body);
  let limits = new Map();

  async function refresh() {
    try {
      const [run, { plugins }] = await Promise.all([
        get(`/api/runs/${segment(id)}`, {}, { signal }),
        get("/api/plugins", {}, { signal }).catch(() => ({ plugins: [] })),
      ]);
      if (signal.aborted) return;
      limits = new Map(plugins.map((plugin) => [plugin.id, plugin.limits ?? {}]));
      replace(body, content(run, limits));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(body, back(), failure(error, refresh));
    }
  }

  const off = onEvents(on, (event) => event.run_id === id, refresh, 1_000);
  refresh();
  return () => {
    abort.abort();
    off();
  };
}

const back = () =>
  h(
    "div",
    { class: "back" },
    h("a", { href: link("runs"), class: "button quiet" }, icon("back"), h("span", null, "Runs")),
  );

function content(run, limits) {
  const report = object(run.report);
  const metrics = object(report.metrics);
  return h(
    "article",
    { class: "stack loose" },
    back(),
    h(
      "header",
      { class: "run-head" },
      h("div", { class: "row" }, badge(run.state), badge(run.mode, ""), h("h2", { class: "mono" }, run.run_id)),
      facts([
        ["Project", h("code", null, run.project)],
        [
          "Session",
          run.session && h("a", { href: sessionLink(run.agent, run.session) }, `${run.agent} ${run.session}`),
        ],
        ["Started", h("span", null, dateTime(run.started_ms), " · ", time(run.started_ms))],
        ["Took", run.finished_ms ? duration(run.finished_ms - run.started_ms) : "still running"],
        ["Did", counts(run.counts)],
        ["Read by", reader(object(report.reading))],
      ]),
    ),
    (run.error || report.note) &&
      h(
        "div",
        { class: `notice ${run.error ? "bad" : ""}` },
        icon("warning"),
        h("span", null, withCode(run.error || report.note)),
      ),
    report.reading?.reason &&
      h(
        "div",
        { class: "notice" },
        icon("warning"),
        h("span", null, "Read without the configured model: ", withCode(report.reading.reason)),
      ),
    panel("Steps", timeline(run, report)),
    panel("Plugins", plugins(array(metrics.plugins), limits, object(metrics.llm)), {
      aside: metrics.denied > 0 ? badge(`${number(metrics.denied)} denied`, "bad") : null,
    }),
    panel("Actions", actions(array(report.actions)), {
      aside: h("span", { class: "muted" }, number(array(report.actions).length)),
    }),
    panel("Candidates", candidates(run.candidates), { aside: keptOf(run.candidates) }),
    run.findings.length > 0 &&
      panel("Findings", findings(run.findings), { aside: h("span", { class: "muted" }, number(run.findings.length)) }),
    panel("Log", log(run.log), { aside: h("span", { class: "muted" }, plural(run.log.length, "line")) }),
    panel(
      "Artifacts",
      run.artifacts.length > 0
        ? h(
            "div",
            { class: "stack" },
            h("p", { class: "muted small" }, "In ", h("code", { class: "break" }, run.run_folder)),
            h(
              "ul",
              { class: "chips" },
              run.artifacts.map((name) => h("li", null, h("code", null, name))),
            ),
          )
        : empty("None", "The run left no files."),
    ),
  );
}

/** Who read the session; nothing for runs that read none. */
const reader = ({ reader: by, complete }) => by && `${by}${complete === false ? " (incomplete)" : ""}`;

/** Steps with their states; with times and bars where the log has them. */
function timeline(run, report) {
  const todos = array(report.todos);
  if (todos.length === 0)
    return empty(
      "No steps",
      run.state === "running" ? "They show when the first one is done." : "The run ended before its first step.",
    );
  const told = new Map(array(run.steps).map((one) => [one.step, { from: one.started_ms, to: one.ended_ms }]));
  const times = told.size > 0 ? told : stepTimes(run.log);
  const begins = [...times.values()].map((one) => one.from);
  const ends = [...times.values()].map((one) => one.to ?? one.from);
  const start = begins.length > 0 ? Math.min(...begins) : 0;
  const span = begins.length > 0 ? Math.max(...ends) - start : 0;
  return h(
    "ol",
    { class: "timeline" },
    todos.map((todo) => {
      const known = times.get(todo.step);
      const from = span > 0 && known ? (known.from - start) / span : 0;
      const to = span > 0 && known?.to ? (known.to - start) / span : from;
      return h(
        "li",
        { class: `step is-${["completed", "failed", "in_progress"].includes(todo.state) ? todo.state : "pending"}` },
        h("span", { class: "step-dot", "aria-hidden": "true" }),
        h("span", { class: "step-name" }, words(todo.step)),
        h("span", { class: "step-state" }, badge(todo.state)),
        h(
          "span",
          { class: "step-track", "aria-hidden": "true" },
          span > 0 &&
            known &&
            h("span", {
              class: "step-bar",
              vars: { left: `${from * 100}%`, width: `${Math.max(0.6, (to - from) * 100)}%` },
            }),
        ),
        h(
          "span",
          { class: "step-time num muted" },
          span > 0 && known?.to !== undefined
            ? `${timeOfDay(known.from)} · ${duration(known.to - known.from)}`
            : known && span > 0
              ? timeOfDay(known.from)
              : "",
        ),
      );
    }),
  );
}

/** When each step began and ended, by the lines that name it: the first and the last, or one that says how long. */
function stepTimes(lines) {
  const times = new Map();
  for (const line of lines) {
    const { at, step, ms } = logLine(line);
    if (!step || at === undefined) continue;
    const known = times.get(step);
    const took = Number(ms);
    if (known) known.to = at;
    else times.set(step, { from: at, to: took >= 0 ? at + took : undefined });
  }
  return times;
}

function plugins(rows, limits, models) {
  if (rows.length === 0 && !models.calls) return empty("No plugin ran", "The run ended before one was called.");
  const longest = Math.max(1, ...rows.map((row) => (row.guest_ms ?? 0) + (row.host_ms ?? 0)));
  return h(
    "div",
    { class: "stack" },
    rows.length > 0 &&
      table(
        "Plugins",
        [
          "Plugin",
          "Role",
          { label: "Calls", class: "num" },
          "Time: in the plugin, in the host",
          "Memory used, of its limit",
          { label: "Denied", class: "num" },
        ],
        rows.map((row) => {
          const limit = limits.get(row.id)?.memory_bytes;
          const denials = array(row.denied);
          const refused = denials.reduce((sum, one) => sum + (one.count ?? 0), 0);
          return h(
            "tr",
            null,
            h("td", null, row.id),
            h("td", null, row.role),
            h("td", { class: "num" }, number(row.calls)),
            h(
              "td",
              null,
              h(
                "div",
                { class: "row tight" },
                h(
                  "span",
                  { class: "stacked", "aria-hidden": "true" },
                  h("span", { class: "tone-1", vars: { width: `${((row.guest_ms ?? 0) / longest) * 100}%` } }),
                  h("span", { class: "tone-3", vars: { width: `${((row.host_ms ?? 0) / longest) * 100}%` } }),
                ),
                h("span", { class: "num" }, `${duration(row.guest_ms)}, ${duration(row.host_ms)}`),
              ),
            ),
            h(
              "td",
              null,
              h(
                "div",
                { class: "row tight" },
                limit > 0 &&
                  h(
                    "span",
                    { class: "stacked", "aria-hidden": "true" },
                    h("span", {
                      class: (row.peak_memory_bytes ?? 0) / limit > 0.8 ? "tone-4" : "tone-2",
                      vars: { width: `${Math.min(100, ((row.peak_memory_bytes ?? 0) / limit) * 100)}%` },
                    }),
                  ),
                h("span", { class: "num" }, bytes(row.peak_memory_bytes), limit > 0 ? ` of ${bytes(limit)}` : ""),
              ),
            ),
            h(
              "td",
              { class: "num" },
              refused > 0
                ? h(
                    "details",
                    { class: "inline-details" },
                    h("summary", { class: "bad-text" }, number(refused)),
                    h(
                      "ul",
                      { class: "plain" },
                      denials
                        .slice(0, 20)
                        .map((one) =>
                          h("li", null, h("code", null, `${one.operation} ${one.path}`), ` × ${number(one.count)}`),
                        ),
                    ),
                  )
                : "0",
            ),
          );
        }),
      ),
    models.calls > 0 &&
      h(
        "p",
        { class: "muted" },
        `Models: ${plural(models.calls, "call")}, ${number(models.input_tokens)} tokens in, ${number(models.output_tokens)} out, ${number(models.cached ?? 0)} from the cache`,
        models.cost_dollars !== undefined ? `, $${Number(models.cost_dollars).toFixed(4)}` : "",
        models.failed > 0 ? `, ${number(models.failed)} failed` : "",
        models.problem ? [" — ", models.problem] : null,
      ),
  );
}

function actions(rows) {
  if (rows.length === 0) return empty("None", "The run changed no memory.");
  return h(
    "div",
    { class: "stack" },
    h(
      "ul",
      { class: "lines" },
      rows
        .slice(0, ROWS_SHOWN)
        .map((row) =>
          h(
            "li",
            { class: "line wrap" },
            badge(row.action, ACTION_TONES[row.action] ?? ""),
            h("span", { class: "line-main" }, row.reason || "no reason given"),
            row.overlap !== undefined &&
              row.overlap !== null &&
              h("span", { class: "muted num" }, `overlap ${percent(row.overlap)}`),
            row.memory_id && h("a", { href: memoryLink(row.memory_id) }, "Show the memory"),
            row.other && h("a", { href: memoryLink(row.other) }, "and the other"),
          ),
        ),
    ),
    rest(rows.length),
  );
}

function candidates(rows) {
  if (rows.length === 0) return empty("None", "The extractor proposed nothing, or the run was no extraction.");
  return h(
    "div",
    { class: "stack" },
    h(
      "ul",
      { class: "plain stack" },
      rows.slice(0, ROWS_SHOWN).map((value) => {
        const row = object(value);
        return h(
          "li",
          null,
          h(
            "details",
            { class: "fold" },
            h(
              "summary",
              null,
              badge(row.kept ? "kept" : "dropped"),
              h("span", { class: "line-main" }, row.title ?? "without a title"),
              h("span", { class: "muted" }, row.reason ?? ""),
              row.confidence !== undefined && h("span", { class: "muted num" }, percent(row.confidence)),
            ),
            h(
              "div",
              { class: "fold-body stack" },
              h("div", { class: "row" }, badge(row.kind || row.type, ""), tagList(array(row.tags))),
              h("div", { class: "prose" }, markdown(row.body)),
              array(row.evidence).map((one) => h("blockquote", { class: "quote" }, one.quote)),
            ),
          ),
        );
      }),
    ),
    rest(rows.length),
  );
}

function keptOf(rows) {
  const kept = rows.filter((row) => object(row).kept).length;
  return rows.length > 0 ? h("span", { class: "muted" }, `${kept} kept, ${rows.length - kept} dropped`) : null;
}

function findings(rows) {
  return h(
    "ul",
    { class: "lines" },
    rows.slice(0, ROWS_SHOWN).map((value) => {
      const row = object(value);
      return h(
        "li",
        { class: "line wrap" },
        badge(row.action_hint, ""),
        h("code", { class: "line-main break" }, row.matched_file ?? "no file"),
        typeof row.overlap === "number" && h("span", { class: "muted num" }, `overlap ${percent(row.overlap)}`),
      );
    }),
  );
}

function log(lines) {
  if (lines.length === 0) return empty("Empty", "Nothing was logged.");
  return h(
    "details",
    { class: "fold", open: lines.length <= 30 },
    h("summary", null, "agent.log"),
    h(
      "div",
      { class: "log", tabindex: "0", role: "region", "aria-label": "Log" },
      lines.slice(-LINES_SHOWN).map((line) => {
        const { at, level, message, others } = logLine(line);
        if (at === undefined && message === undefined) return h("div", { class: "log-line" }, line);
        return h(
          "div",
          { class: `log-line ${level === "error" || level === "warn" ? level : ""}` },
          at !== undefined && h("span", { class: "muted" }, `${timeOfDay(at)} `),
          h(
            "span",
            { class: "log-where" },
            Object.entries(others)
              .map(([key, value]) => `${key}=${value}`)
              .join(" "),
          ),
          " ",
          message,
        );
      }),
    ),
  );
}

const rest = (count) =>
  count > ROWS_SHOWN
    ? h("p", { class: "muted small" }, `and ${plural(count - ROWS_SHOWN, "more")}; the artifacts have them all`)
    : null;
const array = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
