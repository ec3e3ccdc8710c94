// What adapters of agents that write one JSON object per line have in common: a first look at a
// file, and reading on from a cursor to its end.
//
// Damage costs itself and a diagnostic, what is unfinished is left for the next read, and reading in
// steps tells what reading at once tells.

import { resume, stop } from './cursor.js';
import { Failure } from './failure.js';
import { hash, instant, objects } from './json.js';
import { lines } from './lines.js';
import { RecordSpan, EventWriter } from './event-writer.js';
import { revision } from './revision.js';

export { Failure, RecordSpan, EventWriter, hash, instant, lines, objects, resume, revision, stop };

/**
 * @typedef {import('./lines.js').ReadableFile} ReadableFile
 * @typedef {import('./event-writer.js').Sink} Sink
 * @typedef {import('acreta:types/types@0.1.0').Session} Session
 * @typedef {import('acreta:adapter/adapter@0.1.0').Cursor} Cursor
 */

/** How much of the beginning and of the end is looked at. */
const HEAD = 1024 * 1024;
const TAIL = 64 * 1024;

/** After this many records without a sign of the agent the file is someone else's. */
const STRANGERS = 20;

/**
 * What an agent calls the fields that say something of the whole session.
 * @typedef {object} Fields
 * @property {string} [id] the session's own id; without one it is called like its file
 * @property {string} [time]
 * @property {string} [directory] a path or a `file://` address
 */

/**
 * A first look at a session file. `sign` says of a record whether it is surely this agent's (`own`),
 * a part of the conversation (`said`), or neither.
 * @param {ReadableFile} file
 * @param {{ agent: string, path: string, fields: Fields }} what
 * @param {(record: Record<string, any>) => 'own' | 'said' | undefined} sign
 * @returns {Session | undefined} undefined when the file is not this agent's
 */
export function overview(file, { agent, path, fields }, sign) {
  const size = file.size();
  const seen = { isOwn: false, hasSaid: false, records: 0 };
  /** @type {{ id?: string, directory?: string, startedMs?: bigint, updatedMs?: bigint }} */
  const known = {};
  const see = (/** @type {Record<string, any>} */ record) => {
    seen.records += 1;
    const said = sign(record);
    seen.isOwn ||= said === 'own';
    seen.hasSaid ||= said === 'said';
    known.id ??= text(record[fields.id ?? '']);
    known.directory ??= directory(text(record[fields.directory ?? '']));
    const time = instant(record[fields.time ?? '']);
    known.startedMs ??= time;
    known.updatedMs = time ?? known.updatedMs;
    return seen.isOwn || seen.records < STRANGERS;
  };
  eachRecord(file, 0, Math.min(size, HEAD), see);
  if (!seen.isOwn) return undefined;
  if (size > HEAD) {
    known.updatedMs = undefined;
    const from = Math.max(HEAD, size - TAIL);
    // Most likely not the whole of a line.
    const first = lines(file, from).next().value;
    eachRecord(file, first?.next ?? size, size, see);
  }
  const stem = (path.split('/').pop() ?? path).replace(/(.)\.[^.]*$/, '$1');
  return {
    id: known.id ?? stem,
    agent,
    path,
    projectDir: known.directory,
    parent: undefined,
    startedMs: known.startedMs,
    updatedMs: known.updatedMs,
    revision: revision(file),
    attrs: size <= HEAD && !seen.hasSaid ? [['empty', 'true']] : [],
  };
}

/**
 * Hands every record behind `from` to `tell`, with its place, and returns where the file ended.
 * `state` is what records need to know of earlier ones: small, and of a kind that JSON has.
 * @template State
 * @param {ReadableFile} file
 * @param {Cursor} from
 * @param {Sink} sink
 * @param {State} initial
 * @param {(told: EventWriter, state: State, record: Record<string, any>, place: RecordSpan) => void} tell
 * @returns {Cursor}
 */
export function readJournal(file, from, sink, initial, tell) {
  const offset = Number(from.offset);
  const kept = resume(file, from, { calls: /** @type {[string, string][]} */ ([]), state: initial });
  const told = new EventWriter(sink, kept.calls);
  let end = offset;
  for (const line of lines(file, offset)) {
    const found = line.oversized ? [] : objects(line.bytes);
    if (!line.terminated && (line.oversized || found.some((one) => one.damage))) {
      const message = 'unfinished at the end of the file, left for the next read';
      told.diagnose(new RecordSpan(line.start, line.end), message);
      break;
    }
    if (line.oversized) told.diagnose(new RecordSpan(line.start, line.end), 'the line is too long');
    for (const one of found) {
      const place = new RecordSpan(line.start + one.start, line.start + one.end);
      if (one.record) tell(told, kept.state, one.record, place);
      else told.diagnose(place, one.damage ?? '');
    }
    end = line.next;
  }
  told.finish();
  return stop(file, end, { calls: told.calls, state: kept.state });
}

/**
 * @param {ReadableFile} file
 * @param {number} from
 * @param {number} until
 * @param {(record: Record<string, any>) => boolean} visit false when it has seen enough
 */
function eachRecord(file, from, until, visit) {
  for (const line of lines(file, from, { until })) {
    for (const { record } of objects(line.bytes)) {
      if (record && !visit(record)) return;
    }
  }
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @param {string | undefined} recorded */
function directory(recorded) {
  if (!recorded?.startsWith('file://')) return recorded;
  try {
    const path = decodeURIComponent(recorded.slice('file://'.length));
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return recorded;
  }
}
