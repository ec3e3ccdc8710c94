// Parts that pages are made of: buttons, badges, empty states, errors, messages, dialogs.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { projectOf, state } from "./state.js";
import { baseName, dictionary, words } from "./text.js";

export function button(label, onClick, options = {}) {
  const { look = "", image, title, name, disabled = false, keys } = options;
  return h(
    "button",
    {
      type: "button",
      class: `button ${look}`,
      title,
      disabled,
      "aria-label": name,
      "aria-keyshortcuts": keys,
      on: { click: onClick },
    },
    image && icon(image),
    h("span", null, label),
  );
}

/** A button that is only a drawing; the label is for those who do not see it. */
export function iconButton(label, image, onClick, props = {}) {
  return h(
    "button",
    {
      type: "button",
      class: "button quiet icon-only",
      "aria-label": label,
      title: label,
      ...props,
      on: { click: onClick },
    },
    icon(image),
  );
}

const TONES = dictionary({
  confirmed: "good",
  completed: "good",
  active: "good",
  kept: "good",
  add: "good",
  granted: "good",
  reviewed: "good",
  grounded: "accent",
  running: "accent",
  in_progress: "accent",
  update: "accent",
  accepted: "accent",
  untrusted: "warn",
  stale: "warn",
  queued: "warn",
  waiting: "warn",
  propose: "warn",
  partial: "warn",
  failed: "bad",
  dead: "bad",
  rejected: "bad",
  denied: "bad",
  dropped: "bad",
  error: "bad",
  missing: "bad",
});

/** A state in a word. The tone repeats what the word says, it never says it alone. */
export function badge(value, tone = TONES[value] ?? "") {
  return value === undefined || value === null || value === ""
    ? null
    : h("span", { class: `badge ${tone}` }, words(value));
}

/** The project of something among those of all projects, by its scope. */
export function projectName(scope) {
  if (!state.isAll || !scope) return null;
  const path = scope === "global" ? scope : projectOf(scope);
  return h("span", { class: "project-name", title: path }, baseName(path));
}

export function typeBadge(memory) {
  return h(
    "span",
    {
      class: `badge type-${memory.type === "decision" || memory.type === "learning" || memory.type === "summary" ? memory.type : "other"}`,
    },
    words(memory.kind || memory.type),
  );
}

export function tagList(tags, onChoose) {
  if (!tags || tags.length === 0) return null;
  return h(
    "span",
    { class: "tags" },
    tags.map((tag) =>
      onChoose
        ? h(
            "button",
            { type: "button", class: "tag", title: `Show what has the tag ${tag}`, on: { click: () => onChoose(tag) } },
            tag,
          )
        : h("span", { class: "tag" }, tag),
    ),
  );
}

export function empty(title, advice, ...actions) {
  return h(
    "div",
    { class: "empty" },
    h("p", { class: "empty-title" }, title),
    advice && h("p", { class: "muted" }, withCode(advice)),
    actions.length > 0 && h("div", { class: "row" }, actions),
  );
}

export function loading(what = "Loading") {
  return h("div", { class: "loading", role: "status" }, h("span", { class: "spinner" }), `${what}…`);
}

/** A failure as the server told it, with the way on. */
export function failure(error, retry) {
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    icon("warning"),
    h(
      "div",
      { class: "stack" },
      h("p", null, h("strong", null, error.message || "Something went wrong")),
      error.causes?.length > 0 &&
        h(
          "ul",
          null,
          error.causes.map((cause) => h("li", null, cause)),
        ),
      error.hints?.map((hint) => h("p", null, h("span", { class: "muted" }, "hint: "), withCode(hint))),
      error.requestId && h("p", { class: "muted small" }, "request ", h("code", null, error.requestId)),
      retry && h("div", { class: "row" }, button("Try again", retry, { image: "sync" })),
    ),
  );
}

/** Text in which what stands between backticks is code. */
export function withCode(text) {
  return String(text)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? h("code", null, part) : part));
}

/** How long a message takes to fade; the stylesheet says the same. */
const FADE_MS = 250;

