// Lines and their places, whatever the steps in which a file is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lines } from '../src/lines.js';

const encoder = new TextEncoder();

/** A file that gives at most `step` bytes at a time, as a sandboxed one may. */
const trickle = (bytes, step) => ({
  read: (length, offset) => bytes.subarray(offset, offset + Math.min(length, step)),
  size: () => bytes.length,
});

const seen = (bytes, step, from, limit = 100) =>
  Array.from(lines(trickle(bytes, step), from, { limit }), (line) => [
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(line.bytes),
    line.start,
    line.end,
    line.next,
    line.terminated,
    line.oversized,
  ]);

test('lines and their places', () => {
  const table = [
    ['', []],
    ['\n', [['', 0, 0, 1, true, false]]],
    ['ab', [['ab', 0, 2, 2, false, false]]],
    ['ab\ncd', [['ab', 0, 2, 3, true, false], ['cd', 3, 5, 5, false, false]]],
    [
      'ab\r\n\r\ncd\r',
      [['ab', 0, 2, 4, true, false], ['', 4, 4, 6, true, false], ['cd\r', 6, 9, 9, false, false]],
    ],
    ['\ufeffab\n\ufeff\n', [['ab', 3, 5, 6, true, false], ['\ufeff', 6, 9, 10, true, false]]],
  ];
  for (const [text, expected] of table) {
    for (const step of [1, 2, 3, 1000]) {
      assert.deepEqual(seen(encoder.encode(text), step, 0), expected, JSON.stringify(text));
    }
  }
});

test('a line over the limit is reported and the next one read', () => {
  for (const length of [11, 12, 100, 70_000]) {
    const bytes = encoder.encode(`first\n${'x'.repeat(length)}\nlast\n`);
    const end = 6 + length;
    assert.deepEqual(seen(bytes, 64 * 1024, 0, 10), [
      ['first', 0, 5, 6, true, false],
      ['', 6, end, end + 1, true, true],
      ['last', end + 1, end + 5, end + 6, true, false],
    ]);
  }
});

test('reading starts at any offset', () => {
  const bytes = encoder.encode('ab\ncd\n');
  assert.deepEqual(seen(bytes, 2, 3), [['cd', 3, 5, 6, true, false]]);
});
