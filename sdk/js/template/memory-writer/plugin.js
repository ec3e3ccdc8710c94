// Writes one markdown file with front matter for each action. The same actions give the same bytes.
//
// What a person added to the front matter of a file stays.

import { Failure } from './vendor/acreta-sdk/failure.js';

/**
 * @typedef {import('acreta:memory-writer/memory-writer@0.1.0').Action} Action
 * @typedef {import('acreta:memory-writer/memory-writer@0.1.0').Context} Context
 * @typedef {import('acreta:memory-writer/memory-writer@0.1.0').Written} Written
 * @typedef {import('acreta:host/registry@0.1.0').MemoryType} MemoryType
 */

/** Longest slug in the name of a file. */
const SLUG = 60;

/**
 * Drafts one file for each action.
 * @param {Context} context
 * @param {Action[]} actions
 * @param {MemoryType[]} types
 * @param {(path: string, text: string) => void} write
 * @returns {Written[]}
 */
export function apply(context, actions, types, write) {
  // A file keeps its name, so no new one may take it.
  const taken = new Set(actions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  return actions.map((action) => {
    const { category, title, body } = content(action);
    const type = types.find((entry) => entry.name === category);
    if (!type) throw new Failure('unknown-type', `there is no type \`${category}\``);
    const path = action.target ?? name(action, type.folder, title, taken);
    const fields = action.summary ? summaryFields(context, action) : memoryFields(context, action, type);
    const lines = fields.map(([key, value]) => `${key}: ${value}\n`).join('') + kept(action.current ?? '', fields);
    write(path, `---\n${lines}---\n# ${title}\n\n${body.trim()}\n`);
    return { actionId: action.id, path, attrs: [] };
  });
}

/**
 * The lines of front matter that a person added: keys that the type does not have.
 * @param {string} current
 * @param {[string, string][]} fields
 */
function kept(current, fields) {
  if (!current.startsWith('---\n')) return '';
  const known = new Set(fields.map(([key]) => key));
  let isOwn = false;
  let own = '';
  for (const line of current.slice(4).split('\n---', 1)[0].split('\n')) {
    if (line.includes(':') && !/^[ #-]/.test(line)) isOwn = !known.has(line.split(':', 1)[0]);
    if (isOwn) own += `${line}\n`;
  }
  return own;
}

/** @param {Action} action */
function content({ id, candidate, summary }) {
  if (candidate && !summary) return candidate;
  if (summary && !candidate) return { ...summary, category: 'summary' };
  throw new Failure('invalid-action', `action \`${id}\` needs a candidate or a summary`);
}

/**
 * @param {Context} context
 * @param {Action} action
 * @param {MemoryType} type
 * @returns {[string, string][]}
 */
function memoryFields(context, action, type) {
  const { title = '', kind = '', confidence = 0, tags = [] } = action.candidate ?? {};
  const { session } = action;
  const source = session ? `${session.agent}/${session.id}` : context.codingAgent;
  return [
    ['id', quoted(action.memoryId)],
    ['title', quoted(title)],
    .../** @type {[string, string][]} */ (type.kinds.length > 0 ? [['kind', quoted(kind)]] : []),
    ['created', iso(action.createdMs)],
    ['updated', iso(action.updatedMs)],
    ['source', quoted(source)],
    ['confidence', confidence.toFixed(2)],
    ['tags', list(tags)],
    ['related', list(action.related)],
  ];
}

/**
 * @param {Context} context
 * @param {Action} action
 * @returns {[string, string][]}
 */
function summaryFields(context, action) {
  const { title = '', description = '', tags = [] } = action.summary ?? {};
  const created = iso(action.createdMs);
  return [
    ['id', quoted(action.memoryId)],
    ['title', quoted(title)],
    ['description', quoted(description)],
    ['date', created.slice(0, 10)],
    ['time', quoted(created.slice(11, 19))],
    ['coding_agent', quoted(context.codingAgent)],
    ['raw_trace_path', quoted(context.rawTracePath)],
    ['run_id', quoted(context.runId)],
    ['repo_name', quoted(context.repoName)],
    ['tags', list(tags)],
    ['related', list(action.related)],
    ['created', created],
    ['updated', iso(action.updatedMs)],
  ];
}

/**
 * `<folder>/<date>-<slug>.md`, for summaries with the time; then `-2`, `-3`, ….
 * @param {Action} action
 * @param {string} folder
 * @param {string} title
 * @param {Set<string>} taken
 */
function name(action, folder, title, taken) {
  const [date, clock] = iso(action.createdMs).replace(/[-:Z]/g, '').split('T');
  const stem = `${folder}/${action.summary ? `${date}-${clock}` : date}-${slug(title)}`;
  let path = `${stem}.md`;
  for (let number = 2; taken.has(path); number += 1) path = `${stem}-${number}.md`;
  taken.add(path);
  return path;
}

/** @param {string} title */
function slug(title) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['memory'];
  let slug = words[0].slice(0, SLUG);
  for (const word of words.slice(1)) {
    if (slug.length + word.length >= SLUG) break;
    slug += `-${word}`;
  }
  return slug;
}

/** @param {bigint} milliseconds */
function iso(milliseconds) {
  return new Date(Number(milliseconds)).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** @param {string[]} items */
function list(items) {
  return `[${items.map(quoted).join(', ')}]`;
}

/**
 * A string in double quotes, with everything escaped that cannot be seen or changes how text is shown.
 * @param {string} text
 */
function quoted(text) {
  const escaped = [...text].map((letter) => {
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    const code = letter.codePointAt(0) ?? 0;
    const isHidden = HIDDEN.some(([from, to]) => from <= code && code <= to);
    return isHidden ? `\\U${code.toString(16).padStart(8, '0')}` : letter;
  });
  return `"${escaped.join('')}"`;
}

/** Controls, odd spaces, marks of direction, private and unused characters. */
const HIDDEN = [
  [0x00, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff0, 0xffff],
  [0xe0000, 0x10ffff],
];
