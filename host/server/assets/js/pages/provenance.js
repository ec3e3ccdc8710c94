// Where a memory comes from and what became of it: quotes in their conversation, earlier texts as differences, and how
// often agents got and used it. Comes after the text, which need not wait for it.

import { get, segment } from "../api.js";
import { h, replace, time } from "../dom.js";
import { link, sessionLink } from "../router.js";
import { scoped } from "../state.js";
import { number, plural } from "../text.js";
import { failure } from "../widgets.js";
import { conversations, diff } from "./decision.js";

/** Fills `use` with a line and `story` with sections, for a memory of a project. */
export async function showProvenance(id, project, { use, story }, signal) {
  try {
    const provenance = await get(`/api/memories/${segment(id)}/provenance`, scoped({}, project), { signal });
    if (signal.aborted) return;
    replace(use, usage(provenance.used));
    replace(story, evidence(provenance), history(provenance.versions));
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    replace(
      story,
      failure(error, () => showProvenance(id, project, { use, story }, signal)),
    );
  }
}

function usage({ briefs, offered, used, dismissed }) {
  if (briefs + offered === 0) return "No agent got it yet.";
  return [
    briefs > 0 ? ["In ", h("a", { href: link("briefs") }, plural(briefs, "brief"))] : `Offered ${times(offered)}`,
    `, used ${used > 0 ? times(used) : "never so far"}`,
    dismissed > 0 && `, dismissed ${times(dismissed)}`,
    ".",
  ];
}

const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${number(count)} times`);

function evidence({ evidence: shown, quotes }) {
  if (shown.length === 0)
    return h(
      "section",
      { class: "section" },
      h("h3", null, "Evidence"),
      h("p", { class: "muted" }, "None: a person wrote it."),
    );
  return h(
    "section",
    { class: "section" },
    h("h3", null, "Evidence", h("span", { class: "count" }, number(quotes))),
    conversations(shown, ""),
    quotes > shown.length &&
      h("p", { class: "muted small" }, `The newest ${number(shown.length)} of ${number(quotes)} quotes.`),
  );
}

function history(versions) {
  if (versions.length < 2) return null;
  return h(
    "section",
    { class: "section" },
    h("h3", null, "History", h("span", { class: "count" }, number(versions.length))),
    h(
      "ol",
      { class: "plain versions" },
      versions.map((version, index) =>
        h(
          "li",
          { class: "version" },
          h(
            "div",
            { class: "row small muted" },
            h("span", null, index === versions.length - 1 ? "First said by " : "Changed by ", who(version)),
            version.at_ms > 0 && time(version.at_ms),
          ),
          version.diff && diff({ path: version.title, diff: version.diff }),
        ),
      ),
    ),
  );
}

function who({ agent, session_id: session }) {
  if (!session) return agent === "person" ? "you" : agent;
  return h("a", { href: sessionLink(agent, session) }, agent);
}
