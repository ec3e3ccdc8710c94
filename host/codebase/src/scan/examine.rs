//! Determines what changed: reads files where necessary, compares contents, computes the delta, and collects every file
//! and folder of the next artifact. Writes only facts, and only if requested.

use std::collections::{BTreeMap, HashMap};

use crate::ContextError;
use crate::answer::response::{Change, Changed, Delta, Reason, Skipped, Stats};
use crate::artifact::format::Artifact;
use crate::artifact::sink::{FactsDestination, FactsFile, FactsSink, FileReadout, FreshFacts};
use crate::scan::changes::{FolderChanges, NewFile, PathChanges};
use crate::scan::content::{ContentReader, ReadJob};
use crate::scan::node::{NodeKind, PathNode};
use crate::scan::tree::{ArtifactDraft, ArtifactFile, ArtifactFolder, mark, parts};

/// Maximum number of skipped entries that are listed.
const TOLD_SKIPPED: usize = 100;

/// Result of an examination: changed contents and statistics about what was read.
#[derive(Debug)]
pub(crate) struct Examination {
    pub(crate) delta: Delta,
    pub(crate) stats: Stats,
    pub(crate) draft: ArtifactDraft,
    pub(crate) fresh: HashMap<String, FreshFacts>,
    pub(crate) moved: Vec<String>,
    pub(crate) facts: FactsFile,
    pub(crate) skipped: Vec<Skipped>,
}

