// Lines of a run's log: logfmt, by whichever names it gives to time and message. Pure; a line that is none of that
// has no fields.

import { dictionary, instant } from "./text.js";

/** A line of the log, taken apart. */
export function logLine(line) {
  const { time: when, ts, at, level, msg, message = msg, ...others } = logfmt(line);
  return { at: instant(when ?? ts ?? at), level, message, step: others.step, ms: others.ms, others };
}

/** The fields of a line of logfmt. */
function logfmt(line) {
  const fields = dictionary();
  for (const [, key, quoted, bare] of String(line).matchAll(/([\w.-]{1,64})=(?:("(?:[^"\\]|\\.)*")|(\S*))/g)) {
    let value = bare;
    if (quoted !== undefined) {
      try {
        value = JSON.parse(quoted);
      } catch {
        value = quoted;
      }
    }
    if (!(key in fields)) fields[key] = value;
  }
  return fields;
}
