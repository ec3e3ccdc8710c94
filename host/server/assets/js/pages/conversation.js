// A session as it went. Events come in pages while one scrolls, up and down, and no more than a few hundred are
// in the document; what is far away goes and comes back.

import { get, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import { link, memoryLink, runLink, sessionLink } from "../router.js";
import { bytes, dictionary, number, plural, words } from "../text.js";
import { badge, button, empty, facts, failure, loading, typeBadge } from "../widgets.js";
import { sessionBadge } from "./sessions.js";

const PAGE = 60;
const MOST_SHOWN = 240;
const LONG_LINES = 14;
const LONG_TEXT = 1_400;
const LONGEST_TEXT = 100_000;
const TOOL_NAMES = ["tool", "tool_name", "name"];

export function showConversation(main, agent, id, eventId) {
  const abort = new AbortController();
  const { signal } = abort;
  const path = `/api/sessions/${segment(agent)}/${segment(id)}`;
  const head = h("div", { class: "conversation-head" }, loading());
  const side = h("aside", { class: "conversation-side", "aria-label": "What the session led to" });
  const above = h("div", { class: "edge" });
  const below = h("div", { class: "edge" });
  const events = h("ol", { class: "events" });
  const scroller = h(
    "div",
    { class: "conversation", tabindex: "0", role: "region", "aria-label": "Conversation" },
    above,
    events,
    below,
  );
  main.append(h("div", { class: "session" }, head, h("div", { class: "session-body" }, scroller, side)));
  let from = 0;
  let to = 0;
  let total = 0;
  let isBusy = false;
  // Memories by the events that they quote.
  let learnt = new Map();

  /** Says at each turn which memories came from it. */
  function mark(nodes) {
    for (const node of nodes) {
      const memories = learnt.get(node.dataset?.event);
      if (!memories || node.querySelector(".learnt")) continue;
      node.classList.add("is-cited");
      node.append(
        h(
          "div",
          { class: "learnt" },
          h("span", { class: "muted small" }, "Learned here"),
          memories.map((memory) => h("a", { href: memoryLink(memory.id), class: "learnt-link" }, memory.title)),
        ),
      );
    }
  }

  async function begin() {
    get(path, {}, { signal }).then(
      (session) => {
        learnt = new Map();
        for (const memory of session.memories.filter((one) => one.type !== "summary"))
          for (const event of memory.events) learnt.set(event, [...(learnt.get(event) ?? []), memory]);
        replace(head, headOf(session));
        replace(side, sideOf(session));
        mark(events.children);
      },
      (error) => {
        if (error.name !== "AbortError") replace(head, failure(error));
      },
    );
    replace(events, loading());
    try {
      const answer = await get(`${path}/events`, eventId ? { around: eventId, limit: PAGE } : { limit: PAGE }, {
        signal,
      });
      total = answer.total;
      from = answer.offset;
      to = from + answer.events.length;
      replace(events, answer.events.map(eventNode));
      mark(events.children);
      if (total === 0)
        replace(
          events,
          empty("Nothing to read", "The session's trace is not kept, or it is empty. Run `acreta sync` to take it in."),
        );
      edges();
      show(eventId);
      observe();
    } catch (error) {
      if (error.name !== "AbortError") replace(events, failure(error, begin));
    }
  }

  function show(wanted) {
    const node = wanted && [...events.children].find((one) => one.dataset.event === wanted);
    if (!node) return;
    node.classList.add("is-wanted");
    for (const fold of node.querySelectorAll("details")) fold.open = true;
    node.querySelector(".is-cut + button")?.click();
    // Within the list only: `scrollIntoView` would move the page too.
    scroller.scrollTop = node.offsetTop - scroller.clientHeight / 3;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
  }

  function edges() {
    replace(above, from > 0 ? `${plural(from, "earlier event")}` : total > 0 ? "The session starts here" : null);
    replace(below, to < total ? `${plural(total - to, "more event")}` : total > 0 ? "The session ends here" : null);
  }

  async function grow(direction) {
    if (isBusy || signal.aborted || (direction < 0 ? from === 0 : to >= total)) return;
    isBusy = true;
    try {
      const offset = direction < 0 ? Math.max(0, from - PAGE) : to;
      const limit = direction < 0 ? from - offset : PAGE;
      const answer = await get(`${path}/events`, { offset, limit }, { signal });
      total = answer.total;
      const nodes = answer.events.map(eventNode);
      mark(nodes);
      const { scrollHeight, scrollTop } = scroller;
      if (direction < 0) {
        events.prepend(...nodes);
        from = offset;
        scroller.scrollTop = scrollTop + scroller.scrollHeight - scrollHeight;
        while (events.children.length > MOST_SHOWN) {
          events.lastElementChild.remove();
          to -= 1;
        }
      } else {
        events.append(...nodes);
        to = offset + nodes.length;
        const before = scroller.scrollHeight;
        while (events.children.length > MOST_SHOWN) {
          events.firstElementChild.remove();
          from += 1;
        }
        scroller.scrollTop = scrollTop - (before - scroller.scrollHeight);
      }
      edges();
    } catch (error) {
      if (error.name !== "AbortError")
        replace(
          direction < 0 ? above : below,
          failure(error, () => grow(direction)),
        );
    } finally {
      isBusy = false;
    }
  }

  // An observer says nothing of an edge that stays in view, so that the position is looked at.
  function observe() {
    const look = () => {
      if (scroller.scrollTop < 600) grow(-1);
      else if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 900) grow(1);
    };
    scroller.addEventListener("scroll", look, { passive: true });
    if (scroller.scrollHeight <= scroller.clientHeight + 900) grow(1);
  }

  const step = (by) => {
    const all = [...events.children];
    const at = all.indexOf(document.activeElement?.closest?.(".event"));
    const next =
      all[
        at < 0
          ? all.findIndex((one) => one.offsetTop >= scroller.scrollTop)
          : Math.min(all.length - 1, Math.max(0, at + by))
      ];
    if (!next) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    scroller.scrollTop = next.offsetTop - 80;
  };
  begin();
  return { leave: () => abort.abort(), keys: { j: () => step(1), k: () => step(-1) } };
}

