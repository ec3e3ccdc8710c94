//! Endorsements ("words") of memories: what the user confirmed, and what accepted reviewers reviewed. They are stored
//! in plain files in the user's own folder, never in a repository, and an endorsement counts only for the text it was
//! given for.
//!
//! One file per scope, one JSON object per line. Other lines are preserved unchanged.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError, NoFaults};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::{IndexNote, Layout, ProjectLock, Store, StoreError, Trust, digest};

/// Maximum size of a file of endorsements.
const WORDS_BYTES: u64 = 64 * 1024 * 1024;

/// One line: somebody's endorsement of a memory's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub memory: String,
    /// [`content_digest`](crate::Memory::content_digest) of the text it was given for.
    pub digest: String,
    pub word: Rung,
    /// The reviewer; `None` if it is the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Time of the endorsement, formatted as in front matter.
    pub at: String,
}

/// The levels of [`Trust`] that a person can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    Confirmed,
    Reviewed,
}

/// All endorsements of one scope.
#[derive(Debug, Clone, Default)]
pub struct Words {
    lines: Vec<WordLine>,
    /// Indices of lines, by memory.
    by_memory: HashMap<String, Vec<usize>>,
}

#[derive(Debug, Clone)]
enum WordLine {
    Word(Word),
    /// The header line, and anything else that a person wrote.
    Other(String),
}

/// The first line of a file: the project that it is about.
#[derive(Serialize)]
struct WordsHeader<'a> {
    project: &'a Utf8Path,
}

impl From<Rung> for Trust {
    fn from(rung: Rung) -> Self {
        match rung {
            Rung::Confirmed => Trust::Confirmed,
            Rung::Reviewed => Trust::Reviewed,
        }
    }
}

impl Words {
    /// Reads the endorsements of a scope. A file that is missing or cannot be read counts as empty.
    pub fn load(layout: &Layout) -> Self {
        read(layout, NoFaults::shared()).unwrap_or_default()
    }

    /// Parses exported endorsements; other lines are preserved but not used.
    pub fn parse(text: &str) -> Self {
        let mut words = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            words.push(match serde_json::from_str(line) {
                Ok(word) => WordLine::Word(word),
                Err(_) => WordLine::Other(line.to_owned()),
            });
        }
        words
    }

    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.lines.iter().filter_map(|line| match line {
            WordLine::Word(word) => Some(word),
            WordLine::Other(_) => None,
        })
    }

    /// Returns every endorsement of a memory, for its current text or an earlier one.
    pub fn about<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Word> + use<'a> {
        let places = self.by_memory.get(id).map(Vec::as_slice);
        let lines = places.unwrap_or_default().iter();
        lines.filter_map(|place| match &self.lines[*place] {
            WordLine::Word(word) => Some(word),
            WordLine::Other(_) => None,
        })
    }

    fn push(&mut self, line: WordLine) {
        if let WordLine::Word(word) = &line {
            let places = self.by_memory.entry(word.memory.clone()).or_default();
            places.push(self.lines.len());
        }
        self.lines.push(line);
    }

    fn retain(&mut self, keep: impl Fn(&Word) -> bool) {
        let lines = std::mem::take(self).lines;
        for line in lines {
            if matches!(&line, WordLine::Word(word) if !keep(word)) {
                continue;
            }
            self.push(line);
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                WordLine::Word(word) => text.push_str(&as_line(word)),
                WordLine::Other(line) => text.push_str(line),
            }
            text.push('\n');
        }
        text
    }
}

impl Store {
    /// Adds endorsements; each replaces an earlier one of the same person for the same memory.
    pub fn give_words(&self, _lock: &ProjectLock, given: &[Word]) -> Result<(), StoreError> {
        self.change_words(|words| {
            let replaced: HashMap<(&str, Option<&str>), ()> = given
                .iter()
                .map(|word| ((word.memory.as_str(), word.by.as_deref()), ()))
                .collect();
            words
                .retain(|word| !replaced.contains_key(&(word.memory.as_str(), word.by.as_deref())));
            for word in given {
                words.push(WordLine::Word(word.clone()));
            }
        })
    }

    /// Restores the user's own endorsements of memories; `None` removes them. Reviewers' endorsements stay.
    pub fn put_back_words(
        &self,
        _lock: &ProjectLock,
        former: &[(&str, Option<&Word>)],
    ) -> Result<(), StoreError> {
        if former.is_empty() {
            return Ok(());
        }
        self.change_words(|words| {
            let is_about = |word: &Word| former.iter().any(|(memory, _)| *memory == word.memory);
            words.retain(|word| word.by.is_some() || !is_about(word));
            for word in former.iter().filter_map(|(_, word)| *word) {
                words.push(WordLine::Word(word.clone()));
            }
        })
    }

