//! Commits from the newest back, in the order of `git log`, with the paths each changed. Bounded by
//! commits, by time, and by what can be read: what is missing ends the walk and nothing else.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gix_hash::ObjectId;
use gix_object::commit::ref_iter::Token;

use crate::GitError;
use crate::limits;
use crate::objects::Objects;
use crate::tree::{self, Difference};

/// What is asked of a history.
#[derive(Debug, Clone)]
pub struct HistoryOptions {
    /// Commits that are told, at most.
    pub commits: u64,
    /// Merges are not told; what they bring is told by their parents.
    pub skip_merges: bool,
    /// Only what lies in this folder, which is empty or ends with `/`. As `git log -- FOLDER` does,
    /// commits that change nothing in it are not told, and of a merge that is there what one parent is
    /// only that parent is followed. Paths are relative to it.
    pub within: Option<String>,
    /// Changed paths of one commit, at most; none to tell no paths.
    pub paths: Option<usize>,
    /// How long a walk may take.
    pub timeout: Duration,
}

impl Default for HistoryOptions {
    fn default() -> Self {
        Self {
            commits: u64::MAX,
            skip_merges: false,
            within: None,
            paths: Some(limits::TREE_ENTRIES),
            timeout: Duration::from_secs(10),
        }
    }
}

/// A commit of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCommit {
    pub id: String,
    /// Seconds since 1970, when it was committed.
    pub time: i64,
    /// Name and address of the author, as written; empty where no paths are asked for.
    pub author: String,
    pub parents: usize,
    /// Against the parent; none for a merge.
    pub changes: Vec<(String, TreeChange)>,
    /// There are more changes than were asked for.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeChange {
    Added,
    Modified,
    Removed,
}

/// Why a history ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryEnd {
    /// There are no more commits.
    Complete,
    /// As many as were asked for.
    Enough,
    /// It took too long, or there are more commits than the limit.
    GaveUp,
    /// A commit or a tree is missing or broken.
    Damaged,
}

/// A commit that waits for its turn.
#[derive(PartialEq, Eq)]
struct Waiting {
    time: i64,
    /// Of those of one time, the first to be found goes first.
    order: std::cmp::Reverse<u64>,
    id: ObjectId,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.time, &self.order, &self.id).cmp(&(other.time, &other.order, &other.id))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A commit as far as a walk needs it.
#[derive(Clone)]
struct Parsed {
    tree: ObjectId,
    parents: Vec<ObjectId>,
    time: i64,
    author: String,
}

pub(crate) struct Walk<'a> {
    pub(crate) objects: &'a Objects,
    /// Commits whose parents were not copied.
    pub(crate) shallow: &'a HashSet<ObjectId>,
    pub(crate) options: &'a HistoryOptions,
}

