// What extractors have in common.

import { Failure } from './failure.js';

export { Failure };

/** Bytes of text asked for at a time. */
const PAGE = 1024 * 1024;

/**
 * @typedef {import('acreta:types/types@0.1.0').Event} Event
 * @typedef {Pick<import('acreta:host/trace@0.1.0').Reader, 'next' | 'rewind'>} Pages
 */

/**
 * Every event of a session from the first on, a page at a time.
 * @param {Pages} reader
 * @returns {Generator<Event, void, void>}
 */
export function* events(reader) {
  reader.rewind();
  for (;;) {
    const page = reader.next(PAGE);
    if (page.length === 0) return;
    yield* page;
  }
}

/**
 * A quote of an event, which has to stand there letter by letter.
 * @param {Event} event
 * @param {string} quote
 */
export function evidence(event, quote) {
  return { eventId: event.id, quote };
}
