// What happens while somebody looks on: one stream of events, kept up for as long as the page is open.
// Listeners get `event` from `state.js`; the status line says whether the stream is up. The stream is read with
// `fetch`, because an `EventSource` cannot send the token.

import { emit, state } from "./state.js";
import { ask, withParams } from "./api.js";

let current;
let retry;
let pause = 1_000;
let lastId;

export function start() {
  stop();
  const mine = (current = new AbortController());
  emit("live", { status: "connecting" });
  listen(mine.signal)
    .catch(() => {})
    .then(() => {
      if (mine !== current) return;
      emit("live", { status: "lost" });
      retry = setTimeout(start, pause);
      pause = Math.min(pause * 2, 30_000);
    });
}

export function stop() {
  clearTimeout(retry);
  current?.abort();
  current = undefined;
}

/** Reads the stream to its end. It is cut off now and then; the id of the last event says where to go on. */
async function listen(signal) {
  const headers = { accept: "text/event-stream", ...(lastId ? { "last-event-id": lastId } : {}) };
  const response = await ask(withParams("/api/events", { project_root: state.isAll ? undefined : state.project }), {
    signal,
    headers,
  });
  if (!response.ok) {
    // An id of a server that ended means nothing to the next one.
    lastId = undefined;
    return;
  }
  pause = 1_000;
  emit("live", { status: "live" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    messages.forEach(heard);
  }
}

/** One message: lines of `name: value`, or of `:` for a sign of life. */
function heard(message) {
  const values = (name) =>
    message
      .split("\n")
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ""));
  lastId = values("id").at(-1) ?? lastId;
  const data = values("data").join("\n");
  if (!data) return;
  let event;
  try {
    event = JSON.parse(data);
  } catch {
    return;
  }
  if (event && typeof event === "object") emit("event", event);
}

/** Whether memory may be another after an event. */
export const changesMemory = (event) =>
  /memory|run|sync|maintain/.test(`${event.kind} ${event.name}`) &&
  /finish|complet|commit|written|changed|ended/.test(`${event.name} ${event.fields?.state ?? ""}`);

/** Calls back a while after events that `matches`, once for many. Returns how to stop. */
export function onEvents(on, matches, run, wait = 800) {
  let timer;
  const off = on("event", (event) => {
    if (!matches(event) || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      run(event);
    }, wait);
  });
  return () => {
    clearTimeout(timer);
    off();
  };
}