impl Walk<'_> {
    pub(crate) fn run(
        &self,
        head: ObjectId,
        tell: &mut dyn FnMut(HistoryCommit) -> ControlFlow<()>,
    ) -> HistoryEnd {
        self.walk(head, tell).unwrap_or(HistoryEnd::Damaged)
    }

    /// The commits without parents that a commit leads to; `None` when not all can be seen.
    pub(crate) fn roots(&self, head: ObjectId) -> Option<Vec<ObjectId>> {
        let start = Instant::now();
        let mut known = HashSet::from([head]);
        let mut open = vec![head];
        let mut roots = Vec::new();
        while let Some(id) = open.pop() {
            if known.len() as u64 > limits::COMMITS || start.elapsed() > self.options.timeout {
                return None;
            }
            let count = self.objects.commit(&id, |commit| {
                let parents = commit.parent_ids();
                let note = |parent| {
                    if known.insert(parent) {
                        open.push(parent);
                    }
                };
                parents.map(note).count()
            });
            if count.ok()? == 0 {
                roots.push(id);
            }
        }
        Some(roots)
    }

    fn walk(
        &self,
        head: ObjectId,
        tell: &mut dyn FnMut(HistoryCommit) -> ControlFlow<()>,
    ) -> Result<HistoryEnd, GitError> {
        let start = Instant::now();
        let mut state = gix_diff::tree::State::default();
        let mut queue = Queue::default();
        queue.push(head, self.parse(&head)?.time);
        let mut parsed: HashMap<ObjectId, Parsed> = HashMap::new();
        let (mut told, mut visited) = (0, 0);
        while let Some(id) = queue.pop() {
            if told >= self.options.commits {
                return Ok(HistoryEnd::Enough);
            }
            visited += 1;
            if visited > limits::COMMITS || start.elapsed() > self.options.timeout {
                return Ok(HistoryEnd::GaveUp);
            }
            let commit = match parsed.remove(&id) {
                Some(commit) => commit,
                None => self.parse(&id)?,
            };
            for parent in &commit.parents {
                if !parsed.contains_key(parent) {
                    parsed.insert(*parent, self.parse(parent)?);
                }
            }
            let tree = self.within(commit.tree)?;
            let mut parent_trees = Vec::with_capacity(commit.parents.len());
            for parent in &commit.parents {
                parent_trees.push(self.within(parsed[parent].tree)?);
            }
            // As git has it: what is the same as in one parent came from there.
            let origin = parent_trees
                .iter()
                .position(|parent| self.options.within.is_some() && same(*parent, tree));
            let followed = match origin {
                Some(index) => &commit.parents[index..=index],
                None => &commit.parents[..],
            };
            for parent in followed {
                queue.push(*parent, parsed[parent].time);
            }
            if parsed.len() > PARSED {
                parsed.clear();
            }
            let is_unchanged = match commit.parents.len() {
                0 => self.options.within.is_some() && is_empty(tree),
                _ => origin.is_some(),
            };
            if is_unchanged || (self.options.skip_merges && commit.parents.len() > 1) {
                continue;
            }
            let (changes, is_cut) = match self.options.paths {
                Some(most) if commit.parents.len() <= 1 => {
                    let before = parent_trees.first().copied().flatten();
                    self.changes(&mut state, (before, tree), most)?
                }
                _ => (Vec::new(), false),
            };
            told += 1;
            let done = tell(HistoryCommit {
                id: id.to_hex().to_string(),
                time: commit.time,
                author: commit.author,
                parents: commit.parents.len(),
                changes,
                is_cut,
            });
            if done.is_break() {
                return Ok(HistoryEnd::Enough);
            }
        }
        Ok(HistoryEnd::Complete)
    }

    fn changes(
        &self,
        state: &mut gix_diff::tree::State,
        trees: (Option<ObjectId>, Option<ObjectId>),
        most: usize,
    ) -> Result<(Vec<(String, TreeChange)>, bool), GitError> {
        let mut changes = Vec::new();
        let entries = if most <= 1_000 {
            limits::COMMIT_ENTRIES
        } else {
            limits::TREE_ENTRIES
        };
        let compared = tree::compare(
            self.objects,
            state,
            trees,
            entries,
            &mut |path, difference| {
                if changes.len() >= most {
                    return ControlFlow::Break(());
                }
                let change = match difference {
                    Difference::Added => TreeChange::Added,
                    Difference::Modified => TreeChange::Modified,
                    Difference::Removed => TreeChange::Removed,
                };
                changes.push((path.to_owned(), change));
                ControlFlow::Continue(())
            },
        );
        let is_whole = match compared {
            Ok(is_whole) => is_whole,
            Err(GitError::TooLarge { .. }) => false,
            Err(error) => return Err(error),
        };
        changes.sort();
        Ok((changes, !is_whole))
    }

    /// The tree of the folder that was asked for.
    fn within(&self, tree: ObjectId) -> Result<Option<ObjectId>, GitError> {
        match self.options.within.as_deref() {
            None | Some("") => Ok(Some(tree)),
            Some(folder) => tree::beneath(self.objects, tree, folder),
        }
    }

    fn parse(&self, id: &ObjectId) -> Result<Parsed, GitError> {
        let is_cut_off = self.shallow.contains(id);
        let parsed = self.objects.commit(id, |commit| {
            let mut parsed = Parsed {
                tree: commit.clone().tree_id().ok()?,
                parents: Vec::new(),
                time: 0,
                author: String::new(),
            };
            for token in commit {
                match token.ok()? {
                    Token::Parent { id } if !is_cut_off => parsed.parents.push(id),
                    Token::Author { signature } if self.options.paths.is_some() => {
                        parsed.author = format!("{} <{}>", signature.name, signature.email);
                    }
                    Token::Committer { signature } => {
                        // A date that cannot be read is the oldest, as in git.
                        parsed.time = signature.time().map_or(0, |time| time.seconds);
                        break;
                    }
                    _ => {}
                }
            }
            Some(parsed)
        })?;
        parsed.ok_or_else(|| self.objects.damaged(id, "cannot be parsed"))
    }
}

/// Parsed commits that are kept while others come first.
const PARSED: usize = 65_536;

/// Commits by their dates, each once.
#[derive(Default)]
struct Queue {
    waiting: BinaryHeap<Waiting>,
    known: HashSet<ObjectId>,
}

impl Queue {
    fn push(&mut self, id: ObjectId, time: i64) {
        if self.known.insert(id) {
            self.waiting.push(Waiting {
                time,
                order: std::cmp::Reverse(self.known.len() as u64),
                id,
            });
        }
    }

    fn pop(&mut self) -> Option<ObjectId> {
        self.waiting.pop().map(|next| next.id)
    }
}

fn is_empty(tree: Option<ObjectId>) -> bool {
    tree.is_none_or(|tree| tree.is_empty_tree())
}

fn same(left: Option<ObjectId>, right: Option<ObjectId>) -> bool {
    left == right || (is_empty(left) && is_empty(right))
}
