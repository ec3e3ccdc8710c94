// Plugins: what each may read, how far it may go, and how far it went.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { bytes, compact, dictionary, duration, number, percent, words } from "../text.js";
import { runLink } from "../router.js";
import { badge, empty, failure, facts, loading, panel, table } from "../widgets.js";
import { listKeys } from "../keys.js";

const REFUSED_SHOWN = 50;
const ROLES = dictionary({
  adapter: "adapter",
  extractor: "extractor",
  explorer: "explorer",
  "memory-writer": "writer",
});

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  main.append(loading());
  async function refresh() {
    try {
      const { plugins } = await get("/api/plugins", {}, { signal });
      if (signal.aborted) return;
      replace(main, content(plugins));
      const { denied } = await get("/api/overview", {}, { signal });
      if (!signal.aborted) main.firstElementChild.append(refused(denied));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }
  refresh();
  return { leave: () => abort.abort(), keys: listKeys(() => [...main.querySelectorAll(".plugin")]) };
}

function content(plugins) {
  if (plugins.length === 0) return empty("No plugin", "The built-in ones are missing: run `acreta doctor`.");
  const order = Object.keys(ROLES);
  const place = ({ role }) => (order.includes(role) ? order.indexOf(role) : order.length);
  const sorted = [...plugins].sort((left, right) => place(left) - place(right));
  return h(
    "div",
    { class: "stack loose" },
    h(
      "div",
      null,
      table(
        "Plugins",
        [
          "Plugin",
          "Role",
          { label: "Runs", class: "num" },
          { label: "Calls", class: "num" },
          { label: "Time inside", class: "num" },
          { label: "Memory at most", class: "num" },
          "May read",
          "More",
        ],
        sorted.map(row),
      ),
    ),
  );
}

function refused(rows) {
  if (rows.length === 0)
    return panel(
      "Refused operations",
      h("p", { class: "muted" }, "None: no plugin reached for what it was not granted."),
    );
  return panel(
    "Refused operations",
    table(
      "Refused operations",
      ["Plugin", "Operation", "Path", { label: "Times", class: "num" }, "Run"],
      rows
        .slice(0, REFUSED_SHOWN)
        .map((one) =>
          h(
            "tr",
            null,
            h("td", null, one.plugin),
            h("td", null, h("code", null, one.operation)),
            h("td", { class: "break" }, h("code", null, one.path)),
            h("td", { class: "num" }, number(one.count)),
            h("td", null, h("a", { href: runLink(one.run_id) }, "Show")),
          ),
        ),
    ),
    { aside: rows.length > REFUSED_SHOWN && `the newest ${REFUSED_SHOWN} of ${number(rows.length)}` },
  );
}

function row(plugin) {
  const { limits = {}, grants = [], use: used } = plugin;
  const memoryLimit = Number(limits.memory_bytes) || 0;
  const share = memoryLimit > 0 ? `${percent(used.peak_memory_bytes / memoryLimit)} of what it may use` : undefined;
  const granted = grants.filter((one) => one.granted).length;
  return h(
    "tr",
    { class: "plugin", tabindex: "-1" },
    h(
      "th",
      { scope: "row" },
      h(
        "div",
        { class: "row" },
        plugin.id,
        plugin.origin !== "built-in" && badge("installed", "accent"),
        used.denied > 0 && badge(`${number(used.denied)} denied`, "bad"),
        used.failures > 0 && badge(`${number(used.failures)} failed`, "bad"),
      ),
    ),
    h("td", { class: "muted" }, ROLES[plugin.role] ?? words(plugin.role)),
    h("td", { class: "num" }, compact(used.runs)),
    h("td", { class: "num" }, compact(used.calls)),
    h("td", { class: "num" }, duration(used.guest_ms)),
    h("td", { class: "num", title: share }, bytes(used.peak_memory_bytes)),
    h(
      "td",
      null,
      grants.length === 0 ? h("span", { class: "muted" }, "nothing") : `${granted} of ${grants.length}`,
    ),
    h("td", null, more(plugin)),
  );
}

/** What few want to know, and those want to know it exactly. */
function more(plugin) {
  const { limits = {}, grants = [] } = plugin;
  return h(
    "details",
    null,
    h("summary", null, "Details"),
    h(
      "div",
      { class: "stack plugin-more" },
      grants.length > 0 && h("ul", { class: "plain stack" }, grants.map(grant)),
      h("h3", { class: "small-head" }, "Limits"),
      Object.keys(limits).length === 0
        ? h("p", { class: "muted" }, "The defaults.")
        : facts(
            Object.entries(limits).map(([name, value]) => [
              words(name.replace(/_?(bytes|ms|milliseconds)$/, "") || "time"),
              limit(name, value),
            ]),
          ),
      facts([
        ["Interface", h("code", null, plugin.wit)],
        ["Size", bytes(plugin.bytes)],
        ["From", h("code", { class: "break" }, plugin.origin)],
        ["SHA-256", h("code", { class: "break" }, plugin.digest)],
      ]),
    ),
  );
}

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
