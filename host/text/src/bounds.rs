//! Bounds of what a memory says. Extractors, notes, imports, tools and the gates share them, so that a candidate that one of
//! them makes is never refused by another.

/// Characters of a title that a finder makes: a line of a terminal, a row of a list.
pub const MADE_TITLE: usize = 80;

/// Characters of a title that is accepted from outside: a person's own may be longer than one that is made.
pub const TITLE: usize = 120;

/// Characters of title and body of a candidate: a pasted passage is not a memory.
pub const TEXT: usize = 500;

/// Bytes of one quote: the longest message that somebody dictates in one breath.
pub const QUOTE_BYTES: usize = 2_000;

/// Tags of a memory: more describe nothing.
pub const TAGS: usize = 12;

/// Characters of one tag: the longest path of a file that is still read in a list.
pub const TAG: usize = 60;
