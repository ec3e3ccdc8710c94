// Home: what was learnt since the last visit, what needs the person, which sessions are about to go, what was spent.
// Every number leads to what it counts.

import { get, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { icon } from "../icons.js";
import { onEvents } from "../live.js";
import { link, memoryLink, sessionLink } from "../router.js";
import { ALL, on, reaching, read, state, within, write } from "../state.js";
import { ago, compact, dollars, number, percent, plural } from "../text.js";
import { badge, failure, loading, panel, projectName, typeBadge } from "../widgets.js";
import { gauge } from "../charts.js";
import { moment } from "./timeline.js";

/** Away for so long, and the next look is another visit. */
const VISIT_MS = 30 * 60_000;

/** Entries of the timeline. */
const LATELY = 6;

/** Events of a session in which its first words are looked for. */
const FIRST_EVENTS = 25;

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  const since = lastVisit();
  let review;
  main.append(loading());

  async function refresh() {
    try {
      const [home, lately] = await Promise.all([
        get("/api/home", reaching({ since }), { signal }),
        get("/api/timeline", reaching({ limit: LATELY }), { signal }),
      ]);
      if (signal.aborted) return;
      const waiting = h("div", { class: "home-needs" });
      replace(main, content(home, lately.entries, waiting, since));
      // Counting what waits for a person may take longer than all else.
      replace(waiting, needs(home, review));
      review = (await get("/api/status", reaching(), { signal })).review;
      if (!signal.aborted) replace(waiting, needs(home, review));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }

  const stops = [
    on("changed", refresh),
    onEvents(on, (event) => ["run", "job", "memory"].includes(event.kind) && event.name !== "queued", refresh, 3_000),
  ];
  refresh();
  return {
    leave: () => {
      abort.abort();
      for (const stop of stops) stop();
    },
  };
}

/** When this browser last showed the project, before this visit; undefined on the first. */
function lastVisit() {
  const key = `acreta.visit.${state.isAll ? ALL : (state.project ?? "")}`;
  const [seen, before] = (read(key) ?? "").split(" ").map(Number);
  const now = Date.now();
  const isSame = seen > 0 && now - seen < VISIT_MS;
  const since = isSame ? before : seen;
  write(key, `${now} ${since || ""}`.trim());
  return since > 0 ? since : undefined;
}

function content(home, entries, waiting, since) {
  const { memories, learnt } = home;
  if (memories.active === 0 && learnt.sessions === 0) return h("div", { class: "home" }, first(), aside(home, waiting));
  return h(
    "div",
    { class: "home" },
    h("div", { class: "stack loose" }, headline(learnt, since), news(learnt), holdings(memories), lately(entries)),
    aside(home, waiting),
  );
}

function first() {
  const steps =
    state.projects.length === 0
      ? [
          ["Register a project", "`acreta project add .` in its folder, or ", link("projects"), "Projects and agents"],
          ["Let an agent's sessions be read", "", link("projects"), "Projects and agents"],
          ["Press Sync", "sessions become memory"],
        ]
      : [
          ["Connect an agent", "whose sessions may be read: ", link("projects"), "Projects and agents"],
          ["Choose who reads them", "rules alone cost nothing, a model finds more: ", link("model"), "Model"],
          ["Press Sync", "the sessions of your agents become memory"],
        ];
  return panel(
    "Nothing learned yet",
    h(
      "ol",
      { class: "steps" },
      steps.map(([what, text, href, name]) =>
        h(
          "li",
          null,
          h("strong", null, what),
          h(
            "span",
            { class: "muted" },
            text.split("`").map((part, at) => (at % 2 ? h("code", null, part) : part)),
          ),
          href && h("a", { href }, name),
        ),
      ),
    ),
    { look: "first-day" },
  );
}

function headline(learnt, since) {
  const when = since === undefined ? "in the last seven days" : `since your last visit, ${ago(learnt.since_ms)}`;
  const count = (value, one, many, href) => h("a", { href }, plural(value, one, many));
  return h(
    "p",
    { class: "headline" },
    learnt.total > 0 ? count(learnt.total, "memory", "memories", link("memories", [], { sort: "created" })) : "Nothing",
    " learned",
    learnt.sessions > 0 && [" in ", count(learnt.sessions, "session", "sessions", link("sessions"))],
    ` ${when}.`,
  );
}

function news(learnt) {
  if (learnt.memories.length === 0)
    return learnt.summaries > 0
      ? panel("New and changed", h("p", { class: "muted" }, "Sessions were read; nothing in them was worth keeping."), {
          look: "home-news",
        })
      : null;
  return panel(
    "New and changed",
    h(
      "ul",
      { class: "lines" },
      learnt.memories.map((memory) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: memoryLink(memory.id, within(memory.scope)), class: "line" },
            typeBadge(memory),
            h("span", { class: "line-main" }, memory.title),
            memory.changed && badge("changed", "accent"),
            memory.trust === "untrusted" && badge("untrusted"),
            projectName(memory.scope),
            h("span", { class: "muted small" }, time(memory.at_ms)),
          ),
        ),
      ),
    ),
    {
      look: "home-news",
      aside: h(
        "span",
        { class: "row" },
        learnt.summaries > 0 &&
          h("a", { href: link("memories", [], { type: "summary" }) }, plural(learnt.summaries, "summary", "summaries")),
        learnt.total > learnt.memories.length &&
          h("a", { href: link("memories", [], { sort: "created" }) }, `All ${number(learnt.total)}`),
      ),
    },
  );
}

