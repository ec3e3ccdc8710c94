// What happens while somebody looks on: one stream of events, kept up for as long as the page is open.
// Listeners get `event` from `state.js`; the status line says whether the stream is up.

import { emit, state } from "./state.js";
import { withParams } from "./api.js";

let source;
let retry;
let pause = 1_000;

export function start() {
  stop();
  source = new EventSource(withParams("/api/events", { project_root: state.project }));
  emit("live", { status: "connecting" });
  source.addEventListener("open", () => {
    pause = 1_000;
    emit("live", { status: "live" });
  });
  source.addEventListener("message", heard);
  source.addEventListener("error", () => {
    emit("live", { status: "lost" });
    // The browser tries again by itself unless the answer was no stream at all.
    if (source?.readyState === EventSource.CLOSED) {
      clearTimeout(retry);
      retry = setTimeout(start, pause);
      pause = Math.min(pause * 2, 30_000);
    }
  });
}

export function stop() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

function heard(message) {
  let event;
  try {
    event = JSON.parse(message.data);
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
