//! The user's word for memories: what they confirmed, and what reviewers they accept did. Words lie in
//! plain files of the user's own folder, never in a repository, and a word counts only for the text it
//! was given for.
//!
//! One file per scope, one JSON object per line. Lines that are not words are kept as they are.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError, NoFaults};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::{IndexNote, Layout, ProjectLock, Store, StoreError, Trust, digest};

/// Largest file of words that is read.
const WORDS_BYTES: u64 = 64 * 1024 * 1024;

/// One line: somebody stood behind a memory's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub memory: String,
    /// [`content_digest`](crate::Memory::content_digest) of the text it was given for.
    pub digest: String,
    pub word: Rung,
    /// The reviewer; none where it is the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When it was given, as in front matter.
    pub at: String,
}

/// The rungs of [`Trust`] that are a person's to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    Confirmed,
    Reviewed,
}

/// All words of one scope.
#[derive(Debug, Clone, Default)]
pub struct Words {
    lines: Vec<Line>,
    /// Places of lines, by memory.
    by_memory: HashMap<String, Vec<usize>>,
}

#[derive(Debug, Clone)]
enum Line {
    Word(Word),
    /// The head, and whatever a person wrote there.
    Other(String),
}

/// The first line of a file: whose memory it is about.
#[derive(Serialize)]
struct Head<'a> {
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
    /// The words of a scope. A file that is missing or cannot be read is nobody's word.
    pub fn load(layout: &Layout) -> Self {
        read(layout, NoFaults::shared()).unwrap_or_default()
    }

    /// Reads words as they are exported: lines that are none are left aside.
    pub fn parse(text: &str) -> Self {
        let mut words = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            words.push(match serde_json::from_str(line) {
                Ok(word) => Line::Word(word),
                Err(_) => Line::Other(line.to_owned()),
            });
        }
        words
    }

    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.lines.iter().filter_map(|line| match line {
            Line::Word(word) => Some(word),
            Line::Other(_) => None,
        })
    }

    /// Every word that was given for a memory, whatever it says today.
    pub fn about<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Word> + use<'a> {
        let places = self.by_memory.get(id).map(Vec::as_slice);
        let lines = places.unwrap_or_default().iter();
        lines.filter_map(|place| match &self.lines[*place] {
            Line::Word(word) => Some(word),
            Line::Other(_) => None,
        })
    }

    fn push(&mut self, line: Line) {
        if let Line::Word(word) = &line {
            let places = self.by_memory.entry(word.memory.clone()).or_default();
            places.push(self.lines.len());
        }
        self.lines.push(line);
    }

    fn retain(&mut self, keep: impl Fn(&Word) -> bool) {
        let lines = std::mem::take(self).lines;
        for line in lines {
            if matches!(&line, Line::Word(word) if !keep(word)) {
                continue;
            }
            self.push(line);
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                Line::Word(word) => text.push_str(&as_line(word)),
                Line::Other(line) => text.push_str(line),
            }
            text.push('\n');
        }
        text
    }
}

impl Store {
    /// Puts words in the place of earlier ones of the same person for the same memory.
    pub fn give_words(&self, _lock: &ProjectLock, given: &[Word]) -> Result<(), StoreError> {
        self.change_words(|words| {
            let replaced: HashMap<(&str, Option<&str>), ()> = given
                .iter()
                .map(|word| ((word.memory.as_str(), word.by.as_deref()), ()))
                .collect();
            words
                .retain(|word| !replaced.contains_key(&(word.memory.as_str(), word.by.as_deref())));
            for word in given {
                words.push(Line::Word(word.clone()));
            }
        })
    }

    /// Puts the user's own words about memories back as they were; none takes them away. Reviewers' words stay.
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
                words.push(Line::Word(word.clone()));
            }
        })
    }

    /// Makes these the words of a reviewer: what they said before counts no longer.
    pub fn accept_review(
        &self,
        _lock: &ProjectLock,
        reviewer: &str,
        given: &[Word],
    ) -> Result<(), StoreError> {
        self.change_words(|words| {
            words.retain(|word| word.by.as_deref() != Some(reviewer));
            for word in given {
                words.push(Line::Word(Word {
                    word: Rung::Reviewed,
                    by: Some(reviewer.to_owned()),
                    ..word.clone()
                }));
            }
        })
    }

    /// Takes away every word about memories that are no more.
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

/// The memories that have other words now.
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

/// Takes the words of a project that moved along: the file of `from` becomes that of `to`, or is added
/// to it where there is one.
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
            words.push(Line::Word(word.clone()));
        }
    }
    write(folder, new, to.base(), words, NoFaults::shared())?;
    Ok(Directory::open(folder, NoFaults::shared())?.remove_file(old)?)
}

/// A word as it lies in a file.
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
    if words.lines.is_empty() || !matches!(words.lines[0], Line::Other(_)) {
        let project = base.parent().unwrap_or(base);
        let head = serde_json::to_string(&Head { project }).expect("a path is a string");
        words.lines.insert(0, Line::Other(head));
    }
    let folder = Directory::open_or_create_private(folder, faults)?;
    folder.replace(name, words.to_text().as_bytes())
}
