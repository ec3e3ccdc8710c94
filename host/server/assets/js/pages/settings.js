// Settings: every one with its meaning, its value and where that comes from. Numbers, switches and words are set here;
// whatever could name a program, an address or a folder is set on the command line.

import { get, post } from "../api.js";
import { h, replace } from "../dom.js";
import { scoped } from "../state.js";
import { dictionary, words } from "../text.js";
import { button, empty, failure, loading, panel, toast, toastError } from "../widgets.js";

const GROUPS = dictionary({
  hooks: "What agents are told",
  memory: "Memory",
  extract: "What is remembered",
  decide: "What is remembered",
  sync: "Reading sessions",
  redact: "Reading sessions",
  archive: "Reading sessions",
  serve: "The daemon",
  state: "The daemon",
  mcp: "What agents are told",
  team: "Shared with others",
  llm: "Models",
  search: "Search",
  sessions: "Search",
  context: "Code context",
  plugins: "Plugins",
  plugin: "Plugins",
  runs: "Housekeeping",
  tracing: "Housekeeping",
});

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  let form;
  let wanted = "";
  const box = h("input", {
    type: "search",
    class: "search-input",
    placeholder: "Find a setting",
    "aria-label": "Find a setting",
    autocomplete: "off",
    spellcheck: "false",
    data: { search: "yes" },
    on: {
      input: () => {
        wanted = box.value.trim().toLowerCase();
        draw();
      },
    },
  });
  const changedOnly = h("input", { type: "checkbox", on: { change: () => draw() } });
  const body = h("div", { class: "stack loose" }, loading());
  main.append(
    h(
      "div",
      { class: "stack loose page" },
      h(
        "div",
        { class: "row" },
        h("div", { class: "search grow" }, box),
        h("label", { class: "check" }, changedOnly, h("span", null, "Only what was set")),
      ),
      body,
    ),
  );

  async function refresh() {
    try {
      form = await get("/api/settings", scoped(), { signal });
      if (!signal.aborted) draw();
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(body, failure(error, refresh));
    }
  }

  function draw() {
    if (!form) return;
    const fits = (row) =>
      (!wanted || `${row.key} ${row.help}`.toLowerCase().includes(wanted)) &&
      (!changedOnly.checked || (row.origin && row.origin !== "built-in"));
    const groups = new Map();
    for (const row of form.settings.filter(fits)) {
      const name = GROUPS[row.key.split(".")[0]] ?? "Other";
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    const order = [...new Set(Object.values(GROUPS))];
    const names = [...groups.keys()].sort((left, right) => order.indexOf(left) - order.indexOf(right));
    replace(
      body,
      form.ignored.map((text) => h("p", { class: "notice warn" }, h("span", null, text))),
      names.length === 0 && empty("Nothing fits", "Try another word."),
      names.map((name) => panel(name, h("ul", { class: "lines" }, groups.get(name).map(row)))),
    );
  }

  function row(setting) {
    const isOwn = setting.origin && setting.origin !== "built-in";
    return h(
      "li",
      { class: "setting", data: { key: setting.key } },
      h(
        "div",
        { class: "setting-text" },
        h(
          "div",
          { class: "row" },
          h("code", null, setting.key),
          isOwn && h("span", { class: "badge accent", title: setting.origin }, origin(setting.origin)),
        ),
        setting.help && h("p", { class: "muted small" }, setting.help),
      ),
      h("div", { class: "setting-value" }, control(setting)),
    );
  }

  function control(setting) {
    const label = `Value of ${setting.key}`;
    if (setting.plain && setting.choices.length > 0)
      return h(
        "select",
        {
          "aria-label": label,
          on: {
            change: (event) => {
              const text = event.target.value;
              set(setting.key, text === "true" ? true : text === "false" ? false : text);
            },
          },
        },
        setting.value === undefined && h("option", { value: "", selected: true }, "not set"),
        setting.choices.map((choice) =>
          h("option", { value: choice, selected: String(setting.value) === choice }, named(choice)),
        ),
      );
    if (setting.plain) {
      const number = h("input", {
        type: "number",
        step: "any",
        value: setting.value ?? "",
        placeholder: "not set",
        "aria-label": label,
      });
      return h(
        "form",
        {
          class: "row tight",
          on: {
            submit: (event) => {
              event.preventDefault();
              if (number.value !== "") set(setting.key, Number(number.value));
            },
          },
        },
        number,
        h("button", { type: "submit", class: "button small" }, h("span", null, "Set")),
      );
    }
    return h(
      "div",
      { class: "stack tight" },
      h("code", { class: "break" }, setting.value === undefined ? "not set" : shown(setting.value)),
      button("Copy the command", () => copy(`acreta config set ${setting.key} VALUE`), { look: "small quiet" }),
    );
  }

  async function set(key, value) {
    try {
      await post("/api/settings", { key, value }, { signal });
      toast(["Set ", h("code", null, key)], { tone: "good" });
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
    await refresh();
  }

  refresh();
  return { leave: () => abort.abort() };
}

const named = (choice) => (choice === "true" ? "on" : choice === "false" ? "off" : words(choice));
const shown = (value) =>
  Array.isArray(value)
    ? value.join(", ") || "none"
    : typeof value === "string"
      ? value || "none"
      : JSON.stringify(value);

/** Where a value comes from, in a word. */
function origin(text) {
  if (text.startsWith("$")) return text;
  if (text === "flag") return "flag";
  return text.includes("/.acreta/config.toml") || text.includes("\\.acreta\\config.toml") ? "set" : "file";
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(["Copied ", h("code", null, text)]);
  } catch {
    toast(["Run ", h("code", null, text)], { seconds: 15 });
  }
}
