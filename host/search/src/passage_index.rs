//! An index of passages, on disk or in memory: opening, writing and searching. Knows tantivy and entries, but no memory
//! files. An index on disk may be damaged anywhere; callers must expect that.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use acreta_types::locked;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use tantivy::merge_policy::{LogMergePolicy, NoMergePolicy};
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyError};

use crate::meaning::{Embedded, EmbeddedQuestion, Meaning};
use crate::query::{self, Query};
use crate::rank::{MemoryRanking, RankingInput};
use crate::schema::{self, IndexFields, MemoryFingerprint, VERSION};
use crate::sentence::SentenceModel;
use crate::snapshot::IndexSnapshot;
use crate::unsynced::UnsyncedDirectory;
use crate::{IndexEntry, SearchError};

/// A searchable index of texts, divided into passages.
pub struct PassageIndex {
    index: Index,
    fields: IndexFields,
    reader: IndexReader,
    snapshot: Mutex<Arc<IndexSnapshot>>,
    /// Set if the index has its own model.
    meaning: Option<Meaning>,
}

/// A part of an entry, ranked by its best passage.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageHit {
    /// Id of the entry.
    pub id: String,
    /// 0-based position among the parts of the entry.
    pub ordinal: usize,
    pub score: f32,
}

/// Payload of a commit. A commit without it, or of another version, is not used.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    version: u32,
}

/// Expected amount of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteAmount {
    Little,
    /// Merged into one segment at the end, since every search opens all segments.
    Everything,
}

impl WriteAmount {
    /// Returns the amount for a number of changed memories.
    pub(crate) fn of(changed: usize) -> Self {
        match changed < MANY_MEMORIES {
            true => Self::Little,
            false => Self::Everything,
        }
    }
}

/// So many leave several segments that are too large for the policy to merge.
const MANY_MEMORIES: usize = 1_000;

/// Small, because reading a hit's text decompresses a whole block.
const STORE_BLOCK_BYTES: usize = 4096;

/// Segments with up to this many passages are merged as equals.
const SMALL_SEGMENT: u32 = 64;

const LITTLE_BYTES: usize = 16_000_000;
const EVERYTHING_BYTES: usize = 32_000_000;

impl PassageIndex {
    /// Creates an empty index in memory.
    pub fn in_memory() -> Result<Self, SearchError> {
        Self::create(None).map_err(engine)
    }

    /// Like [`Self::in_memory`], with semantic search.
    pub fn in_memory_with_model(model: Arc<dyn SentenceModel>) -> Result<Self, SearchError> {
        Ok(Self {
            meaning: Some(Meaning::new(model)),
            ..Self::in_memory()?
        })
    }

    /// Adds entries, replacing those with the same path. With a model, every passage has a vector afterwards, or the
    /// result says why not.
    pub fn add(
        &self,
        entries: impl IntoIterator<Item = IndexEntry>,
    ) -> Result<Embedded, SearchError> {
        let add = || {
            let writer = self.writer(WriteAmount::Everything)?;
            for entry in entries {
                writer.put(&entry, &MemoryFingerprint::default())?;
            }
            writer.commit()?;
            match &self.meaning {
                Some(meaning) => meaning.embed(&self.snapshot(), None, usize::MAX),
                None => Ok(Embedded::default()),
            }
        };
        add().map_err(engine)
    }

    /// Returns the best parts of entries, best first.
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

    /// Returns the best entries with their scores, best first.
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

    /// Creates an empty index in an existing empty folder, or in memory.
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
            Some(folder) => {
                builder.open_or_create(UnsyncedDirectory::open(folder.as_std_path())?)?
            }
            None => builder.create_in_ram()?,
        })
    }

    /// Opens the index in a folder if it is complete and of this version.
    pub(crate) fn open(folder: &Utf8Path) -> tantivy::Result<Self> {
        let mut index = Index::open(UnsyncedDirectory::open(folder.as_std_path())?)?;
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
        let snapshot = IndexSnapshot::new(reader.searcher(), fields.clone())?;
        Ok(Self {
            index,
            fields,
            reader,
            snapshot: Mutex::new(Arc::new(snapshot)),
            meaning: None,
        })
    }

    /// Embeds the question; `None` without a working model.
    fn asked(&self, query: &Query) -> Option<EmbeddedQuestion<'_>> {
        self.meaning.as_ref()?.ask(&query.text).ok()
    }

    /// Returns the current snapshot, which does not change while others write.
    pub(crate) fn snapshot(&self) -> Arc<IndexSnapshot> {
        Arc::clone(&locked(&self.snapshot))
    }

    /// Loads new commits, including those by other processes.
    pub(crate) fn reload(&self) -> tantivy::Result<()> {
        self.reader.reload()?;
        let fresh = Arc::new(IndexSnapshot::new(
            self.reader.searcher(),
            self.fields.clone(),
        )?);
        let mut snapshot = locked(&self.snapshot);
        *snapshot = fresh;
        Ok(())
    }

    /// Reports whether every file matches its checksum.
    pub(crate) fn is_whole(&self) -> tantivy::Result<bool> {
        Ok(self.index.validate_checksum()?.is_empty())
    }

    pub(crate) fn writer(&self, amount: WriteAmount) -> tantivy::Result<PassageWriter<'_>> {
        let bytes = match amount {
            WriteAmount::Little => LITTLE_BYTES,
            WriteAmount::Everything => EVERYTHING_BYTES,
        };
        let writer: IndexWriter = self.index.writer_with_num_threads(1, bytes)?;
        match amount {
            // Merged once, at the end.
            WriteAmount::Everything => writer.set_merge_policy(Box::new(NoMergePolicy)),
            WriteAmount::Little => {
                // Each change is a segment. Merge a few at a time, never thousands of passages with one.
                let mut policy = LogMergePolicy::default();
                policy.set_min_layer_size(SMALL_SEGMENT);
                writer.set_merge_policy(Box::new(policy));
            }
        }
        Ok(PassageWriter {
            index: self,
            writer,
            amount,
        })
    }
}

/// A set of changes that become visible together.
pub(crate) struct PassageWriter<'a> {
    index: &'a PassageIndex,
    writer: IndexWriter,
    amount: WriteAmount,
}

impl PassageWriter<'_> {
    /// Adds a memory, replacing the one at its path.
    pub(crate) fn put(&self, entry: &IndexEntry, seen: &MemoryFingerprint) -> tantivy::Result<()> {
        self.remove(&entry.path);
        self.add(entry, seen)
    }

    /// Adds a memory to an unused path. Cheaper than [`Self::put`]: removals stay in memory until the end.
    pub(crate) fn add(&self, entry: &IndexEntry, seen: &MemoryFingerprint) -> tantivy::Result<()> {
        // One batch keeps a memory's documents adjacent in one segment.
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
        if self.amount == WriteAmount::Everything {
            let segments = self.index.index.searchable_segment_ids()?;
            if segments.len() > 1 {
                self.writer.merge(&segments).wait()?;
            }
        }
        self.writer.wait_merging_threads()?;
        self.index.reload()
    }
}

/// Ranks a snapshot for a query.
pub(crate) fn rank(
    snapshot: &Arc<IndexSnapshot>,
    query: &Query,
    now_ms: i64,
    asked: Option<&EmbeddedQuestion<'_>>,
) -> tantivy::Result<MemoryRanking> {
    let closeness = asked.map(|asked| asked.closeness(snapshot));
    let circumstances = RankingInput {
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
