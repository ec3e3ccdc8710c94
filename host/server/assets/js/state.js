// What all pages share: the chosen project or all of them, and what the server said last of itself. Remembered between
// visits where the browser allows it.

const listeners = new Map();

/** The choice that stands for all projects. */
export const ALL = "*";

export const state = {
  /** The project that pages are about; those that can show all projects do so while `isAll`. */
  project: read("acreta.project"),
  isAll: false,
  projects: [],
};

export function chooseProject(choice) {
  state.isAll = choice === ALL;
  if (!state.isAll) state.project = choice || undefined;
  write("acreta.project", choice || undefined);
  emit("project", state.project);
}

/** The parameters that say which project is meant, with more added. */
export const scoped = (params = {}, project = state.project) => ({ ...params, project_root: project });

/** The same for calls that can be about all projects. */
export const reaching = (params = {}) => (state.isAll ? { ...params, all_projects: true } : scoped(params));

/** The known projects, and the folders of which only sessions are known: those are mostly gone. */
export function projectRows({ projects, waiting }) {
  const known = projects.map((project) => ({ ...project, path: project.root }));
  const isOther = ({ project, adapter }) => project && !adapter && !known.some((one) => one.path === project);
  const others = waiting.filter(isOther).map(({ project, ...row }) => ({ ...row, path: project, memories: 0 }));
  return [...known, ...others.map((row) => ({ ...row, registered: false, trusted: false, current: false }))];
}

/** The project of a row of such a call, by the row's scope: `project` is the server's own among all. */
export function projectOf(scope) {
  if (!state.isAll) return state.project;
  return scope === "project" || scope === "global" ? state.projects.find((project) => project.current)?.path : scope;
}

/** The parameter of a link to a memory that says where it is, if all projects are shown. */
export const within = (scope) => (state.isAll ? { project: projectOf(scope) } : undefined);

export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}

export function emit(name, value) {
  for (const listener of [...(listeners.get(name) ?? [])]) listener(value);
}

export function read(key) {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function write(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser without storage forgets; everything else works.
  }
}
