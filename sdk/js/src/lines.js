// Lines of a growing text file, one at a time, each with its place in the file.
//
// Memory stays bounded by the longest line allowed: a longer one is skipped and reported with its
// span.

/** Longest line that is kept, in bytes: an adapter has 128 MiB, and its engine several copies of a line. */
export const LINE_LIMIT = 4 * 1024 * 1024;

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
 * @property {Uint8Array} bytes without the line break, until the next line is read; empty when the line is oversized
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
  /**
   * The line so far, if it began in an earlier chunk.
   * @type {Uint8Array}
   */
  let buffer = new Uint8Array(2 * CHUNK);
  let length = 0;
  let start = from;
  let offset = from;
  for (;;) {
    const chunk = file.read(Math.min(CHUNK, until - offset), offset);
    if (chunk.length === 0) break;
    let taken = 0;
    for (;;) {
      const found = chunk.indexOf(LINE_FEED, taken);
      const part = chunk.subarray(taken, found < 0 ? chunk.length : found);
      const isWhole = length === 0 && found >= 0;
      // Of a line that is too long nothing is kept but its length.
      if (!isWhole && length + part.length <= limit) {
        buffer = holding(buffer, length, part.length);
        buffer.set(part, length);
      }
      length += part.length;
      if (found < 0) break;
      yield line(isWhole ? part : buffer, start, length, true, limit);
      start += length + 1;
      length = 0;
      taken = found + 1;
    }
    offset += chunk.length;
  }
  if (length > 0) yield line(buffer, start, length, false, limit);
}

/**
 * A buffer with room behind the first bytes, which it keeps.
 * @param {Uint8Array} buffer
 * @param {number} kept
 * @param {number} room
 */
function holding(buffer, kept, room) {
  if (kept + room <= buffer.length) return buffer;
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer.subarray(0, kept));
  return larger;
}

/**
 * @param {Uint8Array} buffer begins with the line
 * @param {number} start
 * @param {number} length
 * @param {boolean} terminated
 * @param {number} limit
 * @returns {Line}
 */
function line(buffer, start, length, terminated, limit) {
  const next = start + length + (terminated ? 1 : 0);
  let end = start + length;
  if (length > limit) {
    return { bytes: new Uint8Array(), start, end, next, terminated, oversized: true };
  }
  let bytes = buffer.subarray(0, length);
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
