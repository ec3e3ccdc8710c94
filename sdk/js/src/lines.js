// Lines of a growing text file, one at a time, each with its place in the file.
//
// Memory stays bounded by the longest line allowed: a longer one is skipped and reported with its
// span.

/** Longest line that is kept, in bytes. */
export const LINE_LIMIT = 16 * 1024 * 1024;

const CHUNK = 64 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * A file that can be read at any place.
 * @typedef {object} ReadableFile
 * @property {(length: number, offset: number) => Uint8Array} read empty at the end of the file
 * @property {() => number} size
 */

/**
 * @typedef {object} Line
 * @property {Uint8Array} bytes without the line break; empty when the line is oversized
 * @property {number} start offset of the first byte, behind a byte order mark
 * @property {number} end offset behind the last byte, before the line break
 * @property {number} next offset behind the line break: where the next line starts
 * @property {boolean} terminated false only for a last line that has no line break yet
 * @property {boolean} oversized true when the line is longer than the limit and was skipped
 */

/**
 * The lines of a file from an offset on.
 * @param {ReadableFile} file
 * @param {number} [from]
 * @param {{ limit?: number, until?: number }} [options] `until` stops reading there, as if the file ended
 * @returns {Generator<Line, void, void>}
 */
export function* lines(file, from = 0, { limit = LINE_LIMIT, until = Infinity } = {}) {
  /** @type {Uint8Array[]} */
  let parts = [];
  let length = 0;
  let start = from;
  let offset = from;
  for (;;) {
    const chunk = file.read(Math.min(CHUNK, until - offset), offset);
    if (chunk.length === 0) break;
    let taken = 0;
    for (;;) {
      const found = chunk.indexOf(LINE_FEED, taken);
      const end = found < 0 ? chunk.length : found;
      length += end - taken;
      // Of a line that is too long nothing is kept but its length.
      if (length > limit) parts = [];
      else if (end > taken) parts.push(chunk.slice(taken, end));
      if (found < 0) break;
      yield line(parts, start, length, true, limit);
      start += length + 1;
      parts = [];
      length = 0;
      taken = found + 1;
    }
    offset += chunk.length;
  }
  if (length > 0) yield line(parts, start, length, false, limit);
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} start
 * @param {number} length
 * @param {boolean} terminated
 * @param {number} limit
 * @returns {Line}
 */
function line(parts, start, length, terminated, limit) {
  const next = start + length + (terminated ? 1 : 0);
  let end = start + length;
  if (length > limit) {
    return { bytes: new Uint8Array(), start, end, next, terminated, oversized: true };
  }
  let bytes = joined(parts);
  if (terminated && bytes[bytes.length - 1] === CARRIAGE_RETURN) {
    bytes = bytes.subarray(0, -1);
    end -= 1;
  }
  if (start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    bytes = bytes.subarray(3);
    start = 3;
  }
  return { bytes, start, end, next, terminated, oversized: false };
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
