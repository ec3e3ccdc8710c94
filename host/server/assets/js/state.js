// What all pages share: the chosen project and what the server said last of itself. Remembered between visits
// where the browser allows it.

const listeners = new Map();

export const state = {
  project: read("acreta.project"),
  projects: [],
};

export function chooseProject(path) {
  state.project = path || undefined;
  write("acreta.project", state.project);
  emit("project", state.project);
}

/** The parameters that say which project is meant, with more added. */
export const scoped = (params = {}) => ({ ...params, project_root: state.project });

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
