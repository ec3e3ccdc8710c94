//! Every figure that ranking depends on, in one table. What is written into the index at build time
//! is part of the schema version: change one of those and raise [`crate::schema::VERSION`].

/// How often each word of a passage counts in the passage's own text. Words of its neighbours count
/// fewer times (BM25F with whole-number weights: frequencies are added up before they saturate).
pub(crate) const OWN_WORDS: usize = 4;

/// The same for the words of a title, in every passage of its memory.
pub(crate) const TITLE_WORDS: usize = 6;

/// The same for tags, kind and type.
pub(crate) const TAG_WORDS: usize = 4;

/// The same for the words of passages up to [`NEIGHBOURS`] before and after.
pub(crate) const NEIGHBOUR_WORDS: usize = 1;

/// How far the neighbourhood of a passage reaches, in passages.
pub(crate) const NEIGHBOURS: usize = 2;

/// How far it reaches at most on either side, in words. Two turns of talk are about 50 words; two long answers are a
/// thousand, drown the passage between them and are about something else by their end. Without the bound, long exchanges
/// were found no better than by plain BM25. 40, 60 and 100 were each better than none in a sketch of
/// this ranking; 60 was measured here.
pub(crate) const NEIGHBOURHOOD_WORDS: usize = 60;

/// Added to [`NEIGHBOUR_WORDS`] for the passage right before when it ends with a question: what
/// follows a question answers it, mostly in other words.
pub(crate) const QUESTION_WORDS: usize = 1;

/// Weight of the score of the words in title, tags and file name, beside the passage's own score.
pub(crate) const HEAD: f32 = 0.25;

/// Weight of the whole memory's score in the rank of one of its passages.
pub(crate) const MEMORY_IN_PASSAGE: f32 = 0.5;

/// Weight of the best passage's score in the rank of a memory of several, beside the whole memory's own: what a long text
/// says in one place counts, not how long it is. More helps long exchanges (their entries gain until 1.0) and costs short
/// turns.
pub(crate) const BEST_PASSAGE: f32 = 0.6;

/// Weight of the passage of a memory that has only one, whose words count already: just enough that its title decides between equals.
pub(crate) const ONLY_PASSAGE: f32 = 0.1;

/// The same for the second and third best passage.
pub(crate) const NEXT_PASSAGES: f32 = 0.1;

/// Weight of closeness in meaning beside the words, both standardised: about equal shares. Measured on
/// conversations, each of them alone too, anything from 0.7 to 1.6 is as good within the noise.
pub(crate) const MEANING: f32 = 1.2;

/// What the closeness of the next passages and of those after them adds to a passage's own, as far as
/// it is above the average: a passage is about what is talked about around it.
pub(crate) const NEIGHBOUR_MEANING: [f32; 2] = [0.3, 0.15];

/// Weight of a memory's score by words alone beside that of its best passage by words and meaning.
pub(crate) const WORDS_OF_ALL: f32 = 0.5;

/// The cosine from which on a passage without any of the words may be a hit. Nine of ten passages
/// that answer a question are that close to it, and most others are not.
pub(crate) const CLOSE_ENOUGH: f32 = 0.32;

/// Passages that a model is given at once; what is on disk after each.
pub(crate) const EMBEDDED_AT_ONCE: usize = 32;

/// Passages that get a vector when all files are compared: in the middle of somebody's search, and
/// when asked.
pub(crate) const EMBEDDED_BY_SEARCH: usize = 8;

/// See [`EMBEDDED_BY_SEARCH`].
pub(crate) const EMBEDDED_BY_REFRESH: usize = 256;

/// Factor on a passage that names a time when the question asks for one.
pub(crate) const TIME_ASKED: f32 = 1.2;

/// Weight of a word that was not typed: completed from its start, or one typing error away.
pub(crate) const GUESSED_WORD: f32 = 0.5;

/// Most a memory gains by being new; halves every [`RECENCY_HALF_LIFE_DAYS`].
pub(crate) const RECENCY: f32 = 0.10;

/// See [`RECENCY`].
pub(crate) const RECENCY_HALF_LIFE_DAYS: f32 = 90.0;

/// Most a memory gains by effective confidence: base × max(0.1, 1 − days since access / 180).
pub(crate) const CONFIDENCE: f32 = 0.20;

/// The confidence of a memory that states none.
pub(crate) const CONFIDENCE_UNSTATED: f32 = 0.5;

/// Most a memory gains by being read often; reached at [`ACCESS_FULL`] accesses, by their logarithm.
pub(crate) const ACCESS: f32 = 0.05;

/// See [`ACCESS`].
pub(crate) const ACCESS_FULL: f32 = 20.0;

/// Most a memory gains if it helped whenever agents were offered it, or loses if people rejected it: about as much as by being
/// new. Whether it fits the question decides, not how it did with other questions.
pub(crate) const HELPED: f32 = 0.10;

/// Factor on a summary, unless the question asks what happened. A summary tells what a session did; whoever asks how
/// something is done or why wants the decision or the rule, which has the same words. Small enough that a summary that
/// fits clearly better stays first: 0.85, 0.9 and 1 differ by one or two of 120 questions.
pub(crate) const SUMMARY: f32 = 0.9;

/// Factor on a memory that names something that is gone from the repository: it may still be right.
pub(crate) const STALE: f32 = 0.8;

/// Factor on a memory that another one replaced, where such are asked for. Both say much the same words; this one must not
/// come first by a better wording alone.
pub(crate) const SUPERSEDED: f32 = 0.6;

/// How many more passages than hits are wanted are ranked in full: what labels, age, confidence and use
/// may bring up from below.
pub(crate) const RANKED_BEYOND: usize = 22;

/// So many are ranked, or a multiple of it.
pub(crate) const RANKED_STEP: usize = 64;

/// The least that is ranked in full where memories have several passages.
pub(crate) const RANKED_PASSAGES: usize = 200;

/// Words of a query that are looked for, the rarest first. An issue or a long prompt has a hundred different ones;
/// the rarest of them are often noise. The number was not measured apart from other changes.
pub(crate) const QUERY_WORDS: usize = 160;

/// Bytes of a query that are looked at.
pub(crate) const QUERY_BYTES: usize = 32 * 1024;

/// Most words one unfinished or mistyped word stands for.
pub(crate) const GUESSES: usize = 12;

/// Shortest word that may have a typing error.
pub(crate) const TYPO_CHARACTERS: usize = 5;

/// Words of a passage, about: a few sentences.
pub(crate) const PASSAGE_WORDS: usize = 90;

/// A text up to this many words is one passage.
pub(crate) const SINGLE_PASSAGE_WORDS: usize = 140;

/// A heading starts a new passage if the one before it has this many words: shorter sections stay together.
pub(crate) const SECTION_WORDS: usize = 30;

/// Longest snippet in bytes.
pub(crate) const SNIPPET_BYTES: usize = 320;

/// Up to this many memories every search compares all files.
pub(crate) const COMPARED_AT_A_GLANCE: u64 = 500;

/// A search looks through all files again when the last time was this long ago.
pub const CHECK_INTERVAL_MS: i64 = 60_000;