/** The parameter of a link to what the counts count: the memories of a project without the global ones. */
const counted = () => (state.isAll ? {} : { scope: "project" });

function holdings(memories) {
  const rows = [
    ["Decisions", memories.decisions, { type: "decision" }],
    ["Learnings", memories.learnings, { type: "learning" }],
    ["Summaries", memories.summaries, { type: "summary" }],
    ["Confirmed by you", memories.confirmed, { trust: "confirmed" }],
    ["Stale", memories.stale, { stale: "true" }],
  ];
  return h(
    "ul",
    { class: "holdings", "aria-label": "What there is" },
    rows.map(([label, value, params]) =>
      h(
        "li",
        null,
        h(
          "a",
          { href: link("memories", [], { ...params, ...counted() }) },
          h("span", { class: "holdings-value" }, compact(value)),
          h("span", { class: "holdings-label" }, label),
        ),
      ),
    ),
  );
}

function lately(entries) {
  if (entries.length === 0) return null;
  return panel(
    "Lately",
    h(
      "ol",
      { class: "plain moments" },
      entries.map((entry) => moment(entry, ago)),
    ),
    { look: "home-lately", aside: h("a", { href: link("timeline") }, "Timeline") },
  );
}

function aside(home, waiting) {
  return h("div", { class: "stack loose home-side" }, waiting, leaving(home.leaving), spend(home));
}

const limits = (today) => [
  ["Calls", today.calls, today.calls_limit, compact],
  ["Tokens", today.tokens, today.tokens_limit, compact],
  ["Cost", today.dollars, today.dollars_limit, dollars],
];

/** What keeps a model from reading: limits that are used up, and the reasons why sessions wait. */
function held({ spend: today, waiting_for_model: waiting }) {
  const full = today ? limits(today).filter(([, used, limit]) => limit && used >= limit) : [];
  return [
    ...full.map(
      ([label, used, limit, show]) => `Limit of today used up: ${show(used)} of ${show(limit)} ${label.toLowerCase()}`,
    ),
    ...waiting,
  ];
}

