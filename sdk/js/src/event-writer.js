// From what a record says to events: who speaks, what belongs together, and ids that are the same
// on every read.
//
// What acreta itself put into a conversation is marked wherever it turns up, so that nothing is
// learnt from its own echo.

/** Longest text of one event, in bytes. */
const TEXT_LIMIT = 256 * 1024;

/** A batch is handed over once it has this much text or this many events. */
const BATCH_BYTES = 64 * 1024;
const BATCH_EVENTS = 256;

/** Most diagnostics told one by one, and most calls that wait for their result. */
const DIAGNOSTICS = 100;
const CALLS = 256;

const encoder = new TextEncoder();
const piece = new Uint8Array(TEXT_LIMIT);

/**
 * @typedef {import('acreta:types/types@0.1.0').Event} Event
 * @typedef {[string, string][]} Attrs
 * @typedef {object} Sink
 * @property {(batch: Event[]) => void} emit
 * @property {(record: string, start: bigint, end: bigint, message: string) => void} diagnose
 */

/** Where a record stands in its file, and how many events were told of it. */
export class RecordSpan {
  /**
   * @param {number} start
   * @param {number} end
   * @param {{ record?: string, atMs?: bigint }} [options]
   */
  constructor(start, end, { record = '', atMs = undefined } = {}) {
    this.start = start;
    this.end = end;
    this.record = record;
    this.atMs = atMs;
    this.events = 0;
  }

  /** The id of the next event: the record's place, which never changes in an append-only file. */
  eventId() {
    const id = `@${this.start}`;
    return this.events === 0 ? id : `${id}#${this.events}`;
  }
}

/** Tells events to a sink, in the order of the conversation. */
export class EventWriter {
  /**
   * @param {Sink} sink
   * @param {[string, string][]} [calls] tool calls that wait for their result: id and tool
   */
  constructor(sink, calls = []) {
    this.sink = sink;
    this.calls = calls;
    /** @type {Event[]} */
    this.batch = [];
    this.bytes = 0;
    this.diagnosed = 0;
    /** @type {Set<string>} */
    this.unknownNames = new Set();
  }

  /**
   * A text that stands where a person speaks.
   * @param {RecordSpan} place
   * @param {string} text
   */
  person(place, text) {
    const { own, inserts } = withoutBrief(text);
    if (own.trim() !== '') this.emit(place, 'user', 'text', own.trim());
    for (const insert of inserts) this.injected(place, 'user', 'acreta', insert);
  }

  /**
   * Text that the tooling put in under the name of `role`.
   * @param {RecordSpan} place
   * @param {string} role
   * @param {string} by
   * @param {string} text
   */
  injected(place, role, by, text) {
    const author = text.includes(BRIEF) ? 'acreta' : by;
    if (text.trim() !== '') this.emit(place, role, 'injected', text, [['injected_by', author]]);
  }

  /**
   * What the agent said (`text`) or thought (`thinking`). Blank texts are left out.
   * @param {RecordSpan} place
   * @param {string} kind
   * @param {string} text
   * @param {Attrs} [attrs]
   */
  assistant(place, kind, text, attrs = []) {
    if (text.trim() !== '') this.emit(place, 'assistant', kind, text, attrs);
  }

