// The keyboard. A page says which keys it answers; what is typed into a field stays there.

import { h } from "./dom.js";
import { go, link } from "./router.js";
import { dialog } from "./widgets.js";

export const GO = {
  h: "home",
  v: "review",
  m: "memories",
  t: "timeline",
  s: "sessions",
  u: "usage",
  b: "briefs",
  a: "ask",
  j: "projects",
  l: "model",
  c: "code",
  p: "plugins",
  e: "settings",
  r: "runs",
  q: "queue",
};

let pageKeys = {};
let waitsForPlace = false;

/** The keys of the page that is shown: `{j: run, …}`. */
export function setPageKeys(keys) {
  pageKeys = keys ?? {};
}

export function startKeys(shellKeys) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    const isField = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
    if (document.querySelector("dialog[open]")) return;
    if (isField && event.key !== "Escape") return;
    if (waitsForPlace) {
      waitsForPlace = false;
      if (GO[event.key]) {
        event.preventDefault();
        go(link(GO[event.key]));
      }
      return;
    }
    if (event.key === "g") {
      // Until the next key, whichever it is: a clock would cut off slow hands.
      waitsForPlace = true;
      return;
    }
    if (
      event.key === "Enter" &&
      target instanceof HTMLElement &&
      target.matches("a, button, summary, [role=option], [role=listbox]")
    )
      return;
    const run = pageKeys[event.key] ?? shellKeys[event.key];
    if (run && run(event) !== false) event.preventDefault();
  });
}

const HELP = [
  ["/", "go to the search box"],
  ["j  k", "next and previous in a list"],
  ["n  p", "next and previous prompt of a session"],
  ["Enter", "open"],
  ["e", "edit the memory that is open"],
  ["c", "confirm it"],
  ["a e r m s", "in review: accept, edit, reject, merge, supersede"],
  ["x  u", "in review: select, and take the last decision back"],
  ["Escape", "close, or leave a field"],
  ["g then h v m t s b a", "Home, Review, Memories, Timeline, Sessions, Briefs given, Ask"],
  ["g then j l c p e r q", "Projects, Model, Code context, Plugins, Settings, Runs, Queue"],
  ["t", "light or dark"],
  ["?", "this list"],
];

export function showKeys() {
  return dialog(
    "Keys",
    h(
      "table",
      { class: "keys" },
      h(
        "tbody",
        null,
        HELP.map(([keys, what]) =>
          h(
            "tr",
            null,
            h(
              "th",
              { scope: "row" },
              keys.split(/\s+/).map((key) => (key === "then" ? " then " : h("kbd", null, key))),
            ),
            h("td", null, what),
          ),
        ),
      ),
    ),
  );
}

/** j, k and Enter over elements that can have the focus. */
export function listKeys(items) {
  const step = (by) => {
    const all = items();
    if (all.length === 0) return false;
    const at = all.indexOf(document.activeElement);
    all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))].focus();
    return true;
  };
  return { j: () => step(1), k: () => step(-1) };
}
