// Model: who reads sessions, how much that may take, what it took, and a trial that keeps nothing.

import { get, post } from "../api.js";
import { h, replace, time } from "../dom.js";
import { columnChart, days, gauge } from "../charts.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import { sessionLink } from "../router.js";
import { emit } from "../state.js";
import { compact, dictionary, dollars, duration, number, percent, plural } from "../text.js";
import { badge, button, empty, failure, loading, panel, toast, toastError, typeBadge, withCode } from "../widgets.js";
import { sentence } from "./decision.js";

const PAID = dictionary({ plan: "your plan", local: "on this machine", "api-key": "by the token" });
/** Programs that could read sessions, and the command that installs each. */
const PROGRAMS = [
  ["claude", "Claude Code", "npm install -g @anthropic-ai/claude-code", "with your Claude plan"],
  ["codex", "Codex", "npm install -g @openai/codex", "with your ChatGPT plan"],
  ["gemini", "Gemini CLI", "npm install -g @google/gemini-cli", "with your Google account"],
  ["copilot", "Copilot CLI", "npm install -g @github/copilot", "with your GitHub plan"],
  ["opencode", "OpenCode", "npm install -g opencode-ai", "with any provider that it knows"],
  ["ollama", "Ollama, from ollama.com", "ollama pull qwen3:8b", "free, and nothing leaves this machine"],
];
const providerOf = (name) => name?.split("/", 1)[0];
const LIMITS = [
  ["calls", "Calls", "llm.budget.day_calls", compact],
  ["tokens", "Tokens", "llm.budget.day_tokens", compact],
  ["dollars", "Dollars", "llm.budget.day_dollars", dollars],
];

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  main.append(loading("Looking for models on this machine"));

  async function refresh(known) {
    try {
      const [model, overview] = await Promise.all([
        known ?? get("/api/model", {}, { signal }),
        get("/api/overview", {}, { signal }),
      ]);
      if (!signal.aborted) replace(main, content(model, overview));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError")
        replace(
          main,
          failure(error, () => refresh()),
        );
    }
  }

  function content(model, overview) {
    const trial = h("div", { class: "stack" });
    return h(
      "div",
      { class: "stack loose page" },
      panel("Who reads your sessions", readers(model)),
      panel("Today", [limits(model), model.spending.blocked.map(refusing)], {
        aside: h("span", { class: "muted small" }, "by days of UTC"),
      }),
      panel("Try it", [
        h(
          "p",
          { class: "muted" },
          "The model reads your newest session and shows what it would remember. Nothing is kept; the calls count.",
        ),
        h("div", { class: "row" }, tryButton(model, trial)),
        trial,
      ]),
      panel("Spent in the last runs", cost(overview.cost)),
    );
  }

  function readers({ current, found: options }) {
    const found = options.flatMap(choices);
    // The settings may name a program without its model, or a model that the program does not list.
    const fitting =
      found.find((one) => one.name === current) ??
      found.find((one) => current?.startsWith(`${one.name}/`) || one.name.startsWith(`${current}/`));
    const isListed = fitting !== undefined;
    const missing = PROGRAMS.filter(([provider]) => !found.some((one) => providerOf(one.name) === provider));
    const ofCurrent = missing.find(([provider]) => provider === providerOf(current));
    const rows = [
      {
        name: undefined,
        label: "Nobody: rules alone",
        destination: "costs nothing, sends nothing, finds less",
        access: "",
        readiness: "ready",
      },
      ...found,
      ...(current && !isListed
        ? [
            {
              name: current,
              label: current,
              destination: "chosen in your settings, and not found on this machine",
              access: "",
              readiness: "missing",
              remedy: ofCurrent?.[2],
            },
          ]
        : []),
    ];
    return [
      h("ul", { class: "choices" }, rows.map(row)),
      missing.length > 0 && installing(missing, found.length === 0),
    ];

    function row(one) {
      const isUsed = one.name === undefined ? !current : one === fitting || one.name === current;
      return h(
        "li",
        { class: `choice-row${isUsed ? " is-used" : ""}`, "aria-current": isUsed ? "true" : undefined },
        h("span", { class: "choice-mark", "aria-hidden": "true" }, isUsed && icon("check")),
        h(
          "div",
          { class: "choice-text" },
          h(
            "div",
            { class: "row" },
            h("strong", null, sentence(one.label)),
            one.access && badge(PAID[one.access] ?? one.access, one.access === "local" ? "good" : ""),
            one.readiness === "logged-out" && badge("logged out", "warn"),
            one.readiness === "missing" && badge("not installed", "bad"),
          ),
          h(
            "p",
            { class: "muted small" },
            one.destination,
            one.remedy && [". First run ", h("code", null, one.remedy)],
          ),
        ),
        isUsed
          ? badge("chosen", "accent")
          : button("Use", () => choose(one.name), { look: "small", name: `Use ${one.label}` }),
      );
    }
  }

  function installing(missing, isOpen) {
    return h(
      "details",
      { class: "fold", open: isOpen },
      h(
        "summary",
        null,
        isOpen ? "No model was found on this machine. Install one, log in, and look again" : "Not on this machine",
      ),
      h(
        "ul",
        { class: "lines fold-body" },
        missing.map(([, name, command, advice]) =>
          h(
            "li",
            { class: "line wrap" },
            h("span", { class: "line-main" }, name, h("span", { class: "muted small" }, `, ${advice}`)),
            h("code", null, command),
          ),
        ),
      ),
      h(
        "div",
        { class: "row" },
        button("Look again", () => refresh(), { look: "small", image: "sync" }),
      ),
    );
  }

  async function choose(name) {
    try {
      const model = await post("/api/model", name ? { name } : {}, { signal });
      toast(model.current ? `${model.current} reads from the next sync on` : "No model is asked any more", {
        tone: "good",
      });
      await refresh(model);
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
  }

  function limits({ spending }) {
    return h(
      "div",
      { class: "limits" },
      LIMITS.map(([name, label, key, show]) => {
        const used = spending[name];
        const limit = spending[`${name}_limit`];
        const share = limit ? used / limit : undefined;
        const box = h("input", {
          type: "number",
          min: "0",
          step: name === "dollars" ? "0.01" : "1",
          value: limit ?? "",
          placeholder: "none",
          "aria-label": `Most ${label.toLowerCase()} a day`,
        });
        return h(
          "form",
          {
            class: "limit",
            on: {
              submit: (event) => {
                event.preventDefault();
                setLimit(key, Number(box.value));
              },
            },
          },
          h(
            "div",
            { class: "row spread" },
            h("span", { class: "tile-label" }, label),
            h("span", { class: "muted small" }, share !== undefined ? percent(share) : "no limit"),
          ),
          h("span", { class: "tile-value" }, show(used)),
          share !== undefined
            ? gauge(share, `${label}: ${percent(share)} of the limit`)
            : h("span", { class: "gauge" }),
          h(
            "div",
            { class: "row tight" },
            h("span", { class: "muted small" }, "of"),
            box,
            h("button", { type: "submit", class: "button small" }, h("span", null, "Set")),
          ),
        );
      }),
    );
  }

  async function setLimit(key, value) {
    try {
      await post("/api/settings", { key, value }, { signal });
      toast("The limit holds from now on", { tone: "good" });
      emit("changed");
      await refresh();
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
  }

  function tryButton(model, trial) {
    const start = button("Read a session", run, { look: "primary", disabled: !model.current });
    async function run() {
      start.disabled = true;
      replace(trial, loading(`${model.current} reads`));
      try {
        replace(trial, outcome(await post("/api/model/test", {}, { signal })));
      } catch (error) {
        if (error.name !== "AbortError") replace(trial, failure(error, run));
      } finally {
        start.disabled = false;
      }
    }
    return start;
  }

  refresh();
  return { leave: () => abort.abort() };
}

const refusing = ({ provider, until_ms: until, reason }) =>
  h("p", { class: "warn-text small" }, `${provider} accepts no calls until `, time(until), `: ${reason}`);

/** A choice for each model of a program or server, or one for the program's own default. */
function choices({ provider, models, label, ...option }) {
  if (models.length === 0) return [{ ...option, label, name: provider }];
  return models.map((model) => ({
    ...option,
    name: `${provider}/${model}`,
    label: models.length === 1 ? label : `${label} · ${model}`,
  }));
}

function outcome(trial) {
  return h(
    "div",
    { class: "stack" },
    h(
      "p",
      { class: "muted" },
      `${trial.reader} read `,
      h("a", { href: sessionLink(trial.agent, trial.session) }, `a session of ${trial.agent}`),
      ` with ${plural(trial.events, "event")} in ${duration(trial.total_ms)}: ${plural(trial.usage.calls, "call")}, ${compact(trial.usage.input_tokens)} tokens in, ${compact(trial.usage.output_tokens)} out`,
      trial.usage.cost_dollars !== undefined && `, ${dollars(trial.usage.cost_dollars)}`,
      ".",
    ),
    trial.shortfall && h("p", { class: "bad-text" }, trial.shortfall),
    trial.found.length === 0
      ? empty("It found nothing to remember", "Short sessions often have nothing.")
      : trial.found.map((one) =>
          h(
            "article",
            { class: "found" },
            h("div", { class: "row" }, typeBadge(one), h("strong", null, withCode(one.title))),
            h("div", { class: "prose small" }, markdown(one.body)),
          ),
        ),
  );
}

function cost({ days: rows, total }) {
  const spread = days(rows, 30);
  if (spread.length === 0) return empty("Nothing spent", "No model was asked. Reading by rules costs nothing.");
  const hasPrices = rows.some((row) => row.dollars !== undefined);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const columns = spread.map((one) => {
    const row = byDay.get(one.key);
    return {
      ...one,
      values: hasPrices
        ? { dollars: row?.dollars ?? 0 }
        : { input: row?.input_tokens ?? 0, output: row?.output_tokens ?? 0 },
    };
  });
  const summary = `${hasPrices ? dollars(total.dollars) : "Price unknown"} for ${plural(total.calls, "call")}: ${compact(total.input_tokens)} tokens in, ${compact(total.output_tokens)} out, in ${number(spread.length)} days.`;
  return hasPrices
    ? columnChart("Cost", summary, columns, [{ key: "dollars", label: "dollars a day", tone: 5 }], {
        format: dollars,
        axis: (value) => `$${value < 10 ? value.toFixed(2) : Math.round(value)}`,
      })
    : columnChart("Cost", summary, columns, [
        { key: "input", label: "tokens in", tone: 1 },
        { key: "output", label: "tokens out", tone: 5 },
      ]);
}
