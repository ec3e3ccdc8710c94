//! From changes to the next artifact: reads what has to be read, tells the delta, keeps the facts,
//! and puts tables, graph and slice together. The delta alone is told without writing anything.

use std::collections::{BTreeMap, HashMap};

use acreta_symbols::{Import, Roots};
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::artifact::{self, Artifact, Contents, Meta, Section};
use crate::bytes::{Fields, Writer};
use crate::compare::{Changes, Place};
use crate::content::{Content, Job, Reading};
use crate::facts::{View, is_manifest};
use crate::graph::{Graph, Making};
use crate::options::Git;
use crate::response::{Change, Changed, Delta, Reason, Skipped, Stats};
use crate::slice;
use crate::stamp::Stamp;
use crate::store::{FactsReader, Store};
use crate::tree::{Draft, DraftFile, DraftFolder, FactsAt, mark, parts};

/// Skipped entries that are told by name.
const TOLD_SKIPPED: usize = 100;
/// Facts are written in pieces of this size.
const PIECE: usize = 1024 * 1024;

/// What changed in content, and what was read to find out.
#[derive(Debug)]
pub(crate) struct Examined {
    pub(crate) delta: Delta,
    pub(crate) stats: Stats,
    draft: Draft,
    fresh: HashMap<String, Fresh>,
    moved: Vec<String>,
    facts: FactsFile,
    skipped: Vec<Skipped>,
}

/// What is needed of new facts after they were written.
#[derive(Debug, Default)]
struct Fresh {
    imports: Vec<Import>,
    manifest: Option<String>,
    entry: Option<acreta_symbols::EntryKind>,
}

/// The file that facts go to.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactsFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// What is done with facts that were gathered.
pub(crate) enum Keeping<'a> {
    /// Nothing is written.
    Nothing,
    Facts {
        store: &'a Store,
        file: FactsFile,
    },
}

