// What a decision rests on, what it changes, and what it takes besides: quotes in their conversation, the difference of a
// text, the reviewer's own words.

import { h, time } from "../dom.js";
import { markdown } from "../markdown.js";
import { memoryLink, sessionLink } from "../router.js";
import { within } from "../state.js";
import { dictionary, wholeWords } from "../text.js";
import { dialog, toast, withCode } from "../widgets.js";

/** Lines of a change that are shown. */
const MOST_LINES = 1_500;

/** The change of one file, line by line; `@` stands where lines are left out. */
export function diff(file) {
  const all = file.diff.split("\n").filter((line, index, every) => line !== "" || index < every.length - 1);
  const lines = all.slice(0, MOST_LINES);
  if (all.length > lines.length) lines.push(`@ ${all.length - lines.length} more lines`);
  return h(
    "figure",
    { class: "diff" },
    h("figcaption", { class: "unseen" }, file.path),
    h(
      "div",
      { class: "diff-lines", role: "img", "aria-label": `Change of ${file.path}`, tabindex: "0" },
      lines.map((line) => {
        const sign = line[0];
        const kind = sign === "+" ? "is-added" : sign === "-" ? "is-removed" : sign === "@" ? "is-hunk" : "";
        return h(
          "div",
          { class: `diff-line ${kind}` },
          h("span", { class: "diff-sign" }, sign === "@" ? "…" : sign),
          h("span", null, line.slice(1)),
        );
      }),
    ),
  );
}

export const WHO = dictionary({ user: "You", assistant: "Agent", tool: "Tool", system: "System" });

/** Quotes with the turns around them; `heading` unless whoever shows them has one. */
export function conversations(evidence, heading = "Where it comes from") {
  return h(
    "section",
    { class: "review-evidence", "aria-label": "Evidence" },
    heading && h("h3", { class: "small-head" }, heading),
    evidence.map((one) => {
      const turns = one.turns.length > 0 ? one.turns : [{ role: one.role, text: wholeWords(one.quote), quoted: true }];
      return h(
        "div",
        { class: "talk" },
        h(
          "div",
          { class: "talk-head" },
          h("span", null, one.agent),
          one.at_ms && time(one.at_ms),
          one.session_id &&
            h(
              "a",
              { class: "push", href: sessionLink(one.agent, one.session_id, one.event_id, one.quote) },
              "Open the conversation",
            ),
        ),
        h(
          "ol",
          { class: "talk-turns" },
          turns.map((turn) =>
            h(
              "li",
              { class: `talk-turn role-${turn.role in WHO ? turn.role : "other"}${turn.quoted ? " is-quoted" : ""}` },
              h("span", { class: "talk-who" }, WHO[turn.role] ?? turn.role),
              h("div", { class: "talk-text prose" }, markdown(turn.text)),
            ),
          ),
        ),
      );
    }),
  );
}

/** A text that begins as a sentence does. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What an action would do, or the first one that needs nothing more. */
export function effect(detail, action) {
  const found = detail.effects.find((one) => one.action === action) ?? detail.effects[0];
  const offered = detail.item.actions.find((one) => one.action === found?.action);
  if (!found) return null;
  return h(
    "section",
    { class: "review-effect", "aria-label": "Effect" },
    h("h3", { class: "small-head" }, "If you choose “", h("span", null, sentence(offered?.label ?? found.action)), "”"),
    found.problem && h("p", { class: "bad-text" }, found.problem),
    found.summary.map((text) => h("p", null, withCode(text))),
    found.files.filter((file) => file.diff).map(diff),
  );
}

/** The text without the title at its beginning, for a place where the title is the heading. */
const untitled = (text, title) => sentence(text.startsWith(`“${title}” `) ? text.slice(title.length + 3) : text);

/** Shows the effect of decisions on several items, and asks whether to make them. */
export function agreed(action, reports) {
  const what = `${sentence(action)} ${reports.length === 1 ? "1 item" : `${reports.length} items`}`;
  return dialog(
    `${what}?`,
    h(
      "ul",
      { class: "review-effects" },
      reports.map((report) =>
        h(
          "li",
          { class: "review-effect" },
          h("h3", null, withCode(report.title)),
          report.effect.problem && h("p", { class: "bad-text" }, report.effect.problem),
          report.effect.summary.map((text) => h("p", { class: "muted" }, withCode(untitled(text, report.title)))),
          report.effect.files.filter((file) => file.diff).map(diff),
        ),
      ),
    ),
    [
      { label: "Cancel", value: undefined, look: "quiet" },
      { label: what, value: true, look: action === "reject" ? "danger" : "primary", isFirst: true },
    ],
  );
}

/** The memory that stands after the others were merged into it. */
export function remaining(subjects) {
  const memories = subjects.map((item) => item.memories[0]).filter((memory) => memory?.id);
  if (memories.length < 2) {
    toast("Select two memories that wait for you, or more, to merge them.");
    return undefined;
  }
  return dialog(
    "Which memory should remain?",
    h("p", { class: "muted" }, "The others leave memory, and their evidence goes to the one that remains."),
    memories.map((one, index) => ({ label: one.title, value: one.id, look: "choice", isFirst: index === 0 })),
  );
}

/** The text of a memory as it stands. */
export function saying(memory) {
  return memory?.body && memory.body.trim() !== memory.title
    ? h("section", { class: "prose review-text", "aria-label": "Text" }, markdown(memory.body))
    : null;
}

/** Both memories of a conflict. */
export function sides(item) {
  return h(
    "section",
    { class: "review-sides", "aria-label": "Both sides" },
    item.memories.map((memory, index) =>
      h(
        "div",
        { class: "review-side" },
        h("div", { class: "small-head" }, index === 0 ? "Newer" : "Older", " · ", memory.trust),
        h(
          "h3",
          null,
          memory.id
            ? h("a", { href: memoryLink(memory.id, within(item.scope)) }, withCode(memory.title))
            : withCode(memory.title),
        ),
        h("div", { class: "prose" }, markdown(memory.body)),
      ),
    ),
  );
}

/** Asks for the reviewer's own words; undefined when they thought better of it. */
export async function edited(item) {
  const memory = item.kind === "proposal" ? item.memories.at(-1) : item.memories[0];
  if (!memory) return undefined;
  const title = h("input", { type: "text", value: memory.title, maxlength: "200", "aria-label": "Title" });
  const body = h("textarea", { rows: "10", "aria-label": "Text", value: memory.body });
  const wanted = await dialog(
    "In your words",
    h("div", { class: "stack editor-fields" }, h("label", null, "Title", title), h("label", null, "Text", body)),
    [
      { label: "Cancel", value: undefined, look: "quiet" },
      { label: "Accept", value: true, look: "primary" },
    ],
  );
  return wanted ? { title: title.value, body: body.value } : undefined;
}
