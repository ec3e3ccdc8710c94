// Projects and agents: which projects have memory, which agents' sessions are read, and which folders never are.

import { get, post, segment } from "../api.js";
import { h, replace } from "../dom.js";
import { link } from "../router.js";
import { chooseProject, projectRows } from "../state.js";
import { baseName, number, plural } from "../text.js";
import { badge, button, dialog, empty, failure, loading, panel, table, toast, toastError } from "../widgets.js";

/** One row for each adapter, with the folders that exist. */
function byAgent(connections) {
  const agents = new Map();
  for (const one of connections) {
    const row = agents.get(one.adapter) ?? { ...one, roots: [] };
    if (one.path) row.roots.push(one.path);
    agents.set(one.adapter, row);
  }
  return [...agents.values()];
}

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  main.append(loading());

  async function refresh() {
    try {
      const [projects, agents, excluded] = await Promise.all([
        get("/api/project/list", {}, { signal }),
        get("/api/connect", {}, { signal }),
        get("/api/exclude", {}, { signal }),
      ]);
      if (!signal.aborted) replace(main, content(projectRows(projects), byAgent(agents), excluded.folders));
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }

  async function change(path, body, said) {
    try {
      const answer = await post(path, body, { signal });
      toast(said ?? answer.message ?? "Done", { tone: "good" });
      await refresh();
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
  }

  function content(projects, agents, excluded) {
    return h(
      "div",
      { class: "stack loose page" },
      panel("Projects", [
        projectTable(projects),
        homeless(projects, agents),
        adding("Register a project", "Its folder, as a whole path", "Register", (path) =>
          change("/api/project/add", { path }),
        ),
      ]),
      panel("Agents", agentTable(agents)),
      panel("Never read", [
        exclusions(excluded),
        adding("Exclude a folder", "No session of it is read from now on", "Exclude", (folder) =>
          change("/api/exclude", { folder }, "Excluded. What was archived before stays."),
        ),
      ]),
    );
  }

  function projectTable(projects) {
    if (projects.length === 0)
      return empty("No project is known", "Register one below, or run `acreta project add .` in its folder.");
    const sorted = [...projects].sort(
      (left, right) =>
        right.registered - left.registered ||
        right.exists - left.exists ||
        right.memories - left.memories ||
        right.sessions - left.sessions,
    );
    return table(
      "Projects",
      ["Project", { label: "Memories", class: "num" }, { label: "Sessions", class: "num" }, "Settings in it", "Memory"],
      sorted.map((project) =>
        h(
          "tr",
          null,
          h(
            "th",
            { scope: "row" },
            h(
              "div",
              { class: "row" },
              h("span", null, baseName(project.path)),
              !project.exists && badge("folder is gone", "bad"),
            ),
            h("code", { class: "muted small break" }, project.path),
          ),
          h("td", { class: "num" }, project.registered ? linkTo(project, "memories", project.memories) : "—"),
          h(
            "td",
            { class: "num" },
            project.registered ? linkTo(project, "sessions", project.sessions) : number(project.sessions),
          ),
          h("td", null, project.registered ? trust(project) : h("span", { class: "muted" }, "—")),
          h("td", null, registration(project)),
        ),
      ),
    );
  }

  /** Sessions that recorded no folder. */
  function homeless(projects, agents) {
    const sum = (rows) => rows.reduce((total, row) => total + row.sessions, 0);
    const count = sum(agents) - sum(projects);
    return count > 0
      ? h(
          "p",
          { class: "muted small" },
          plural(count, "session of no project is", "sessions of no project are"),
          " archived; ",
          h("code", null, "acreta config set sync.without_project global"),
          " learns from such.",
        )
      : null;
  }

  const linkTo = (project, page, count) =>
    h("a", { href: link(page), on: { click: () => chooseProject(project.path) } }, number(count));

  function trust(project) {
    const set = (trusted) => change("/api/project/trust", { project_root: project.path, trusted });
    return h(
      "div",
      { class: "row tight" },
      project.trusted ? badge("trusted", "good") : badge("ignored", ""),
      project.trusted
        ? button("Ignore them", () => set(false), { look: "small quiet" })
        : button(
            "Trust",
            () =>
              confirmed(
                "Trust the settings of this project?",
                "Its `.acreta/config.toml` may then change what is remembered and which plugins take part. Do that for repositories of people you trust.",
                "Trust",
                () => set(true),
              ),
            { look: "small quiet" },
          ),
    );
  }

  function registration(project) {
    if (!project.exists)
      return h(
        "div",
        { class: "row" },
        button("It moved to …", () => moved(project), { look: "small", name: `It moved to …: ${project.path}` }),
        project.registered && leaveOut(project),
      );
    if (!project.registered)
      return button("Register", () => change("/api/project/add", { path: project.path }), {
        look: "small",
        image: "plus",
      });
    return leaveOut(project);
  }

  async function moved(project) {
    const box = h("input", {
      type: "text",
      class: "wide-input",
      placeholder: "/home/you/code/project",
      "aria-label": "Where it is now, as a whole path",
      autocomplete: "off",
      spellcheck: "false",
    });
    const answer = await dialog(
      `Where is ${baseName(project.path)} now?`,
      h(
        "div",
        { class: "stack" },
        h(
          "p",
          { class: "muted" },
          `${plural(project.sessions, "session")} of `,
          h("code", null, project.path),
          " become memory of the project that you name.",
        ),
        box,
      ),
      [
        { label: "Cancel", value: undefined, look: "" },
        { label: "It is there", value: "yes", look: "primary" },
      ],
    );
    if (answer && box.value.trim()) change("/api/project/add", { path: box.value.trim(), former: project.path });
  }

  function leaveOut(project) {
    return button(
      "Leave out",
      () =>
        confirmed(
          `Leave ${baseName(project.path)} out?`,
          "Its sessions become memory no longer, and agents get no brief there. What it has stays in its folder.",
          "Leave out",
          () => change("/api/project/remove", { path: project.path }),
        ),
      { look: "small quiet" },
    );
  }

  function agentTable(agents) {
    if (agents.length === 0) return empty("No agent is known", "The adapters are missing: run `acreta doctor`.");
    const isHere = (agent) => agent.roots.length > 0;
    const sorted = [...agents].sort(
      (left, right) => isHere(right) - isHere(left) || right.granted - left.granted || right.sessions - left.sessions,
    );
    return table(
      "Agents",
      ["Agent", { label: "Sessions", class: "num" }, "Where", "Deletes sessions", "Reading"],
      sorted.map((agent) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, agent.agent),
          h(
            "td",
            { class: "num" },
            h("a", { href: link("sessions", [], { agent: agent.agent, all: "true" }) }, number(agent.sessions)),
          ),
          h(
            "td",
            { class: "wide-cell" },
            !isHere(agent)
              ? h("span", { class: "muted" }, "not found on this machine")
              : agent.roots.map((root) => h("div", null, h("code", { class: "break" }, root))),
          ),
          h(
            "td",
            null,
            agent.deletes_after_days
              ? badge(`after ${plural(agent.deletes_after_days, "day")}`, "warn")
              : h("span", { class: "muted" }, "never"),
          ),
          h(
            "td",
            null,
            agent.granted
              ? h(
                  "div",
                  { class: "row" },
                  isHere(agent) ? badge("connected", "good") : h("span", { class: "muted" }, "if it appears"),
                  button("Disconnect", () => change(`/api/connect/${segment(agent.agent)}/remove`, {}), {
                    look: "small quiet",
                  }),
                )
              : button(
                  "Connect",
                  () => change("/api/connect", { agent: agent.agent }, "Connected: the next sync reads its sessions"),
                  { look: "small", image: "plus", disabled: !isHere(agent) },
                ),
          ),
        ),
      ),
    );
  }

  function exclusions(folders) {
    if (folders.length === 0) return h("p", { class: "muted" }, "Nothing is excluded.");
    return h(
      "ul",
      { class: "lines" },
      folders.map((folder) =>
        h(
          "li",
          { class: "line" },
          h("code", { class: "line-main" }, folder),
          button("Read again", () => change("/api/exclude/remove", { folder }, "Read again from the next sync on"), {
            look: "small quiet",
          }),
        ),
      ),
    );
  }

  refresh();
  return { leave: () => abort.abort() };
}

/** A text field with a button. */
function adding(label, advice, action, run) {
  const box = h("input", {
    type: "text",
    placeholder: "/home/you/code/project",
    "aria-label": `${label}: ${advice}`,
    autocomplete: "off",
    spellcheck: "false",
  });
  return h(
    "form",
    {
      class: "adding",
      on: {
        submit: (event) => {
          event.preventDefault();
          if (box.value.trim()) run(box.value.trim());
        },
      },
    },
    box,
    h("button", { type: "submit", class: "button" }, h("span", null, action)),
    h("span", { class: "muted small" }, advice),
  );
}

async function confirmed(title, text, action, run) {
  const answer = await dialog(
    title,
    h(
      "p",
      null,
      text.split("`").map((part, at) => (at % 2 ? h("code", null, part) : part)),
    ),
    [
      { label: "Cancel", value: undefined, look: "" },
      { label: action, value: "yes", look: "primary" },
    ],
  );
  if (answer) run();
}
