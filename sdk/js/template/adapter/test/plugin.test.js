// The adapter through its public door: files in, sessions and events out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as plugin from '../plugin.js';
import { MachineFiles, MemoryFile, START, Told, conforms } from '../vendor/acreta-sdk/testing.js';

const fixture = (/** @type {string} */ name) => new URL(`../fixtures/${name}`, import.meta.url).pathname;
const OWN = fixture('example-plugin/session.jsonl');

test('a session is known by its first line', () => {
  const [session] = plugin.sessions(OWN, new MachineFiles());
  assert.equal(session.id, '2f6c1d');
  assert.equal(session.projectDir, '/home/mira/boat');
  assert.equal(session.startedMs, 1772359200000n);
  assert.equal(session.updatedMs, 1772359230000n);
});

test('everything said and done is told', () => {
  const files = new MachineFiles();
  const told = new Told();
  plugin.read(plugin.sessions(OWN, files)[0], START, files, told);
  assert.deepEqual(
    told.events.map(({ role, kind }) => `${role}/${kind}`),
    ['user/text', 'assistant/text', 'assistant/tool-call', 'tool/tool-result', 'assistant/text'],
  );
  assert.deepEqual(told.diagnostics, []);
  // A result is known by its call.
  assert.deepEqual(told.events[3].attrs[0], ['tool', 'shell']);
});

test("another agent's file is left alone", () => {
  assert.deepEqual(plugin.sessions(fixture('other/notes.jsonl'), new MachineFiles()), []);
});

test('a damaged line costs itself', () => {
  const text = [
    '{"type":"session","agent":"example-plugin","session":"s1"}',
    '{"type":"user","text":"cut o',
    '{"type":"user","text":"whole"}',
    '',
  ].join('\n');
  const files = { open: () => new MemoryFile(text) };
  const told = new Told();
  plugin.read(plugin.sessions('/s1.jsonl', files)[0], START, files, told);
  assert.deepEqual(told.events.map((event) => event.text), ['whole']);
  assert.equal(told.diagnostics.length, 1);
});

test('it holds what every adapter holds', () => {
  conforms(plugin, OWN);
});
