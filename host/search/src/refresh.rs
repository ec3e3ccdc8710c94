//! Updates an index to match the files. Rereads only changed files. Unreadable files are removed from the index and
//! reported.

use std::collections::HashMap;

use acreta_store::Problem;
use camino::{Utf8Path, Utf8PathBuf};
use tantivy::DocId;

use crate::columns::SegmentColumns;
use crate::files::{self, MemoryFileContent, MemoryFiles};
use crate::passage_index::{PassageIndex, PassageWriter, WriteAmount};
use crate::schema::MemoryFingerprint;
use crate::snapshot::IndexSnapshot;
use crate::{Embedded, IndexEntry};

/// Result of updating the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    pub outcome: RefreshOutcome,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    pub unchanged: usize,
    /// Files that are not in the index, with reasons.
    pub problems: Vec<Problem>,
    /// Embedded passages; empty without a model.
    pub embedded: Embedded,
}

/// Outcome of a refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// The index matches the files.
    Current,
    /// The index matches the files, and was rebuilt.
    Rebuilt,
    /// Another process is writing it; nothing was done.
    Busy,
    /// It cannot be written; searches use an index in memory.
    InMemory,
    /// There is no memory yet.
    NoMemory,
}

impl Refreshed {
    pub(crate) fn nothing(outcome: RefreshOutcome) -> Self {
        Self {
            outcome,
            added: 0,
            changed: 0,
            removed: 0,
            unchanged: 0,
            problems: Vec::new(),
            embedded: Embedded::default(),
        }
    }
}

/// State of one memory's files as recorded in the index.
pub(crate) struct IndexedFileState {
    pub(crate) id: String,
    pub(crate) fingerprint: u64,
    /// The files may have changed without a different stamp.
    pub(crate) is_racy: bool,
}

impl IndexedFileState {
    pub(crate) fn new(columns: &SegmentColumns, doc: DocId, id: &str) -> Self {
        Self {
            id: id.to_owned(),
            fingerprint: columns.fingerprint.first(doc).unwrap_or(0),
            is_racy: columns.racy.first(doc).unwrap_or(true),
        }
    }
}

/// Compares everything with the disk and writes the differences.
pub(crate) fn everything(
    index: &PassageIndex,
    files: &MemoryFiles,
    now_ms: i64,
    outcome: RefreshOutcome,
) -> tantivy::Result<Refreshed> {
    let mut known = known(&index.snapshot())?;
    let listing = files.list();
    let mut refresh = Refresh {
        index,
        writer: None,
        amount: match outcome {
            RefreshOutcome::Current => {
                WriteAmount::of(listing.files.len().saturating_sub(known.len()))
            }
            _ => WriteAmount::Everything,
        },
        done: Refreshed::nothing(outcome),
    };
    refresh.done.problems.clone_from(&listing.problems);
    // First path with each id; some file systems ignore case.
    let mut ids: HashMap<String, Utf8PathBuf> = HashMap::new();
    for listed in &listing.files {
        let before = known.remove(&listed.path);
        if let Some(before) = &before {
            let now = files.listed_fingerprint(&listing, listed, &before.id);
            let same = now == before.fingerprint;
            if same && !before.is_racy && !ids.contains_key(&before.id.to_ascii_lowercase()) {
                ids.insert(before.id.to_ascii_lowercase(), listed.path.clone());
                refresh.done.unchanged += 1;
                continue;
            }
        }
        match files.read(&listed.path, listed.memory_type, now_ms) {
            MemoryFileContent::Memory(memory, seen) => {
                let id = memory.id.to_ascii_lowercase();
                if let Some(other) = ids.get(&id) {
                    let problem = twin(files.in_base(&listed.path), &files.in_base(other));
                    refresh.leave_out(&listed.path, before.as_ref(), problem)?;
                } else {
                    ids.insert(id, listed.path.clone());
                    refresh.take(&IndexEntry::from(&*memory), &seen, before.as_ref())?;
                }
            }
            MemoryFileContent::Unusable(problem) => {
                refresh.leave_out(&listed.path, before.as_ref(), problem)?;
            }
            MemoryFileContent::Gone => {
                if before.is_some() {
                    refresh.remove(&listed.path)?;
                }
            }
        }
    }
    for path in known.keys() {
        refresh.remove(path)?;
    }
    refresh.finish()
}

/// Rereads memories that are reported or found to have changed. Returns false if everything has to be compared, because
/// two memories have the same id.
pub(crate) fn some(
    index: &PassageIndex,
    files: &MemoryFiles,
    paths: &[Utf8PathBuf],
    now_ms: i64,
) -> tantivy::Result<bool> {
    let snapshot = index.snapshot();
    let amount = WriteAmount::of(paths.len());
    let mut writer = None;
    for path in paths {
        let read = files::type_of(path).map(|of| files.read(path, of, now_ms));
        let known = snapshot.first_at(path)?;
        match read {
            Some(MemoryFileContent::Memory(memory, seen)) => {
                let other = snapshot.path_of(&memory.id)?.filter(|other| other != path);
                if other.is_some_and(|other| files.fingerprint(&other, &memory.id).is_some()) {
                    return Ok(false);
                }
                if known.is_some_and(|known| snapshot.is_as_known(known, &seen)) {
                    continue;
                }
                let (writer, entry) = (
                    writing(&mut writer, index, amount)?,
                    IndexEntry::from(&*memory),
                );
                // Removing a missing document would open every segment.
                match known {
                    Some(_) => writer.put(&entry, &seen)?,
                    None => writer.add(&entry, &seen)?,
                }
            }
            _ if known.is_some() => writing(&mut writer, index, amount)?.remove(path),
            _ => {}
        }
    }
    writer.map_or(Ok(()), PassageWriter::commit)?;
    Ok(true)
}

