// Timeline: the sessions of a project, what was decided and learned in them, and where a mind was changed, day by day.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { listKeys } from "../keys.js";
import { changesMemory, onEvents } from "../live.js";
import { become, link, memoryLink, sessionLink } from "../router.js";
import { on, reaching, within } from "../state.js";
import { brief, clockTime, dayName, plural } from "../text.js";
import { badge, button, empty, failure, loading, projectName } from "../widgets.js";

const PAGE = 100;
const KINDS = [
  ["", "Everything", (counts) => Object.values(counts).reduce((sum, one) => sum + one, 0)],
  ["decision", "Decisions", (counts) => counts.decisions],
  ["change_of_mind", "Changes of mind", (counts) => counts.changes_of_mind],
  ["learning", "Learnings", (counts) => counts.learnings],
  ["session", "Sessions", (counts) => counts.sessions],
];
const ICONS = {
  session: "sessions",
  decision: "check",
  learning: "memories",
  change_of_mind: "restore",
  rejected: "reject",
};

export function page(main, route) {
  let kind = route.params.kind ?? "";
  let abort = new AbortController();
  let shown = 0;
  let lastDay;
  let list;
  const segments = h("div", { class: "segments", role: "group", "aria-label": "Kind" });
  const body = h("div", { class: "days" });
  const foot = h("div", { class: "row center" });
  main.append(h("div", { class: "history" }, segments, body, foot));

  async function load(isFirst) {
    if (isFirst) {
      abort.abort();
      abort = new AbortController();
      shown = 0;
      lastDay = undefined;
    }
    const { signal } = abort;
    if (isFirst && body.children.length === 0) replace(body, loading());
    replace(foot);
    try {
      const answer = await get("/api/timeline", reaching({ kind, offset: shown, limit: PAGE }), { signal });
      if (signal.aborted) return;
      drawSegments(answer.counts);
      if (isFirst) replace(body);
      shown += answer.entries.length;
      for (const entry of answer.entries) add(entry);
      if (answer.total === 0)
        replace(
          body,
          kind
            ? empty("Nothing of this kind", "Choose “Everything”.")
            : empty("No history yet", "Press Sync: sessions and what is learned from them show here, day by day."),
        );
      if (shown < answer.total)
        replace(
          foot,
          button(`Earlier (${brief(answer.total - shown)} more)`, () => load(false)),
        );
    } catch (error) {
      if (signal.aborted || error.name === "AbortError") return;
      replace(
        isFirst ? body : foot,
        failure(error, () => load(isFirst)),
      );
    }
  }

  function drawSegments(counts) {
    replace(
      segments,
      KINDS.map(([value, label, count]) =>
        h(
          "button",
          {
            type: "button",
            class: "segment",
            "aria-pressed": String(value === kind),
            on: { click: () => become(link("timeline", [], { kind: value })) },
          },
          label,
          h("span", { class: "segment-count" }, brief(count(counts))),
        ),
      ),
    );
  }

  function add(entry) {
    const day = dayName(entry.at_ms);
    if (day !== lastDay) {
      lastDay = day;
      list = h("ol", { class: "plain moments" });
      body.append(h("section", { class: "day" }, h("h2", { class: "day-name" }, day), list));
    }
    list.append(moment(entry));
  }

  const offEvents = onEvents(on, changesMemory, () => shown <= PAGE && load(true), 3_000);
  load(true);
  return {
    change: (next) => {
      kind = next.params.kind ?? "";
      replace(body);
      load(true);
    },
    leave: () => {
      abort.abort();
      offEvents();
    },
    keys: listKeys(() => [...body.querySelectorAll(".moment > a")]),
  };
}

/** One entry; `when` says at what time of the day unless told otherwise. */
export function moment(entry, when = clockTime) {
  const isSession = entry.kind === "session";
  const href = isSession
    ? sessionLink(entry.agent, entry.session_id)
    : memoryLink(entry.memory_id, within(entry.scope));
  return h(
    "li",
    { class: `moment is-${ICONS[entry.kind] ? entry.kind : "learning"}` },
    h("span", { class: "moment-mark" }, icon(ICONS[entry.kind] ?? "memories")),
    h(
      "a",
      { href, class: "moment-main" },
      h(
        "span",
        { class: "moment-head" },
        label(entry),
        isSession && h("span", { class: "muted" }, entry.agent),
        h("span", { class: "muted" }, when(entry.at_ms)),
        projectName(entry.scope),
      ),
      h("span", { class: "moment-title" }, entry.title),
    ),
    entry.before.length > 0 &&
      h(
        "p",
        { class: "moment-before small" },
        h("span", { class: "muted" }, "instead of "),
        entry.before.map((former, index) => [
          index > 0 && ", ",
          former.id
            ? h("a", { href: memoryLink(former.id, within(entry.scope)) }, h("s", null, former.title))
            : h("s", null, former.title),
        ]),
      ),
  );
}

function label(entry) {
  switch (entry.kind) {
    case "session":
      return entry.memories > 0
        ? badge(plural(entry.memories, "memory", "memories"), "good")
        : h("span", { class: "muted" }, "Session");
    case "change_of_mind":
      return badge("changed mind", "accent");
    case "rejected":
      return badge("rejected since", "bad");
    default:
      return badge(entry.memory_kind || entry.kind, entry.kind === "decision" ? "type-decision" : "type-learning");
  }
}
