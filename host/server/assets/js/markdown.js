// A safe part of markdown, as nodes. HTML is text, images are words about images, and a link shows where it leads.
// Nothing here loads anything, and the size of what is made is bounded by the size of what is given.

import { h, webAddress } from "./dom.js";

const LONGEST = 200_000;
const DEEPEST = 6;

/** Nodes for a text; `reference(number)` may give a node for `[1]`. */
export function markdown(source, reference) {
  const text = String(source ?? "").replaceAll("\r\n", "\n");
  const lines = text.slice(0, LONGEST).split("\n");
  const nodes = blocks(lines, 0, reference);
  if (text.length > LONGEST) nodes.push(h("p", { class: "muted" }, "… the rest is not shown"));
  return nodes;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;

function blocks(lines, depth, reference) {
  const nodes = [];
  let index = 0;
  const takeWhile = (test) => {
    const from = index;
    while (index < lines.length && test(lines[index])) index += 1;
    return lines.slice(from, index);
  };
  while (index < lines.length) {
    const line = lines[index];
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") {
      index += 1;
    } else if (fence) {
      index += 1;
      const code = takeWhile((other) => !other.trim().startsWith(fence[1]));
      index += 1;
      nodes.push(
        h(
          "pre",
          { class: "code", tabindex: "0", "aria-label": fence[2] ? `code, ${fence[2]}` : "code" },
          h("code", null, code.join("\n")),
        ),
      );
    } else if (heading) {
      index += 1;
      // The page has its own first and second headings.
      nodes.push(h(`h${Math.min(heading[1].length + 2, 6)}`, null, inline(withoutClosing(heading[2]), reference)));
    } else if (RULE.test(line)) {
      index += 1;
      nodes.push(h("hr"));
    } else if (QUOTE.test(line)) {
      const quoted = takeWhile((other) => QUOTE.test(other)).map((other) => other.replace(QUOTE, ""));
      nodes.push(h("blockquote", null, depth < DEEPEST ? blocks(quoted, depth + 1, reference) : quoted.join("\n")));
    } else if (ITEM.test(line)) {
      nodes.push(
        list(
          takeWhile((other) => ITEM.test(other) || /^\s+\S/.test(other)),
          depth,
          reference,
        ),
      );
    } else if (line.includes("|") && TABLE_RULE.test(lines[index + 1] ?? "") && lines[index + 1].includes("|")) {
      nodes.push(
        table(
          takeWhile((other) => other.includes("|")),
          reference,
        ),
      );
    } else {
      const startsOther = (other) =>
        other.trim() === "" || FENCE.test(other) || HEADING.test(other) || QUOTE.test(other) || ITEM.test(other);
      const first = index;
      const paragraph = takeWhile((other) => index === first || !startsOther(other));
      nodes.push(h("p", null, inline(paragraph.join("\n"), reference)));
    }
  }
  return nodes;
}

/** A heading may end with the signs it began with. */
function withoutClosing(text) {
  let end = text.trimEnd().length;
  while (text[end - 1] === "#") end -= 1;
  return text.slice(0, end).trimEnd();
}

function list(lines, depth, reference) {
  const indent = ITEM.exec(lines[0])[1].length;
  const isOrdered = /\d/.test(ITEM.exec(lines[0])[2]);
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1].length <= indent) items.push([item[3]]);
    else items.at(-1).push(line.slice(Math.min(indent + 2, line.length - line.trimStart().length)));
  }
  const start = isOrdered ? Number.parseInt(ITEM.exec(lines[0])[2], 10) : undefined;
  return h(
    isOrdered ? "ol" : "ul",
    start > 1 ? { start: String(start) } : null,
    items.map(([first, ...rest]) => {
      const task = /^\[([ xX])\]\s+(.*)$/.exec(first);
      const head = task ? [task[1] === " " ? "☐ " : "☑ ", inline(task[2], reference)] : inline(first, reference);
      return h(
        "li",
        null,
        head,
        rest.length > 0 && depth < DEEPEST ? blocks(rest, depth + 1, reference) : rest.join("\n"),
      );
    }),
  );
}

function table(lines, reference) {
  const cells = (line) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .slice(0, 40);
  const [head, , ...rows] = lines;
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "table" },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          cells(head).map((cell) => h("th", { scope: "col" }, inline(cell.trim(), reference))),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            null,
            cells(row).map((cell) => h("td", null, inline(cell.trim(), reference))),
          ),
        ),
      ),
    ),
  );
}

// One pass from left to right; what is not matched is text. No part of the pattern can match in two ways over a
// long stretch, so that hostile text costs linear time.
const INLINE =
  /(`+)([^`]+)\1|(!?)\[([^\][]{0,500})\]\(\s*((?:[^()\s]|\([^()\s]{0,200}\)){1,2000})(?:\s+"[^"]{0,200}")?\s*\)|\[(\d{1,3})\]|\*\*([^*\n]{1,2000})\*\*|\*([^*\s][^*\n]{0,1000})\*|(?<![\w/])_([^_\s][^_\n]{0,1000})_(?!\w)|<?(https?:\/\/[^\s<>()"'`]{1,2000})>?/g;

function inline(text, reference, depth = 0) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , code, bang, label, target, cited, strong, emphasised, underlined, bare] = match;
    const node =
      code !== undefined
        ? h("code", null, code.trim() || code)
        : bang
          ? imageInWords(label, target)
          : target !== undefined
            ? outward(label, target, whole)
            : cited !== undefined
              ? reference?.(Number(cited))
              : bare !== undefined
                ? outward(bare, bare, whole)
                : depth >= DEEPEST
                  ? undefined
                  : strong !== undefined
                    ? h("strong", null, inline(strong, reference, depth + 1))
                    : h("em", null, inline(emphasised ?? underlined, reference, depth + 1));
    if (!node) continue;
    nodes.push(text.slice(from, match.index), node);
    from = match.index + whole.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

function imageInWords(label, target) {
  return h(
    "span",
    { class: "not-loaded" },
    "image not loaded: ",
    label || "without a name",
    " ",
    h("span", { class: "address" }, target),
  );
}

function outward(label, target, whole) {
  const address = webAddress(target);
  if (!address) return h("span", { class: "not-loaded" }, whole);
  const link = h("a", { href: address, rel: "noopener noreferrer", target: "_blank", class: "outward" }, label);
  return label === target ? link : h("span", null, link, " ", h("span", { class: "address" }, address));
}
