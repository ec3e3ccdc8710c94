// A session as it went: prompts as chapters with a list of them beside the text, search in it, and what it led to.

import { get, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { icon } from "../icons.js";
import { link, memoryLink, runLink, sessionLink } from "../router.js";
import { bytes, number, plural, words } from "../text.js";
import { virtualList } from "../virtual.js";
import { badge, empty, facts, failure, iconButton, loading, typeBadge } from "../widgets.js";
import { mark, unmark } from "./marking.js";
import { reader } from "./reader.js";
import { learnt as learntHere } from "./rows.js";
import { sessionBadge } from "./sessions.js";

const CHAPTER_HEIGHT = 50;
const TYPING_MS = 300;
/** Entries of a list beside the text. */
const LISTED = 100;

export function showConversation(main, agent, id, first) {
  const abort = new AbortController();
  const { signal } = abort;
  const path = `/api/sessions/${segment(agent)}/${segment(id)}`;
  const title = h("div", { class: "conversation-head" }, loading());
  const tools = h("div", { class: "conversation-tools" });
  const side = h("aside", { class: "conversation-side", "aria-label": "Prompts, and what the session led to" });
  const scroller = h("div", { class: "conversation", tabindex: "0", role: "region", "aria-label": "Conversation" });
  const frame = h("div", { class: "session" }, title, tools, h("div", { class: "session-body" }, scroller, side));
  main.append(frame);
  const isWide = matchMedia("(min-width: 861px)").matches;
  const prompts = h("details", { class: "side-part is-prompts", open: isWide });
  const related = h("div", { class: "side-rest" });
  side.append(prompts, related);
  // Memories by the events that they quote.
  let memories = new Map();
  let text;
  let chapters;
  let at = 0;
  let search;

  const learnt = (event) => memories.get(event) ?? [];

  /** A session without a title is called by its first prompt. */
  function nameByPrompt() {
    const heading = title.querySelector("h2[data-untitled]");
    if (heading && chapters?.length > 0) heading.textContent = chapters[0].text;
  }

  /** Says at rows that came before the memories did what was learnt there. */
  function markLearnt() {
    for (const node of text?.nodes() ?? []) {
      const here = learnt(node.dataset.event);
      if (here.length === 0 || node.querySelector(".learnt")) continue;
      node.classList.add("is-cited");
      node.append(learntHere(here));
    }
  }

  get(path, {}, { signal }).then(
    (session) => {
      memories = new Map();
      for (const memory of session.memories.filter((one) => one.type !== "summary"))
        for (const event of memory.events) memories.set(event, [...learnt(event), memory]);
      replace(title, headOf(session));
      nameByPrompt();
      related.append(...ledTo(session, isWide));
      markLearnt();
    },
    (error) => {
      if (error.name !== "AbortError") replace(title, failure(error));
    },
  );

  async function begin() {
    replace(scroller, loading());
    try {
      const outline = await get(`${path}/outline`, {}, { signal });
      replace(scroller);
      if (outline.rows === 0) {
        replace(
          scroller,
          empty("Nothing to read", "The session's trace is not kept, or it is empty. Run `acreta sync` to take it in."),
        );
        return;
      }
      text = reader(scroller, {
        path,
        session: { agent, id },
        outline,
        signal,
        learnt,
        reached,
        filled: markLearnt,
      });
      scroller.append(
        h("div", { class: "edge" }, "The session starts here"),
        ...text.elements,
        h("div", { class: "edge" }, "The session ends here"),
      );
      showPrompts(outline);
      search = searchBar(path, text, () => at, signal);
      replace(tools, search.element, countsOf(outline));
      await show(first);
    } catch (error) {
      if (error.name !== "AbortError") replace(scroller, failure(error, begin));
    }
  }

  function showPrompts(outline) {
    chapters = outline.chapters;
    nameByPrompt();
    const most = Math.max(1, ...chapters.map((one) => one.calls));
    const list = virtualList({
      label: "Prompts",
      rowHeight: () => CHAPTER_HEIGHT,
      key: (chapter) => chapter.id,
      render: (chapter, index) => chapterOf(chapter, index, most),
      fetch: async (offset, limit) => ({ items: chapters.slice(offset, offset + limit), total: chapters.length }),
      open: (chapter) => wanted(chapter.row),
      none: () => h("p", { class: "muted" }, "Nobody typed here."),
    });
    signal.addEventListener("abort", () => list.stop());
    replace(
      prompts,
      h("summary", null, h("h3", null, "Prompts", h("span", { class: "count" }, number(outline.prompts)))),
      list.element,
    );
    prompts.list = list;
    list.reload();
    const links = [
      outline.parent && ["Started by", [outline.parent]],
      outline.subagents.length > 0 && ["Subagents", outline.subagents],
    ].filter(Boolean);
    related.prepend(...links.map(([name, sessions]) => linked(name, sessions, isWide)));
  }

  let current = -1;
  function reached(place) {
    at = place;
    const chapter = text.chapterAt(place);
    if (chapter === current || chapter < 0) return;
    current = chapter;
    prompts.list.setOpened(chapters[chapter].id);
    const { element } = prompts.list;
    const top = chapter * CHAPTER_HEIGHT;
    if (top < element.scrollTop || top + CHAPTER_HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 3;
  }

  /** Goes to a row and shows it as the one that was asked for. */
  async function wanted(place, words) {
    // Where there is little room the text is below all else.
    if (!isWide) {
      prompts.open = false;
      frame.scrollTop = frame.scrollHeight;
    }
    const node = await text.goTo(place);
    if (!node) return;
    unmark(scroller);
    for (const other of scroller.querySelectorAll(".is-wanted")) other.classList.remove("is-wanted");
    node.classList.add("is-wanted");
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    reached(place);
    if (words !== undefined) {
      await node.unfold();
      mark(node, words, scroller);
    }
  }

  async function show({ event, quote } = {}) {
    if (!event || !text) return;
    const { around } = await get(`${path}/rows`, { around: event, limit: 1 }, { signal });
    await wanted(around, quote ?? "");
  }

  const step = (by) => {
    const focused = document.activeElement?.closest?.(".event");
    text?.goTo(focused ? Number(focused.dataset.row) + by : at).then((node) => {
      if (!node) return;
      node.tabIndex = -1;
      node.focus({ preventScroll: true });
    });
  };
  const chapter = (by) => {
    const next = chapters?.[Math.max(0, text.chapterAt(at) + by)];
    if (next) wanted(next.row);
  };
  begin();
  return {
    session: `${agent}/${id}`,
    change: (params) =>
      show(params).catch((error) => {
        if (error.name !== "AbortError") scroller.prepend(failure(error));
      }),
    leave: () => {
      abort.abort();
      search?.stop();
    },
    keys: { j: () => step(1), k: () => step(-1), n: () => chapter(1), p: () => chapter(-1) },
  };
}

/** Without the signs of markdown that stand in the way of a short text. */
const plainText = (text) => text.replaceAll(/\*\*|`+|^#+ /g, "");

/** A prompt in the list, with how much was done for it. */
function chapterOf(chapter, index, most) {
  const share = (count) => `${Math.round((100 * count) / most)}%`;
  return h(
    "div",
    { class: "chapter" },
    h("span", { class: "chapter-text" }, h("span", { class: "muted" }, `${index + 1} `), plainText(chapter.text) || "—"),
    h(
      "span",
      { class: "chapter-work" },
      h(
        "span",
        { class: "chapter-bar", "aria-hidden": "true" },
        h("span", { class: "is-done", vars: { width: share(chapter.calls - chapter.failed) } }),
        h("span", { class: "is-failed", vars: { width: share(chapter.failed) } }),
      ),
      chapter.calls > 0 && h("span", { class: "muted small" }, plural(chapter.calls, "call")),
      chapter.failed > 0 && h("span", { class: "bad-text small" }, `${number(chapter.failed)} failed`),
    ),
  );
}

const countsOf = (outline) =>
  h(
    "span",
    { class: "muted small" },
    [
      plural(outline.prompts, "prompt"),
      plural(outline.calls, "call"),
      outline.failed > 0 && `${number(outline.failed)} failed`,
    ]
      .filter(Boolean)
      .join(", "),
  );

/** Searches the session; `from()` is the row where one reads. */
function searchBar(path, text, from, signal) {
  let typing;
  let rows = [];
  let total = 0;
  let place = -1;
  let asked = new AbortController();
  let marked;
  const count = h("span", { class: "muted small find-count", role: "status" });
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "Search in this session",
    "aria-label": "Search in this session",
    autocomplete: "off",
    spellcheck: "false",
    data: { search: "yes" },
  });
  const step = async (by) => {
    if (rows.length === 0) return;
    place = (place + by + rows.length) % rows.length;
    replace(count, `${number(place + 1)} of ${number(total)}`);
    const wanted = place;
    const node = await text.goTo(rows[place]);
    if (!node || wanted !== place) return;
    await node.unfold();
    if (marked) unmark(marked);
    marked = node;
    mark(node, box.value.trim(), node.closest(".conversation"));
  };
  async function find() {
    asked.abort();
    asked = new AbortController();
    if (marked) unmark(marked);
    const words = box.value.trim();
    rows = [];
    place = -1;
    if (!words) {
      replace(count);
      return;
    }
    try {
      const found = await get(`${path}/find`, { q: words }, { signal: AbortSignal.any([signal, asked.signal]) });
      rows = found.rows;
      total = found.total;
      if (rows.length === 0) {
        replace(count, "no match");
        return;
      }
      const next = rows.findIndex((row) => row >= from());
      place = (next < 0 ? 0 : next) - 1;
      await step(1);
    } catch (error) {
      if (error.name !== "AbortError") replace(count, error.message);
    }
  }
  box.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(find, TYPING_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (rows.length > 0) step(event.shiftKey ? -1 : 1);
  });
  return {
    element: h(
      "div",
      { class: "find", role: "search" },
      h("div", { class: "search" }, box),
      iconButton("Previous match", "back", () => step(-1)),
      iconButton("Next match", "forward", () => step(1)),
      count,
    ),
    stop: () => {
      clearTimeout(typing);
      asked.abort();
    },
  };
}

function headOf(session) {
  return [
    h(
      "div",
      { class: "row" },
      h("a", { href: link("sessions"), class: "button quiet" }, icon("back"), h("span", null, "Sessions")),
      sessionBadge(session.state),
      h("h2", session.title ? null : { data: { untitled: "yes" } }, session.title || session.id),
    ),
    facts([
      ["Agent", session.agent],
      ["Project", session.project && h("code", { class: "break" }, session.project)],
      ["Updated", session.updated_ms !== undefined && time(session.updated_ms)],
      ["Size", bytes(session.bytes)],
      ["Id", h("code", { class: "break" }, session.id)],
    ]),
  ];
}

/** A list that folds. */
const part = (name, items, isOpen, none, row) =>
  h(
    "details",
    { class: "side-part", open: isOpen },
    h("summary", null, h("h3", null, name, h("span", { class: "count" }, number(items.length)))),
    items.length === 0
      ? h("p", { class: "muted" }, none)
      : h(
          "ul",
          { class: "plain stack" },
          items.slice(0, LISTED).map((item) => h("li", null, row(item))),
        ),
  );

const linked = (name, sessions, isOpen) =>
  part(name, sessions, isOpen, "", (one) =>
    h(
      "a",
      { href: sessionLink(one.agent, one.id), class: "card-link" },
      icon("sessions"),
      h("span", null, one.title || one.id),
    ),
  );

/** The memories that came of it, and the runs that read it. */
function ledTo({ agent, id, memories, runs }, isOpen) {
  return [
    part("Memories", memories, isOpen, "It led to none.", (memory) => [
      h(
        "a",
        { href: memoryLink(memory.id), class: "card-link" },
        typeBadge(memory),
        h("span", null, memory.title || memory.id),
      ),
      memory.events.length > 0 &&
        h("a", { href: sessionLink(agent, id, memory.events[0]), class: "turn-link" }, "Show the turn"),
    ]),
    part("Runs", runs, false, "Not taken in yet.", (run) =>
      h(
        "a",
        { href: runLink(run.run_id), class: "card-link" },
        badge(run.state),
        h("span", null, words(run.mode)),
        h("span", { class: "muted push" }, time(run.started_ms)),
      ),
    ),
  ];
}
