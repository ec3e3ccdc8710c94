// Runs: the list, and one run as it went. The address says which: `#/runs` or `#/runs/ID`.

import { get } from "../api.js";
import { h, replace, time } from "../dom.js";
import { onEvents } from "../live.js";
import { become, go, link, runLink, sessionLink } from "../router.js";
import { on, state } from "../state.js";
import { baseName, counts, duration, words } from "../text.js";
import { badge, button, empty, failure, loading, select, table, withCode } from "../widgets.js";
import { listKeys } from "../keys.js";
import { showRun } from "./run.js";

const PAGE = 50;
const STATES = ["running", "completed", "failed", "cancelled", "queued", "accepted"];

export function page(main, route) {
  let stop = () => {};
  function change(next) {
    stop();
    replace(main);
    stop = next.rest[0] ? showRun(main, next.rest[0]) : showList(main, next.params);
  }
  change(route);
  const rows = () => [...main.querySelectorAll("[data-row] a[data-open]")];
  return {
    change,
    leave: () => stop(),
    keys: {
      ...listKeys(rows),
      Escape: () => {
        if (location.hash === link("runs")) return false;
        go(link("runs"));
        return true;
      },
    },
  };
}

function showList(main, params) {
  const abort = new AbortController();
  const { signal } = abort;
  const body = h("div", null, loading());
  let runs = [];
  main.append(
    h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "filters" },
        select("State", [["", "Any"], ...STATES.map((one) => [one, one])], params.state, (state) =>
          become(link("runs", [], { state })),
        ),
      ),
      body,
    ),
  );

  async function more(isFirst) {
    try {
      const before = isFirst ? undefined : runs.at(-1)?.started_ms;
      const answer = await get(
        "/api/runs",
        {
          state: params.state,
          limit: isFirst ? Math.max(PAGE, Math.min(500, runs.length)) : PAGE,
          before,
          project_root: state.isAll ? undefined : state.project,
        },
        { signal },
      );
      if (signal.aborted) return;
      runs = isFirst ? answer.runs : [...runs, ...answer.runs];
      replace(body, list(answer.runs.length >= PAGE));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError")
        replace(
          body,
          failure(error, () => more(isFirst)),
        );
    }
  }

  function list(hasMore) {
    if (runs.length === 0)
      return empty(
        params.state ? "No such run" : "No run yet",
        params.state
          ? "Choose another state."
          : "Press Sync above, or run `acreta sync`. Every session that is read is one run.",
      );
    return h(
      "div",
      { class: "stack" },
      table(
        "Runs",
        [
          "State",
          "Run",
          "Session",
          "Project",
          "What it did",
          { label: "Took", class: "num" },
          { label: "Started", class: "num" },
        ],
        runs.map(row),
      ),
      hasMore &&
        h(
          "div",
          { class: "row center" },
          button("Show older runs", () => more(false)),
        ),
    );
  }

  const off = onEvents(
    on,
    (event) => event.kind === "run" || event.kind === "job",
    () => more(true),
    1_500,
  );
  const offChanged = on("changed", () => more(true));
  more(true);
  return () => {
    abort.abort();
    off();
    offChanged();
  };
}

function row(run) {
  return h(
    "tr",
    { class: "run-row", data: { row: "yes" } },
    h("td", null, badge(run.state)),
    h(
      "td",
      null,
      h(
        "a",
        { href: runLink(run.run_id), data: { open: "yes" } },
        h("span", null, words(run.mode)),
        " ",
        h("code", { class: "muted" }, run.run_id.split("-").slice(-1)),
      ),
    ),
    h(
      "td",
      null,
      run.session
        ? h(
            "a",
            { href: sessionLink(run.agent, run.session) },
            run.agent,
            " ",
            h("code", null, run.session.slice(0, 8)),
          )
        : h("span", { class: "muted" }, "—"),
    ),
    h("td", { title: run.project }, baseName(run.project)),
    h(
      "td",
      { class: "wide-cell" },
      run.error ? h("span", { class: "bad-text" }, withCode(run.error)) : counts(run.counts),
    ),
    h(
      "td",
      { class: "num" },
      run.finished_ms ? duration(run.finished_ms - run.started_ms) : h("span", { class: "muted" }, "—"),
    ),
    h("td", { class: "num" }, time(run.started_ms)),
  );
}
