// The start: log in, draw the frame, show the page that the address names.

import { get, logIn, onSignedOut } from "./api.js";
import { h, replace } from "./dom.js";
import { setPageKeys, startKeys } from "./keys.js";
import * as live from "./live.js";
import { parse } from "./router.js";
import { frame, shellKeys, signIn } from "./shell.js";
import { ALL, on, projectRows, state, write } from "./state.js";
import { failure, loading } from "./widgets.js";
import { dictionary } from "./text.js";

const PAGES = dictionary({
  home: () => import("./pages/home.js"),
  review: () => import("./pages/review.js"),
  memories: () => import("./pages/memories.js"),
  timeline: () => import("./pages/timeline.js"),
  sessions: () => import("./pages/sessions.js"),
  usage: () => import("./pages/usage.js"),
  briefs: () => import("./pages/briefs.js"),
  ask: () => import("./pages/ask.js"),
  projects: () => import("./pages/projects.js"),
  model: () => import("./pages/model.js"),
  code: () => import("./pages/code.js"),
  plugins: () => import("./pages/plugins.js"),
  settings: () => import("./pages/settings.js"),
  runs: () => import("./pages/runs.js"),
  queue: () => import("./pages/queue.js"),
});

const app = document.getElementById("app");
let shell;
let shown;
let turn = 0;

async function begin() {
  onSignedOut(showSignIn);
  startKeys(shellKeys(() => shell));
  const { problem, project: wanted } = await redeemCode();
  if (problem) {
    showSignIn(problem);
    return;
  }
  // The page's modules load while the server answers; `show` reports a failure.
  PAGES[parse().page]?.().catch(() => {});
  try {
    state.projects = projectRows(await get("/api/project/list")).filter((project) => project.registered);
  } catch (error) {
    if (error.status !== 401)
      replace(
        app,
        h(
          "main",
          { class: "alone" },
          failure(error, () => location.reload()),
        ),
      );
    return;
  }
  // Every page is about one project or about all, and the frame says which. Where the person stands comes first.
  const named = state.projects.find((project) => project.path === wanted);
  if (named) write("acreta.project", named.path);
  state.isAll = !named && state.project === ALL && state.projects.length > 1;
  state.project = (
    named ??
    state.projects.find((project) => project.path === state.project) ??
    state.projects.find((project) => project.current) ??
    [...state.projects].sort((left, right) => right.memories - left.memories)[0]
  )?.path;
  shell = frame();
  replace(app, shell.element);
  live.start();
  window.addEventListener("hashchange", show);
  on("project", () => {
    live.start();
    leave();
    show();
  });
  await show();
}

/** Logs in with the one-time code in the address, and takes it out of the address before anything else. The address
    also names the project in which the link was asked for. */
async function redeemCode() {
  const given = new URLSearchParams(location.hash.replace(/^#\/?/, ""));
  const [code, project] = [given.get("code"), given.get("project")];
  if (!code) return {};
  history.replaceState(null, "", `${location.pathname}#/home`);
  try {
    await logIn(code);
    return { project };
  } catch (problem) {
    return { problem };
  }
}

async function show() {
  const route = parse();
  const mine = (turn += 1);
  const open = PAGES[route.page];
  if (!open) {
    leave();
    shell.show("", "Not found");
    replace(shell.main, failure({ message: `There is no page “${route.page}”`, hints: ["choose one from the menu"] }));
    return;
  }
  if (shown?.page === route.page) {
    shown.change?.(route);
    return;
  }
  leave();
  shell.show(route.page);
  replace(shell.main, loading());
  try {
    const module = await open();
    if (mine !== turn) return;
    replace(shell.main);
    const page = module.page(shell.main, route) ?? {};
    shown = { ...page, page: route.page };
    setPageKeys(page.keys);
  } catch (error) {
    if (mine === turn) replace(shell.main, failure(error, show));
  }
}

function leave() {
  shown?.leave?.();
  shown = undefined;
  setPageKeys();
}

function showSignIn(problem) {
  live.stop();
  leave();
  turn += 1;
  window.removeEventListener("hashchange", show);
  replace(app, signIn(problem));
}

begin();
