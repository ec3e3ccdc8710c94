// A snippet with what was found marked, without the heading that repeats the title. Marks are offsets in bytes of UTF-8.

import { h } from "../dom.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function marked(snippet, marks, title) {
  const bytes = encoder.encode(snippet ?? "");
  const nodes = [];
  const heading = /^# [^\n]*\n+/.exec(snippet ?? "")?.[0] ?? "";
  let at = heading.trim() === `# ${String(title ?? "").trim()}` ? encoder.encode(heading).length : 0;
  for (const [from, to] of [...(marks ?? [])].sort((left, right) => left[0] - right[0])) {
    if (!(from >= at && to > from && to <= bytes.length)) continue;
    nodes.push(decoder.decode(bytes.subarray(at, from)), h("mark", null, decoder.decode(bytes.subarray(from, to))));
    at = to;
  }
  nodes.push(decoder.decode(bytes.subarray(at)));
  return nodes;
}
