// Says of each candidate which memory is nearest, by the words they share. The host searches; what is
// found here is a hint, and the host decides.

/**
 * @typedef {import('acreta:types/types@0.1.0').Candidate} Candidate
 * @typedef {import('acreta:explorer/explorer@0.1.0').Finding} Finding
 * @typedef {typeof import('acreta:host/search@0.1.0').find} Find
 */

/** How many memories are looked at for a candidate. */
const LOOKED_AT = 5;

/** From this share of common words on, a memory speaks of the same thing. */
const SAME = 0.5;

/** From this share on, there is nothing new in the candidate. */
const NOTHING_NEW = 0.9;

/**
 * One finding for each candidate of the batch.
 * @param {Candidate[]} batch
 * @param {Find} find the host's search
 * @returns {Finding[]}
 */
export function explore(batch, find) {
  return batch.map((candidate) => finding(candidate, find));
}

/**
 * @param {Candidate} candidate
 * @param {Find} find
 * @returns {Finding}
 */
function finding(candidate, find) {
  const said = `${candidate.title} ${candidate.body}`;
  /** @type {Finding} */
  let nearest = {
    candidateId: candidate.id,
    actionHint: 'add',
    matchedFile: undefined,
    overlap: 0,
    evidence: '',
    attrs: [],
  };
  for (const hit of find(said, LOOKED_AT, [['type', candidate.category]])) {
    const shared = overlap(said, hit.snippet);
    if (shared <= nearest.overlap || shared < SAME) continue;
    nearest = {
      ...nearest,
      actionHint: shared < NOTHING_NEW ? 'update' : 'no-op',
      matchedFile: hit.path,
      overlap: shared,
      evidence: hit.snippet,
    };
  }
  return nearest;
}

/**
 * The share of the candidate's words that the memory has as well.
 * @param {string} said
 * @param {string} known
 */
function overlap(said, known) {
  const [own, others] = [words(said), words(known)];
  if (own.size === 0) return 0;
  return [...own].filter((word) => others.has(word)).length / own.size;
}

/**
 * What stands between spaces and punctuation. A component's engine knows no `\p{…}`.
 * @param {string} text
 */
function words(text) {
  const found = text.toLowerCase().match(/[^\s!-/:-@[-`{-~]+/g) ?? [];
  return new Set(found.filter((word) => word.length > 2));
}
