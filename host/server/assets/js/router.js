// Routes live in the fragment: `#/memories/ID?type=decision`. A page is a function that is given the route, fills
// its element and returns what to do when the route changes or the page goes.

/** Characters of a quote by which its place is found. */
const LONGEST_QUOTE = 120;

export function parse(fragment = location.hash) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { page: parts[0] ?? "home", rest: parts.slice(1), params: Object.fromEntries(new URLSearchParams(query)) };
}

export function link(page, rest = [], params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return `#/${[page, ...rest].map((part) => encodeURIComponent(part)).join("/")}${text ? `?${text}` : ""}`;
}

export const memoryLink = (id, params) => link("memories", [id], params);
export const runLink = (id) => link("runs", [id]);
/** A session, or an event in it, or a sentence of that event. */
export const sessionLink = (agent, id, event, quote) =>
  link("sessions", [agent, id], { event, quote: quote?.slice(0, LONGEST_QUOTE) });

export function go(target) {
  location.hash = target;
}

/** Changes the address within a page, without a new entry in the history. A page that was left in the meantime changes
 * nothing: its answers may come late. */
export function become(target) {
  if (location.hash === target || parse().page !== parse(target).page) return;
  history.replaceState(null, "", target);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
