// Revisions, reading on from a cursor, and what is acreta's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RecordSpan, EventWriter, overview, readJournal, revision } from '../src/adapter.js';
import { MemoryFile, START, Told } from '../src/testing.js';

const read = (text, from) => {
  const told = new Told();
  const cursor = readJournal(new MemoryFile(text), from, told, {}, (writer, _state, record, place) =>
    writer.person(place, record.text),
  );
  return { texts: told.events.map((event) => event.text), told, cursor };
};

// The SDKs of Rust and Python have the same table.
test('a revision is the same in every language', () => {
  const long = Uint8Array.from({ length: 40_003 }, (_, at) => at % 251);
  const table = [
    ['', '0:0000000000000000'],
    ['foobar', '6:540f51f29755e857'],
    ['foobarfoo', '9:5b0467fd0818156f'],
    [long, '40003:c4855d7690963857'],
  ];
  for (const [content, expected] of table) {
    const whole = new MemoryFile(content);
    assert.equal(revision(whole), expected);
    const trickle = { size: () => whole.size(), read: (length, offset) => whole.read(Math.min(length, 7), offset) };
    assert.equal(revision(trickle), expected);
  }
});

test('a changed letter in the middle is another revision', () => {
  const look = (text) =>
    overview(new MemoryFile(text), { agent: 'a', path: '/s.jsonl', fields: {} }, () => 'own').revision;
  const lines = '{"text":"one"}\n'.repeat(1000);
  const other = `${lines.slice(0, 7510)}{"text":"two"}\n${lines.slice(7525)}`;
  assert.equal(other.length, lines.length);
  assert.notEqual(look(other), look(lines));
});

test('what is unfinished is left for the next read', () => {
  const whole = '{"text":"one"}\n{"text":"two"}\n';
  const half = read(whole.slice(0, 20), START);
  assert.deepEqual(half.texts, ['one']);
  assert.equal(half.told.diagnostics.length, 1);
  assert.deepEqual(read(whole, half.cursor).texts, ['two']);
});

test('a cursor of another file is refused', () => {
  const { cursor } = read('{"text":"one"}\n', START);
  for (const other of ['{"text":"onf"}\n', '{}']) {
    assert.throws(() => read(other, cursor), { code: 'invalid-cursor' }, other);
  }
  assert.throws(() => read('{"text":"one"}\n', { ...cursor, state: new Uint8Array([7]) }), { code: 'invalid-cursor' });
});

test('what acreta put in is told apart', () => {
  const told = new Told();
  const writer = new EventWriter(told);
  writer.person(new RecordSpan(0, 1), 'go <acreta-brief id="1">known</acreta-brief> on');
  writer.toolCall(new RecordSpan(1, 2), 'mcp__acreta__search', 'c1', { query: 'x' });
  writer.toolResult(new RecordSpan(2, 3), 'c1', 'found');
  writer.toolResult(new RecordSpan(3, 4), 'c2', 'of a call nobody saw', { isError: true });
  writer.finish();
  assert.deepEqual(
    told.events.map(({ kind, text }) => [kind, text]),
    [
      ['text', 'go  on'],
      ['injected', '<acreta-brief id="1">known</acreta-brief>'],
      ['tool-call', '{"query":"x"}'],
      ['injected', 'found'],
      ['tool-result', 'of a call nobody saw'],
    ],
  );
  assert.deepEqual(told.events[4].attrs, [['call_id', 'c2'], ['is_error', 'true']]);
});

test('a text that is too long is cut at a character', () => {
  const told = new Told();
  const writer = new EventWriter(told);
  writer.emit(new RecordSpan(0, 1), 'user', 'text', `${'é'.repeat(131072)}é`);
  writer.finish();
  assert.equal(told.events[0].text.length, 131072);
  assert.deepEqual(told.events[0].attrs, [['truncated_bytes', '2']]);
});
