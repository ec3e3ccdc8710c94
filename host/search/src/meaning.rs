//! Semantic search: which passages have vectors, embedding those that have none, and similarity to a question. Only
//! callers that asked for it wait for the model: a passage without a vector is found by its words.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use acreta_fs::Directory;
use acreta_types::locked;
use tantivy::schema::Value;
use tantivy::{DocAddress, DocId, TantivyDocument};

use crate::embedded_text::text;
use crate::sentence::{ModelFailure, ModelIdentity, SentenceModel};
use crate::snapshot::IndexSnapshot;
use crate::vector_file::VectorFile;
use crate::vectors::{QuantisedVector, Vectors};
use crate::weights::EMBEDDED_AT_ONCE;

/// A model and the vectors it produced.
pub(crate) struct Meaning {
    model: Arc<dyn SentenceModel>,
    file: Mutex<VectorFile>,
    vectors: Mutex<Arc<Vectors>>,
    matched: Mutex<Option<Arc<VectorRows>>>,
}

/// Result of embedding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Passages that received a vector.
    pub done: usize,
    /// Passages still without a vector.
    pub waiting: usize,
    /// Reason why it stopped, if the model failed.
    pub warning: Option<String>,
}

/// An embedded question.
pub(crate) struct EmbeddedQuestion<'a> {
    meaning: &'a Meaning,
    vector: QuantisedVector,
}

/// Similarity of the passages of one snapshot to a question.
pub(crate) struct Closeness {
    matched: Arc<VectorRows>,
    by_row: Vec<f32>,
}

/// The vector row of each document of one snapshot.
struct VectorRows {
    snapshot: Arc<IndexSnapshot>,
    vectors: Arc<Vectors>,
    /// By segment and document.
    rows: Vec<Vec<u32>>,
}

const NO_ROW: u32 = u32::MAX;

impl Meaning {
    pub(crate) fn new(model: Arc<dyn SentenceModel>) -> Self {
        Self {
            model,
            file: Mutex::default(),
            vectors: Mutex::default(),
            matched: Mutex::default(),
        }
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.model.is_quick()
    }

    /// Embeds a question.
    pub(crate) fn ask(&self, question: &str) -> Result<EmbeddedQuestion<'_>, ModelFailure> {
        let identity = self.identity()?;
        let vectors = self.checked(&identity, &[question])?;
        Ok(EmbeddedQuestion {
            meaning: self,
            vector: QuantisedVector::new(&vectors[0]),
        })
    }

    /// Loads vectors that others wrote to disk, unless another thread is doing so.
    pub(crate) fn follow(&self, base: &Directory) {
        let (Ok(identity), Ok(mut file)) = (self.identity(), self.file.try_lock()) else {
            return;
        };
        if let Some(grown) = file.follow(base, &identity, &self.of(&identity)) {
            *locked(&self.vectors) = Arc::new(grown);
        }
    }

    /// Embeds at most `at_most` passages, and writes the vectors to disk if there is one. The caller holds the file's
    /// lock and has followed it.
    pub(crate) fn embed(
        &self,
        snapshot: &IndexSnapshot,
        base: Option<&Directory>,
        at_most: usize,
    ) -> tantivy::Result<Embedded> {
        let mut embedded = Embedded::default();
        let without = without_vector(snapshot, &locked(&self.vectors));
        embedded.waiting = without.len();
        for some in without[..at_most.min(without.len())].chunks(EMBEDDED_AT_ONCE) {
            let texts: Vec<String> = some
                .iter()
                .map(|(_, address)| snapshot.meaning_text(*address))
                .collect::<tantivy::Result<_>>()?;
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let given = self
                .identity()
                .and_then(|identity| Ok((identity, self.checked(&identity, &texts)?)));
            let (identity, given) = match given {
                Ok(given) => given,
                Err(failure) => {
                    embedded.warning = Some(failure.warning());
                    return Ok(embedded);
                }
            };
            let keys = some.iter().map(|(key, _)| *key);
            let added: Vec<(u64, QuantisedVector)> = keys
                .zip(given.iter().map(|vector| QuantisedVector::new(vector)))
                .collect();
            self.add(&identity, &added, base);
            embedded.done += some.len();
            embedded.waiting -= some.len();
        }
        if let (Some(base), Ok(identity), 0) = (base, self.identity(), embedded.waiting) {
            self.drop_stale_vectors(snapshot, &identity, base);
        }
        Ok(embedded)
    }

    fn add(
        &self,
        identity: &ModelIdentity,
        added: &[(u64, QuantisedVector)],
        base: Option<&Directory>,
    ) {
        let mut file = locked(&self.file);
        let mut vectors = self.of(identity).as_ref().clone();
        for (key, vector) in added {
            vectors.add(*key, vector.scale, vector.values.iter().copied());
        }
        let vectors = Arc::new(vectors);
        *locked(&self.vectors) = Arc::clone(&vectors);
        if let Some(base) = base {
            // Unwritten vectors stay in this process, and the next one computes them again.
            let _ = file.write(base, identity, &vectors, added);
        }
    }

    /// Rewrites the file if most of it belongs to passages that no longer exist.
    fn drop_stale_vectors(
        &self,
        snapshot: &IndexSnapshot,
        identity: &ModelIdentity,
        base: &Directory,
    ) {
        let mut file = locked(&self.file);
        let vectors = Arc::clone(&locked(&self.vectors));
        let wanted: HashSet<u64> = documents(snapshot).map(|(key, _)| key).collect();
        if vectors.len() <= 2 * wanted.len() + EMBEDDED_AT_ONCE {
            return;
        }
        let vectors = Arc::new(vectors.only(|key| wanted.contains(&key)));
        *locked(&self.vectors) = Arc::clone(&vectors);
        let _ = file.write_anew(base, identity, &vectors);
    }

    fn matched(&self, snapshot: &Arc<IndexSnapshot>) -> Arc<VectorRows> {
        let vectors = Arc::clone(&locked(&self.vectors));
        let mut matched = locked(&self.matched);
        if let Some(matched) = &*matched
            && Arc::ptr_eq(&matched.snapshot, snapshot)
            && Arc::ptr_eq(&matched.vectors, &vectors)
        {
            return Arc::clone(matched);
        }
        let segments = snapshot.searcher.segment_readers().iter();
        let rows = segments
            .zip(&snapshot.columns)
            .map(|(reader, columns)| {
                let row = |doc| vectors.row(columns.meaning.first(doc)?);
                (0..reader.max_doc())
                    .map(|doc| row(doc).unwrap_or(NO_ROW))
                    .collect()
            })
            .collect();
        let fresh = Arc::new(VectorRows {
            snapshot: Arc::clone(snapshot),
            vectors,
            rows,
        });
        *matched = Some(Arc::clone(&fresh));
        fresh
    }

    fn of(&self, identity: &ModelIdentity) -> Arc<Vectors> {
        let vectors = Arc::clone(&locked(&self.vectors));
        if vectors.dimensions() == identity.dimensions {
            vectors
        } else {
            Arc::new(Vectors::new(identity.dimensions))
        }
    }

    fn identity(&self) -> Result<ModelIdentity, ModelFailure> {
        self.model.identity()
    }

    /// Embeds texts, and checks the number and dimensions of the vectors.
    fn checked(
        &self,
        identity: &ModelIdentity,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let vectors = self.model.vectors(texts)?;
        let fits = |vector: &Vec<f32>| vector.len() == identity.dimensions;
        if vectors.len() == texts.len() && vectors.iter().all(fits) {
            return Ok(vectors);
        }
        Err(ModelFailure {
            hint: "use another model".to_owned(),
            cause: "the model gave vectors of another shape than it says".into(),
        })
    }
}

