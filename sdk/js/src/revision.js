// The revision of a session that is a whole file: its size and a hash of its content.
//
// The SDKs of all languages give a file the same one. A changed session is read whole anyway, so this
// costs little.

import { hash } from './json.js';

/** Files up to this size are hashed whole; of larger ones, this many evenly spaced blocks are. */
const WHOLE = 256 * 1024 * 1024;
const BLOCKS = 4096;
const BLOCK = 16 * 1024;

const PIECE = 64 * 1024;

/**
 * @param {import('./lines.js').ReadableFile} file
 * @returns {string}
 */
export function revision(file) {
  const size = file.size();
  const words = new WordHasher();
  if (size <= WHOLE) words.read(file, 0, size);
  else {
    const step = Math.floor((size - BLOCK) / (BLOCKS - 1));
    for (let number = 0; number < BLOCKS; number += 1) words.read(file, step * number, BLOCK);
  }
  return `${size}:${words.end()}`;
}

/** FNV-1a over words of eight bytes, in two halves of 32 bits: big integers take long. */
class WordHasher {
  constructor() {
    this.high = 0xcbf29ce4 | 0;
    this.low = 0x84222325 | 0;
    /** Bytes that wait for the rest of their word, with room for a piece. */
    this.bytes = new Uint8Array(PIECE + 8);
    this.filled = 0;
  }

  /**
   * @param {import('./lines.js').ReadableFile} file
   * @param {number} from
   * @param {number} length
   */
  read(file, from, length) {
    for (let at = from; at < from + length; ) {
      const piece = file.read(Math.min(PIECE, from + length - at), at);
      if (piece.length === 0) return;
      this.#add(piece);
      at += piece.length;
    }
  }

  /** @param {Uint8Array} piece */
  #add(piece) {
    this.bytes.set(piece, this.filled);
    this.filled += piece.length;
    const words = new Uint32Array(this.bytes.buffer, 0, (this.filled >>> 3) * 2);
    let { high, low } = this;
    for (let at = 0; at < words.length; at += 2) {
      low = (low ^ words[at]) >>> 0;
      high ^= words[at + 1];
      // The prime is 2^40 + 0x1b3.
      const product = low * 0x1b3;
      high = (high * 0x1b3 + Math.floor(product / 0x100000000) + (low << 8)) | 0;
      low = product | 0;
      // Multiplication carries changes only upwards.
      low ^= (low >>> 29) | (high << 3);
      high ^= high >>> 29;
    }
    this.high = high;
    this.low = low;
    this.bytes.copyWithin(0, words.byteLength, this.filled);
    this.filled -= words.byteLength;
  }

  /** The hash in hexadecimal. */
  end() {
    const words = (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0);
    const rest = BigInt(`0x${hash(this.bytes.subarray(0, this.filled))}`);
    const value = BigInt.asUintN(64, (words ^ rest) * 0x100000001b3n);
    return value.toString(16).padStart(16, '0');
  }
}
