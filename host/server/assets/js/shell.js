// The frame around every page: menu, project, sync and maintain, the status line, and what is shown to those who
// are not logged in.

import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { jobButtons } from "./jobs.js";
import { GO, showKeys } from "./keys.js";
import { changesMemory, onEvents } from "./live.js";
import { link } from "./router.js";
import { ALL, chooseProject, on, reaching, state, write } from "./state.js";
import { ago, baseName, number, visible, words } from "./text.js";
import { badge, iconButton, withCode } from "./widgets.js";

const TITLES = {
  home: "Home",
  review: "Review",
  memories: "Memories",
  timeline: "Timeline",
  sessions: "Sessions",
  usage: "Usage",
  briefs: "Briefs given",
  ask: "Ask",
  projects: "Projects and agents",
  model: "Model",
  code: "Code context",
  plugins: "Plugins",
  settings: "Settings",
  runs: "Runs",
  queue: "Queue",
};
/** Shorter, for the menu. */
const NAMES = { ...TITLES, projects: "Projects", briefs: "Briefs", code: "Code" };
/** Pages that are about no project in particular. */
const MACHINE = ["projects", "model", "plugins"];
/** Pages that are about one project even where all are chosen. */
const SINGLE = ["briefs", "ask", "code", "settings"];
/** What is read every day, what is set up once, and what is looked at when something is wrong. */
const GROUPS = [
  ["", ["home", "review", "memories", "timeline", "sessions", "usage", "briefs", "ask"]],
  ["Set up", ["projects", "model", "code", "plugins", "settings"]],
  ["Work", ["runs", "queue"]],
];

export function frame() {
  const main = h("main", { id: "main", tabindex: "-1" });
  const version = h("div", { class: "muted small" });
  const items = new Map();
  const item = (page) => {
    const key = Object.entries(GO).find(([, name]) => name === page)?.[0];
    const anchor = h(
      "a",
      { href: link(page), class: "menu-item", title: `${TITLES[page]} (g ${key})` },
      icon(page),
      h("span", null, NAMES[page]),
      h("span", { class: "menu-count push" }),
    );
    items.set(page, anchor);
    return h("li", null, anchor);
  };
  const menu = GROUPS.map(([name, pages]) => [
    name && h("p", { class: "menu-head", id: `menu-${name}` }, name),
    h("ul", { class: "menu-list", "aria-label": name || "Memory" }, pages.map(item)),
  ]);
  const navigation = h(
    "nav",
    { class: "side", id: "side", "aria-label": "Pages" },
    h("a", { class: "brand", href: link("home") }, mark(), h("span", null, "acreta")),
    menu,
    h("div", { class: "side-foot" }, liveLine(), version),
  );
  const toggle = h(
    "button",
    {
      type: "button",
      class: "button quiet icon-only only-narrow",
      "aria-label": "Menu",
      "aria-controls": "side",
      "aria-expanded": "false",
      on: { click: () => setMenu(!element.classList.contains("menu-open")) },
    },
    icon("menu"),
  );
  const title = h("h1", { class: "page-title" });
  const project = projectSwitcher();
  const machine = h("span", { class: "project is-machine", hidden: true }, "All projects");
  const top = h(
    "header",
    { class: "top" },
    toggle,
    title,
    project,
    machine,
    h(
      "div",
      { class: "top-actions" },
      jobButtons(),
      iconButton("Keys (?)", "keys", () => showKeys(), { class: "button quiet icon-only only-wide" }),
      iconButton("Light or dark (t)", "theme", toggleTheme),
    ),
  );
  const veil = h("div", { class: "veil", on: { click: () => setMenu(false) } });
  const element = h("div", { class: "frame" }, navigation, veil, h("div", { class: "column" }, top, main));

  async function refreshStatus() {
    try {
      const { dead_letters: dead, review } = await get("/api/status", reaching());
      // What waits for a person, and nothing else, deserves a number in the menu.
      replace(items.get("review").lastChild, review.total > 0 ? badge(number(review.total), "accent") : null);
      replace(items.get("queue").lastChild, dead > 0 ? badge(number(dead), "bad") : null);
    } catch {
      // The page itself says what is wrong.
    }
  }
  get("/api/health").then(
    ({ version: text }) => replace(version, `version ${text}`),
    () => {},
  );
  refreshStatus();
  on("changed", refreshStatus);
  on("project", refreshStatus);
  onEvents(on, (event) => event.kind === "job" || event.kind === "queue" || changesMemory(event), refreshStatus, 2_000);

  function setMenu(isOpen) {
    element.classList.toggle("menu-open", isOpen);
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) items.values().next().value.focus();
  }
  navigation.addEventListener("click", (event) => {
    if (event.target.closest("a")) setMenu(false);
  });
  navigation.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      setMenu(false);
      toggle.focus();
    }
  });

  return {
    element,
    main,
    show(page, text) {
      for (const [name, anchor] of items) {
        if (name === page) anchor.setAttribute("aria-current", "page");
        else anchor.removeAttribute("aria-current");
      }
      const isMachine = MACHINE.includes(page);
      project.hidden = isMachine;
      project.showAll?.(!SINGLE.includes(page));
      machine.hidden = !isMachine;
      const shown = text ?? TITLES[page];
      replace(title, shown);
      document.title = `${shown} · acreta`;
      window.scrollTo(0, 0);
    },
    closeMenu: () => setMenu(false),
  };
}

