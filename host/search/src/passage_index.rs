//! An index of passages, on disk or in memory: opening, writing, asking. Knows tantivy and entries,
//! not files of memory; whoever opens one on disk must be ready for any of it to be damaged.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use acreta_model::locked;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use tantivy::merge_policy::{LogMergePolicy, NoMergePolicy};
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyError};

use crate::meaning::{Asked, Embedded, Meaning};
use crate::query::{self, Query};
use crate::rank::{Circumstances, Ranking};
use crate::schema::{self, Fields, Seen, VERSION};
use crate::sentence::SentenceModel;
use crate::snapshot::Snapshot;
use crate::unsynced::Unsynced;
use crate::{Entry, SearchError};

/// Texts in passages, and questions to them.
pub struct PassageIndex {
    index: Index,
    fields: Fields,
    reader: IndexReader,
    snapshot: Mutex<Arc<Snapshot>>,
    /// Of an index that has a model of its own.
    meaning: Option<Meaning>,
}

/// A part of an entry that was found, ranked by its best passage.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageHit {
    /// Of the entry it belongs to.
    pub id: String,
    /// Its place among the parts of the entry, from 0.
    pub ordinal: usize,
    pub score: f32,
}

/// What a commit says about itself. One without it, or with another version, is not used.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    version: u32,
}

/// How much is going to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Little,
    Everything,
}

/// Small, since a hit's text is read from one block and whole blocks are unpacked.
const STORE_BLOCK_BYTES: usize = 4096;

/// Segments of up to so many passages count as alike.
const SMALL_SEGMENT: u32 = 64;

const LITTLE_BYTES: usize = 16_000_000;
const EVERYTHING_BYTES: usize = 32_000_000;

impl PassageIndex {
    /// An empty index in memory.
    pub fn in_memory() -> Result<Self, SearchError> {
        Self::create(None).map_err(engine)
    }

    /// The same, asked by meaning too.
    pub fn in_memory_with_model(model: Arc<dyn SentenceModel>) -> Result<Self, SearchError> {
        Ok(Self {
            meaning: Some(Meaning::new(model)),
            ..Self::in_memory()?
        })
    }

    /// Adds entries; one with the same path as another takes its place. With a model every passage
    /// has a vector afterwards, or what is given says why not.
    pub fn add(&self, entries: impl IntoIterator<Item = Entry>) -> Result<Embedded, SearchError> {
        let add = || {
            let writer = self.writer(Amount::Everything)?;
            for entry in entries {
                writer.put(&entry, &Seen::default())?;
            }
            writer.commit()?;
            match &self.meaning {
                Some(meaning) => meaning.embed(&self.snapshot(), None, usize::MAX),
                None => Ok(Embedded::default()),
            }
        };
        add().map_err(engine)
    }

    /// The best parts of entries, best first.
    pub fn passages(&self, query: &Query, now_ms: i64) -> Result<Vec<PassageHit>, SearchError> {
        let find = || {
            let snapshot = self.snapshot();
            let ranking = rank(&snapshot, query, now_ms, self.asked(query).as_ref())?;
            let mut known = HashSet::new();
            let mut hits = Vec::new();
            for passage in &ranking.passages {
                let columns = &snapshot.columns[passage.address.segment_ord as usize];
                let doc = passage.address.doc_id;
                let ordinal = columns.part_of.first(doc).unwrap_or(0) as usize;
                if hits.len() < query.limit && known.insert((passage.head, ordinal)) {
                    hits.push(PassageHit {
                        id: columns.id_of(doc)?,
                        ordinal,
                        score: passage.score(),
                    });
                }
            }
            Ok(hits)
        };
        find().map_err(engine)
    }

    /// The best entries with their scores, best first.
    pub fn entries(&self, query: &Query, now_ms: i64) -> Result<Vec<(String, f32)>, SearchError> {
        let find = || {
            let snapshot = self.snapshot();
            let ranking = rank(&snapshot, query, now_ms, self.asked(query).as_ref())?;
            let memories = ranking.memories.iter().take(query.limit);
            memories
                .map(|memory| {
                    let head = memory.best.head;
                    let columns = &snapshot.columns[head.segment_ord as usize];
                    Ok((columns.id_of(head.doc_id)?, memory.score))
                })
                .collect::<tantivy::Result<_>>()
        };
        find().map_err(engine)
    }

    /// An empty index in a folder that exists and is empty, or in memory.
    pub(crate) fn create(folder: Option<&Utf8Path>) -> tantivy::Result<Self> {
        let (schema, _) = schema::schema();
        let builder = Index::builder()
            .schema(schema)
            .tokenizers(schema::tokenizers())
            .settings(IndexSettings {
                docstore_blocksize: STORE_BLOCK_BYTES,
                ..IndexSettings::default()
            });
        Self::new(match folder {
            Some(folder) => builder.open_or_create(Unsynced::open(folder.as_std_path())?)?,
            None => builder.create_in_ram()?,
        })
    }

