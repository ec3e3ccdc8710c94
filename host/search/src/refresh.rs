//! Bringing an index up to what the files say. Only what changed is read again; what cannot be read
//! is out of the index and told about, never passed over in silence.

use std::collections::HashMap;

use acreta_store::Problem;
use camino::{Utf8Path, Utf8PathBuf};
use tantivy::DocId;

use crate::columns::Columns;
use crate::files::{self, Files, Read};
use crate::passage_index::{Amount, PassageIndex, Writer};
use crate::schema::Seen;
use crate::snapshot::Snapshot;
use crate::{Embedded, Entry};

/// What bringing the index up to date did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    pub outcome: RefreshOutcome,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    pub unchanged: usize,
    /// Files that are not in the index, and why.
    pub problems: Vec<Problem>,
    /// Passages and their vectors; nothing without a model.
    pub embedded: Embedded,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// The index agrees with the files.
    Current,
    /// The same, and it had to be built from nothing.
    Rebuilt,
    /// Another process is writing it; nothing was done.
    Busy,
    /// It cannot be written here; searches use one in memory.
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

/// What the index knows of one memory's files.
pub(crate) struct Known {
    pub(crate) id: String,
    pub(crate) fingerprint: u64,
    /// The files may have changed since without looking different.
    pub(crate) is_racy: bool,
}

impl Known {
    pub(crate) fn new(columns: &Columns, doc: DocId, id: &str) -> Self {
        Self {
            id: id.to_owned(),
            fingerprint: columns.fingerprint.first(doc).unwrap_or(0),
            is_racy: columns.racy.first(doc).unwrap_or(true),
        }
    }
}

/// Compares everything with the disk and writes the difference.
pub(crate) fn everything(
    index: &PassageIndex,
    files: &Files,
    now_ms: i64,
    outcome: RefreshOutcome,
) -> tantivy::Result<Refreshed> {
    let mut refresh = Refresh {
        index,
        writer: None,
        amount: match outcome {
            RefreshOutcome::Current => Amount::Little,
            _ => Amount::Everything,
        },
        done: Refreshed::nothing(outcome),
    };
    let mut known = known(&index.snapshot())?;
    let listing = files.list();
    refresh.done.problems.clone_from(&listing.problems);
    // Where each id was found first; some disks do not tell case apart.
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
            Read::Memory(memory, seen) => {
                let id = memory.id.to_ascii_lowercase();
                if let Some(other) = ids.get(&id) {
                    let problem = twin(files.in_base(&listed.path), &files.in_base(other));
                    refresh.leave_out(&listed.path, before.as_ref(), problem)?;
                } else {
                    ids.insert(id, listed.path.clone());
                    refresh.take(&Entry::from(&*memory), &seen, before.as_ref())?;
                }
            }
            Read::Unusable(problem) => {
                refresh.leave_out(&listed.path, before.as_ref(), problem)?;
            }
            Read::Gone => {
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

/// Reads some memories again that were told or found to have changed. Returns false if everything is to be compared:
/// one of them has the id of another.
pub(crate) fn some(
    index: &PassageIndex,
    files: &Files,
    paths: &[Utf8PathBuf],
    now_ms: i64,
) -> tantivy::Result<bool> {
    let snapshot = index.snapshot();
    let mut writer = None;
    for path in paths {
        let read = files::type_of(path).map(|of| files.read(path, of, now_ms));
        let known = snapshot.first_at(path)?;
        match read {
            Some(Read::Memory(memory, seen)) => {
                let other = snapshot.path_of(&memory.id)?.filter(|other| other != path);
                if other.is_some_and(|other| files.fingerprint(&other, &memory.id).is_some()) {
                    return Ok(false);
                }
                if known.is_some_and(|known| snapshot.is_as_known(known, &seen)) {
                    continue;
                }
                let (writer, entry) = (writing(&mut writer, index)?, Entry::from(&*memory));
                // Removing what is not there would have every segment opened.
                match known {
                    Some(_) => writer.put(&entry, &seen)?,
                    None => writer.add(&entry, &seen)?,
                }
            }
            _ if known.is_some() => writing(&mut writer, index)?.remove(path),
            _ => {}
        }
    }
    writer.map_or(Ok(()), Writer::commit)?;
    Ok(true)
}

/// Opens the writer with the first change.
fn writing<'a, 'index>(
    writer: &'a mut Option<Writer<'index>>,
    index: &'index PassageIndex,
) -> tantivy::Result<&'a Writer<'index>> {
    Ok(match writer {
        Some(writer) => writer,
        None => writer.insert(index.writer(Amount::Little)?),
    })
}

/// Reports whether any file is not as the index knows it. Reads only what may have changed without a sign, and what is new.
pub(crate) fn differs(index: &PassageIndex, files: &Files, now_ms: i64) -> tantivy::Result<bool> {
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
        if let Read::Memory(memory, seen) = files.read(&listed.path, listed.memory_type, now_ms) {
            let is_known = match before {
                Some(_) => snapshot.digest_of(&listed.path)?.as_deref() == Some(&seen.digest),
                // The id may be another's, and then that one is used.
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
    /// Opened with the first change.
    writer: Option<Writer<'a>>,
    amount: Amount,
    done: Refreshed,
}

impl<'a> Refresh<'a> {
    fn writer(&mut self) -> tantivy::Result<&Writer<'a>> {
        if self.writer.is_none() {
            self.writer = Some(self.index.writer(self.amount)?);
        }
        Ok(self.writer.as_ref().expect("it was put there just now"))
    }

    fn take(&mut self, entry: &Entry, seen: &Seen, before: Option<&Known>) -> tantivy::Result<()> {
        match before {
            None => {
                self.done.added += 1;
                return self.writer()?.add(entry, seen);
            }
            // Looks the same, was read to be sure: written again only when that makes it sure.
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

    fn same_content(&self, entry: &Entry, seen: &Seen) -> tantivy::Result<bool> {
        let snapshot = self.index.snapshot();
        Ok(snapshot.digest_of(&entry.path)?.as_deref() == Some(seen.digest.as_str()))
    }

    fn leave_out(
        &mut self,
        path: &Utf8PathBuf,
        before: Option<&Known>,
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
        // An index built from nothing is committed even when it is empty: that makes it one.
        if self.amount == Amount::Everything {
            self.writer()?;
        }
        if let Some(writer) = self.writer {
            writer.commit()?;
        }
        Ok(self.done)
    }
}

/// Every memory in the index, by path.
fn known(snapshot: &Snapshot) -> tantivy::Result<HashMap<Utf8PathBuf, Known>> {
    let mut known = HashMap::new();
    for (segment, reader) in snapshot.searcher.segment_readers().iter().enumerate() {
        let columns = &snapshot.columns[segment];
        let dictionaries = columns.dictionaries()?;
        for doc in reader.doc_ids_alive() {
            if columns.ordinal.first(doc) == Some(0) {
                let path = Utf8PathBuf::from(dictionaries.path(doc));
                known.insert(path, Known::new(columns, doc, dictionaries.id(doc)));
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