/// Reads changed files and compares contents. `looked_ns` is the time at which the comparison began.
pub(crate) fn examine(
    reading: &ContentReader<'_>,
    before: Option<&Artifact>,
    changes: PathChanges,
    keeping: FactsDestination<'_>,
    looked_ns: i64,
) -> Result<Examination, ContextError> {
    let mut jobs = Vec::with_capacity(changes.touched.len() + changes.new.len());
    for (index, node) in &changes.touched {
        let tables = before.map(Artifact::tables);
        let Some(tables) = tables else { continue };
        jobs.push(ReadJob {
            path: tables.path(*index),
            node: *node,
            known: Some(tables.file(*index).hash),
        });
    }
    let known_by_hash = renamed_facts(before, &changes);
    for file in &changes.new {
        jobs.push(ReadJob {
            path: file.path.clone(),
            node: file.node,
            known: None,
        });
    }
    let mut contents = HashMap::with_capacity(jobs.len());
    let mut fresh = HashMap::new();
    let mut sink = FactsSink::new(keeping);
    // The first failure is the cause of those behind it.
    let mut failed = None;
    reading.read_all(&jobs, |index, content| {
        let job = &jobs[index];
        match sink.take(job, content, &mut fresh) {
            Ok(read) => drop(contents.insert(job.path.clone(), read)),
            Err(error) => drop(failed.get_or_insert(error)),
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let facts = sink.finish()?;
    let mut examining = Examiner {
        before,
        looked_ns,
        draft: ArtifactDraft::default(),
        changed: Vec::new(),
        removed: Vec::new(),
        skipped: changes.skipped.clone(),
        known_by_hash,
    };
    let rehashed = jobs.len() as u64;
    examining.place(&changes, contents);
    examining.folders(&changes);
    examining.draft.arrange();
    Ok(examining.into_examination(rehashed, fresh, facts))
}

/// Returns removed files by content hash, to detect renames.
fn renamed_facts(before: Option<&Artifact>, changes: &PathChanges) -> HashMap<u64, u32> {
    let Some(artifact) = before else {
        return HashMap::new();
    };
    let tables = artifact.tables();
    changes
        .missing
        .iter()
        .map(|index| (tables.file(*index).hash, *index))
        .collect()
}

struct Examiner<'a> {
    before: Option<&'a Artifact>,
    looked_ns: i64,
    draft: ArtifactDraft,
    changed: Vec<Changed>,
    /// Removed paths, with size and hash.
    removed: Vec<(String, u64, Option<u64>)>,
    skipped: Vec<Skipped>,
    known_by_hash: HashMap<u64, u32>,
}

impl Examiner<'_> {
    /// Adds every file to the draft and records changes. `contents` has what was read, by path.
    fn place(&mut self, changes: &PathChanges, mut contents: HashMap<String, FileReadout>) {
        if let Some(before) = self.before {
            let tables = before.tables();
            let touched: HashMap<u32, PathNode> = changes.touched.iter().copied().collect();
            let mut missing = changes.missing.iter().peekable();
            self.draft.files.reserve(tables.file_count() as usize);
            for index in 0..tables.file_count() {
                let file = tables.file(index);
                if missing.next_if_eq(&&index).is_some() {
                    let known = file.marks & (mark::SENSITIVE | mark::UNREAD) == 0;
                    let hash = known.then_some(file.hash);
                    self.removed
                        .push((tables.path(index), file.node.stamp.bytes, hash));
                    continue;
                }
                let mut draft = ArtifactFile {
                    path: tables.path(index),
                    node: file.node,
                    hash: file.hash,
                    marks: file.marks,
                    facts: file.facts,
                    before: Some(index),
                    replaces: None,
                };
                if let Some(node) = touched.get(&index) {
                    let content = contents.remove(&draft.path).unwrap_or_default();
                    self.reread(&mut draft, *node, content);
                }
                self.draft.files.push(draft);
            }
        }
        for file in &changes.new {
            let content = contents.remove(&file.path).unwrap_or_default();
            let draft = self.added(file, content);
            self.draft.files.push(draft);
        }
        self.match_renames();
    }

    /// Updates a known file whose stamp differs.
    fn reread(&mut self, draft: &mut ArtifactFile, node: PathNode, content: FileReadout) {
        let kept = draft.marks & mark::FORCED;
        let kind_changed = draft.node.kind != node.kind;
        let was_unknown = draft.marks & (mark::SENSITIVE | mark::UNREAD) != 0;
        let is_changed = match content.hash {
            Some(hash) if !was_unknown => hash != draft.hash || kind_changed,
            // Contents are unknown, so a different stamp counts as a change.
            _ => draft.node != node,
        };
        if let Some(reason) = content.problem {
            self.skipped.push(Skipped::new(draft.path.clone(), reason));
        }
        if is_changed {
            self.changed.push(Changed {
                path: draft.path.clone(),
                change: Change::Modified,
                from: None,
                bytes: None,
            });
        }
        let same_content = content.hash == Some(draft.hash) && !was_unknown;
        if !same_content {
            draft.replaces = draft.before.take();
            draft.facts = content.facts.unwrap_or_default();
            draft.hash = content.hash.unwrap_or_default();
            draft.marks = kept | content.marks;
        }
        draft.node = node;
        draft.marks = (draft.marks & !mark::RACY) | self.racy(node);
    }

    fn added(&mut self, file: &NewFile, content: FileReadout) -> ArtifactFile {
        if let Some(reason) = content.problem {
            self.skipped.push(Skipped::new(file.path.clone(), reason));
        }
        self.changed.push(Changed {
            path: file.path.clone(),
            change: Change::Added,
            from: None,
            bytes: None,
        });
        ArtifactFile {
            path: file.path.clone(),
            node: file.node,
            hash: content.hash.unwrap_or_default(),
            marks: file.marks | content.marks | self.racy(file.node),
            facts: content.facts.unwrap_or_default(),
            before: None,
            replaces: None,
        }
    }

    fn racy(&self, node: PathNode) -> u16 {
        if node.stamp.is_racy(self.looked_ns) {
            mark::RACY
        } else {
            0
        }
    }

    /// Turns a removed and an added file with the same content into a rename.
    fn match_renames(&mut self) {
        let hashes: HashMap<&str, (u64, u64)> = if self.known_by_hash.is_empty() {
            HashMap::new()
        } else {
            self.draft
                .files
                .iter()
                .filter(|file| file.before.is_none() && file.replaces.is_none())
                .filter(|file| file.marks & (mark::SENSITIVE | mark::UNREAD) == 0)
                .map(|file| (file.path.as_str(), (file.hash, file.node.stamp.bytes)))
                .collect()
        };
        let mut left: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for (index, (_, bytes, hash)) in self.removed.iter().enumerate().rev() {
            // Empty files are all equal and prove nothing.
            if let Some(hash) = hash
                && *bytes > 0
            {
                left.entry((*hash, *bytes)).or_default().push(index);
            }
        }
        self.changed.sort();
        let mut taken = vec![false; self.removed.len()];
        for changed in &mut self.changed {
            if changed.change == Change::Added
                && let Some(content) = hashes.get(changed.path.as_str())
                && let Some(from) = left.get_mut(content).and_then(Vec::pop)
            {
                taken[from] = true;
                changed.change = Change::Renamed;
                changed.from = Some(self.removed[from].0.clone());
            }
        }
        for ((path, ..), taken) in self.removed.iter().zip(taken) {
            if !taken {
                self.changed.push(Changed {
                    path: path.clone(),
                    change: Change::Removed,
                    from: None,
                    bytes: None,
                });
            }
        }
        self.changed.sort();
    }

    fn folders(&mut self, changes: &PathChanges) {
        let empty = FolderChanges::default();
        let folder_changes = changes.folders.as_ref().unwrap_or(&empty);
        let racy = |node: PathNode| {
            if node.stamp.is_racy(self.looked_ns) {
                mark::RACY
            } else {
                0
            }
        };
        let mut folders: BTreeMap<String, ArtifactFolder> = BTreeMap::new();
        let mut put = |path: String, node: PathNode, marks: u16| {
            let folder = ArtifactFolder {
                path: path.clone(),
                node,
                marks,
            };
            folders.insert(path, folder);
        };
        if let Some(before) = self.before {
            let tables = before.tables();
            let stamped: HashMap<u32, PathNode> = folder_changes.stamped.iter().copied().collect();
            for index in 0..tables.folder_count() {
                if folder_changes.gone.binary_search(&index).is_ok() {
                    continue;
                }
                let folder = tables.folder(index);
                match stamped.get(&index) {
                    Some(node) => put(tables.text(folder.path).to_owned(), *node, racy(*node)),
                    None => put(
                        tables.text(folder.path).to_owned(),
                        folder.node,
                        folder.marks,
                    ),
                }
            }
        }
        for folder in &folder_changes.new {
            put(folder.path.clone(), folder.node, racy(folder.node));
        }
        // Tracked files in folders that are not listed.
        for file in &self.draft.files {
            let folder = parts(&file.path).0;
            if !folders.contains_key(folder) {
                folders.insert(
                    folder.to_owned(),
                    ArtifactFolder {
                        path: folder.to_owned(),
                        node: PathNode {
                            kind: NodeKind::Directory,
                            ..file.node
                        },
                        marks: mark::PARTIAL,
                    },
                );
            }
        }
        self.draft.folders = folders.into_values().collect();
    }

    /// Carries over skipped entries that did not change since.
    fn skipped_before(&mut self) {
        let Some(before) = self.before else {
            return;
        };
        let skipped = &before.meta.skipped;
        for file in &self.draft.files {
            if file.before.is_none() || file.marks & (mark::SENSITIVE | mark::UNREAD) == 0 {
                continue;
            }
            let reason = match skipped.binary_search_by(|known| known.path.cmp(&file.path)) {
                Ok(at) => skipped[at].reason,
                Err(_) if file.marks & mark::SENSITIVE != 0 => Reason::Sensitive,
                Err(_) => Reason::Unreadable,
            };
            self.skipped.push(Skipped::new(file.path.clone(), reason));
        }
    }

    fn into_examination(
        mut self,
        rehashed: u64,
        fresh: HashMap<String, FreshFacts>,
        facts: FactsFile,
    ) -> Examination {
        self.skipped_before();
        let count = |change: Change| {
            let of = |changed: &&Changed| changed.change == change;
            self.changed.iter().filter(of).count() as u64
        };
        let delta = Delta {
            dependents: None,
            added: count(Change::Added),
            modified: count(Change::Modified),
            removed: count(Change::Removed),
            renamed: count(Change::Renamed),
            unknown: 0,
            files: self.changed.clone(),
        };
        let mut moved: Vec<String> = self.removed.into_iter().map(|(path, ..)| path).collect();
        moved.extend(
            self.draft
                .files
                .iter()
                .filter(|file| file.before.is_none() && file.replaces.is_none())
                .map(|file| file.path.clone()),
        );
        self.skipped.sort();
        self.skipped.dedup();
        let file_count = self.draft.files.len() as u64;
        Examination {
            delta,
            stats: Stats {
                file_count,
                reused_entries: file_count.saturating_sub(rehashed),
                rehashed_entries: rehashed,
                skipped_entries: self.skipped.len() as u64,
                skipped: self.skipped.iter().take(TOLD_SKIPPED).cloned().collect(),
            },
            draft: self.draft,
            fresh,
            moved,
            facts,
            skipped: self.skipped,
        }
    }
}
