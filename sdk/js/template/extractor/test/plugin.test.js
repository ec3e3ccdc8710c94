// The extractor through its public door: events in, candidates and a summary out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as plugin from '../plugin.js';
import { EventList, event } from '../vendor/acreta-sdk/testing.js';

const TYPES = [{ name: 'learning', kinds: ['convention'], folder: 'learnings', definition: '', example: '' }];

const session = () =>
  new EventList([
    event('e1', 'user', 'text', 'Fix the tide table. Always run `make check` first.'),
    event('e2', 'tool', 'tool-result', 'always a tool, never a person'),
    event('e3', 'assistant', 'text', 'Fixed, and the checks pass.'),
  ]);

test('what a person lays down is found and cited', () => {
  const events = session();
  const found = plugin.extract(events, TYPES);
  assert.deepEqual(found.map((one) => one.body), ['Always run `make check` first']);
  for (const { eventId, quote } of found.flatMap((one) => one.evidence)) {
    assert.ok(events.read(eventId)?.text.includes(quote), quote);
  }
});

test('a type that the host does not know is not proposed', () => {
  assert.deepEqual(plugin.extract(session(), []), []);
});

test('a summary says what was asked and how it ended', () => {
  const { body } = plugin.summarise(session());
  assert.match(body, /Fix the tide table/);
  assert.match(body, /the checks pass/);
});

test('a session without words has no summary', () => {
  assert.throws(() => plugin.summarise(new EventList([])), { code: 'nothing-said' });
});
