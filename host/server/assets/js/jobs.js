// Sync and maintain: start one, look on, call it off. A job that was started elsewhere shows up here too.

import { get, post, segment } from "./api.js";
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { emit, on, state } from "./state.js";
import { counts, dictionary, duration, plural, words } from "./text.js";
import { button, toast, toastError } from "./widgets.js";

const KINDS = dictionary({ sync: "Sync", maintain: "Maintain" });
const OPEN = new Set(["accepted", "queued", "running"]);
const LOOK_EVERY_MS = 1_000;

export function jobButtons() {
  const element = h("div", { class: "jobs" });
  const watched = new Map();
  const buttons = Object.fromEntries(
    Object.entries(KINDS).map(([kind, label]) => {
      const start = h(
        "button",
        { type: "button", class: "button", "aria-label": label, data: { job: kind }, on: { click: () => begin(kind) } },
        icon(kind),
        h("span", null, label),
      );
      return [kind, start];
    }),
  );
  const progress = h("div", { class: "job-progress", role: "status", hidden: true });
  element.append(buttons.sync, buttons.maintain, progress);

  async function begin(kind) {
    buttons[kind].disabled = true;
    try {
      const body = kind === "maintain" && !state.isAll ? { project_root: state.project } : {};
      const { job_id } = await post(`/api/${kind}`, body);
      watch(job_id, kind);
    } catch (error) {
      buttons[kind].disabled = false;
      toastError(error);
    }
  }

  function watch(id, kind) {
    if (watched.has(id)) return;
    watched.set(id, { id, kind, state: "accepted" });
    paint();
    look(id);
  }

  async function look(id) {
    let job;
    try {
      job = await get(`/api/jobs/${segment(id)}`);
    } catch (error) {
      watched.delete(id);
      paint();
      if (error.status !== 401) toastError(error);
      return;
    }
    if (OPEN.has(job.state)) {
      watched.set(id, job);
      paint();
      setTimeout(() => look(id), LOOK_EVERY_MS);
      return;
    }
    watched.delete(id);
    paint();
    finished(job);
  }

  function paint() {
    for (const [kind, start] of Object.entries(buttons)) {
      const isBusy = [...watched.values()].some((job) => job.kind === kind);
      start.disabled = isBusy;
      start.classList.toggle("is-busy", isBusy);
    }
    progress.hidden = watched.size === 0;
    replace(
      progress,
      [...watched.values()].map((job) =>
        h(
          "div",
          { class: "job-line" },
          h("span", { class: "spinner" }),
          h(
            "span",
            null,
            `${KINDS[job.kind] ?? words(job.kind)} ${words(job.state)}`,
            h("span", { class: "muted" }, soFar(job)),
          ),
          job.progress?.total > 0 &&
            h("progress", {
              max: String(job.progress.total),
              value: job.progress.done,
              "aria-label": `${KINDS[job.kind]}, how far`,
            }),
          button("Stop", () => post(`/api/jobs/${segment(job.id)}/cancel`).catch(toastError), { look: "small" }),
        ),
      ),
    );
  }

  on("event", (event) => {
    const { job_id: id, job_kind: kind } = event.fields ?? {};
    if (event.kind === "job" && id && KINDS[kind] && OPEN.has(event.name)) watch(id, kind);
  });
  get("/api/jobs").then(
    (answer) => {
      for (const job of answer.jobs) if (KINDS[job.kind] && OPEN.has(job.state)) watch(job.id, job.kind);
    },
    () => {},
  );
  return element;
}

function finished(job) {
  const name = KINDS[job.kind] ?? words(job.kind);
  if (job.state === "completed") toast(`${name} finished. ${told(job)}`, { tone: "good" });
  else if (job.state === "cancelled") toast(`${name} was stopped`);
  else toastError(job.error?.message ? job.error : { message: `${name} failed` });
  emit("changed", { kind: job.kind });
}

function soFar({ progress, started_ms }) {
  if (progress?.message) return ` ${progress.message.slice(0, 120)}`;
  return started_ms ? ` ${duration(Math.max(0, Date.now() - started_ms))}` : "";
}

/** The counts of a result; a maintenance has a report for each project. */
function summed(result) {
  const reports = Array.isArray(result.projects) ? result.projects.map((one) => one.report) : [result];
  const sums = dictionary();
  for (const report of reports)
    for (const [name, count] of Object.entries(report?.counts ?? {})) sums[name] = (sums[name] ?? 0) + Number(count);
  return sums;
}

function told({ result }) {
  if (!result || typeof result !== "object") return "";
  const sessions = typeof result.ran === "number" ? `${plural(result.ran, "session")}: ` : "";
  return `${sessions}${counts(summed(result))}`;
}
