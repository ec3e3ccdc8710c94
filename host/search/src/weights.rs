//! All parameters of the ranking. Those that affect the index at build time are part of the schema version: increase
//! [`crate::schema::VERSION`] when changing them.

/// Repetitions of each word of a passage in the passage's own text. Words of its neighbours are repeated less (BM25F
/// with integer weights: frequencies are summed before saturation).
pub(crate) const OWN_WORDS: usize = 4;

/// Repetitions of title words, in every passage of the memory.
pub(crate) const TITLE_WORDS: usize = 6;

/// Repetitions of tags, kind and type.
pub(crate) const TAG_WORDS: usize = 4;

/// Repetitions of words of passages up to [`NEIGHBOURS`] before and after.
pub(crate) const NEIGHBOUR_WORDS: usize = 1;

/// Size of a passage's neighbourhood on either side, in passages.
pub(crate) const NEIGHBOURS: usize = 2;

/// Maximum size of the neighbourhood on either side, in words. Two turns of a conversation are about 50 words; two long
/// answers are a thousand, outweigh the passage between them and have moved on to another topic by their end. Without
/// the bound, long exchanges were found no better than by plain BM25. 40, 60 and 100 were each better than none in a
/// prototype of this ranking; 60 was measured here.
pub(crate) const NEIGHBOURHOOD_WORDS: usize = 60;

/// Added to [`NEIGHBOUR_WORDS`] for the preceding passage if it ends with a question: an answer often uses different
/// words than its question.
pub(crate) const QUESTION_WORDS: usize = 1;

/// Weight of the words in title, tags and file name, relative to the passage's own score.
pub(crate) const HEAD: f32 = 0.25;

/// Weight of the whole memory's score in the rank of one of its passages.
pub(crate) const MEMORY_IN_PASSAGE: f32 = 0.5;

/// Weight of the best passage's score in the rank of a memory with several, in addition to the score of the whole
/// memory: rewards a strong match in one place regardless of length. A larger value helps long exchanges (their entries
/// gain up to 1.0) and hurts short turns.
pub(crate) const BEST_PASSAGE: f32 = 0.6;

/// Weight of the passage of a memory with only one, whose words already count: just enough that its title breaks ties.
pub(crate) const ONLY_PASSAGE: f32 = 0.1;

/// Weight of the second and third best passage.
pub(crate) const NEXT_PASSAGES: f32 = 0.1;

/// Weight of semantic similarity relative to words, both standardised: about equal shares. Measured on conversations
/// (also on each one alone), anything from 0.7 to 1.6 is equally good within the noise.
pub(crate) const MEANING: f32 = 1.2;

/// Shares of the similarity of adjacent passages, and of those next to them, that are added to a passage's own if above
/// average: a passage is about the topic around it.
pub(crate) const NEIGHBOUR_MEANING: [f32; 2] = [0.3, 0.15];

/// Weight of a memory's word score relative to its best passage's score by words and meaning.
pub(crate) const WORDS_OF_ALL: f32 = 0.5;

/// Minimum cosine similarity of a hit without any of the words. Nine of ten passages that answer a question are that
/// close, and most others are not.
pub(crate) const CLOSE_ENOUGH: f32 = 0.32;

/// Passages per call of the model; vectors are written after each call.
pub(crate) const EMBEDDED_AT_ONCE: usize = 32;

/// Passages embedded during a full comparison: within a search, and on an explicit refresh.
pub(crate) const EMBEDDED_BY_SEARCH: usize = 8;

/// See [`EMBEDDED_BY_SEARCH`].
pub(crate) const EMBEDDED_BY_REFRESH: usize = 256;

/// Factor for a passage that names a time if the question asks for one.
pub(crate) const TIME_ASKED: f32 = 1.2;

/// Weight of a guessed word: completed from a prefix, or one typing error away.
pub(crate) const GUESSED_WORD: f32 = 0.5;

/// Weight of a synonym of a word that was asked for. Questions about memories use other words than these (recall of the
/// first ten rose by a twelfth); in conversations it neither helps nor harms up to here, and harms from 0.3 on.
pub(crate) const SYNONYM: f32 = 0.15;

/// Maximum number of words of a query that synonyms are looked for: a long text has enough words of its own.
pub(crate) const SYNONYM_QUERY_WORDS: usize = 24;

/// Maximum bonus for a new memory; halves every [`RECENCY_HALF_LIFE_DAYS`].
pub(crate) const RECENCY: f32 = 0.10;

/// See [`RECENCY`].
pub(crate) const RECENCY_HALF_LIFE_DAYS: f32 = 90.0;

/// Maximum bonus for effective confidence: base × max(0.1, 1 − days since access / 180).
pub(crate) const CONFIDENCE: f32 = 0.20;

/// Confidence of a memory that states none.
pub(crate) const CONFIDENCE_UNSTATED: f32 = 0.5;

/// Maximum bonus for frequent access; logarithmic, reached at [`ACCESS_FULL`] accesses.
pub(crate) const ACCESS: f32 = 0.05;

/// See [`ACCESS`].
pub(crate) const ACCESS_FULL: f32 = 20.0;

/// Maximum bonus for a memory that always helped when offered to agents, or penalty if people rejected it: about the
/// same as for recency, because relevance to the question matters more than success with other questions.
pub(crate) const HELPED: f32 = 0.10;

/// Factor for a summary, unless the question asks what happened. A summary describes a session; who asks how or why
/// wants the decision or the rule, which has the same words. Close enough to 1 that a clearly better summary stays
/// first: 0.85, 0.9 and 1 differ by one or two of 120 questions.
pub(crate) const SUMMARY: f32 = 0.8;

/// Factor for a memory that names something that no longer exists in the repository: it may still be right.
pub(crate) const STALE: f32 = 0.8;

/// Factor for a superseded memory, if the query includes them. It has much the same words as its replacement, and must
/// not outrank it by wording alone.
pub(crate) const SUPERSEDED: f32 = 0.6;

/// Number of passages ranked in full beyond the number of hits, because labels, age, confidence and use may move them
/// up.
pub(crate) const RANKED_BEYOND: usize = 22;

/// The number of ranked passages is a multiple of this.
pub(crate) const RANKED_STEP: usize = 64;

/// Minimum number of passages ranked in full if memories have several passages.
pub(crate) const RANKED_PASSAGES: usize = 200;

/// Maximum number of query words, rarest first. An issue or a long prompt has a hundred different ones; the rarest are
/// often noise. Not measured separately from other changes.
pub(crate) const QUERY_WORDS: usize = 160;

/// Maximum bytes of a query.
pub(crate) const QUERY_BYTES: usize = 32 * 1024;

/// Maximum number of guesses for one incomplete or mistyped word.
pub(crate) const GUESSES: usize = 12;

/// Minimum length of a word that may have a typing error.
pub(crate) const TYPO_CHARACTERS: usize = 5;

/// Approximate number of words of a passage: a few sentences.
pub(crate) const PASSAGE_WORDS: usize = 90;

/// Maximum number of words of a text that stays one passage.
pub(crate) const SINGLE_PASSAGE_WORDS: usize = 140;

/// Minimum number of words before a heading starts a new passage: shorter sections stay together.
pub(crate) const SECTION_WORDS: usize = 30;

/// Maximum length of a snippet in bytes.
pub(crate) const SNIPPET_BYTES: usize = 320;

/// Maximum number of memories for which every search compares all files.
pub(crate) const SMALL_INDEX_MEMORIES: u64 = 500;

/// Maximum age of the last full comparison before a search repeats it.
pub const CHECK_INTERVAL_MS: i64 = 60_000;