export function shellKeys(shell) {
  return {
    "?": () => {
      showKeys();
    },
    t: toggleTheme,
    "/": () => {
      const box = document.querySelector("[data-search]");
      if (!box) {
        location.hash = link("memories", [], { focus: "search" });
        return true;
      }
      box.focus();
      box.select();
      return true;
    },
    Escape: () => {
      shell()?.closeMenu();
      if (document.activeElement instanceof HTMLElement && document.activeElement.matches("input, textarea, select"))
        document.activeElement.blur();
    },
  };
}

/** What somebody sees who is not logged in. */
export function signIn(problem) {
  return h(
    "main",
    { class: "alone", id: "main" },
    h(
      "div",
      { class: "sign-in" },
      mark(),
      h("h1", null, "Log in from your terminal"),
      problem?.message && h("p", { class: "notice bad", role: "alert" }, problem.message),
      h(
        "p",
        null,
        withCode(
          "This page is for the person at this machine. To open it, run `acreta dashboard`: it opens a link that works once and for a minute.",
        ),
      ),
      h("pre", { class: "code" }, h("code", null, "acreta dashboard")),
      h("p", { class: "muted small" }, "The link lets this browser in, once."),
    ),
  );
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  write("acreta.theme", root.dataset.theme);
  window.dispatchEvent(new Event("themechange"));
}

function mark() {
  const drawing = h("span", { class: "mark", "aria-hidden": "true" });
  for (let layer = 0; layer < 4; layer += 1) drawing.append(h("i"));
  return drawing;
}

/** The project that every page is about. */
function projectSwitcher() {
  if (state.projects.length === 0)
    return h("span", { class: "project muted" }, "Global memory: no project is registered");
  const all = state.projects.length > 1 && h("option", { value: ALL }, "All projects");
  const select = h(
    "select",
    { "aria-label": "Project", on: { change: (event) => chooseProject(event.target.value) } },
    all,
    state.projects.map((project) => h("option", { value: project.path, title: project.path }, label(project))),
  );
  const element = h("div", { class: "project" }, select);
  let isOffered = true;
  const show = () => {
    if (all) all.disabled = !isOffered;
    select.value = state.isAll && isOffered ? ALL : state.project;
    select.title = select.value === ALL ? "" : visible(state.project);
  };
  element.showAll = (is) => {
    isOffered = is;
    show();
  };
  on("project", show);
  show();
  return element;
}

function label(project) {
  const name = baseName(project.path);
  const isTwice = state.projects.filter((other) => baseName(other.path) === name).length > 1;
  return `${visible(isTwice ? project.path : name)}${project.exists === false ? " (gone)" : ""}`;
}

/** Whether the stream is up, and the last thing that happened. */
function liveLine() {
  const status = h("span", { class: "live-word" }, "Connecting");
  const last = h("span", { class: "live-last" });
  const element = h(
    "div",
    { class: "live", data: { status: "connecting" } },
    h("span", { class: "live-dot", "aria-hidden": "true" }),
    h("div", null, status, last),
  );
  let lastMs;
  let lastName = "";
  const tell = () => replace(last, lastMs ? `${lastName} · ${ago(lastMs)}` : "waiting for events");
  on("live", (change) => {
    element.dataset.status = change.status;
    replace(status, { live: "Live", connecting: "Connecting", lost: "Connection lost, trying again" }[change.status]);
    tell();
  });
  on("event", (event) => {
    // The page's own requests are no news to whoever looks at it, and an event of the log is named "log".
    if (event.kind === "request" || event.kind === "log") return;
    lastMs = event.at_ms ?? Date.now();
    lastName = words(event.name || event.kind || "event").slice(0, 60);
    tell();
  });
  setInterval(tell, 30_000);
  return element;
}
