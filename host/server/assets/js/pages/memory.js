// One memory: what it says, why it is believed, where it came from, and what a person can do about it.

import { get, post, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import { memoryLink, runLink } from "../router.js";
import { scoped, within } from "../state.js";
import { percent, withoutTitle, words } from "../text.js";
import {
  badge,
  button,
  dialog,
  empty,
  facts,
  failure,
  loading,
  projectName,
  tagList,
  toast,
  toastError,
  typeBadge,
} from "../widgets.js";
import { meter } from "../charts.js";
import { editor } from "./editor.js";
import { showProvenance } from "./provenance.js";

/** `hooks`: `changed(row)`, `listChanged()`, `close()`, `tag(name)`. */
export function memoryPane(element, hooks) {
  let id;
  let project;
  let memory;
  let abort = new AbortController();
  const use = h("p", { class: "muted use" });
  const story = h("div", { class: "story" });

  async function show(next, where, isSame = false) {
    if (next === id && where === project && !isSame && element.firstChild) return;
    const isOther = next !== id || where !== project;
    id = next;
    project = where;
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (!id) {
      memory = undefined;
      replace(element, empty("No memory is open", "Choose one from the list: `j` and `k` move, Enter opens."));
      return;
    }
    if (isOther) {
      replace(element, back(), loading());
      element.scrollTop = 0;
    }
    try {
      memory = { ...shown(await get(`/api/memories/${segment(id)}`, scoped({}, project), { signal })), project };
      if (signal.aborted) return;
      if (isOther) for (const part of [use, story]) replace(part);
      replace(element, content());
      hooks.changed(rowFrom(memory));
      await showProvenance(memory.id, project, { use, story }, signal);
    } catch (error) {
      if (signal.aborted || error.name === "AbortError") return;
      memory = undefined;
      replace(
        element,
        back(),
        failure(error, () => show(id, project, true)),
      );
    }
  }

  const back = () => h("div", { class: "pane-back" }, button("List", hooks.close, { look: "quiet", image: "back" }));

  function content() {
    return h(
      "article",
      { class: "memory" },
      back(),
      h(
        "header",
        { class: "memory-head" },
        h(
          "div",
          { class: "row" },
          typeBadge(memory),
          badge(memory.trust),
          memory.status !== "active" && badge(memory.status, ""),
          memory.stale && badge("stale"),
          projectName(memory.scope === "global" ? "global" : project),
        ),
        h("h2", null, memory.title || "Without a title"),
        memory.origin && h("p", { class: "muted" }, `By git ${memory.origin}`),
        use,
        actions(),
      ),
      memory.status === "superseded" &&
        memory.superseded_by &&
        h(
          "p",
          { class: "notice" },
          icon("restore"),
          h("span", null, "Another memory took its place: ", reference(memory.superseded_by)),
        ),
      memory.missing?.length > 0 &&
        h(
          "div",
          { class: "notice warn" },
          icon("warning"),
          h(
            "div",
            null,
            "It names what is no longer there: ",
            memory.missing.map((name, index) => [index > 0 && ", ", h("code", null, name)]),
            ". Edit it, confirm it, or archive it.",
          ),
        ),
      proposals(),
      h(
        "div",
        { class: "prose" },
        withoutTitle(memory) ? markdown(withoutTitle(memory)) : h("p", { class: "muted" }, "No text."),
      ),
      tagList(memory.tags, hooks.tag),
      story,
      relations(),
      about(),
    );
  }

  function actions() {
    const isArchived = memory.status !== "active";
    return h(
      "div",
      { class: "row actions", role: "group", "aria-label": "Actions" },
      button("Edit", edit, { image: "edit", keys: "e" }),
      memory.trust !== "confirmed" &&
        !isArchived &&
        button("Confirm", () => act("confirm"), {
          image: "check",
          look: "primary",
          keys: "c",
          title: "You vouch for it: agents are told",
        }),
      isArchived
        ? button("Restore", () => act("restore"), { image: "restore" })
        : button("Archive", archive, { image: "archive", title: "Take it out of use; it can come back" }),
      !isArchived &&
        button("Reject", reject, {
          image: "reject",
          look: "danger",
          title: "It is wrong: the same evidence will not write it again",
        }),
    );
  }

  async function act(action, done) {
    const [target, where] = [id, project];
    for (const one of element.querySelectorAll(".actions button")) one.disabled = true;
    try {
      const answer = await post(`/api/memories/${segment(target)}/${action}`, scoped({}, where));
      if (done) done(answer);
      else toast(answer.message || words(action), { tone: "good" });
      hooks.listChanged();
      await show(target, where, true);
      return answer;
    } catch (error) {
      for (const one of element.querySelectorAll(".actions button")) one.disabled = false;
      toastError(error);
      return undefined;
    }
  }

  function archive() {
    const [target, where] = [id, project];
    const { title } = memory;
    return act("archive", () =>
      toast(["Archived “", title, "”"], { action: { label: "Undo", run: () => undo(target, where) } }),
    );
  }

  async function undo(target, where) {
    try {
      await post(`/api/memories/${segment(target)}/restore`, scoped({}, where));
      toast("It is back", { tone: "good" });
      hooks.listChanged();
      if (id === target) await show(target, where, true);
    } catch (error) {
      toastError(error);
    }
  }

  async function reject() {
    const answer = await dialog(
      "Reject this memory?",
      [
        h("p", null, h("strong", null, memory.title)),
        h("p", null, "It is archived, and the same evidence will not write it again. “Restore” takes it back."),
      ],
      [
        { label: "Keep it", value: undefined, look: "" },
        { label: "Reject", value: "yes", look: "danger" },
      ],
    );
    if (answer) await act("reject");
  }

  async function edit() {
    if (!memory) return;
    const saved = await editor(memory, "edit");
    if (!saved) return;
    if (saved !== "reload") toast(saved.changed === false ? "Nothing changed" : "Saved", { tone: "good" });
    hooks.listChanged();
    await show(id, project, true);
  }

  function proposals() {
    return (memory.proposals ?? []).map((proposal, index) =>
      h(
        "section",
        { class: "proposal", "aria-label": "Proposal" },
        h(
          "div",
          { class: "row spread" },
          h("h3", null, `Proposed: ${words(proposal.operation || "change")}`),
          index === 0
            ? h(
                "div",
                { class: "row actions" },
                button("Accept", () => act("accept"), { image: "check", look: "primary" }),
              )
            : h("span", { class: "muted small" }, "after the first"),
        ),
        proposal.reason && h("p", { class: "muted" }, proposal.reason),
        proposal.title && proposal.title !== memory.title && h("p", null, h("strong", null, proposal.title)),
        proposal.body && h("div", { class: "prose" }, markdown(proposal.body)),
        tagList(proposal.tags),
        proposal.run_id &&
          h("p", { class: "small muted" }, "from run ", h("a", { href: runLink(proposal.run_id) }, proposal.run_id)),
      ),
    );
  }

  function relations() {
    const rows = [
      ["Related", memory.related],
      ["Took the place of", memory.supersedes],
      ["Replaced by", memory.superseded_by],
    ]
      .map(([label, value]) => [label, [value ?? []].flat().filter(Boolean)])
      .filter(([, all]) => all.length > 0);
    if (rows.length === 0) return null;
    return h(
      "section",
      { class: "section" },
      h("h3", null, "Relations"),
      rows.map(([label, all]) =>
        h(
          "div",
          { class: "relation" },
          h("span", { class: "muted small" }, label),
          h(
            "ul",
            { class: "plain" },
            all.map((one) => h("li", null, reference(one))),
          ),
        ),
      ),
    );
  }

  function about() {
    const share = memory.effective_confidence ?? memory.confidence;
    const isFaded =
      memory.confidence !== undefined &&
      memory.effective_confidence !== undefined &&
      memory.confidence - memory.effective_confidence > 0.005;
    return h(
      "section",
      { class: "section" },
      h("h3", null, "About"),
      facts([
        [
          "Confidence",
          share !== undefined &&
            share !== null &&
            h(
              "span",
              { class: "row" },
              meter(share, `confidence ${percent(share)}`),
              percent(share),
              isFaded && h("span", { class: "muted" }, `faded from ${percent(memory.confidence)}`),
            ),
        ],
        ["Created", memory.created && time(memory.created)],
        ["Updated", memory.updated && time(memory.updated)],
        ["Last verified", memory.last_verified && time(memory.last_verified)],
        ["Source", memory.source && h("code", null, memory.source)],
        ["Scope", memory.scope],
        ["File", memory.path && h("code", null, memory.path)],
        ["Id", h("code", null, memory.id)],
      ]),
    );
  }

  /** A memory by its title; one without an id is an earlier text and leads nowhere. */
  function reference({ id: other, title }) {
    return other ? h("a", { href: memoryLink(other, within(project)) }, title || other) : h("span", null, title);
  }

  return {
    show,
    stop: () => abort.abort(),
    keys: {
      e: () => (memory ? void edit() : false),
      c: () => (memory && memory.trust !== "confirmed" && memory.status === "active" ? void act("confirm") : false),
    },
  };
}

/** A memory with what its file, its state and git say of it. */
function shown({ memory, state, origin, ...rest }) {
  return {
    ...rest,
    ...memory,
    origin: origin && `from ${origin.author}, commit ${origin.commit}`,
    proposals: state?.proposals ?? [],
    missing: state?.missing,
    last_verified: state?.last_verified,
  };
}

function rowFrom(memory) {
  const { id, title, type, kind, trust, status, stale, tags, updated, confidence, effective_confidence } = memory;
  return { id, title, type, kind, trust, status, stale, tags, updated, confidence, effective_confidence };
}
