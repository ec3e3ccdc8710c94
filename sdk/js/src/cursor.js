// Cursors of append-only files: the offset at which a read stopped.
//
// A cursor carries a hash of the bytes before it. If the file was rewritten, the hash rarely matches,
// and the cursor is refused.

import { Failure } from './failure.js';
import { hash } from './json.js';

/**
 * @typedef {import('./lines.js').ReadableFile} ReadableFile
 * @typedef {import('acreta:adapter/adapter@0.1.0').Cursor} Cursor
 */

/** How many bytes before the cursor are hashed. */
const HASHED_BYTES = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8');

/**
 * The cursor's state if it still fits the file, or `initial` at the start.
 * @template State
 * @param {ReadableFile} file
 * @param {Cursor} from
 * @param {State} initial
 * @returns {State}
 */
export function resume(file, from, initial) {
  const offset = Number(from.offset);
  if (offset === 0) return initial;
  if (offset > file.size()) {
    throw new Failure('invalid-cursor', 'the session file is shorter than it was');
  }
  let kept;
  try {
    kept = JSON.parse(decoder.decode(from.state));
  } catch {
    // Told below.
  }
  if (typeof kept?.hash !== 'string') {
    throw new Failure('invalid-cursor', 'the cursor was not made by this adapter');
  }
  if (kept.hash !== hashBefore(file, offset)) {
    throw new Failure('invalid-cursor', 'the session file was rewritten');
  }
  return kept.state;
}

/**
 * The cursor at `offset` of the file, with what the next read needs to know: of a kind that JSON has.
 * @param {ReadableFile} file
 * @param {number} offset
 * @param {unknown} state
 * @returns {Cursor}
 */
export function stop(file, offset, state) {
  const kept = { hash: hashBefore(file, offset), state };
  return { offset: BigInt(offset), state: encoder.encode(JSON.stringify(kept)) };
}

/**
 * Hash of the last bytes before `offset`.
 * @param {ReadableFile} file
 * @param {number} offset
 */
function hashBefore(file, offset) {
  const length = Math.min(offset, HASHED_BYTES);
  return hash(length === 0 ? new Uint8Array() : file.read(length, offset - length));
}
