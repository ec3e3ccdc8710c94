// The explorer through its public door: candidates in, findings out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as plugin from '../plugin.js';

const candidate = (/** @type {string} */ id, /** @type {string} */ title) => ({
  id,
  category: 'learning',
  kind: 'convention',
  title,
  body: title,
  confidence: 0.8,
  tags: [],
  evidence: [],
  attrs: [],
});

const hit = (/** @type {string} */ path, /** @type {string} */ snippet) => ({
  id: path,
  path,
  score: 1,
  snippet,
  attrs: [],
});

test('the nearest memory is named', () => {
  const hits = [
    hit('learnings/a.md', 'Tests share one port'),
    hit('learnings/b.md', 'Run the linter before every commit'),
  ];
  const table = /** @type {const} */ ([
    ['Run the linter before every commit', 'no-op', 'learnings/b.md'],
    ['Run the linter and the tests before every merge', 'update', 'learnings/b.md'],
    ['Deploy on Mondays', 'add', undefined],
  ]);
  for (const [title, hint, file] of table) {
    const [found] = plugin.explore([candidate('c1', title)], () => hits);
    assert.deepEqual([found.actionHint, found.matchedFile], [hint, file], title);
  }
});

test('every candidate has a finding', () => {
  const batch = [candidate('c1', 'Use tabs'), candidate('c2', '')];
  const found = plugin.explore(batch, () => []);
  assert.deepEqual(found.map((one) => one.candidateId), ['c1', 'c2']);
});