    /// The index in a folder, if it is whole and of this version.
    pub(crate) fn open(folder: &Utf8Path) -> tantivy::Result<Self> {
        let mut index = Index::open(Unsynced::open(folder.as_std_path())?)?;
        let (schema, _) = schema::schema();
        let payload = index.load_metas()?.payload;
        let version = payload
            .and_then(|payload| serde_json::from_str(&payload).ok())
            .map(|payload: Payload| payload.version);
        if version != Some(VERSION) || index.schema() != schema {
            return Err(TantivyError::InvalidArgument("another version".to_owned()));
        }
        index.set_tokenizers(schema::tokenizers());
        Self::new(index)
    }

    fn new(index: Index) -> tantivy::Result<Self> {
        let (_, fields) = schema::schema();
        let reader: IndexReader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let snapshot = Snapshot::new(reader.searcher(), fields.clone())?;
        Ok(Self {
            index,
            fields,
            reader,
            snapshot: Mutex::new(Arc::new(snapshot)),
            meaning: None,
        })
    }

    /// The question by its meaning, if a model says what that is.
    fn asked(&self, query: &Query) -> Option<Asked<'_>> {
        self.meaning.as_ref()?.ask(&query.text).ok()
    }

    /// What is to be asked now; stays as it is while others write.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&locked(&self.snapshot))
    }

    /// Takes in what was committed since, by whomever.
    pub(crate) fn reload(&self) -> tantivy::Result<()> {
        self.reader.reload()?;
        let fresh = Arc::new(Snapshot::new(self.reader.searcher(), self.fields.clone())?);
        let mut snapshot = locked(&self.snapshot);
        *snapshot = fresh;
        Ok(())
    }

    /// Whether every file has the checksum it was written with.
    pub(crate) fn is_whole(&self) -> tantivy::Result<bool> {
        Ok(self.index.validate_checksum()?.is_empty())
    }

    pub(crate) fn writer(&self, amount: Amount) -> tantivy::Result<Writer<'_>> {
        let bytes = match amount {
            Amount::Little => LITTLE_BYTES,
            Amount::Everything => EVERYTHING_BYTES,
        };
        let writer: IndexWriter = self.index.writer_with_num_threads(1, bytes)?;
        match amount {
            // Merged once, at the end.
            Amount::Everything => writer.set_merge_policy(Box::new(NoMergePolicy)),
            Amount::Little => {
                // Each change is a segment. Few of them are merged at a time, never thousands of passages with one.
                let mut policy = LogMergePolicy::default();
                policy.set_min_layer_size(SMALL_SEGMENT);
                writer.set_merge_policy(Box::new(policy));
            }
        }
        Ok(Writer {
            index: self,
            writer,
            amount,
        })
    }
}

/// Changes that become visible together.
pub(crate) struct Writer<'a> {
    index: &'a PassageIndex,
    writer: IndexWriter,
    amount: Amount,
}

impl Writer<'_> {
    /// Puts a memory in the place of whatever was at its path.
    pub(crate) fn put(&self, entry: &Entry, seen: &Seen) -> tantivy::Result<()> {
        self.remove(&entry.path);
        self.add(entry, seen)
    }

    /// The same where nothing was: removals are kept in memory until the end.
    pub(crate) fn add(&self, entry: &Entry, seen: &Seen) -> tantivy::Result<()> {
        // One batch: a memory's documents stay side by side in one segment.
        self.writer.run(self.index.fields.operations(entry, seen))?;
        Ok(())
    }

    pub(crate) fn remove(&self, path: &Utf8PathBuf) {
        self.writer.delete_term(self.index.fields.path_term(path));
    }

    pub(crate) fn commit(mut self) -> tantivy::Result<()> {
        let payload = Payload { version: VERSION };
        let payload = serde_json::to_string(&payload).unwrap_or_default();
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&payload);
        prepared.commit()?;
        if self.amount == Amount::Everything {
            let segments = self.index.index.searchable_segment_ids()?;
            if segments.len() > 1 {
                self.writer.merge(&segments).wait()?;
            }
        }
        self.writer.wait_merging_threads()?;
        self.index.reload()
    }
}

/// Ranks one state of an index for a query.
pub(crate) fn rank(
    snapshot: &Arc<Snapshot>,
    query: &Query,
    now_ms: i64,
    asked: Option<&Asked<'_>>,
) -> tantivy::Result<Ranking> {
    let closeness = asked.map(|asked| asked.closeness(snapshot));
    let circumstances = Circumstances {
        filter: &query.filter,
        accesses: &query.accesses,
        now_ms,
        limit: query.limit,
        closeness: closeness.as_ref(),
    };
    snapshot.rank(&query::parse(&query.text), &circumstances)
}

fn engine(cause: TantivyError) -> SearchError {
    SearchError::Engine {
        path: Utf8PathBuf::from("memory"),
        cause,
    }
}
