// Reads the sessions of example-plugin: one JSON object per line. The first says whose file it is,
// the others what was said and done.

import { instant, overview, readJournal } from './vendor/acreta-sdk/adapter.js';

/**
 * @typedef {import('acreta:adapter/adapter@0.1.0').Cursor} Cursor
 * @typedef {import('acreta:types/types@0.1.0').Session} Session
 * @typedef {import('./vendor/acreta-sdk/adapter.js').Sink} Sink
 * @typedef {{ open(path: string): import('./vendor/acreta-sdk/lines.js').ReadableFile & { close(): void } }} Files
 */

/** Name of the agent whose sessions are read. */
export const AGENT = 'example-plugin';

/** What the agent calls the fields that say something of the whole session. */
const FIELDS = { id: 'session', time: 'time', directory: 'cwd' };

/**
 * The same directories, patterns and reasons as in `plugin.toml`.
 * @returns {import('acreta:adapter/adapter@0.1.0').Description}
 */
export function describe() {
  const reason =
    'example-plugin keeps its conversations here; they are read to learn from finished work and never changed.';
  const root = { name: 'sessions', candidates: ['~/.example-plugin/sessions'], patterns: ['**/*.jsonl'], reason };
  return { agent: AGENT, roots: [root], attrs: [] };
}

/**
 * The sessions in one file; none when the file is not this agent's.
 * @param {string} path
 * @param {Files} files
 * @returns {Session[]}
 */
export function sessions(path, files) {
  const file = files.open(path);
  try {
    const session = overview(file, { agent: AGENT, path, fields: FIELDS }, (record) => {
      if (record.type === 'session' && record.agent === AGENT) return 'own';
      return record.type === 'user' || record.type === 'assistant' ? 'said' : undefined;
    });
    return session ? [session] : [];
  } finally {
    file.close();
  }
}

/**
 * Tells the session's events from `from` on and returns where it stopped.
 * @param {Session} session
 * @param {Cursor} from
 * @param {Files} files
 * @param {Sink} sink
 * @returns {Cursor}
 */
export function read(session, from, files, sink) {
  const file = files.open(session.path);
  try {
    return readJournal(file, from, sink, {}, (told, _state, record, place) => {
      place.atMs = instant(record.time);
      const text = String(record.text ?? '');
      const call = String(record.call ?? '');
      switch (record.type) {
        case 'session':
          break;
        case 'user':
          told.person(place, text);
          break;
        case 'assistant':
          told.assistant(place, 'text', text, [['model', String(record.model ?? '')]]);
          break;
        case 'tool_call':
          told.toolCall(place, String(record.tool ?? ''), call, record.input);
          break;
        case 'tool_result':
          told.toolResult(place, call, text, { isError: record.failed === true });
          break;
        default:
          told.unknown(place, String(record.type));
      }
    });
  } finally {
    file.close();
  }
}
