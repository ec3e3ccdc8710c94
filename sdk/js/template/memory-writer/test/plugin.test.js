// The memory-writer through its public door: actions in, files out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as plugin from '../plugin.js';
import { SESSION } from '../vendor/acreta-sdk/testing.js';

const TYPES = [
  { name: 'learning', kinds: ['convention'], folder: 'learnings', definition: '', example: '' },
  { name: 'summary', kinds: [], folder: 'summaries', definition: '', example: '' },
];

const CONTEXT = {
  runId: 'run-1',
  nowMs: 1771582272000n,
  repoName: 'boat',
  rawTracePath: 'meta/traces/sessions/agent/session.jsonl',
  codingAgent: 'agent',
  attrs: [],
};

/**
 * @param {string} memoryId
 * @param {string} title
 * @param {string} body
 */
function add(memoryId, title, body) {
  return {
    id: memoryId,
    operation: 'add',
    memoryId,
    target: /** @type {string | undefined} */ (undefined),
    current: undefined,
    sources: [],
    createdMs: 1771582272000n,
    updatedMs: 1771582272000n,
    related: [],
    candidate: {
      id: 'c1',
      category: 'learning',
      kind: 'convention',
      title,
      body,
      confidence: 0.8,
      tags: ['build'],
      evidence: [],
      attrs: [],
    },
    summary: undefined,
    session: SESSION,
    attrs: [],
  };
}

test('every action has a file of its own', () => {
  const summary = { title: 'Fixed the tide table', description: '', body: 'Asked.', tags: [], evidence: [], attrs: [] };
  const actions = [
    add('m1', 'Run `make check` first', 'Before "done".'),
    add('m2', 'Run `make check` first', 'The same title.'),
    { ...add('m3', '', ''), candidate: undefined, summary },
  ];
  /** @type {Map<string, string>} */
  const files = new Map();
  const written = plugin.apply(CONTEXT, actions, TYPES, (path, text) => void files.set(path, text));
  assert.deepEqual(
    written.map((one) => one.path),
    [
      'learnings/20260220-run-make-check-first.md',
      'learnings/20260220-run-make-check-first-2.md',
      'summaries/20260220-101112-fixed-the-tide-table.md',
    ],
  );
  assert.equal(
    files.get(written[0].path),
    '---\nid: "m1"\ntitle: "Run `make check` first"\nkind: "convention"\n' +
      'created: 2026-02-20T10:11:12Z\nupdated: 2026-02-20T10:11:12Z\nsource: "agent/session"\n' +
      'confidence: 0.80\ntags: ["build"]\nrelated: []\n---\n# Run `make check` first\n\nBefore "done".\n',
  );
});

test('a file keeps its name', () => {
  const action = { ...add('m1', 'Another title', 'Body'), target: 'learnings/20250101-old.md' };
  const [written] = plugin.apply(CONTEXT, [action], TYPES, () => {});
  assert.equal(written.path, 'learnings/20250101-old.md');
});

test('a type that the host does not know is refused', () => {
  const apply = () => plugin.apply(CONTEXT, [add('m1', 'Title', 'Body')], [], () => {});
  assert.throws(apply, { code: 'unknown-type' });
});
