// Objects in lines that are not what they should be, times, and hashes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hash, instant, objects } from '../src/json.js';

const encoder = new TextEncoder();

test('damage costs only itself', () => {
  const table = [
    ['{"a":1}', ['{"a":1}']],
    [' {"a":1} {"b":"}"} ', ['{"a":1}', '{"b":"}"}']],
    ['', []],
    ['nonsense', ['damage 0-8']],
    ['[1]', ['damage 0-3']],
    ['{"a":1} rest', ['{"a":1}', 'damage 8-12']],
    ['{"a":"cut {"type":"b"}', ['damage 0-10', '{"type":"b"}']],
    ['{"a":"cut {"b":1}', ['damage 0-17']],
    ['\0\0{"a":1}', ['{"a":1}']],
  ];
  for (const [text, expected] of table) {
    const found = objects(encoder.encode(text)).map(({ record, start, end }) =>
      record ? JSON.stringify(record) : `damage ${start}-${end}`,
    );
    assert.deepEqual(found, expected, JSON.stringify(text));
  }
});

test('an object knows its place', () => {
  const bytes = encoder.encode('é {"a":1}');
  assert.deepEqual(objects(bytes).map(({ start, end }) => [start, end]), [[0, 10]]);
  assert.deepEqual(objects(encoder.encode('{"a":1} {"b":2}')).map(({ start, end }) => [start, end]), [[0, 7], [8, 15]]);
});

test('times are read in the ways agents write them', () => {
  const table = [
    ['2026-01-17T06:05:27.522Z', 1768629927522n],
    ['2026-01-17T06:05:27', 1768629927000n],
    ['2026-01-17 08:05:27+02:00', 1768629927000n],
    [1768629927, 1768629927000n],
    [1768629927522, 1768629927522n],
    ['yesterday', undefined],
    ['2026-13-45T00:00:00Z', undefined],
    [-1, undefined],
    [null, undefined],
    [undefined, undefined],
  ];
  for (const [value, expected] of table) assert.equal(instant(value), expected, String(value));
});

test('a hash is the same for ever', () => {
  assert.equal(hash(encoder.encode('')), 'cbf29ce484222325');
  assert.equal(hash(encoder.encode('a')), 'af63dc4c8601ec8c');
  assert.equal(hash(encoder.encode('foobar')), '85944171f73967e8');
});