function headOf(session) {
  return [
    h("a", { href: link("sessions"), class: "button quiet" }, icon("back"), h("span", null, "Sessions")),
    h("div", { class: "row" }, sessionBadge(session.state), h("h2", null, session.title || session.id)),
    facts([
      ["Agent", session.agent],
      ["Project", session.project && h("code", { class: "break" }, session.project)],
      ["Updated", session.updated_ms !== undefined && time(session.updated_ms)],
      ["Size", bytes(session.bytes)],
      ["Id", h("code", { class: "break" }, session.id)],
    ]),
  ];
}

function sideOf(session) {
  return [
    h("h3", null, "Memories", h("span", { class: "count" }, number(session.memories.length))),
    session.memories.length === 0
      ? h("p", { class: "muted" }, "It led to none.")
      : h(
          "ul",
          { class: "plain stack" },
          session.memories
            .slice(0, 100)
            .map((memory) =>
              h(
                "li",
                null,
                h(
                  "a",
                  { href: memoryLink(memory.id), class: "card-link" },
                  typeBadge(memory),
                  h("span", null, memory.title || memory.id),
                ),
                memory.events.length > 0 &&
                  h(
                    "a",
                    { href: sessionLink(session.agent, session.id, memory.events[0]), class: "turn-link" },
                    "Show the turn",
                  ),
              ),
            ),
        ),
    h("h3", null, "Runs", h("span", { class: "count" }, number(session.runs.length))),
    session.runs.length === 0
      ? h("p", { class: "muted" }, "Not taken in yet.")
      : h(
          "ul",
          { class: "plain stack" },
          session.runs
            .slice(0, 20)
            .map((run) =>
              h(
                "li",
                null,
                h(
                  "a",
                  { href: runLink(run.run_id), class: "card-link" },
                  badge(run.state),
                  h("span", null, words(run.mode)),
                  h("span", { class: "muted push" }, time(run.started_ms)),
                ),
              ),
            ),
        ),
  ];
}

const ROLES = dictionary({ user: "User", assistant: "Assistant", tool: "Tool", system: "System" });

function eventNode(event) {
  const role = ROLES[event.role] ? event.role : "system";
  const isSpoken = event.kind === "text";
  return h(
    "li",
    {
      class: `event role-${role} kind-${/^[a-z-]{1,20}$/.test(event.kind) ? event.kind : "note"}`,
      data: { event: event.id },
    },
    h(
      "div",
      { class: "event-head" },
      h("span", { class: "event-role" }, ROLES[role]),
      !isSpoken && badge(event.kind, ""),
      toolName(event),
      event.at_ms !== undefined && h("span", { class: "muted push small" }, time(event.at_ms)),
    ),
    isSpoken ? spoken(event) : folded(event),
    event.truncated && h("p", { class: "muted small" }, "The text goes on; the trace has all of it."),
  );
}

function spoken(event) {
  const body =
    event.role === "tool"
      ? h("pre", { class: "code wrap" }, cut(event.text))
      : h("div", { class: "prose" }, markdown(event.text));
  if (!isLong(event.text)) return body;
  const more = button(
    "Show all of it",
    () => {
      const isCut = body.classList.toggle("is-cut");
      replace(more.lastChild, isCut ? "Show all of it" : "Show less");
      more.setAttribute("aria-expanded", String(!isCut));
    },
    { look: "small quiet" },
  );
  body.classList.add("is-cut");
  more.setAttribute("aria-expanded", "false");
  return [body, more];
}

function folded(event) {
  const attrs = Object.entries(event.attrs ?? {}).filter(([key]) => !TOOL_NAMES.includes(key));
  const details = [
    event.kind === "thinking"
      ? h("div", { class: "prose muted" }, markdown(event.text))
      : h("pre", { class: "code wrap" }, cut(event.text)),
    attrs.length > 0 &&
      facts(
        attrs
          .slice(0, 30)
          .map(([key, value]) => [
            key,
            h("code", { class: "break" }, typeof value === "string" ? value : JSON.stringify(value)),
          ]),
      ),
  ];
  return h(
    "details",
    { class: "fold" },
    h(
      "summary",
      null,
      h("span", { class: "when-closed" }, firstLine(event) || "no text"),
      h("span", { class: "when-open" }, "Fold"),
    ),
    h("div", { class: "fold-body stack" }, details),
  );
}

function toolName(event) {
  const name = TOOL_NAMES.map((key) => event.attrs?.[key]).find((value) => typeof value === "string");
  return name ? h("code", null, name) : null;
}

const isLong = (text) => text.length > LONG_TEXT || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
const cut = (text) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}\n…` : text);
/** What a folded event says, in a line. A call's arguments are often spread over lines that say little each. */
function firstLine({ kind, text }) {
  const start = text.slice(0, 600).trimStart();
  const line = kind === "tool-call" ? start.replaceAll(/\s+/g, " ") : start.split("\n", 1)[0];
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}