/** A short message below the page; one with `action: {label, run}` stays longer. */
export function toast(message, options = {}) {
  const { tone = "", action, seconds = action ? 10 : 6 } = options;
  const area = document.getElementById("messages");
  const close = () => {
    element.classList.add("is-leaving");
    setTimeout(() => element.remove(), FADE_MS);
  };
  const element = h(
    "div",
    { class: `toast ${tone}` },
    h("div", { class: "toast-text" }, message),
    action &&
      h(
        "button",
        {
          type: "button",
          class: "button",
          on: {
            click: () => {
              close();
              action.run();
            },
          },
        },
        action.label,
      ),
    iconButton("Close the message", "close", close),
  );
  area.append(element);
  while (area.children.length > 3) area.firstElementChild.remove();
  let timer = setTimeout(close, seconds * 1_000);
  const hold = () => clearTimeout(timer);
  const release = () => {
    timer = setTimeout(close, 4_000);
  };
  element.addEventListener("pointerenter", hold);
  element.addEventListener("focusin", hold);
  element.addEventListener("pointerleave", release);
  element.addEventListener("focusout", release);
  return { close, element };
}

export function toastError(error) {
  const hint = error.hints?.[0];
  toast([h("strong", null, error.message || "Something went wrong"), hint ? [" — ", withCode(hint)] : null], {
    tone: "bad",
    seconds: 12,
  });
}

/** A modal dialog; resolves with what its buttons give, or undefined when it is closed. */
export function dialog(title, content, buttons = []) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let answer;
    let first;
    const titleId = `dialog-${Math.random().toString(36).slice(2)}`;
    const element = h(
      "dialog",
      {
        class: "dialog",
        "aria-labelledby": titleId,
        on: {
          close: () => {
            element.remove();
            before?.focus?.();
            resolve(answer);
          },
          click: (event) => {
            if (event.target === element) element.close();
          },
        },
      },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: titleId }, title),
        iconButton("Close", "close", () => element.close()),
      ),
      h("div", { class: "dialog-body" }, content),
      buttons.length > 0 &&
        h(
          "div",
          { class: "dialog-foot" },
          buttons.map(({ label, value, look, isFirst }) => {
            const choice = () => {
              answer = value;
              element.close();
            };
            const made = button(label, choice, { look });
            if (isFirst) first = made;
            return made;
          }),
        ),
    );
    document.body.append(element);
    element.showModal();
    first?.focus();
  });
}

/** A labelled select. `choices`: `[value, label]`. */
export function select(label, choices, value, onChange) {
  const known = choices.some(([choice]) => choice === (value ?? ""));
  const all = known ? choices : [...choices, [value, value]];
  return field(
    label,
    h(
      "select",
      { on: { change: (event) => onChange(event.target.value) } },
      all.map(([choice, text]) => h("option", { value: choice, selected: choice === (value ?? "") }, text)),
    ),
  );
}

let fields = 0;

/** A control with its label above it. */
export function field(label, control) {
  fields += 1;
  control.id = `field-${fields}`;
  return h("div", { class: "field" }, h("label", { htmlFor: control.id }, label), control);
}

/** Names and values. Rows without a value are left out. */
export function facts(rows) {
  return h(
    "dl",
    { class: "facts" },
    rows
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

export function panel(title, content, options = {}) {
  const { aside, look = "", level = 2 } = options;
  return h(
    "section",
    { class: `panel ${look}` },
    h("div", { class: "panel-head" }, h(`h${level}`, null, title), aside && h("div", { class: "panel-aside" }, aside)),
    content,
  );
}

/** A table with a caption for those who do not see the heading above it. Where there is little room, rows stand
    below each other with the heads beside their cells; the roles keep it a table then. */
export function table(caption, heads, rows) {
  const names = heads.map((head) => head.label ?? head);
  for (const row of rows) {
    row.setAttribute("role", "row");
    [...row.children].forEach((cell, index) => {
      cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
      cell.dataset.label = names[index] ?? "";
    });
  }
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      { role: "table" },
      h("caption", { class: "unseen" }, caption),
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          heads.map((head, index) => h("th", { scope: "col", role: "columnheader", class: head.class }, names[index])),
        ),
      ),
      h("tbody", { role: "rowgroup" }, rows),
    ),
  );
}