  /**
   * A call of a tool. The call then waits for its result.
   * @param {RecordSpan} place
   * @param {string} tool
   * @param {string} call
   * @param {unknown} input
   */
  toolCall(place, tool, call, input) {
    this.calls.push([call, tool]);
    if (this.calls.length > CALLS) this.calls.shift();
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? '');
    this.emit(place, 'assistant', 'tool-call', text, [['tool', tool], ['call_id', call]]);
  }

  /**
   * The result of a call. What acreta's own tools answered is marked as its echo.
   * @param {RecordSpan} place
   * @param {string} call
   * @param {string} text
   * @param {{ isError?: boolean }} [options]
   */
  toolResult(place, call, text, { isError = false } = {}) {
    const at = this.calls.findLastIndex(([id]) => id === call);
    const tool = at < 0 ? undefined : this.calls.splice(at, 1)[0][1];
    /** @type {Attrs} */
    const attrs = tool === undefined ? [] : [['tool', tool]];
    attrs.push(['call_id', call]);
    if (isError) attrs.push(['is_error', 'true']);
    const isOwn = text.includes(BRIEF) || (tool !== undefined && OWN_TOOL.test(tool));
    if (isOwn) attrs.push(['injected_by', 'acreta']);
    this.emit(place, 'tool', isOwn ? 'injected' : 'tool-result', text, attrs);
  }

  /**
   * Tells one event of the record at `place`.
   * @param {RecordSpan} place
   * @param {string} role
   * @param {string} kind
   * @param {string} text
   * @param {Attrs} [attrs]
   */
  emit(place, role, kind, text, attrs = []) {
    const [shown, truncated] = cut(text);
    this.batch.push({
      id: place.eventId(),
      origin: { record: place.record, start: BigInt(place.start), end: BigInt(place.end) },
      role,
      kind,
      atMs: place.atMs,
      text: shown,
      attrs: truncated === 0 ? attrs : [...attrs, ['truncated_bytes', String(truncated)]],
    });
    place.events += 1;
    this.bytes += shown.length;
    if (this.bytes >= BATCH_BYTES || this.batch.length >= BATCH_EVENTS) this.flush();
  }

  /**
   * Reports what could not be read.
   * @param {RecordSpan} place
   * @param {string} message
   */
  diagnose(place, message) {
    this.diagnosed += 1;
    if (this.diagnosed > DIAGNOSTICS) return;
    this.sink.diagnose(place.record, BigInt(place.start), BigInt(place.end), message);
  }

  /**
   * Says once that there are records of a type nobody told this adapter about.
   * @param {RecordSpan} place
   * @param {string} name
   */
  unknown(place, name) {
    if (this.unknownNames.has(name) || this.unknownNames.size >= 64) return;
    this.unknownNames.add(name);
    this.diagnose(place, `records of the unknown type \`${name.slice(0, 100)}\``);
  }

  /** Hands over what is left, and says how much went untold. */
  finish() {
    this.flush();
    const untold = this.diagnosed - DIAGNOSTICS;
    if (untold > 0) this.sink.diagnose('', 0n, 0n, `and ${untold} more`);
  }

  flush() {
    if (this.batch.length === 0) return;
    const batch = this.batch;
    this.batch = [];
    this.bytes = 0;
    this.sink.emit(batch);
  }
}

/** How acreta marks what it puts in front of an agent, and how its tools are called. */
const BRIEF = '<acreta-brief';
const BRIEF_END = '</acreta-brief>';
const OWN_TOOL = /^(mcp__|mcp_|@)?acreta[-_./:]/;

/** @param {string} text */
function withoutBrief(text) {
  let own = '';
  let rest = text;
  const inserts = [];
  for (let at = rest.indexOf(BRIEF); at >= 0; at = rest.indexOf(BRIEF)) {
    const closing = rest.indexOf(BRIEF_END, at);
    const end = closing < 0 ? rest.length : closing + BRIEF_END.length;
    own += rest.slice(0, at);
    inserts.push(rest.slice(at, end));
    rest = rest.slice(end);
  }
  return { own: own + rest, inserts };
}

/**
 * At most [`TEXT_LIMIT`] bytes of a text, and how many were left out. A long text is counted in pieces: memory is small.
 * @param {string} text
 * @returns {[string, number]}
 */
function cut(text) {
  if (text.length * 3 <= TEXT_LIMIT) return [text, 0];
  const { read } = encoder.encodeInto(text, piece);
  let more = 0;
  for (let at = read; at < text.length; ) {
    const next = encoder.encodeInto(text.slice(at), piece);
    more += next.written;
    at += next.read;
  }
  return [more === 0 ? text : text.slice(0, read), more];
}