/// Opens the writer on the first change.
fn writing<'a, 'index>(
    writer: &'a mut Option<PassageWriter<'index>>,
    index: &'index PassageIndex,
    amount: WriteAmount,
) -> tantivy::Result<&'a PassageWriter<'index>> {
    Ok(match writer {
        Some(writer) => writer,
        None => writer.insert(index.writer(amount)?),
    })
}

/// Reports whether any file differs from the index. Reads only files with racy stamps and new ones.
pub(crate) fn differs(
    index: &PassageIndex,
    files: &MemoryFiles,
    now_ms: i64,
) -> tantivy::Result<bool> {
    let snapshot = index.snapshot();
    let mut known = known(&snapshot)?;
    let listing = files.list();
    for listed in &listing.files {
        let before = known.remove(&listed.path);
        if let Some(before) = &before {
            if files.listed_fingerprint(&listing, listed, &before.id) != before.fingerprint {
                return Ok(true);
            }
            if !before.is_racy {
                continue;
            }
        }
        if let MemoryFileContent::Memory(memory, seen) =
            files.read(&listed.path, listed.memory_type, now_ms)
        {
            let is_known = match before {
                Some(_) => snapshot.digest_of(&listed.path)?.as_deref() == Some(&seen.digest),
                // The id may belong to another file, which then takes precedence.
                None => snapshot.path_of(&memory.id)?.is_some(),
            };
            if !is_known {
                return Ok(true);
            }
        }
    }
    Ok(!known.is_empty())
}

struct Refresh<'a> {
    index: &'a PassageIndex,
    /// Opened on the first change.
    writer: Option<PassageWriter<'a>>,
    amount: WriteAmount,
    done: Refreshed,
}

impl<'a> Refresh<'a> {
    fn writer(&mut self) -> tantivy::Result<&PassageWriter<'a>> {
        if self.writer.is_none() {
            self.writer = Some(self.index.writer(self.amount)?);
        }
        Ok(self.writer.as_ref().expect("it was put there just now"))
    }

    fn take(
        &mut self,
        entry: &IndexEntry,
        seen: &MemoryFingerprint,
        before: Option<&IndexedFileState>,
    ) -> tantivy::Result<()> {
        match before {
            None => {
                self.done.added += 1;
                return self.writer()?.add(entry, seen);
            }
            // Same stamp but racy, so it was read: rewrite only if the stamp is now reliable.
            Some(before) if before.fingerprint == seen.fingerprint && before.is_racy => {
                self.done.unchanged += 1;
                let same = self.same_content(entry, seen)?;
                if same && seen.is_racy {
                    return Ok(());
                }
                if !same {
                    self.done.unchanged -= 1;
                    self.done.changed += 1;
                }
            }
            Some(_) => self.done.changed += 1,
        }
        self.writer()?.put(entry, seen)
    }

    fn same_content(&self, entry: &IndexEntry, seen: &MemoryFingerprint) -> tantivy::Result<bool> {
        let snapshot = self.index.snapshot();
        Ok(snapshot.digest_of(&entry.path)?.as_deref() == Some(seen.digest.as_str()))
    }

    fn leave_out(
        &mut self,
        path: &Utf8PathBuf,
        before: Option<&IndexedFileState>,
        problem: Problem,
    ) -> tantivy::Result<()> {
        self.done.problems.push(problem);
        match before {
            Some(_) => self.remove(path),
            None => Ok(()),
        }
    }

    fn remove(&mut self, path: &Utf8PathBuf) -> tantivy::Result<()> {
        self.done.removed += 1;
        self.writer()?.remove(path);
        Ok(())
    }

    fn finish(mut self) -> tantivy::Result<Refreshed> {
        // A rebuilt index is committed even if it is empty; otherwise there would be none.
        if self.done.outcome != RefreshOutcome::Current {
            self.writer()?;
        }
        if let Some(writer) = self.writer {
            writer.commit()?;
        }
        Ok(self.done)
    }
}

/// Returns every memory in the index, by path.
fn known(snapshot: &IndexSnapshot) -> tantivy::Result<HashMap<Utf8PathBuf, IndexedFileState>> {
    let mut known = HashMap::new();
    for (segment, reader) in snapshot.searcher.segment_readers().iter().enumerate() {
        let columns = &snapshot.columns[segment];
        let dictionaries = columns.dictionaries()?;
        for doc in reader.doc_ids_alive() {
            if columns.ordinal.first(doc) == Some(0) {
                let path = Utf8PathBuf::from(dictionaries.path(doc));
                known.insert(
                    path,
                    IndexedFileState::new(columns, doc, dictionaries.id(doc)),
                );
            }
        }
    }
    Ok(known)
}

fn twin(path: Utf8PathBuf, other: &Utf8Path) -> Problem {
    Problem {
        path,
        line: 0,
        column: 0,
        message: format!("has the same id as `{other}`, which is used instead"),
    }
}
