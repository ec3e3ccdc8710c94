// Finds what a person lays down once and for all ("always …", "never …") and tells what a session
// was about. Cites everything; what is not sure is left out.

import { Failure, events, evidence } from './vendor/acreta-sdk/extractor.js';

/**
 * @typedef {import('acreta:types/types@0.1.0').Candidate} Candidate
 * @typedef {import('acreta:types/types@0.1.0').Event} Event
 * @typedef {import('acreta:types/types@0.1.0').Summary} Summary
 * @typedef {import('acreta:host/registry@0.1.0').MemoryType} MemoryType
 * @typedef {import('./vendor/acreta-sdk/extractor.js').Pages} Pages
 */

/** How a sentence begins that lays something down. */
const CUES = ['always ', 'never ', 'from now on ', 'we use '];

/** Longest title, in characters. */
const TITLE = 80;

/**
 * What is worth keeping; an empty list is a good answer.
 * @param {Pages} reader
 * @param {MemoryType[]} types the host's table decides what a memory may be
 * @returns {Candidate[]}
 */
export function extract(reader, types) {
  const isKnown = types.some((type) => type.name === 'learning' && type.kinds.includes('convention'));
  if (!isKnown) return [];
  /** @type {Candidate[]} */
  const found = [];
  for (const event of events(reader)) {
    for (const sentence of laidDown(event)) {
      found.push({
        id: `rule-${found.length + 1}`,
        category: 'learning',
        kind: 'convention',
        title: sentence.slice(0, TITLE),
        body: sentence,
        confidence: 0.7,
        tags: [],
        evidence: [evidence(event, sentence)],
        attrs: [],
      });
    }
  }
  return found;
}

/**
 * What was asked, and how it ended.
 * @param {Pages} reader
 * @returns {Summary}
 */
export function summarise(reader) {
  /** @type {Event | undefined} */
  let asked;
  /** @type {Event | undefined} */
  let answered;
  for (const event of events(reader)) {
    if (event.kind !== 'text') continue;
    if (event.role === 'user') asked ??= event;
    if (event.role === 'assistant') answered = event;
  }
  if (!asked) throw new Failure('nothing-said', 'nobody asked for anything in this session');
  const request = firstLine(asked.text);
  const cited = [evidence(asked, request)];
  let body = `Asked: ${request}\n`;
  if (answered) {
    const reply = firstLine(answered.text);
    body += `\nIn the end: ${reply}\n`;
    cited.push(evidence(answered, reply));
  }
  return {
    title: request.slice(0, TITLE),
    description: request,
    body,
    tags: [],
    evidence: cited,
    attrs: [],
  };
}

/**
 * The sentences in which a person lays something down. Only `text` of the `user` is their voice.
 * @param {Event} event
 */
function laidDown(event) {
  if (event.role !== 'user' || event.kind !== 'text') return [];
  const sentences = event.text.split(/[.\n]/).map((sentence) => sentence.trim());
  return sentences.filter((sentence) => CUES.some((cue) => sentence.toLowerCase().includes(cue)));
}

/** @param {string} text */
function firstLine(text) {
  return text.trim().split('\n')[0];
}
