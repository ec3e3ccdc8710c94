// Review: what waits for a person at the left; beside it the item with its evidence in its conversation and the effect
// of each action before it is taken. Everything by keyboard, several at once, and undone by one key.

import { get, post, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { changesMemory, onEvents } from "../live.js";
import { become, link } from "../router.js";
import { emit, on, reaching } from "../state.js";
import { dictionary, plural } from "../text.js";
import {
  badge,
  button,
  dialog,
  empty,
  failure,
  loading,
  projectName,
  toast,
  toastError,
  withCode,
} from "../widgets.js";
import { agreed, conversations, edited, effect, remaining, saying, sentence, sides } from "./decision.js";

const KINDS = dictionary({
  conflict: ["Conflict", "bad"],
  proposal: ["Proposal", "accent"],
  pending: ["Said once", "warn"],
  untrusted: ["Untrusted", "warn"],
});
const KEYS = dictionary({ accept: "a", edit: "e", reject: "r", merge: "m", supersede: "s" });
const LOOKS = dictionary({ accept: "primary", reject: "danger" });
const DONE = dictionary({
  accept: "Accepted",
  edit: "Accepted in your words",
  reject: "Rejected",
  merge: "Merged",
  supersede: "Superseded",
});

/** What becomes of the memory that does not remain. */
const LEFT = dictionary({
  merge: "The other one leaves memory, and its evidence goes to the one that remains.",
  supersede: "The other one stays readable, and is not used any more.",
});

/** Actions on several items at once. */
const IN_BATCHES = new Set(["accept", "reject", "merge"]);

export function page(main, route) {
  let items = [];
  let openId = route.rest[0];
  let detail;
  let shownAction = "accept";
  let isBusy = false;
  // The message of the latest decision: its button takes back that one and no other.
  let newest;
  let turn = 0;
  const chosen = new Set();
  const summary = h("p", { class: "muted small", role: "status" });
  const batch = h("div", { class: "review-batch", hidden: true });
  const list = h("ul", { class: "review-list", "aria-label": "What waits for you" });
  const pane = h("section", { class: "pane review-pane", "aria-label": "The item", tabindex: "-1" });
  const split = h(
    "div",
    { class: "split review" },
    h(
      "section",
      { class: "split-list", "aria-label": "Queue" },
      h(
        "div",
        { class: "list-head" },
        h("div", { class: "row spread" }, summary, button("Select all", selectAll, { look: "small quiet" })),
        batch,
      ),
      list,
    ),
    pane,
  );
  main.append(split);
  replace(pane, loading());
  load();
  const stops = [onEvents(on, changesMemory, () => load(true), 1_500)];

  function selectAll() {
    if (chosen.size === items.length) chosen.clear();
    else for (const item of items) chosen.add(item.id);
    drawList();
  }

  async function load(isQuiet = false) {
    const mine = (turn += 1);
    try {
      const queue = await get("/api/review", reaching());
      if (mine !== turn) return;
      items = queue.items;
      for (const id of [...chosen]) if (!items.some((item) => item.id === id)) chosen.delete(id);
      const at = items.findIndex((item) => item.id === openId);
      const isNarrow = matchMedia("(max-width: 860px)").matches;
      if (at < 0) openId = isQuiet || isNarrow ? undefined : items[0]?.id;
      drawList();
      if (openId === undefined) drawNothing();
      else if (!isQuiet || detail?.item.id !== openId) open(openId);
    } catch (error) {
      if (mine === turn && !isQuiet)
        replace(
          pane,
          failure(error, () => load()),
        );
    }
  }

  /** Opens the item at a place, or the last one. */
  function openAt(place) {
    if (items.length === 0) {
      openId = undefined;
      drawList();
      drawNothing();
      return;
    }
    open(items[Math.max(0, Math.min(place, items.length - 1))].id);
  }

  async function open(id) {
    openId = id;
    shownAction = "accept";
    detail = undefined;
    become(link("review", [id]));
    drawList();
    split.classList.add("has-open");
    const slow = setTimeout(() => replace(pane, loading()), 120);
    try {
      const answer = await get(`/api/review/${segment(id)}`, reaching());
      if (openId !== id) return;
      detail = answer;
      drawItem();
    } catch (error) {
      if (openId === id)
        replace(
          pane,
          failure(error, () => open(id)),
        );
    } finally {
      clearTimeout(slow);
    }
  }

  function drawList() {
    const waiting =
      items.length > 0 ? plural(items.length, "item waits for you", "items wait for you") : "Nothing waits";
    replace(summary, chosen.size > 0 ? `${chosen.size} of ${items.length} selected` : waiting);
    batch.hidden = chosen.size === 0;
    replace(
      batch,
      button("Accept", () => decide("accept"), { look: "small primary", keys: "a" }),
      button("Reject", () => decide("reject"), { look: "small danger", keys: "r" }),
      chosen.size > 1 && button("Merge", () => decide("merge"), { look: "small", keys: "m" }),
      button(
        "Clear",
        () => {
          chosen.clear();
          drawList();
        },
        { look: "small quiet" },
      ),
    );
    replace(list, items.map(row));
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function row(item) {
    const [label, tone] = KINDS[item.kind] ?? [item.kind, ""];
    const box = h("input", {
      type: "checkbox",
      checked: chosen.has(item.id),
      "aria-label": `Select: ${item.title}`,
      on: { change: () => mark(item.id) },
    });
    return h(
      "li",
      { class: `review-row${item.id === openId ? " is-current" : ""}`, data: { item: item.id } },
      box,
      h(
        "a",
        {
          href: link("review", [item.id]),
          "aria-current": item.id === openId ? "true" : undefined,
          on: {
            click: (event) => {
              event.preventDefault();
              open(item.id);
            },
          },
        },
        h("span", { class: "review-title" }, withCode(item.title)),
        h(
          "span",
          { class: "review-meta" },
          badge(label, tone),
          projectName(item.scope),
          item.at_ms && time(item.at_ms),
        ),
      ),
    );
  }

  function mark(id) {
    if (!chosen.delete(id)) chosen.add(id);
    drawList();
  }

  function drawNothing() {
    split.classList.remove("has-open");
    replace(
      pane,
      items.length > 0
        ? empty("No item is open", "Choose one from the list, or press `j`.")
        : empty(
            "Nothing waits for you",
            "Conflicts, proposals, what you said once and what nobody vouches for come here. `acreta sync` brings in new sessions.",
          ),
    );
  }

  function drawItem() {
    const { item, evidence } = detail;
    const [label, tone] = KINDS[item.kind] ?? [item.kind, ""];
    replace(
      pane,
      h(
        "article",
        { class: "review-item" },
        h(
          "div",
          { class: "pane-back" },
          button(
            "List",
            () => {
              openId = undefined;
              detail = undefined;
              become(link("review"));
              drawList();
              drawNothing();
            },
            { look: "quiet", image: "back" },
          ),
        ),
        h(
          "header",
          { class: "stack" },
          h(
            "div",
            { class: "row" },
            badge(label, tone),
            badge(item.memories[0]?.kind),
            item.scope === "global" && badge("global"),
            item.scope !== "global" && projectName(item.scope),
          ),
          h("h2", { class: "review-heading" }, withCode(item.title)),
          h("p", { class: "review-why" }, withCode(sentence(item.why))),
        ),
        actions(item),
        (item.kind === "untrusted" || item.kind === "proposal") && saying(item.memories[0]),
        effect(detail, shownAction),
        item.kind === "conflict" && sides(item),
        evidence.length > 0 && conversations(evidence),
      ),
    );
    pane.scrollTo(0, 0);
  }

  function actions(item) {
    return h(
      "div",
      { class: "review-actions", role: "group", "aria-label": "Decide" },
      item.actions.map(({ action, label }) =>
        h(
          "button",
          {
            type: "button",
            class: `button ${LOOKS[action] ?? ""}`,
            "aria-keyshortcuts": KEYS[action],
            data: { action },
            on: {
              click: () => decide(action),
              pointerenter: () => preview(action),
              focus: () => preview(action),
            },
          },
          h("span", null, sentence(label)),
          h("kbd", { class: "only-wide", "aria-hidden": "true" }, KEYS[action]),
        ),
      ),
    );
  }

  function preview(action) {
    if (!detail || shownAction === action || !detail.effects.some((effect) => effect.action === action)) return;
    shownAction = action;
    pane.querySelector(".review-effect")?.replaceWith(effect(detail, shownAction));
  }

  async function decide(action) {
    if (isBusy || items.length === 0) return;
    const isBatch = chosen.size > 0 && IN_BATCHES.has(action);
    const subjects = items.filter((item) => (isBatch ? chosen.has(item.id) : item.id === openId));
    if (subjects.length === 0) return;
    if (!isBatch && !subjects[0].actions.some((one) => one.action === action)) return;
    const decisions = isBatch ? await batched(action, subjects) : await single(action, subjects[0]);
    if (decisions === undefined) return;
    const place = Math.max(
      0,
      items.findIndex((item) => item.id === subjects[0].id),
    );
    isBusy = true;
    try {
      const report = await post("/api/review", reaching({ decisions }));
      const failed = report.decisions.filter((one) => one.effect.problem);
      if (failed.length > 0) toast(failed[0].effect.problem, { tone: "bad" });
      const made = report.decisions.length - failed.length;
      if (made > 0) {
        const what = made === 1 ? report.decisions.find((one) => !one.effect.problem).title : plural(made, "item");
        newest?.close();
        newest = toast([h("strong", null, DONE[action]), " ", withCode(what)], {
          tone: "good",
          action: { label: "Undo", run: undo },
        });
      }
      chosen.clear();
      await after(place);
    } catch (error) {
      toastError(error);
    } finally {
      isBusy = false;
    }
  }

  async function single(action, item) {
    const extra = await asked(action, item);
    return extra && [{ id: item.id, action, ...extra }];
  }

  /** Decisions on all selected items, after their effect was shown; undefined when the reviewer thought better of it. */
  async function batched(action, selected) {
    const subjects = selected.filter((item) => item.actions.some((one) => one.action === action));
    const keep = action === "merge" ? await remaining(subjects) : undefined;
    if (action === "merge" && !keep) return undefined;
    const decisions = subjects
      .filter((item) => !keep || item.memories[0].id !== keep)
      .map((item) => ({ id: item.id, action, keep }));
    if (decisions.length === 0) return undefined;
    try {
      const report = await post("/api/review", reaching({ decisions, dry_run: true }));
      return (await agreed(action, report.decisions)) ? decisions : undefined;
    } catch (error) {
      toastError(error);
      return undefined;
    }
  }

  /** What an action needs besides; undefined when the reviewer thought better of it. */
  async function asked(action, item) {
    if (action === "edit") {
      const edit = await edited(item);
      return edit && { edit };
    }
    const offered = item.actions.find((one) => one.action === action);
    if (!offered?.needs_keep) return {};
    const alike = detail?.alike ?? [];
    if (alike.length === 0) {
      toast("No memory is worded alike.");
      return undefined;
    }
    const keep = await dialog(
      "Which memory should remain?",
      h("p", { class: "muted" }, LEFT[action]),
      alike.map((one, index) => ({ label: one.title, value: one.id, look: "choice", isFirst: index === 0 })),
    );
    return keep ? { keep } : undefined;
  }

  async function undo() {
    if (isBusy) return;
    isBusy = true;
    newest?.close();
    newest = undefined;
    try {
      const { undone } = await post("/api/review/undo", reaching());
      toast([
        h("strong", null, "Taken back"),
        " ",
        undone.length === 1 ? withCode(undone[0].title) : plural(undone.length, "decision"),
      ]);
      await after(0, undone.at(-1)?.id);
    } catch (error) {
      toastError(error);
    } finally {
      isBusy = false;
    }
  }

  async function after(place, id) {
    emit("changed");
    const queue = await get("/api/review", reaching());
    turn += 1;
    items = queue.items;
    const found = items.findIndex((item) => item.id === id);
    openAt(found < 0 ? place : found);
  }

  const step = (by) => {
    const at = items.findIndex((item) => item.id === openId);
    openAt(at < 0 ? 0 : at + by);
    return items.length > 0;
  };
  return {
    keys: {
      j: () => step(1),
      k: () => step(-1),
      x: () => {
        if (openId === undefined) return false;
        mark(openId);
        return step(1);
      },
      u: () => {
        undo();
      },
      ...Object.fromEntries(Object.entries(KEYS).map(([action, key]) => [key, () => void decide(action)])),
    },
    change(next) {
      const id = next.rest[0];
      if (id && id !== openId) open(id);
    },
    leave: () => stops.forEach((stop) => stop()),
  };
}
