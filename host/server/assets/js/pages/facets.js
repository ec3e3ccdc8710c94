// The filters of the memory list with the number of memories that each would leave.

import { h, replace } from "../dom.js";
import { brief, words } from "../text.js";
import { button, select } from "../widgets.js";

const TAGS_SHOWN = 12;
const NAMES = { type: "types", kind: "kinds", trust: "trusts", tag: "tags", status: "statuses" };
const LABELS = { kind: "Kind", trust: "Trust", tag: "Tag", status: "Status" };
const TYPE_LABELS = { decision: "Decisions", learning: "Learnings", summary: "Summaries" };
const CLEARED = { type: "", kind: "", tag: "", trust: "", status: "active", stale: "", scope: "" };

/** `filter(change)` sets filters. Gives the rows above the list, and `draw(params, facets)`. */
export function facetBar(filter) {
  const types = h("div", { class: "segments", role: "group", "aria-label": "Type" });
  const chosen = h("span", { class: "chosen" });
  const groups = h("div", { class: "facet-groups" });
  const more = h("details", { class: "facets" }, h("summary", null, "Filters"), groups);
  const order = h("span", { class: "push" });
  let last = {};

  function draw(params, facets) {
    // A search counts some of them.
    if (facets) last = { ...uncounted(last), ...facets };
    const count = (name, value) => (last[NAMES[name]] ?? []).find((one) => one.value === value)?.memories;
    const segment = (value, label) =>
      h(
        "button",
        {
          type: "button",
          class: "segment",
          "aria-pressed": String((params.type ?? "") === value),
          on: { click: () => filter({ type: value, kind: value && value !== "learning" ? "" : params.kind }) },
        },
        label,
        value &&
          count("type", value) !== undefined &&
          h("span", { class: "segment-count" }, brief(count("type", value))),
      );
    replace(
      types,
      segment("", "All"),
      Object.entries(TYPE_LABELS).map(([value, label]) => segment(value, label)),
    );
    replace(
      groups,
      Object.keys(LABELS).map((name) => group(name, params)),
      staleGroup(params),
    );
    const set = Object.keys(LABELS)
      .filter((name) => params[name] && !(name === "status" && params.status === "active"))
      .map((name) => [name, params[name]]);
    if (params.stale === "true") set.push(["stale", "stale"]);
    if (params.scope) set.push(["scope", `${params.scope} only`]);
    replace(
      chosen,
      set.map(([name, value]) =>
        button(words(value), () => filter({ [name]: CLEARED[name] }), {
          look: "chip is-set",
          image: "close",
          title: `Without the filter ${value}`,
        }),
      ),
      set.length + (params.type ? 1 : 0) > 1 && button("Clear", () => filter(CLEARED), { look: "small quiet" }),
    );
    replace(
      order,
      !params.q &&
        select(
          "Order",
          [
            ["", "decisions first"],
            ["updated", "newest change"],
            ["created", "newest"],
            ["title", "title"],
            ["confidence", "confidence"],
          ],
          params.sort,
          (sort) => filter({ sort }),
        ),
    );
  }

  function group(name, params) {
    let values = last[NAMES[name]] ?? [];
    if (name === "tag") values = values.slice(0, TAGS_SHOWN);
    if (params[name] && !values.some((one) => one.value === params[name]))
      values = [{ value: params[name], memories: 0 }, ...values];
    if (values.length === 0) return null;
    return h(
      "fieldset",
      { class: "facet-group" },
      h("legend", null, LABELS[name]),
      values.map(({ value, memories }) => {
        const isSet = params[name] === value;
        return h(
          "button",
          {
            type: "button",
            class: `button chip${isSet ? " is-set" : ""}`,
            "aria-pressed": String(isSet),
            disabled: memories === 0 && !isSet,
            data: { facet: name, value },
            on: { click: () => filter({ [name]: isSet ? CLEARED[name] : value }) },
          },
          h("span", { class: "chip-name" }, words(value)),
          memories !== undefined && h("span", { class: "segment-count" }, brief(memories)),
        );
      }),
    );
  }

  function staleGroup(params) {
    const isSet = params.stale === "true";
    if (!last.stale && !isSet) return null;
    return h(
      "fieldset",
      { class: "facet-group" },
      h("legend", null, "Repository"),
      h(
        "button",
        {
          type: "button",
          class: `button chip${isSet ? " is-set" : ""}`,
          "aria-pressed": String(isSet),
          data: { facet: "stale", value: "true" },
          on: { click: () => filter({ stale: isSet ? "" : "true" }) },
        },
        h("span", { class: "chip-name" }, "names what is gone"),
        Number.isFinite(last.stale) && h("span", { class: "segment-count" }, brief(last.stale)),
      ),
    );
  }

  return {
    element: h("div", { class: "stack" }, types, h("div", { class: "row facet-row" }, more, chosen, order)),
    draw,
  };
}

/** The same values without numbers. */
function uncounted(facets) {
  const values = Object.entries(facets).map(([name, all]) => [
    name,
    Array.isArray(all) ? all.map(({ value }) => ({ value })) : Boolean(all),
  ]);
  return Object.fromEntries(values);
}