    /// Replaces all endorsements of a reviewer.
    pub fn accept_review(
        &self,
        _lock: &ProjectLock,
        reviewer: &str,
        given: &[Word],
    ) -> Result<(), StoreError> {
        self.change_words(|words| {
            words.retain(|word| word.by.as_deref() != Some(reviewer));
            for word in given {
                words.push(WordLine::Word(Word {
                    word: Rung::Reviewed,
                    by: Some(reviewer.to_owned()),
                    ..word.clone()
                }));
            }
        })
    }

    /// Removes every endorsement of memories that no longer exist.
    pub fn forget_words(&self, _lock: &ProjectLock, ids: &[String]) -> Result<(), StoreError> {
        let words = Words::load(self.layout());
        if !ids.iter().any(|id| words.by_memory.contains_key(id)) {
            return Ok(());
        }
        self.change_words(|words| words.retain(|word| !ids.contains(&word.memory)))
    }

    fn change_words(&self, change: impl FnOnce(&mut Words)) -> Result<(), StoreError> {
        let layout = self.layout();
        let Some((folder, name)) = layout.words_file() else {
            return Err(StoreError::NoWords {
                path: layout.base().to_owned(),
            });
        };
        let mut words = read(layout, Arc::clone(self.faults()))?;
        let earlier = words.clone();
        change(&mut words);
        let ids = changed(&earlier, &words);
        write(
            folder,
            name,
            layout.base(),
            words,
            Arc::clone(self.faults()),
        )?;
        if let Some(directory) = self.existing()?.filter(|_| !ids.is_empty()) {
            let name = format!("words-{}", digest(ids.join(" ")));
            let note = IndexNote {
                ids,
                ..IndexNote::default()
            };
            note.leave(directory, &name);
        }
        Ok(())
    }
}

/// Returns the ids of memories whose endorsements differ.
fn changed(earlier: &Words, later: &Words) -> Vec<String> {
    let ids: BTreeSet<&String> = earlier
        .by_memory
        .keys()
        .chain(later.by_memory.keys())
        .collect();
    ids.into_iter()
        .filter(|id| !earlier.about(id).eq(later.about(id)))
        .cloned()
        .collect()
}

/// Moves the endorsements of a project that moved: the file of `from` becomes that of `to`, or is appended to it if
/// that exists.
pub fn move_words(from: &Layout, to: &Layout) -> Result<(), StoreError> {
    let (Some((folder, old)), Some((_, new))) = (from.words_file(), to.words_file()) else {
        return Ok(());
    };
    let earlier = read(from, NoFaults::shared())?;
    if old == new || earlier.iter().next().is_none() {
        return Ok(());
    }
    let mut words = read(to, NoFaults::shared())?;
    for word in earlier.iter() {
        if !words.about(&word.memory).any(|known| known.by == word.by) {
            words.push(WordLine::Word(word.clone()));
        }
    }
    write(folder, new, to.base(), words, NoFaults::shared())?;
    Ok(Directory::open(folder, NoFaults::shared())?.remove_file(old)?)
}

/// Formats an endorsement as a line of the file.
pub fn as_line(word: &Word) -> String {
    serde_json::to_string(word).expect("a word has string keys and plain values")
}

fn read(layout: &Layout, faults: Arc<dyn Faults>) -> Result<Words, FsError> {
    let Some((folder, name)) = layout.words_file() else {
        return Ok(Words::default());
    };
    let text =
        Directory::open(folder, faults).and_then(|folder| folder.read_to_string(name, WORDS_BYTES));
    match text {
        Ok(text) => Ok(Words::parse(&text)),
        Err(error) if error.is_not_found() => Ok(Words::default()),
        Err(error) => Err(error),
    }
}

fn write(
    folder: &Utf8Path,
    name: &str,
    base: &Utf8Path,
    mut words: Words,
    faults: Arc<dyn Faults>,
) -> Result<(), FsError> {
    if words.lines.is_empty() || !matches!(words.lines[0], WordLine::Other(_)) {
        let project = base.parent().unwrap_or(base);
        let head = serde_json::to_string(&WordsHeader { project }).expect("a path is a string");
        words.lines.insert(0, WordLine::Other(head));
    }
    let folder = Directory::open_or_create_private(folder, faults)?;
    folder.replace(name, words.to_text().as_bytes())
}
