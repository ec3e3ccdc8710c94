// Queue: sessions that wait, run, or could not be taken in, and what a person can do about each.

import { get, post, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { listKeys } from "../keys.js";
import { onEvents } from "../live.js";
import { become, link, runLink, sessionLink } from "../router.js";
import { on, state } from "../state.js";
import { baseName, number, plural } from "../text.js";
import { badge, button, empty, failure, loading, select, table, toast, toastError, withCode } from "../widgets.js";

const STATES = ["queued", "running", "failed", "completed", "cancelled"];
const ROWS_SHOWN = 500;
const ACTIONS = {
  retry: {
    label: "Retry",
    fits: (job) => job.state === "failed" || job.state === "cancelled",
    title: "Put it back in the queue",
    done: "It is queued again",
  },
  skip: {
    label: "Skip",
    fits: (job) => job.state === "queued" || job.state === "failed",
    title: "Leave this state of the session out",
    done: "It is skipped until its session changes",
  },
  cancel: {
    label: "Cancel",
    fits: (job) => job.state === "queued" || job.state === "running",
    title: "Stop it",
    done: "It is cancelled",
  },
};

export function page(main, route) {
  const abort = new AbortController();
  const { signal } = abort;
  let params = route.params;
  const filters = h("div", { class: "filters" });
  const summary = h("p", { class: "muted", role: "status" });
  const body = h("div", null, loading());
  main.append(h("div", { class: "stack" }, filters, summary, body));

  function drawFilters() {
    replace(
      filters,
      select("State", [["", "Any"], ...STATES.map((one) => [one, one])], params.state, (value) =>
        become(link("queue", [], { state: value })),
      ),
    );
  }

  async function refresh() {
    try {
      const { jobs } = await get("/api/queue", { state: params.state }, { signal });
      if (signal.aborted) return;
      const mine = jobs.filter((job) => state.isAll || !state.project || job.project === state.project);
      const dead = mine.filter((job) => job.dead).length;
      replace(
        summary,
        mine.length === 0
          ? null
          : `${plural(mine.length, "job")}${dead > 0 ? `; ${plural(dead, "failed for good and waits for you", "failed for good and wait for you")}` : ""}`,
      );
      // Whoever is at a button stays there.
      const at = document.activeElement?.closest?.("[data-job]")?.dataset;
      replace(body, list(mine));
      if (at)
        main.querySelector(`[data-job="${CSS.escape(at.job)}"][data-action="${CSS.escape(at.action ?? "")}"]`)?.focus();
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(body, failure(error, refresh));
    }
  }

  function list(jobs) {
    if (jobs.length === 0)
      return empty(
        params.state ? "No such job" : "The queue is empty",
        params.state
          ? "Choose another state."
          : "Every session that was found has been read. Press Sync to look for new ones.",
      );
    return [
      table(
        "Jobs",
        ["State", "Session", "Project", "Why", { label: "Tries", class: "num" }, "Since", "Last problem", "Do"],
        jobs.slice(0, ROWS_SHOWN).map(row),
      ),
      jobs.length > ROWS_SHOWN &&
        h(
          "p",
          { class: "muted small" },
          `and ${plural(jobs.length - ROWS_SHOWN, "more job")}; choose a state to see them`,
        ),
    ];
  }

  function row(job) {
    const waits = job.state === "queued" && job.not_before_ms > Date.now();
    return h(
      "tr",
      { class: "job-row", data: { row: "yes" } },
      h("td", null, h("div", { class: "row tight" }, badge(job.state), job.dead && badge("dead"))),
      h(
        "td",
        null,
        h(
          "a",
          { href: sessionLink(job.agent, job.session), data: { open: "yes" } },
          job.agent,
          " ",
          h("code", null, job.session.slice(0, 10)),
        ),
      ),
      h("td", { title: job.project }, baseName(job.project)),
      h("td", null, job.mode),
      h("td", { class: "num" }, number(job.attempt)),
      h(
        "td",
        null,
        time(job.started_ms ?? job.created_ms),
        waits && [h("br"), h("span", { class: "muted small" }, "again ", time(job.not_before_ms))],
      ),
      h(
        "td",
        { class: "wide-cell" },
        job.cause
          ? h("span", { class: job.dead ? "bad-text" : "" }, withCode(job.cause))
          : h("span", { class: "muted" }, "—"),
        job.run_id && [" ", h("a", { href: runLink(job.run_id) }, "run")],
      ),
      h(
        "td",
        null,
        h(
          "div",
          { class: "row tight" },
          Object.entries(ACTIONS)
            .filter(([, action]) => action.fits(job))
            .map(([name, action]) => {
              const element = button(action.label, () => act(job, name), {
                look: "small",
                title: action.title,
                name: `${action.label} ${job.agent} ${job.session.slice(0, 10)}`,
              });
              element.dataset.job = job.id;
              element.dataset.action = name;
              return element;
            }),
        ),
      ),
    );
  }

  async function act(job, action) {
    try {
      const after = await post(`/api/queue/${segment(job.id)}/${action}`);
      toast(after.state === "running" ? "It stops at its next step" : ACTIONS[action].done, { tone: "good" });
    } catch (error) {
      toastError(error);
    }
    await refresh();
  }

  const off = onEvents(on, (event) => ["job", "run", "queue", "session"].includes(event.kind), refresh, 1_000);
  const offChanged = on("changed", refresh);
  drawFilters();
  refresh();
  return {
    change: (next) => {
      params = next.params;
      drawFilters();
      refresh();
    },
    leave: () => {
      abort.abort();
      off();
      offChanged();
    },
    keys: listKeys(() => [...main.querySelectorAll("[data-row] a[data-open]")]),
  };
}