impl EmbeddedQuestion<'_> {
    /// Computes the similarity of each passage.
    pub(crate) fn closeness(&self, snapshot: &Arc<IndexSnapshot>) -> Closeness {
        let matched = self.meaning.matched(snapshot);
        Closeness {
            by_row: matched.vectors.closeness(&self.vector),
            matched,
        }
    }
}

impl Closeness {
    /// Returns the cosine similarity of passage and question; `None` without a vector.
    pub(crate) fn of(&self, address: DocAddress) -> Option<f32> {
        let segment = self.matched.rows.get(address.segment_ord as usize)?;
        let row = *segment.get(address.doc_id as usize)?;
        self.by_row.get(row as usize).copied()
    }

    /// Returns the mean similarity of all vectors.
    pub(crate) fn average(&self) -> f32 {
        // Parallel sums are faster than a single one and lose fewer digits.
        let (rows, rest) = self.by_row.as_chunks::<16>();
        let mut sums = [0.0; 16];
        for row in rows {
            for (sum, closeness) in sums.iter_mut().zip(row) {
                *sum += closeness;
            }
        }
        let sum = sums.iter().chain(rest).sum::<f32>();
        sum / self.by_row.len().max(1) as f32
    }

    /// Returns every document with a vector.
    pub(crate) fn all(&self) -> impl Iterator<Item = (DocAddress, f32)> {
        let segments = (0..).zip(&self.matched.rows);
        segments.flat_map(move |(segment, rows)| {
            let documents = (0..).zip(rows);
            documents.filter_map(move |(doc, row): (DocId, _)| {
                let closeness = *self.by_row.get(*row as usize)?;
                Some((DocAddress::new(segment, doc), closeness))
            })
        })
    }
}

impl IndexSnapshot {
    fn meaning_text(&self, address: DocAddress) -> tantivy::Result<String> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let part = |field| {
            let value = document.get_first(field);
            value.and_then(|value| value.as_str()).unwrap_or_default()
        };
        let fields = &self.fields;
        Ok(text(
            part(fields.title),
            part(fields.heading),
            part(fields.passage),
        ))
    }
}

/// Returns the key and first position of every text without a vector.
fn without_vector(snapshot: &IndexSnapshot, vectors: &Vectors) -> Vec<(u64, DocAddress)> {
    let mut known = HashSet::new();
    documents(snapshot)
        .filter(|(key, _)| !vectors.contains(*key) && known.insert(*key))
        .collect()
}

fn documents(snapshot: &IndexSnapshot) -> impl Iterator<Item = (u64, DocAddress)> {
    let segments = snapshot.searcher.segment_readers().iter();
    let segments = segments.zip(&snapshot.columns).zip(0..);
    segments.flat_map(|((reader, columns), segment)| {
        reader.doc_ids_alive().filter_map(move |doc| {
            let key = columns.meaning.first(doc)?;
            Some((key, DocAddress::new(segment, doc)))
        })
    })
}
