//! Answers from the current index for callers that cannot wait. Never builds, writes, or waits for a lock or a slow
//! model. Hits are still compared with their files, so an answer may miss new memories but is never wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use tantivy::Term;

use crate::index::MemoryIndex;
use crate::opened::{Due, LOCK, OpenFailure, guarded, lock};
use crate::snapshot::IndexSnapshot;
use crate::tokens::{WordKind, words};
use crate::verify::{self, VerifiedHits};
use crate::{Hit, Query, SearchError};

/// An answer with its reliability.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Peeked {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Number of memories in the index.
    pub memories: u64,
    pub freshness: Freshness,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Compared with all files within the last minute, or there is no memory.
    #[default]
    Fresh,
    /// Not compared for a while, without known changes.
    Late,
    /// There is no index, or something was committed since the last comparison.
    Outdated,
}

/// A word of a text in its indexed form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTerm {
    pub term: String,
    /// As written in the text, in lower case.
    pub word: String,
    /// An identifier, path or version; its parts follow it.
    pub is_name: bool,
    /// Byte range in the text.
    pub range: std::ops::Range<usize>,
}

/// Returns the words of a text in their indexed form, in order, with repetitions.
pub fn terms_of(text: &str) -> Vec<TextTerm> {
    let words = words(text).into_iter();
    words
        .map(|word| TextTerm {
            term: word.term(),
            is_name: word.kind == WordKind::Whole,
            range: word.range,
            word: word.text,
        })
        .collect()
}

impl MemoryIndex {
    /// Answers a query by words, and by meaning if the model is ready at once.
    pub fn peek(&self, query: &Query, now_ms: i64) -> Result<Peeked, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(Peeked::default());
        };
        let outdated = Peeked {
            freshness: Freshness::Outdated,
            ..Peeked::default()
        };
        let Ok(opened) = self.open(&files) else {
            return Ok(outdated);
        };
        let asked = self.ask_quickly(&files, query);
        let answered = guarded(|| {
            let snapshot = opened.index.snapshot();
            let answer = verify::answer(&opened.index, &files, query, now_ms, asked.as_ref())?;
            Ok((answer, snapshot.memories()))
        });
        let Ok((VerifiedHits { hits, changed }, memories)) = answered else {
            return Ok(outdated);
        };
        let freshness = match opened.due(&files, now_ms) {
            Due::Now | Due::Announced => Freshness::Outdated,
            _ if !changed.is_empty() => Freshness::Outdated,
            Due::Sometime => Freshness::Late,
            Due::Not => Freshness::Fresh,
        };
        Ok(Peeked {
            hits,
            memories,
            freshness,
        })
    }

    /// Counts the memories that contain each term; empty without an index.
    pub fn frequencies<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a str>,
    ) -> Result<BTreeMap<String, u64>, SearchError> {
        self.query_without_update(|snapshot| {
            let count = |term: &str| {
                let key = Term::from_field_text(snapshot.fields.memory, term);
                Ok((term.to_owned(), snapshot.searcher.doc_freq(&key)?))
            };
            terms.into_iter().map(count).collect()
        })
    }

    /// Returns the ids of all memories in the index, possibly including deleted ones.
    pub fn ids(&self) -> Result<Vec<String>, SearchError> {
        self.query_without_update(|snapshot| {
            let mut ids = Vec::new();
            for columns in &snapshot.columns {
                ids.extend(columns.ids()?);
            }
            Ok(ids)
        })
    }

    /// Queries the index without updating it; returns the default if it is missing or damaged.
    fn query_without_update<T: Default>(
        &self,
        ask: impl FnOnce(&IndexSnapshot) -> tantivy::Result<T>,
    ) -> Result<T, SearchError> {
        let opened = self.files()?.and_then(|files| self.open(&files).ok());
        let answer = opened.and_then(|opened| guarded(|| ask(&opened.index.snapshot())).ok());
        Ok(answer.unwrap_or_default())
    }

    /// Applies announced changes or compares everything with the disk, unless somebody else is doing so. Returns
    /// whether it did.
    pub fn try_refresh(&self, now_ms: i64) -> Result<bool, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(false);
        };
        let Some(_turn) = self.updating.enter(Duration::ZERO) else {
            return Ok(false);
        };
        if matches!(lock(&files, LOCK, Duration::ZERO), Err(OpenFailure::Busy)) {
            return Ok(false);
        }
        if self.apply_notes(&files, now_ms).is_none() {
            self.checked(&files, now_ms)?;
        }
        Ok(true)
    }
}
