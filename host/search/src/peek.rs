//! Answers from the index as it is, for those who cannot wait. Never builds, writes, waits for a lock or for a model;
//! hits are compared with their files all the same, so an answer may lack what is new and never says what is not so.

use std::collections::BTreeMap;
use std::time::Duration;

use tantivy::Term;

use crate::index::MemoryIndex;
use crate::opened::{Due, Fault, LOCK, guarded, lock};
use crate::snapshot::Snapshot;
use crate::tokens::{WordKind, words};
use crate::verify::{self, Answer};
use crate::{Hit, Query, SearchError};

/// An answer, and how far it can be relied on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Peeked {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Memories in the index.
    pub memories: u64,
    pub freshness: Freshness,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Compared with all files within the last minute, or there is no memory.
    #[default]
    Fresh,
    /// Nothing is known to have changed, but it was not compared for a while.
    Late,
    /// There is no index, or something was committed since it was compared.
    Outdated,
}

/// A word of a text as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTerm {
    pub term: String,
    /// As it stands in the text, in lower case.
    pub word: String,
    /// An identifier, path or version; its parts follow it.
    pub is_name: bool,
    /// Byte range in the text.
    pub range: std::ops::Range<usize>,
}

/// The words of a text as the index knows them, in order, with repetitions.
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
    /// Answers a query by its words, and by its meaning if there is a model that takes no time to load.
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
        let Ok((Answer { hits, changed }, memories)) = answered else {
            return Ok(outdated);
        };
        let freshness = match opened.due(&files, now_ms) {
            Due::Now | Due::Told => Freshness::Outdated,
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

    /// In how many memories each term occurs; none of them where there is no index.
    pub fn frequencies<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a str>,
    ) -> Result<BTreeMap<String, u64>, SearchError> {
        self.ask_as_it_is(|snapshot| {
            let count = |term: &str| {
                let key = Term::from_field_text(snapshot.fields.memory, term);
                Ok((term.to_owned(), snapshot.searcher.doc_freq(&key)?))
            };
            terms.into_iter().map(count).collect()
        })
    }

    /// The ids of all memories in the index, maybe with some that are gone.
    pub fn ids(&self) -> Result<Vec<String>, SearchError> {
        self.ask_as_it_is(|snapshot| {
            let mut ids = Vec::new();
            for columns in &snapshot.columns {
                ids.extend(columns.ids()?);
            }
            Ok(ids)
        })
    }

    /// Asks the index as it is; finds nothing if there is none or it is damaged.
    fn ask_as_it_is<T: Default>(
        &self,
        ask: impl FnOnce(&Snapshot) -> tantivy::Result<T>,
    ) -> Result<T, SearchError> {
        let opened = self.files()?.and_then(|files| self.open(&files).ok());
        let answer = opened.and_then(|opened| guarded(|| ask(&opened.index.snapshot())).ok());
        Ok(answer.unwrap_or_default())
    }

    /// Takes in what the store told, or compares everything with the disk, unless somebody else is at it; says whether it
    /// did.
    pub fn try_refresh(&self, now_ms: i64) -> Result<bool, SearchError> {
        let Some(files) = self.files()? else {
            return Ok(false);
        };
        let Some(_turn) = self.updating.enter(Duration::ZERO) else {
            return Ok(false);
        };
        if matches!(lock(&files, LOCK, Duration::ZERO), Err(Fault::Busy)) {
            return Ok(false);
        }
        if self.told(&files, now_ms).is_none() {
            self.checked(&files, now_ms)?;
        }
        Ok(true)
    }
}