function needs(home, review) {
  const { dead_letters: dead, memories } = home;
  const reasons = held(home);
  const { total = 0, conflicts = 0, proposals = 0, pending = 0, untrusted = 0 } = review ?? {};
  const rows = [
    [conflicts, "conflict to settle", "conflicts to settle", link("review"), "bad"],
    [proposals, "proposed change", "proposed changes", link("review"), "accent"],
    [pending, "thing you said once", "things you said once", link("review"), "warn"],
    [untrusted, "memory nobody vouches for", "memories nobody vouches for", link("review"), "warn"],
    [dead, "session that could not be read", "sessions that could not be read", link("queue"), "bad"],
    [
      memories.stale,
      "memory that names what is gone",
      "memories that name what is gone",
      link("memories", [], { stale: "true", ...counted() }),
      "warn",
    ],
  ].filter(([count]) => count > 0);
  return panel(
    "Needs you",
    rows.length + reasons.length === 0
      ? h("p", { class: "muted" }, review ? "Nothing." : "Counting…")
      : h(
          "ul",
          { class: "lines" },
          reasons.map((text) =>
            h(
              "li",
              null,
              h(
                "a",
                { href: link("model"), class: "line" },
                h("span", { class: "needs-count warn" }, icon("warning")),
                h("span", { class: "line-main" }, text),
              ),
            ),
          ),
          rows.map(([count, one, many, href, tone]) =>
            h(
              "li",
              null,
              h(
                "a",
                { href, class: "line" },
                h("span", { class: `needs-count ${tone}` }, compact(count)),
                h("span", { class: "line-main" }, count === 1 ? one : many),
              ),
            ),
          ),
        ),
    { aside: total > 0 && h("a", { href: link("review"), class: "button primary small" }, "Review") },
  );
}

function leaving({ total, not_archived: unsafe, sessions }) {
  if (total === 0) return null;
  return panel(
    "About to be deleted by their agent",
    [
      h(
        "p",
        { class: unsafe > 0 ? "warn-text" : "muted" },
        unsafe > 0
          ? `${number(unsafe)} of ${plural(total, "session")} ${unsafe === 1 ? "has" : "have"} no copy here yet. Press Sync.`
          : `${total === 1 ? "It is" : `All ${number(total)} are`} archived here and can be read later.`,
      ),
      h(
        "ul",
        { class: "lines" },
        sessions
          .slice(0, 5)
          .map((session) =>
            h(
              "li",
              null,
              h(
                "a",
                { href: sessionLink(session.agent, session.id), class: "line" },
                h(
                  "span",
                  { class: "line-main" },
                  sessionTitle(session),
                  h(
                    "span",
                    { class: "line-meta" },
                    h("span", null, session.at_ms < Date.now() ? "any moment" : time(session.at_ms)),
                    projectName(session.project),
                  ),
                ),
                session.archived ? badge("archived", "good") : badge("no copy", "bad"),
              ),
            ),
          ),
      ),
    ],
    { look: "home-leaving", aside: total > 5 && h("a", { href: link("sessions") }, `All ${number(total)}`) },
  );
}

/** First words of sessions without a title, by agent and id; each is asked for once. */
const beginnings = new Map();

/** The title of a session. One without is told by its first words, or by its agent and day: an id says nothing. */
function sessionTitle({ title, agent, id, updated_ms: updated }) {
  const element = h("span", { class: "one-line", title: title || id }, title || `${agent}, last used ${ago(updated)}`);
  if (title) return element;
  const path = `/api/sessions/${segment(agent)}/${segment(id)}/events`;
  if (!beginnings.has(path))
    beginnings.set(
      path,
      get(path, { limit: FIRST_EVENTS }).catch(() => ({ events: [] })),
    );
  beginnings.get(path).then(({ events }) => {
    const said = events.find((event) => event.role === "user" && event.kind === "text" && event.text.trim());
    if (said) replace(element, said.text.trim().split("\n", 1)[0].slice(0, 120));
  });
  return element;
}

function spend({ spend: today }) {
  if (!today)
    return panel(
      "Models today",
      h(
        "p",
        { class: "muted" },
        "No model is asked: sessions are read by rules. ",
        h("a", { href: link("model") }, "Choose one"),
      ),
      { look: "home-spend" },
    );
  const rows = limits(today).filter(([, used, limit]) => used > 0 || limit);
  return panel(
    "Models today",
    [
      h(
        "dl",
        { class: "spend" },
        rows.map(([label, used, limit, show]) => {
          const share = limit ? Math.min(1, used / limit) : undefined;
          return h(
            "div",
            null,
            h("dt", null, label),
            h(
              "dd",
              null,
              h("a", { href: link("model") }, show(used)),
              h("span", { class: "muted" }, limit ? ` of ${show(limit)}` : " no limit"),
              share !== undefined && gauge(share, `${label}: ${percent(share)} of the limit`),
            ),
          );
        }),
      ),
    ],
    { look: "home-spend", aside: h("span", { class: "muted small" }, "all projects") },
  );
}
