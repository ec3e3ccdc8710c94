// How a plugin is tested outside a sandbox: files of the machine, a sink and events that are lists,
// and the checks that every adapter has to pass.

import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

import { Failure } from './failure.js';

/**
 * @typedef {import('acreta:types/types@0.1.0').Event} Event
 * @typedef {import('acreta:types/types@0.1.0').Session} Session
 * @typedef {import('acreta:adapter/adapter@0.1.0').Cursor} Cursor
 * @typedef {import('./lines.js').ReadableFile} ReadableFile
 */

/** The cursor at the start of a session. @type {Cursor} */
export const START = { offset: 0n, state: new Uint8Array() };

/** Files of the machine, as a component sees its own. */
export class MachineFiles {
  /**
   * @param {string} path
   * @returns {ReadableFile & { close(): void }}
   */
  open(path) {
    /** @type {number} */
    let file;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      throw new Failure('io', `could not read the session file: ${error}`);
    }
    return {
      read(length, offset) {
        const bytes = new Uint8Array(Math.min(length, 64 * 1024));
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
      },
      size: () => fstatSync(file).size,
      close: () => closeSync(file),
    };
  }
}

/** A file that is only in memory. */
export class MemoryFile {
  /** @param {string | Uint8Array} content */
  constructor(content) {
    this.bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }

  /**
   * @param {number} length
   * @param {number} offset
   */
  read(length, offset) {
    return this.bytes.subarray(offset, offset + length);
  }

  size() {
    return this.bytes.length;
  }

  close() {}
}

/** A sink that keeps everything. */
export class Told {
  constructor() {
    /** @type {Event[]} */
    this.events = [];
    /** @type {{ record: string, start: bigint, end: bigint, message: string }[]} */
    this.diagnostics = [];
    this.emit = (/** @type {Event[]} */ batch) => void this.events.push(...batch);
    this.diagnose = (
      /** @type {string} */ record,
      /** @type {bigint} */ start,
      /** @type {bigint} */ end,
      /** @type {string} */ message,
    ) => void this.diagnostics.push({ record, start, end, message });
  }
}

/**
 * @typedef {object} Adapter
 * @property {() => import('acreta:adapter/adapter@0.1.0').Description} describe
 * @property {(path: string, files: any) => Session[]} sessions
 * @property {(session: Session, from: Cursor, files: any, sink: any) => Cursor} read
 */

/**
 * What holds for every adapter on a file of its agent: ids are unique and stable, roles and kinds
 * are the known ones, origins lie in the file, and reading in steps tells what reading at once tells.
 * @param {Adapter} adapter
 * @param {string} path
 */
export function conforms(adapter, path) {
  const bytes = readFileSync(path);
  const { agent } = adapter.describe();
  const whole = read(adapter, path, bytes, START);
  assert.ok(whole.session, `${path} holds no session`);
  assert.equal(whole.session.agent, agent);
  const ids = new Set();
  for (const event of whole.told.events) {
    assert.ok(!ids.has(event.id), `id ${event.id} twice`);
    ids.add(event.id);
    assert.ok(ROLES.includes(event.role) && KINDS.includes(event.kind), `${event.role}/${event.kind}`);
    const { start, end } = event.origin;
    assert.ok(start <= end && end <= BigInt(bytes.length), `${event.id} lies outside the file`);
  }
  assert.deepEqual(read(adapter, path, bytes, START), whole);
  const again = read(adapter, path, bytes, /** @type {Cursor} */ (whole.cursor));
  assert.deepEqual(again.told.events, [], 'told twice');
  for (let cut = 0; cut < bytes.length; cut += Math.max(1, Math.floor(bytes.length / 60))) {
    const half = read(adapter, path, bytes.subarray(0, cut), START);
    if (!half.session || !half.cursor) continue;
    const rest = read(adapter, path, bytes, half.cursor);
    const steps = [...half.told.events, ...rest.told.events];
    assert.deepEqual(steps, whole.told.events, `cut at ${cut}`);
  }
}

/**
 * One look and one read of a file that has this content.
 * @param {Adapter} adapter
 * @param {string} path
 * @param {Uint8Array} bytes
 * @param {Cursor} from
 */
function read(adapter, path, bytes, from) {
  const files = { open: () => new MemoryFile(bytes) };
  const told = new Told();
  const [session] = adapter.sessions(path, files);
  const cursor = session && adapter.read(session, from, files, told);
  return { session, told: { events: told.events, diagnostics: told.diagnostics }, cursor };
}

const ROLES = ['user', 'assistant', 'tool', 'system'];
const KINDS = ['text', 'thinking', 'tool-call', 'tool-result', 'injected', 'compaction', 'note'];

/**
 * An event with nothing but what is given.
 * @param {string} id
 * @param {string} role
 * @param {string} kind
 * @param {string} text
 * @returns {Event}
 */
export function event(id, role, kind, text) {
  return { id, origin: { record: id, start: 0n, end: 0n }, role, kind, atMs: undefined, text, attrs: [] };
}

/** A session of which nothing is known but its id. @type {Session} */
export const SESSION = {
  id: 'session',
  agent: 'agent',
  path: '/session.jsonl',
  projectDir: undefined,
  parent: undefined,
  startedMs: undefined,
  updatedMs: undefined,
  revision: '1',
  attrs: [],
};

/** Events from a list, as the host's reader gives them. */
export class EventList {
  /** @param {Event[]} events */
  constructor(events) {
    this.events = events;
    this.at = 0;
  }

  count() {
    return BigInt(this.events.length);
  }

  /** One at a time, so that nothing relies on the size of a page. */
  next() {
    const page = this.events.slice(this.at, this.at + 1);
    this.at += page.length;
    return page;
  }

  /** @param {string} id */
  read(id) {
    return this.events.find((event) => event.id === id);
  }

  /**
   * @param {string} text
   * @param {number} limit
   */
  find(text, limit) {
    const wanted = text.toLowerCase();
    return this.events.filter((event) => event.text.toLowerCase().includes(wanted)).slice(0, limit);
  }

  rewind() {
    this.at = 0;
  }
}
