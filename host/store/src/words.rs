//! Endorsements ("words") of memories: what the user confirmed, and what accepted reviewers reviewed. They are stored
//! in plain files in the user's own folder, never in a repository, and an endorsement counts only for the text it was
//! given for. The same file has the ledger of what this machine learnt itself, see `learnt.rs`.
//!
//! One file per scope, one JSON object per line. Lines that start with `#` are comments; other lines are damaged. Both are
//! preserved unchanged. A damaged line may have been the policy, so that nothing of the repository is trusted then.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError, NoFaults};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::{IndexNote, Layout, ProjectLock, Store, StoreError, Trust, digest};

/// Maximum size of a file of endorsements.
const WORDS_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum number of files of endorsements.
const WORDS_FILES: u64 = 100_000;

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

/// A line of the ledger: this machine wrote a text or a contribution of a memory, or the person accepted it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearntLine {
    pub(crate) memory: String,
    /// Digest of the text or the contribution.
    pub(crate) learnt: String,
}

impl LearntLine {
    pub(crate) fn new(memory: &str, learnt: String) -> Self {
        Self {
            memory: memory.to_owned(),
            learnt,
        }
    }
}

/// What holds for memory that is not in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepositoryPolicy {
    /// It is untrusted until the person accepts it.
    Ask,
    /// Its evidence counts: the person trusts what comes by git.
    Accept,
}

/// A line with the policy; the last one counts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyLine {
    repository: RepositoryPolicy,
}

/// What a person can say about a text: a level of [`Trust`], or that it is not to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    Confirmed,
    Reviewed,
    Rejected,
}

/// All endorsements of one scope.
#[derive(Debug, Clone, Default)]
pub struct Words {
    lines: Vec<WordLine>,
    /// Indices of lines, by memory.
    by_memory: HashMap<String, Vec<usize>>,
    /// Digests of the texts that the user rejected.
    rejected: HashSet<String>,
    /// Digests in the ledger.
    learnt: HashSet<String>,
    /// Number of lines of the ledger, by memory.
    learnt_of: HashMap<String, u64>,
    /// `None` if there is no ledger: then evidence counts wherever it comes from.
    repository: Option<RepositoryPolicy>,
}

#[derive(Debug, Clone)]
enum WordLine {
    Word(Word),
    Learnt(LearntLine),
    Policy(PolicyLine),
    /// The header line, and anything else that a person wrote.
    Other(String),
}

/// The first line of a file: the project that it is about.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsHeader {
    project: String,
}

impl From<Rung> for Trust {
    fn from(rung: Rung) -> Self {
        match rung {
            Rung::Confirmed => Trust::Confirmed,
            Rung::Reviewed => Trust::Reviewed,
            Rung::Rejected => Trust::Untrusted,
        }
    }
}

impl Words {
    /// Reads the endorsements of a scope. A file that is missing counts as empty. One that cannot be read vouches for
    /// nothing: what came with the repository is untrusted.
    pub fn load(layout: &Layout) -> Self {
        read(layout, NoFaults::shared()).unwrap_or_else(|_| Self {
            repository: Some(RepositoryPolicy::Ask),
            ..Self::default()
        })
    }

