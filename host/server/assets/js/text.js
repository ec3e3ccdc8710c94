// Text as a person may see it: hidden characters as escapes, numbers, times and sizes in words.
// Pure: knows no document.

/** A table by words that come from outside: it has nothing but its own entries, not even `constructor`. */
export const dictionary = (entries = {}) => Object.assign(Object.create(null), entries);

// Control, bidirectional, zero-width, filler and tag characters, and halves of surrogate pairs. Newline and tab stay.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{d800}-\u{dfff}\u{e0000}-\u{e01ef}]/gu;

const escaped = (character) => `\\u{${character.codePointAt(0).toString(16)}}`;

/** The text with line ends made plain, as a string in which nothing is hidden. */
export function visible(value) {
  return plainLines(value).replace(HIDDEN, escaped);
}

/** The same in parts, so that escapes can be told from what was written: `[{text, hidden}]`. */
export function visibleParts(value) {
  const text = plainLines(value);
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false });
    parts.push({ text: escaped(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false });
  return parts;
}

/** The escapes of the hidden characters in a text, each once. */
export function hiddenIn(value) {
  return [...new Set((plainLines(value).match(HIDDEN) ?? []).map(escaped))];
}

const plainLines = (value) => String(value ?? "").replaceAll("\r\n", "\n");

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const number = (value) => whole.format(value ?? 0);
export const compact = (value) => (Math.abs(value ?? 0) < 10_000 ? whole : short).format(value ?? 0);
/** The shortest way to write a count. */
export const brief = (value) => ((value ?? 0) < 1_000 ? whole : short).format(value ?? 0);
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
export const percent = (share) => `${Math.round((share ?? 0) * 100)}%`;

export function dollars(value) {
  if (value === undefined || value === null) return "—";
  if (value > 0 && value < 0.01) return "< $0.01";
  return `$${value.toFixed(2)}`;
}

export function bytes(value) {
  if (value === undefined || value === null) return "—";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function duration(ms) {
  if (ms === undefined || ms === null || Number.isNaN(ms)) return "—";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const monthOnly = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const inADay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const timeOnly = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Milliseconds of a time given as a number or as text; undefined when it is neither. */
export function instant(value) {
  if (value === undefined || value === null || value === "") return undefined;
  const ms = typeof value === "number" ? value : Date.parse(value);
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? ms : undefined;
}

export const dateTime = (ms) => clock.format(ms);
export const dayAndTime = (ms) => inADay.format(ms);
export const timeOfDay = (ms) => timeOnly.format(ms);
export const day = (ms) => dayOnly.format(ms);
export const monthName = (ms) => monthOnly.format(ms);

/** How long ago, in the largest unit that fits; the date when it is long past. */
export function ago(ms, now = Date.now()) {
  const seconds = Math.round((now - ms) / 1_000);
  if (seconds < -45) return `in ${span(-seconds)}`;
  if (seconds < 45) return "just now";
  if (seconds < 30 * 86_400) return `${span(seconds)} ago`;
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayOnly : dayAndYear).format(ms);
}

/** Whether a time is only a day: `2026-01-31`. */
export const isDay = (value) => /^\d{4}-\d\d-\d\d$/.test(value);

/** The same of a day. */
export function daysAgo(value, now = Date.now()) {
  const count = Math.floor(now / 86_400_000) - Math.floor(Date.parse(value) / 86_400_000);
  return count === 0 ? "today" : count === 1 ? "yesterday" : ago(Date.parse(value), now);
}

function span(seconds) {
  if (seconds < 90) return "1 min";
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** A word of the API as a label: `no_op` is `no op`. */
export const words = (value) => visible(value).replaceAll(/[_-]/g, " ");

/** The last part of a path. */
export const baseName = (path) =>
  String(path ?? "")
    .replace(/[/\\]+$/, "")
    .split(/[/\\]/)
    .pop() || String(path ?? "");

const DONE = dictionary({ add: "added", update: "updated", no_op: "known already" });

/** What a run did to memory, in words. */
export function counts(all) {
  const parts = Object.entries(all ?? {})
    .filter(([, count]) => Number(count) > 0)
    .map(([name, count]) => `${number(Number(count))} ${DONE[name] ?? words(name)}`);
  return parts.length > 0 ? parts.join(", ") : "no change";
}

/** The text of a memory without the heading that repeats its title. */
export function withoutTitle({ title, body }) {
  const text = String(body ?? "").trim();
  const heading = `# ${String(title ?? "").trim()}`;
  return text === heading || text.startsWith(`${heading}\n`) ? text.slice(heading.length).trim() : text;
}

/** From this length on a quote may have been cut by whoever cited it. */
const LONG_QUOTE = 280;

/** A quote that ends with a whole word. */
export function wholeWords(quote) {
  const text = String(quote ?? "").trim();
  const isCut = text.length >= LONG_QUOTE && /[\p{L}\p{N}]$/u.test(text);
  return isCut ? `${text.replace(/\s+\S*$/, "")} …` : text;
}

const longDay = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const longDayAndYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const hourAndMinute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** A day as a heading: today, yesterday, or its date. */
export function dayName(ms, now = Date.now()) {
  const day = new Date(ms).toDateString();
  if (day === new Date(now).toDateString()) return "Today";
  if (day === new Date(now - 86_400_000).toDateString()) return "Yesterday";
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? longDay : longDayAndYear).format(ms);
}

export const clockTime = (ms) => hourAndMinute.format(ms);
