// Objects in a line, also where the line is not what it should be.
//
// Several objects on one line are all found, and damage costs only itself.

const decoder = new TextDecoder('utf-8');

/**
 * @typedef {object} Found
 * @property {Record<string, any>} [record] an object
 * @property {string} [damage] why there is none
 * @property {number} start place in the bytes
 * @property {number} end
 */

/**
 * The objects in a line of JSON, with what stands between them.
 * @param {Uint8Array} bytes
 * @returns {Found[]}
 */
export function objects(bytes) {
  const whole = parsed(bytes);
  if (whole) return [{ record: whole, start: 0, end: bytes.length }];
  /** @type {Found[]} */
  const found = [];
  let at = 0;
  let damagedFrom = -1;
  const close = (/** @type {number} */ end) => {
    if (damagedFrom >= 0) {
      found.push({ damage: 'not a JSON object', start: damagedFrom, end });
      damagedFrom = -1;
    }
  };
  while (at < bytes.length) {
    if (isSpace(bytes[at])) {
      at += 1;
      continue;
    }
    const end = bytes[at] === 0x7b ? objectEnd(bytes, at) : -1;
    const record = end < 0 ? undefined : parsed(bytes.subarray(at, end));
    // Behind damage only what names its type is a record: anything else may be a part of one.
    if (record && (damagedFrom < 0 || 'type' in record)) {
      close(at);
      found.push({ record, start: at, end });
      at = end;
      continue;
    }
    if (damagedFrom < 0) damagedFrom = at;
    const next = bytes.indexOf(0x7b, at + 1);
    at = next < 0 ? bytes.length : next;
  }
  close(bytes.length);
  return found;
}

/**
 * A time in any of the ways agents write it, in milliseconds since 1970; undefined when it is none.
 * @param {unknown} value a text, or a number of seconds or of milliseconds
 * @returns {bigint | undefined}
 */
export function instant(value) {
  let milliseconds = Number.NaN;
  if (typeof value === 'number') milliseconds = value <= 1e11 ? value * 1000 : value;
  else if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value)) {
    const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`;
    milliseconds = Date.parse(zoned.replace(' ', 'T'));
  }
  return milliseconds > 0 && Number.isFinite(milliseconds) ? BigInt(Math.trunc(milliseconds)) : undefined;
}

/**
 * FNV-1a, 64 bits: stable for ever.
 * @param {Uint8Array} bytes
 * @returns {string} in hexadecimal
 */
export function hash(bytes) {
  // In two halves of 32 bits: an engine without a compiler takes long over big integers.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 0x100000000) + ((low << 8) >>> 0)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  try {
    const value = JSON.parse(decoder.decode(bytes));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where the object that starts here ends; -1 when it does not.
 * @param {Uint8Array} bytes
 * @param {number} start
 */
function objectEnd(bytes, start) {
  let depth = 0;
  let inString = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** @param {number} byte */
function isSpace(byte) {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0;
}
