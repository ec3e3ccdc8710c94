// Plugins: what each may read, how far it may go, and how far it went.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { bytes, compact, dictionary, duration, number, percent, words } from "../text.js";
import { badge, empty, failure, facts, loading, panel } from "../widgets.js";
import { listKeys } from "../keys.js";

const ROLES = dictionary({
  adapter: "Adapters",
  extractor: "Extractors",
  explorer: "Explorers",
  "memory-writer": "Writers",
});

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  main.append(loading());
  async function refresh() {
    try {
      const plugins = await get("/api/plugins", {}, { signal });
      if (!signal.aborted) replace(main, content(plugins));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }
  refresh();
  return { leave: () => abort.abort(), keys: listKeys(() => [...main.querySelectorAll(".plugin")]) };
}

function content(plugins) {
  if (plugins.length === 0) return empty("No plugin", "The built-in ones are missing: run `acreta doctor`.");
  const roles = new Set([...Object.keys(ROLES), ...plugins.map((plugin) => plugin.role)]);
  return h(
    "div",
    { class: "stack loose" },
    [...roles].map((role) => {
      const mine = plugins.filter((plugin) => plugin.role === role);
      return (
        mine.length > 0 &&
        h(
          "section",
          { class: "stack" },
          h("h2", null, ROLES[role] ?? words(role), h("span", { class: "count" }, String(mine.length))),
          h("div", { class: "cards" }, mine.map(card)),
        )
      );
    }),
  );
}

function card(plugin) {
  const { limits, use: used } = plugin;
  const memoryLimit = Number(limits.memory_bytes) || 0;
  const element = panel(
    plugin.id,
    h(
      "div",
      { class: "stack loose" },
      h(
        "div",
        { class: "row" },
        badge(plugin.origin === "built-in" ? "built-in" : "installed", plugin.origin === "built-in" ? "" : "accent"),
        used.denied > 0 && badge(`${number(used.denied)} denied`, "bad"),
        used.failures > 0 && badge(`${number(used.failures)} failed`, "bad"),
      ),
      h(
        "ul",
        { class: "figures", "aria-label": "Use" },
        figure("runs", compact(used.runs)),
        figure("calls", compact(used.calls)),
        figure("time inside", duration(used.guest_ms)),
        figure("memory at most", bytes(used.peak_memory_bytes)),
      ),
      memoryLimit > 0 &&
        h(
          "div",
          { class: "gauge" },
          h(
            "span",
            { class: "bars-track", "aria-hidden": "true" },
            h("span", {
              class: `bars-fill ${used.peak_memory_bytes / memoryLimit > 0.8 ? "tone-4" : "tone-2"}`,
              vars: { width: `${Math.min(100, (used.peak_memory_bytes / memoryLimit) * 100)}%` },
            }),
          ),
          h(
            "span",
            { class: "muted small" },
            `${percent(used.peak_memory_bytes / memoryLimit)} of the memory it may use`,
          ),
        ),
      h(
        "div",
        null,
        h("h3", { class: "small-head" }, "May read"),
        plugin.grants.length === 0
          ? h("p", { class: "muted" }, "No folder of this machine.")
          : h("ul", { class: "plain stack" }, plugin.grants.map(grant)),
      ),
      h(
        "div",
        null,
        h("h3", { class: "small-head" }, "Limits"),
        Object.keys(limits).length === 0
          ? h("p", { class: "muted" }, "The defaults.")
          : facts(
              Object.entries(limits).map(([name, value]) => [
                words(name.replace(/_?(bytes|ms|milliseconds)$/, "") || "time"),
                limit(name, value),
              ]),
            ),
      ),
      h(
        "details",
        null,
        h("summary", null, "Component"),
        facts([
          ["Interface", h("code", null, plugin.wit)],
          ["Size", bytes(plugin.bytes)],
          ["From", h("code", { class: "break" }, plugin.origin)],
          ["SHA-256", h("code", { class: "break" }, plugin.digest)],
        ]),
      ),
    ),
    { look: "plugin", level: 3 },
  );
  element.tabIndex = -1;
  return element;
}

const figure = (label, value) => h("li", null, h("b", null, value), h("span", { class: "muted small" }, label));

function grant(one) {
  return h(
    "li",
    { class: "grant" },
    h(
      "div",
      { class: "row" },
      badge(one.granted ? "granted" : "not granted", one.granted ? "good" : "warn"),
      h("code", null, one.root),
    ),
    one.reason && h("p", { class: "muted small" }, one.reason),
    one.candidates.length > 0 &&
      h(
        "ul",
        { class: "plain small" },
        one.candidates.slice(0, 12).map((path) => h("li", null, h("code", { class: "break" }, path))),
      ),
  );
}

function limit(name, value) {
  if (typeof value !== "number") return typeof value === "string" ? value : JSON.stringify(value);
  if (name.includes("bytes")) return bytes(value);
  if (/(^|_)(ms|milliseconds)$/.test(name)) return duration(value);
  return compact(value);
}
