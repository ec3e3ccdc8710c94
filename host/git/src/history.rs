//! Commit history, newest first, in the order of `git log`, with the changed paths of each commit. Bounded by number of
//! commits and by time. A missing object ends the walk without an error.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gix_hash::ObjectId;
use gix_object::commit::ref_iter::Token;

use crate::GitError;
use crate::limits;
use crate::objects::Objects;
use crate::tree::{self, TreeDifference};

/// Options of a history walk.
#[derive(Debug, Clone)]
pub struct HistoryOptions {
    /// Maximum number of commits returned.
    pub commits: u64,
    /// Omits merges; their changes are reported by the merged commits.
    pub skip_merges: bool,
    /// Restricts the walk to this folder, which is empty or ends with `/`. Like `git log -- FOLDER`: omits commits that
    /// change nothing in it, and follows only one parent of a merge if the folder is identical in that parent. Paths
    /// are relative to the folder.
    pub within: Option<String>,
    /// Maximum number of changed paths per commit; `None` to omit paths.
    pub paths: Option<usize>,
    /// Maximum time of a walk.
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
    /// Commit time in seconds since 1970.
    pub time: i64,
    /// Name and address of the author, as written; empty if no paths are requested.
    pub author: String,
    pub parents: usize,
    /// Changes relative to the parent; empty for a merge.
    pub changes: Vec<(String, TreeChange)>,
    /// There are more changes than requested.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeChange {
    Added,
    Modified,
    Removed,
}

/// Reason why a history walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryEnd {
    /// There are no more commits.
    Complete,
    /// The requested number of commits was reached.
    Enough,
    /// It took too long, or there are more commits than the limit.
    GaveUp,
    /// A commit or a tree is missing or damaged.
    Damaged,
}

/// A queued commit, ordered by time.
#[derive(PartialEq, Eq)]
struct QueuedCommit {
    time: i64,
    /// Among commits of the same time, the first one found comes first.
    order: std::cmp::Reverse<u64>,
    id: ObjectId,
}

impl Ord for QueuedCommit {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.time, &self.order, &self.id).cmp(&(other.time, &other.order, &other.id))
    }
}

impl PartialOrd for QueuedCommit {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The parts of a commit that a walk needs.
#[derive(Clone)]
struct ParsedCommit {
    tree: ObjectId,
    parents: Vec<ObjectId>,
    time: i64,
    author: String,
}

pub(crate) struct HistoryWalk<'a> {
    pub(crate) objects: &'a Objects,
    /// Commits whose parents are missing in a shallow clone.
    pub(crate) shallow: &'a HashSet<ObjectId>,
    pub(crate) options: &'a HistoryOptions,
}

impl HistoryWalk<'_> {
    pub(crate) fn run(
        &self,
        head: ObjectId,
        tell: &mut dyn FnMut(HistoryCommit) -> ControlFlow<()>,
    ) -> HistoryEnd {
        self.walk(head, tell).unwrap_or(HistoryEnd::Damaged)
    }

    /// Returns the root commits reachable from a commit; `None` if some cannot be reached.
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
        let mut queue = CommitQueue::default();
        queue.push(head, self.parse(&head)?.time);
        let mut parsed: HashMap<ObjectId, ParsedCommit> = HashMap::new();
        let (mut returned, mut visited) = (0, 0);
        while let Some(id) = queue.pop() {
            if returned >= self.options.commits {
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
            // As in git: a commit identical to one parent took its content from there.
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
            returned += 1;
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
                    TreeDifference::Added => TreeChange::Added,
                    TreeDifference::Modified => TreeChange::Modified,
                    TreeDifference::Removed => TreeChange::Removed,
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

    /// Returns the tree of the requested folder.
    fn within(&self, tree: ObjectId) -> Result<Option<ObjectId>, GitError> {
        match self.options.within.as_deref() {
            None | Some("") => Ok(Some(tree)),
            Some(folder) => tree::beneath(self.objects, tree, folder),
        }
    }

    fn parse(&self, id: &ObjectId) -> Result<ParsedCommit, GitError> {
        let is_cut_off = self.shallow.contains(id);
        let parsed = self.objects.commit(id, |commit| {
            let mut parsed = ParsedCommit {
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
                        // An unreadable date counts as the oldest, as in git.
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

/// Maximum number of parsed commits kept in memory.
const PARSED: usize = 65_536;

/// A priority queue of commits by date, each queued once.
#[derive(Default)]
struct CommitQueue {
    waiting: BinaryHeap<QueuedCommit>,
    known: HashSet<ObjectId>,
}

impl CommitQueue {
    fn push(&mut self, id: ObjectId, time: i64) {
        if self.known.insert(id) {
            self.waiting.push(QueuedCommit {
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