    /// Parses exported endorsements; other lines are preserved but not used.
    pub fn parse(text: &str) -> Self {
        let mut words = Self::default();
        for line in text.lines() {
            words.push_text(line);
        }
        words
    }

    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.lines.iter().filter_map(|line| match line {
            WordLine::Word(word) => Some(word),
            _ => None,
        })
    }

    /// Returns the policy for memory that is not in the ledger; `None` if there is no ledger.
    pub fn repository(&self) -> Option<RepositoryPolicy> {
        self.repository
    }

    /// Returns the number of lines of the ledger about a memory.
    pub fn learnt_about(&self, id: &str) -> u64 {
        self.learnt_of.get(id).copied().unwrap_or(0)
    }

    pub(crate) fn has_rejections(&self) -> bool {
        !self.rejected.is_empty()
    }

    /// Reports whether the user rejected a text, as whichever memory.
    pub(crate) fn has_rejected(&self, digest: &str) -> bool {
        self.rejected.contains(digest)
    }

    pub(crate) fn has_learnt(&self, digest: &str) -> bool {
        self.learnt.contains(digest)
    }

    /// Adds lines to the ledger, without duplicates.
    pub(crate) fn learn(&mut self, lines: Vec<LearntLine>) {
        for line in lines {
            if !self.learnt.contains(&line.learnt) {
                self.push(WordLine::Learnt(line));
            }
        }
    }

    /// Sets the policy, in the first line after the header: whether there is a ledger is then seen without reading it.
    pub(crate) fn set_repository(&mut self, repository: RepositoryPolicy) {
        let mut lines = std::mem::take(self).lines;
        lines.retain(|line| !matches!(line, WordLine::Policy(_)));
        let after = usize::from(matches!(lines.first(), Some(WordLine::Other(_))));
        lines.insert(after, WordLine::Policy(PolicyLine { repository }));
        lines.into_iter().for_each(|line| self.push(line));
    }

    /// Returns every endorsement of a memory, for its current text or an earlier one.
    pub fn about<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Word> + use<'a> {
        let places = self.by_memory.get(id).map(Vec::as_slice);
        let lines = places.unwrap_or_default().iter();
        lines.filter_map(|place| match &self.lines[*place] {
            WordLine::Word(word) => Some(word),
            _ => None,
        })
    }

    pub(crate) fn push_text(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.push(WordLine::parse(line));
        }
    }

    fn push(&mut self, line: WordLine) {
        match &line {
            WordLine::Word(word) => {
                let places = self.by_memory.entry(word.memory.clone()).or_default();
                places.push(self.lines.len());
                if word.word == Rung::Rejected && word.by.is_none() {
                    self.rejected.insert(word.digest.clone());
                }
            }
            WordLine::Learnt(line) => {
                self.learnt.insert(line.learnt.clone());
                *self.learnt_of.entry(line.memory.clone()).or_default() += 1;
            }
            WordLine::Policy(line) => self.repository = Some(line.repository),
            // It may have been the policy, before it was damaged.
            WordLine::Other(text) if is_damaged(text) => {
                self.repository.get_or_insert(RepositoryPolicy::Ask);
            }
            WordLine::Other(_) => {}
        }
        self.lines.push(line);
    }

    fn retain(&mut self, keep: impl Fn(&Word) -> bool) {
        self.retain_lines(|line| !matches!(line, WordLine::Word(word) if !keep(word)));
    }

    fn retain_lines(&mut self, keep: impl Fn(&WordLine) -> bool) {
        for line in std::mem::take(self).lines {
            if keep(&line) {
                self.push(line);
            }
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.to_text());
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

    /// Sets the user's own words about memories; `None` removes them. Reviewers' endorsements stay.
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
        let is_known = |id: &String| words.by_memory.contains_key(id) || words.learnt_about(id) > 0;
        if !ids.iter().any(is_known) {
            return Ok(());
        }
        self.change_words(|words| {
            words.retain_lines(|line| match line {
                WordLine::Word(word) => !ids.contains(&word.memory),
                WordLine::Learnt(line) => !ids.contains(&line.memory),
                _ => true,
            });
        })
    }

    pub(crate) fn change_words(&self, change: impl FnOnce(&mut Words)) -> Result<(), StoreError> {
        let (earlier, words) = change_file(self.layout(), Arc::clone(self.faults()), change)?;
        let ids = match earlier.repository == words.repository {
            true => changed(&earlier, &words),
            false => self.sidecar_ids()?,
        };
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

/// Returns the digests in all ledgers of this user.
pub(crate) fn learnt_everywhere(layout: &Layout) -> Result<HashSet<String>, FsError> {
    let mut learnt = HashSet::new();
    let Some((folder, _)) = layout.words_file() else {
        return Ok(learnt);
    };
    let folder = Directory::open_or_create_private(folder, NoFaults::shared())?;
    for entry in folder.list(".", WORDS_FILES)? {
        // A ledger that cannot be read vouches for nothing.
        if let Ok(text) = folder.read_to_string(&entry.path, WORDS_BYTES) {
            learnt.extend(Words::parse(&text).learnt);
        }
    }
    Ok(learnt)
}

/// Changes the file of a layout; returns its contents before and after.
pub(crate) fn change_file(
    layout: &Layout,
    faults: Arc<dyn Faults>,
    change: impl FnOnce(&mut Words),
) -> Result<(Words, Words), StoreError> {
    let Some((folder, name)) = layout.words_file() else {
        return Err(StoreError::NoWords {
            path: layout.base().to_owned(),
        });
    };
    let earlier = read(layout, Arc::clone(&faults))?;
    let mut words = earlier.clone();
    change(&mut words);
    write(folder, name, layout.base(), words.clone(), faults)?;
    Ok((earlier, words))
}

/// Adds lines to the ledger that are not in it.
pub(crate) fn append(
    layout: &Layout,
    faults: Arc<dyn Faults>,
    known: &Words,
    mut lines: Vec<LearntLine>,
) -> Result<(), FsError> {
    lines.retain(|line| !known.has_learnt(&line.learnt));
    let Some((folder, name)) = layout.words_file().filter(|_| !lines.is_empty()) else {
        return Ok(());
    };
    let lines = lines.into_iter().map(WordLine::Learnt);
    let text: String = lines.map(|line| line.to_text() + "\n").collect();
    Directory::open_or_create_private(folder, faults)?.append(name, text.as_bytes())
}

impl WordLine {
    fn parse(line: &str) -> Self {
        if let Ok(line) = serde_json::from_str(line) {
            return WordLine::Learnt(line);
        }
        if let Ok(word) = serde_json::from_str(line) {
            return WordLine::Word(word);
        }
        match serde_json::from_str(line) {
            Ok(line) => WordLine::Policy(line),
            Err(_) => WordLine::Other(line.to_owned()),
        }
    }

    fn to_text(&self) -> String {
        let written = match self {
            WordLine::Word(word) => return as_line(word),
            WordLine::Other(line) => return line.clone(),
            WordLine::Learnt(line) => serde_json::to_string(line),
            WordLine::Policy(line) => serde_json::to_string(line),
        };
        written.expect("a line has string keys and plain values")
    }
}

/// Reports whether a line is neither the header nor a comment.
fn is_damaged(line: &str) -> bool {
    !line.starts_with('#') && serde_json::from_str::<WordsHeader>(line).is_err()
}

/// Returns the ids of memories whose endorsements or lines in the ledger differ.
fn changed(earlier: &Words, later: &Words) -> Vec<String> {
    let ids: BTreeSet<&String> = [earlier, later]
        .into_iter()
        .flat_map(|words| words.by_memory.keys().chain(words.learnt_of.keys()))
        .collect();
    ids.into_iter()
        .filter(|id| {
            !earlier.about(id).eq(later.about(id))
                || earlier.learnt_about(id) != later.learnt_about(id)
        })
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
    let is_empty = earlier.iter().next().is_none() && earlier.repository.is_none();
    if old == new || is_empty {
        return Ok(());
    }
    let mut words = read(to, NoFaults::shared())?;
    for word in earlier.iter() {
        if !words.about(&word.memory).any(|known| known.by == word.by) {
            words.push(WordLine::Word(word.clone()));
        }
    }
    let learnt = earlier.lines.iter().filter_map(|line| match line {
        WordLine::Learnt(line) => Some(line.clone()),
        _ => None,
    });
    words.learn(learnt.collect());
    if let Some(repository) = earlier.repository.filter(|_| words.repository.is_none()) {
        words.set_repository(repository);
    }
    write(folder, new, to.base(), words, NoFaults::shared())?;
    Ok(Directory::open(folder, NoFaults::shared())?.remove_file(old)?)
}

/// Formats an endorsement as a line of the file.
pub fn as_line(word: &Word) -> String {
    serde_json::to_string(word).expect("a word has string keys and plain values")
}

pub(crate) fn read(layout: &Layout, faults: Arc<dyn Faults>) -> Result<Words, FsError> {
    let text = text(layout, faults)?;
    Ok(text.map_or_else(Words::default, |text| Words::parse(&text)))
}

/// Returns the file of a layout; `None` if there is none.
pub(crate) fn text(layout: &Layout, faults: Arc<dyn Faults>) -> Result<Option<String>, FsError> {
    let Some((folder, name)) = layout.words_file() else {
        return Ok(None);
    };
    let text =
        Directory::open(folder, faults).and_then(|folder| folder.read_to_string(name, WORDS_BYTES));
    match text {
        Err(error) if error.is_not_found() => Ok(None),
        text => text.map(Some),
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
        let project = base.parent().unwrap_or(base).to_string();
        let head = serde_json::to_string(&WordsHeader { project }).expect("a path is a string");
        words.lines.insert(0, WordLine::Other(head));
    }
    let folder = Directory::open_or_create_private(folder, faults)?;
    folder.replace(name, words.to_text().as_bytes())
}
