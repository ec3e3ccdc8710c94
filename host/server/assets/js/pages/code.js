// Code context: what acreta tells agents about the codebase, and which files bear on a task.

import { post } from "../api.js";
import { h, replace } from "../dom.js";
import { state } from "../state.js";
import { number, percent, plural } from "../text.js";
import { badge, button, empty, failure, loading, panel } from "../widgets.js";

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  const overview = h("div", { class: "stack loose" });
  const matches = h("div", { "aria-live": "polite" });
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "fix the retry of failed uploads",
    "aria-label": "A task",
    autocomplete: "off",
    data: { search: "yes" },
  });
  if (!state.project) {
    main.append(empty("No project", "Register one: its code is then explored for agents."));
    return {};
  }
  main.append(
    h(
      "div",
      { class: "stack loose page" },
      panel("What to read for a task", [
        h(
          "form",
          {
            class: "row",
            on: {
              submit: (event) => {
                event.preventDefault();
                if (box.value.trim()) find(box.value.trim());
              },
            },
          },
          h("div", { class: "search grow" }, box),
          h("button", { type: "submit", class: "button primary" }, h("span", null, "Find files")),
        ),
        matches,
      ]),
      overview,
    ),
  );

  async function explore(isAgain) {
    replace(overview, loading("Looking at the code"));
    try {
      const asked = { project_root: state.project, detail: "normal" };
      const report = await post(isAgain ? "/v1/refresh" : "/v1/explore", asked, { signal });
      if (!signal.aborted) replace(overview, content(report));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError")
        replace(
          overview,
          failure(error, () => explore(isAgain)),
        );
    }
  }

  async function find(query) {
    replace(matches, loading("Ranking files"));
    try {
      const report = await post("/v1/context", { project_root: state.project, query }, { signal });
      if (signal.aborted) return;
      const found = report.matches ?? [];
      replace(
        matches,
        found.length > 0 ? files(found) : empty("No file fits", "Name a file, a function or a message."),
      );
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError")
        replace(
          matches,
          failure(error, () => find(query)),
        );
    }
  }

  function content({ stats, slice = {}, delta, freshness }) {
    return [
      h(
        "div",
        { class: "row" },
        h("p", { class: "headline" }, plural(stats?.file_count ?? 0, "file")),
        freshness && badge(freshness, freshness === "fresh" ? "good" : "warn"),
        h(
          "span",
          { class: "push" },
          button("Look again", () => explore(true), { look: "small", image: "sync" }),
        ),
      ),
      h(
        "div",
        { class: "grid code-grid" },
        rows("Entry points", slice.entry_points, (one) => [
          h("code", { class: "break" }, one.path ?? one),
          one.kind && badge(one.kind, ""),
        ]),
        rows("Changed and depended on most", slice.hot_paths, (one) => [
          h("code", { class: "break" }, one.path ?? one),
          h(
            "span",
            { class: "muted small push" },
            one.changes !== undefined && plural(one.changes, "change"),
            one.dependents > 0 && `, ${plural(one.dependents, "dependent")}`,
          ),
        ]),
        rows("Commands", slice.commands, (one) => [h("code", { class: "break" }, one.command), badge(one.purpose, "")]),
        rows("Imported most", slice.top_imports, (one) => [
          h("code", { class: "break" }, one.name ?? one),
          one.files !== undefined && h("span", { class: "muted small push" }, plural(one.files, "file")),
        ]),
        rows("Languages", languages(slice.languages), (one) => [
          h("span", null, one.language),
          h("span", { class: "muted small push" }, `${plural(one.files, "file")}, ${percent(one.share)}`),
        ]),
        rows("Changed since the last look", delta?.files, (one) => [
          h("code", { class: "break" }, one.path),
          badge(one.change, ""),
        ]),
      ),
    ];
  }

  explore(false);
  return { leave: () => abort.abort() };
}

function languages(all = []) {
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0) || 1;
  return all.map((one) => ({ ...one, share: one.bytes / bytes }));
}

function rows(title, all, draw) {
  if (!all || all.length === 0) return null;
  return panel(
    title,
    h(
      "ul",
      { class: "lines" },
      all.slice(0, 12).map((one) => h("li", { class: "line" }, draw(one))),
    ),
    { aside: all.length > 12 && h("span", { class: "muted small" }, number(all.length)) },
  );
}

function files(found) {
  return h(
    "ol",
    { class: "lines", "aria-label": "Files" },
    found.map((file) =>
      h(
        "li",
        { class: "line wrap" },
        h("code", { class: "line-main" }, file.path),
        (file.segments ?? [])
          .slice(0, 3)
          .map((part) =>
            h(
              "span",
              { class: "tag", title: part.kind },
              part.name ? `${part.name}:${part.line}` : `line ${part.line}`,
            ),
          ),
      ),
    ),
  );
}
