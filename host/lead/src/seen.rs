//! Sentences of earlier sessions, by which attribution knows the templates of commands.

use std::collections::BTreeSet;

/// A sentence of a message, and when that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SentSentence {
    /// Hash of its words.
    pub hash: u64,
    pub at_ms: u64,
}

/// The sentences of all sessions' messages of several sentences. Nobody types two of them again: they are the template of
/// a command, or were pasted again. Copies that a resumed or forked session has of a message have its time and are no
/// repetition.
pub trait SeenMessages: Send + Sync {
    /// Returns the hashes of those that were sent before, in any session, and records all.
    fn repeated(&self, sentences: &[SentSentence]) -> BTreeSet<u64>;
}
