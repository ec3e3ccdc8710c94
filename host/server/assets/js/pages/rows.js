// The rows of a session: prompts and answers as text, a tool call in one line that opens to its input, its changes and
// its output, and everything else folded. What is folded is fetched when it is opened.

import { get, segment } from "../api.js";
import { h, moment, replace } from "../dom.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import { memoryLink, sessionLink } from "../router.js";
import { dictionary, number } from "../text.js";
import { badge, button, failure, loading } from "../widgets.js";
import { diff } from "./decision.js";

const WHO = dictionary({ user: "You", assistant: "Agent", tool: "Tool", system: "System" });
const FOLDED = dictionary({ thinking: "Thinking", injected: "Injected", note: "Note", compaction: "Compacted here" });

/**
 * The element of a row. `place`: its number; `of`: `{path, session: {agent, id}, chapterOf(place), learnt(id)}`. An element has
 * `unfold()`, which shows all of it and resolves when that has come.
 */
export function rowNode(row, place, of) {
  const kind = row.kind in KINDS ? row.kind : "note";
  const body = bodyOnce(row, of);
  const { nodes, unfold } = KINDS[kind](row, of, body, place);
  const memories = [...of.learnt(row.id), ...(row.result ? of.learnt(row.result) : [])];
  const element = h(
    "li",
    {
      class: [
        "event",
        `is-${kind}`,
        row.role in WHO && `role-${row.role}`,
        row.failed === true && "is-failed",
        row.subagent && "is-nested",
        memories.length > 0 && "is-cited",
      ]
        .filter(Boolean)
        .join(" "),
      data: { event: row.id, row: place },
    },
    nodes,
    row.session &&
      h(
        "a",
        { href: sessionLink(of.session.agent, row.session), class: "turn-link" },
        icon("sessions"),
        h("span", null, "The subagent's session"),
      ),
    memories.length > 0 && learnt(memories),
  );
  element.unfold = unfold ?? (() => Promise.resolve());
  return element;
}

/** Says which memories came from a row. */
export function learnt(memories) {
  return h(
    "div",
    { class: "learnt" },
    h("span", { class: "muted small" }, "Learned here"),
    memories.map((memory) => h("a", { href: memoryLink(memory.id), class: "learnt-link" }, memory.title || memory.id)),
  );
}

/** Fetches the rest of a row once. */
function bodyOnce(row, { path, signal }) {
  let asked;
  return () => {
    asked ??= get(`${path}/rows/${segment(row.id)}`, {}, { signal }).catch((error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

const KINDS = dictionary({
  prompt: (row, of, body, place) => {
    const chapter = of.chapterOf(place);
    return spoken(
      row,
      body,
      h(
        "h3",
        { class: "event-role" },
        WHO[row.role] ?? "You",
        chapter && h("span", { class: "count" }, `${number(chapter.number)} of ${number(chapter.total)}`),
      ),
    );
  },
  text: (row, _, body) =>
    spoken(row, body, [
      h("span", { class: "event-role" }, WHO[row.role] ?? WHO.system),
      row.subagent && h("span", { class: "count" }, "subagent"),
    ]),
  call,
  attachment: (row) => ({
    nodes: h(
      "p",
      { class: "attachment" },
      icon("image"),
      h("span", null, row.text.replace(/^\[|\]$/g, "")),
      h("span", { class: "muted small" }, "not shown"),
    ),
  }),
  thinking: folded,
  injected: folded,
  note: folded,
  compaction: folded,
});

function spoken(row, body, who) {
  const prose = h("div", { class: "prose" }, markdown(row.text));
  const head = h(
    "div",
    { class: "event-head" },
    who,
    row.at_ms !== undefined && h("span", { class: "muted push small" }, moment(row.at_ms)),
  );
  if (!row.truncated) return { nodes: [head, prose] };
  const more = button("Show all of it", () => unfold(), { look: "small quiet" });
  const unfold = async () => {
    try {
      const all = await body();
      replace(prose, markdown(all.text), all.truncated && goesOn());
      more.remove();
    } catch (error) {
      if (error.name !== "AbortError") more.after(failure(error));
    }
  };
  return { nodes: [head, prose, more], unfold };
}

const goesOn = () =>
  h("p", { class: "muted small" }, "It goes on; `acreta sessions export --as jsonl` has all of it.");

/** A line that opens. `content(body)` makes what is inside, once. */
function fold(line, look, body, content) {
  const inside = h("div", { class: "fold-body stack" });
  let filled;
  const fill = () => {
    filled ??= (async () => {
      replace(inside, loading());
      try {
        replace(inside, content(body ? await body() : undefined));
      } catch (error) {
        filled = undefined;
        if (error.name !== "AbortError") replace(inside, failure(error, fill));
      }
    })();
    return filled;
  };
  const element = h(
    "details",
    { class: `fold ${look}`, on: { toggle: () => element.open && fill() } },
    h("summary", null, line),
    inside,
  );
  return {
    nodes: element,
    unfold: () => {
      element.open = true;
      return fill();
    },
  };
}

function folded(row, _, body) {
  const name = FOLDED[row.kind] ?? FOLDED.note;
  const prose = (text) => h("div", { class: "prose muted" }, markdown(text));
  return fold(
    [h("span", { class: "fold-name" }, name), h("span", { class: "fold-text" }, row.text)],
    "is-aside",
    row.truncated ? body : undefined,
    (all) => [
      row.kind === "thinking" || row.kind === "compaction"
        ? prose(all?.text ?? row.text)
        : h("pre", { class: "code wrap" }, all?.text ?? row.text),
      all?.injected_by && h("p", { class: "muted small" }, `By ${all.injected_by}`),
      all?.truncated && goesOn(),
    ],
  );
}

const OUTCOMES = dictionary({ true: ["reject", "failed"], false: ["check", "ok"] });

function call(row, of, body) {
  const [image, outcome] = OUTCOMES[String(row.failed)] ?? ["queue", "no result"];
  const isEdit = row.added + row.removed > 0;
  return fold(
    [
      h("span", { class: "call-mark", title: outcome }, icon(image), h("span", { class: "unseen" }, outcome)),
      h("code", { class: "call-tool" }, row.tool ?? "tool"),
      h("span", { class: "call-what" }, row.text || "—"),
      isEdit &&
        h(
          "span",
          { class: "call-edit", title: "lines added and removed" },
          h("span", { class: "is-added" }, `+${number(row.added)}`),
          h("span", { class: "is-removed" }, `−${number(row.removed)}`),
        ),
      row.failed === true && badge("failed"),
    ],
    "is-call",
    body,
    (all) => {
      const changes = all.changes.map((file) => [
        file.path && h("p", { class: "diff-path" }, h("code", { class: "break" }, file.path)),
        file.diff && diff(file),
      ]);
      return [
        changes,
        changes.length > 0 && isEdit
          ? h("details", { class: "fold" }, h("summary", null, "Input"), part(all.text))
          : [h("p", { class: "small-head" }, "Input"), part(all.text)],
        all.truncated && goesOn(),
        all.output !== undefined && h("p", { class: "small-head" }, row.failed === true ? "Output, failed" : "Output"),
        all.output !== undefined && part(all.output),
        all.output_truncated && goesOn(),
        row.at_ms !== undefined && h("p", { class: "muted small" }, moment(row.at_ms)),
      ];
    },
  );
}

const part = (text) => h("pre", { class: "code wrap", tabindex: "0" }, text || "nothing");
