// Marks a text where it stands in an element, even if it runs over several parts of it.

import { h } from "../dom.js";

/** Marks the first place of a text, ignoring case and how it is spaced, and brings it into view of `scroller`. */
export function mark(element, text, scroller) {
  const wanted = plain(text);
  if (!wanted) return false;
  const letters = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let last = " ";
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.parentElement.closest(".unseen, .badge, .event-head")) continue;
    for (let at = 0; at < node.data.length; at += 1) {
      const letter = /\s/.test(node.data[at]) ? " " : node.data[at].toLowerCase();
      // Lower case may be longer than what it is of.
      if (!(letter === " " && last === " ")) letters.push({ letter: letter[0], node, at });
      last = letter;
    }
  }
  const from = letters.map((one) => one.letter).join("").indexOf(wanted);
  if (from < 0) return false;
  const parts = new Map();
  for (const { node, at } of letters.slice(from, from + wanted.length)) {
    const part = parts.get(node) ?? { from: at, to: at };
    part.to = at + 1;
    parts.set(node, part);
  }
  let first;
  for (const [node, { from: start, to }] of parts) {
    const rest = node.splitText(start);
    rest.splitText(to - start);
    const marked = h("mark", null);
    rest.replaceWith(marked);
    marked.append(rest);
    first ??= marked;
  }
  const box = scroller.getBoundingClientRect();
  const { top, bottom } = first.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) scroller.scrollTop += top - box.top - box.height / 3;
  // A part that scrolls by itself, such as an output.
  const inner = first.closest("pre, .diff-lines");
  if (inner) inner.scrollTop += first.getBoundingClientRect().top - inner.getBoundingClientRect().top - 40;
  return true;
}

/** Takes the marks away. */
export function unmark(element) {
  for (const one of element.querySelectorAll("mark")) {
    const parent = one.parentNode;
    one.replaceWith(...one.childNodes);
    parent.normalize();
  }
}

const plain = (text) => String(text ?? "").trim().replaceAll(/\s+/g, " ").toLowerCase();