/// Reads what changed and compares contents. `looked_ns` is when looking began.
pub(crate) fn examine(
    reading: &Reading<'_>,
    before: Option<&Artifact>,
    changes: Changes,
    keeping: Keeping<'_>,
    looked_ns: i64,
) -> Result<Examined, ContextError> {
    let mut jobs = Vec::with_capacity(changes.touched.len() + changes.new.len());
    for (index, stamp) in &changes.touched {
        let tables = before.map(Artifact::tables);
        let Some(tables) = tables else { continue };
        jobs.push(Job {
            path: tables.path(*index),
            stamp: *stamp,
            known: Some(tables.file(*index).hash),
        });
    }
    let known_by_hash = renamed_facts(before, &changes);
    for file in &changes.new {
        jobs.push(Job {
            path: file.path.clone(),
            stamp: file.stamp,
            known: None,
        });
    }
    let mut contents: Vec<Option<Read>> = Vec::new();
    contents.resize_with(jobs.len(), || None);
    let mut fresh = HashMap::new();
    let mut sink = Sink::new(keeping);
    let mut failed = None;
    reading.read_all(&jobs, |index, content| {
        match sink.take(&jobs[index], content, &mut fresh) {
            Ok(read) => contents[index] = Some(read),
            Err(error) => failed = Some(error),
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let facts = sink.finish()?;
    let mut examining = Examining {
        before,
        looked_ns,
        draft: Draft::default(),
        changed: Vec::new(),
        removed: Vec::new(),
        skipped: changes.skipped.clone(),
        known_by_hash,
    };
    let jobs = jobs
        .into_iter()
        .zip(contents.into_iter().map(Option::unwrap_or_default));
    let rehashed = jobs.len() as u64;
    examining.place(&changes, jobs.collect());
    examining.folders(&changes);
    examining.draft.arrange();
    Ok(examining.told(rehashed, fresh, facts))
}

/// What reading a file told, without its facts, which are written already.
#[derive(Debug, Default)]
struct Read {
    hash: Option<u64>,
    marks: u16,
    problem: Option<Reason>,
    facts: Option<FactsAt>,
}

/// Takes facts as they come and writes them in large pieces.
struct Sink<'a> {
    keeping: Keeping<'a>,
    pending: Vec<u8>,
}

impl<'a> Sink<'a> {
    fn new(keeping: Keeping<'a>) -> Self {
        Self {
            keeping,
            pending: Vec::new(),
        }
    }

    fn take(
        &mut self,
        job: &Job,
        content: Content,
        fresh: &mut HashMap<String, Fresh>,
    ) -> Result<Read, ContextError> {
        let mut read = Read {
            hash: content.hash,
            marks: content.marks,
            problem: content.problem,
            facts: None,
        };
        let (Some(facts), Keeping::Facts { file, .. }) = (content.facts, &mut self.keeping) else {
            return Ok(read);
        };
        if facts.is_test {
            read.marks |= mark::TEST;
        }
        if facts.entry.is_some() {
            read.marks |= mark::ENTRY;
        }
        read.facts = Some(FactsAt::default());
        if facts.bytes.is_empty() {
            return Ok(read);
        }
        let declared = View::new(&facts.bytes).declared();
        fresh.insert(
            job.path.clone(),
            Fresh {
                imports: declared.imports,
                manifest: declared.manifest,
                entry: facts.entry,
            },
        );
        read.facts = Some(FactsAt {
            offset: file.bytes,
            bytes: facts.bytes.len() as u32,
            check: xxh3_64(&facts.bytes) as u32,
        });
        file.bytes += facts.bytes.len() as u64;
        self.pending.extend_from_slice(&facts.bytes);
        if self.pending.len() >= PIECE {
            self.flush()?;
        }
        Ok(read)
    }

    fn flush(&mut self) -> Result<(), ContextError> {
        if let Keeping::Facts { store, file } = &self.keeping
            && !self.pending.is_empty()
        {
            store.append_facts(&file.name, &self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> Result<FactsFile, ContextError> {
        self.flush()?;
        Ok(match self.keeping {
            Keeping::Nothing => FactsFile::default(),
            Keeping::Facts { file, .. } => file,
        })
    }
}

/// Files that went, by the hash of their content: one that came with it was renamed.
fn renamed_facts(before: Option<&Artifact>, changes: &Changes) -> HashMap<u64, u32> {
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

struct Examining<'a> {
    before: Option<&'a Artifact>,
    looked_ns: i64,
    draft: Draft,
    changed: Vec<Changed>,
    /// Paths that went, with size and hash.
    removed: Vec<(String, u64, Option<u64>)>,
    skipped: Vec<Skipped>,
    known_by_hash: HashMap<u64, u32>,
}

impl Examining<'_> {
    /// Puts every file into the draft and tells which changed.
    fn place(&mut self, changes: &Changes, jobs: Vec<(Job, Read)>) {
        let mut jobs = jobs.into_iter();
        if let Some(before) = self.before {
            let tables = before.tables();
            let touched: HashMap<u32, Stamp> = changes.touched.iter().copied().collect();
            let mut read: BTreeMap<u32, Read> = BTreeMap::new();
            for (index, _) in &changes.touched {
                if let Some((_, content)) = jobs.next() {
                    read.insert(*index, content);
                }
            }
            let mut missing = changes.missing.iter().peekable();
            self.draft.files.reserve(tables.file_count() as usize);
            for index in 0..tables.file_count() {
                let file = tables.file(index);
                if missing.next_if_eq(&&index).is_some() {
                    let known = file.marks & (mark::SENSITIVE | mark::UNREAD) == 0;
                    let hash = known.then_some(file.hash);
                    self.removed
                        .push((tables.path(index), file.stamp.bytes, hash));
                    continue;
                }
                let mut draft = DraftFile {
                    path: tables.path(index),
                    stamp: file.stamp,
                    hash: file.hash,
                    marks: file.marks,
                    facts: file.facts,
                    before: Some(index),
                    replaces: None,
                };
                if let (Some(stamp), Some(content)) = (touched.get(&index), read.remove(&index)) {
                    self.reread(&mut draft, *stamp, content);
                }
                self.draft.files.push(draft);
            }
        }
        for (file, (job, content)) in changes.new.iter().zip(jobs) {
            let draft = self.added(&job, content, file.marks);
            self.draft.files.push(draft);
        }
        self.match_renames();
    }

    /// A known file with another stamp.
    fn reread(&mut self, draft: &mut DraftFile, stamp: Stamp, content: Read) {
        let kept = draft.marks & mark::FORCED;
        let kind_changed = draft.stamp.kind != stamp.kind;
        let was_unknown = draft.marks & (mark::SENSITIVE | mark::UNREAD) != 0;
        let is_changed = match content.hash {
            Some(hash) if !was_unknown => hash != draft.hash || kind_changed,
            // Without contents only the size can tell.
            _ => draft.stamp.bytes != stamp.bytes || kind_changed,
        };
        if let Some(reason) = content.problem
            && !is_changed
            && draft.stamp != stamp
        {
            self.skipped.push(Skipped::new(draft.path.clone(), reason));
        }
        if is_changed {
            self.changed.push(Changed {
                path: draft.path.clone(),
                change: Change::Modified,
                from: None,
            });
        }
        let same_content = content.hash == Some(draft.hash) && !was_unknown;
        if !same_content {
            draft.replaces = draft.before.take();
            draft.facts = content.facts.unwrap_or_default();
            draft.hash = content.hash.unwrap_or_default();
            draft.marks = kept | content.marks;
        }
        draft.stamp = stamp;
        draft.marks = (draft.marks & !mark::RACY) | self.racy(stamp);
    }

    fn added(&mut self, job: &Job, content: Read, marks: u16) -> DraftFile {
        if let Some(reason) = content.problem {
            self.skipped.push(Skipped::new(job.path.clone(), reason));
        }
        self.changed.push(Changed {
            path: job.path.clone(),
            change: Change::Added,
            from: None,
        });
        DraftFile {
            path: job.path.clone(),
            stamp: job.stamp,
            hash: content.hash.unwrap_or_default(),
            marks: marks | content.marks | self.racy(job.stamp),
            facts: content.facts.unwrap_or_default(),
            before: None,
            replaces: None,
        }
    }

    fn racy(&self, stamp: Stamp) -> u16 {
        if stamp.is_racy(self.looked_ns) {
            mark::RACY
        } else {
            0
        }
    }

    /// A file that went and one that came with the same content are one that was renamed.
    fn match_renames(&mut self) {
        let hashes: HashMap<&str, (u64, u64)> = if self.known_by_hash.is_empty() {
            HashMap::new()
        } else {
            self.draft
                .files
                .iter()
                .filter(|file| file.before.is_none() && file.replaces.is_none())
                .filter(|file| file.marks & (mark::SENSITIVE | mark::UNREAD) == 0)
                .map(|file| (file.path.as_str(), (file.hash, file.stamp.bytes)))
                .collect()
        };
        let mut left: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for (index, (_, bytes, hash)) in self.removed.iter().enumerate().rev() {
            // Empty files are all the same and say nothing.
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
                });
            }
        }
        self.changed.sort();
    }

    fn folders(&mut self, changes: &Changes) {
        let empty = crate::compare::FolderChanges::default();
        let folder_changes = changes.folders.as_ref().unwrap_or(&empty);
        let racy = |stamp: Stamp| {
            if stamp.is_racy(self.looked_ns) {
                mark::RACY
            } else {
                0
            }
        };
        let mut folders: BTreeMap<String, DraftFolder> = BTreeMap::new();
        let mut put = |path: String, stamp: Stamp, marks: u16| {
            let folder = DraftFolder {
                path: path.clone(),
                stamp,
                marks,
            };
            folders.insert(path, folder);
        };
        if let Some(before) = self.before {
            let tables = before.tables();
            let stamped: HashMap<u32, Stamp> = folder_changes.stamped.iter().copied().collect();
            for index in 0..tables.folder_count() {
                if folder_changes.gone.binary_search(&index).is_ok() {
                    continue;
                }
                let folder = tables.folder(index);
                match stamped.get(&index) {
                    Some(stamp) => put(tables.text(folder.path).to_owned(), *stamp, racy(*stamp)),
                    None => put(
                        tables.text(folder.path).to_owned(),
                        folder.stamp,
                        folder.marks,
                    ),
                }
            }
        }
        for folder in &folder_changes.new {
            put(folder.path.clone(), folder.stamp, racy(folder.stamp));
        }
        // Tracked files in folders that are not listed.
        for file in &self.draft.files {
            let folder = parts(&file.path).0;
            if !folders.contains_key(folder) {
                folders.insert(
                    folder.to_owned(),
                    DraftFolder {
                        path: folder.to_owned(),
                        stamp: Stamp {
                            kind: crate::stamp::Kind::Directory,
                            ..file.stamp
                        },
                        marks: mark::PARTIAL,
                    },
                );
            }
        }
        self.draft.folders = folders.into_values().collect();
    }

    fn told(mut self, rehashed: u64, fresh: HashMap<String, Fresh>, facts: FactsFile) -> Examined {
        let count = |change: Change| {
            let of = |changed: &&Changed| changed.change == change;
            self.changed.iter().filter(of).count() as u64
        };
        let delta = Delta {
            added: count(Change::Added),
            modified: count(Change::Modified),
            removed: count(Change::Removed),
            renamed: count(Change::Renamed),
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
        Examined {
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

/// What an artifact is finished with.
pub(crate) struct Finishing<'a> {
    pub(crate) place: &'a Place<'a>,
    pub(crate) store: &'a Store,
    pub(crate) git: &'a Git,
    pub(crate) redactor: &'a acreta_redact::Redactor,
    /// How often paths changed, when the head is another than before.
    pub(crate) churn: Option<HashMap<String, u32>>,
    /// The meta of the next artifact, but for what is found here.
    pub(crate) meta: Meta,
}

impl Finishing<'_> {
    /// The bytes of the next artifact; `None` when facts that it needs are damaged.
    pub(crate) fn finish(
        mut self,
        mut before: Option<&mut Artifact>,
        examined: &Examined,
    ) -> Result<Option<Vec<u8>>, ContextError> {
        let files = &examined.draft.files;
        let mut reader = before
            .as_ref()
            .and_then(|artifact| self.store.facts(&artifact.meta.facts));
        let manifests = manifests(examined, reader.as_mut());
        let texts: Vec<(&str, &str)> = manifests
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let roots = Roots::from_manifests(&texts);
        let manifest_changed = examined.fresh.keys().any(|path| is_manifest(path))
            || examined.moved.iter().any(|path| is_manifest(path));
        let (old_graph, old_churn) = match &mut before {
            Some(artifact) => (old_graph(artifact), artifact.section(Section::Churn).ok()),
            None => (None, None),
        };
        let usable = old_graph.as_ref().filter(|_| !manifest_changed);
        let making = Making {
            files,
            roots: &roots,
            before: usable.map(|graph| (graph, examined.moved.as_slice())),
        };
        let graph = making.make(|index| {
            let file = &files[index as usize];
            match examined.fresh.get(&file.path) {
                Some(fresh) => fresh.imports.clone(),
                None => reader
                    .as_mut()
                    .filter(|_| file.facts.bytes > 0)
                    .and_then(|reader| reader.read(file.facts))
                    .map(|bytes| View::new(&bytes).declared().imports)
                    .unwrap_or_default(),
            }
        });
        let churn = match (old_churn, &self.churn) {
            (Some(bytes), None) => carried_churn(files, &bytes),
            (_, Some(asked)) => churn_of(files, asked),
            // What was kept of it is damaged.
            (None, None) => churn_of(
                files,
                &self.git.churn(self.place.root.path()).unwrap_or_default(),
            ),
        };
        let entries = entry_kinds(examined, reader.as_mut());
        let slice = slice::build(&slice::Material {
            files,
            graph: &graph,
            churn: &churn,
            manifests: &manifests,
            entries: &entries,
        });
        let slice = serde_json::to_string(&slice).unwrap_or_default();
        let slice = self.redactor.redact(&slice).text.into_owned();
        self.meta.facts.clone_from(&examined.facts.name);
        self.meta.facts_bytes = examined.facts.bytes;
        self.meta.facts_used = files.iter().map(|file| u64::from(file.facts.bytes)).sum();
        self.meta.bytes = files.iter().map(|file| file.stamp.bytes).sum();
        self.meta.skipped_count = examined.skipped.len() as u64;
        self.meta.skipped = examined.stats.skipped.clone();
        let tables = examined.draft.encode();
        let contents = Contents {
            meta: &self.meta,
            slice: slice.as_bytes(),
            tables: &tables,
            edges: &graph.encode_edges(),
            keys: &graph.encode_keys(),
            churn: &encode_churn(&churn),
        };
        let bytes = artifact::encode(&contents).map_err(|cause| ContextError::Request {
            message: format!("the artifact could not be put together: {cause}"),
        })?;
        let is_damaged = reader.is_some_and(|reader| reader.is_damaged);
        Ok((!is_damaged).then_some(bytes))
    }
}

fn churn_of(files: &[DraftFile], asked: &HashMap<String, u32>) -> Vec<u32> {
    files
        .iter()
        .map(|file| asked.get(&file.path).copied().unwrap_or_default())
        .collect()
}

fn old_graph(artifact: &mut Artifact) -> Option<Graph> {
    let edges = artifact.section(Section::Edges).ok()?;
    let keys = artifact.section(Section::Keys).ok()?;
    Some(Graph::decode(&edges, &keys))
}

fn carried_churn(files: &[DraftFile], bytes: &[u8]) -> Vec<u32> {
    files
        .iter()
        .map(|file| match file.before.or(file.replaces) {
            Some(index) => Fields::record(bytes, index, 4).u32(),
            None => 0,
        })
        .collect()
}

fn encode_churn(churn: &[u32]) -> Vec<u8> {
    let mut writer = Writer::with_capacity(churn.len() * 4);
    for count in churn {
        writer.u32(*count);
    }
    writer.done()
}

/// The manifests of a project, redacted, in the order of their paths.
fn manifests(examined: &Examined, mut reader: Option<&mut FactsReader>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in &examined.draft.files {
        if !is_manifest(&file.path) {
            continue;
        }
        let text = match examined.fresh.get(&file.path) {
            Some(fresh) => fresh.manifest.clone(),
            None => reader
                .as_deref_mut()
                .filter(|_| file.facts.bytes > 0)
                .and_then(|reader| reader.read(file.facts))
                .and_then(|bytes| View::new(&bytes).declared().manifest),
        };
        if let Some(text) = text {
            found.push((file.path.clone(), text));
        }
    }
    found
}

/// How programs start, by the number of the file.
fn entry_kinds(
    examined: &Examined,
    mut reader: Option<&mut FactsReader>,
) -> BTreeMap<u32, acreta_symbols::EntryKind> {
    let mut kinds = BTreeMap::new();
    for (index, file) in examined.draft.files.iter().enumerate() {
        if file.marks & mark::ENTRY == 0 {
            continue;
        }
        let kind = match examined.fresh.get(&file.path) {
            Some(fresh) => fresh.entry,
            None => reader
                .as_deref_mut()
                .and_then(|reader| reader.read(file.facts))
                .and_then(|bytes| View::new(&bytes).declared().entry),
        };
        if let Some(kind) = kind {
            kinds.insert(index as u32, kind);
        }
    }
    kinds
}

impl Examined {
    /// Copies the facts that are still of use from the artifact before to the new facts file.
    pub(crate) fn copy_facts(
        &mut self,
        store: &Store,
        before: Option<&Artifact>,
    ) -> Result<(), ContextError> {
        let Some(mut reader) = before.and_then(|artifact| store.facts(&artifact.meta.facts)) else {
            return Ok(());
        };
        let mut pending = Vec::new();
        for file in &mut self.draft.files {
            if file.before.is_none() || file.facts.bytes == 0 {
                continue;
            }
            match reader.read(file.facts) {
                Some(bytes) => {
                    file.facts.offset = self.facts.bytes;
                    self.facts.bytes += bytes.len() as u64;
                    pending.extend_from_slice(&bytes);
                }
                None => file.facts = FactsAt::default(),
            }
            if pending.len() >= PIECE {
                store.append_facts(&self.facts.name, &pending)?;
                pending.clear();
            }
        }
        store.append_facts(&self.facts.name, &pending)
    }
}
