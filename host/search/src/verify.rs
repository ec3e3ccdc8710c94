//! Turns a ranking into verified hits: each is compared with its file. Changed files are returned so that they can be
//! reread; deleted ones are omitted.

use std::collections::HashSet;

use acreta_store::Trust;
use acreta_types::MEMORY_TYPES;
use camino::{Utf8Path, Utf8PathBuf};
use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, TantivyDocument, Term};

use crate::columns::SegmentColumns;
use crate::explain::explanation;
use crate::files::{self, MemoryFileContent, MemoryFiles};
use crate::meaning::EmbeddedQuestion;
use crate::passage_index::{PassageIndex, rank};
use crate::query::Query;
use crate::rank::{MemoryRanking, RankedMemory};
use crate::refresh::IndexedFileState;
use crate::schema::MemoryFingerprint;
use crate::snapshot::IndexSnapshot;
use crate::snippet::snippet;
use crate::{Hit, IndexEntry, Status};

/// Verified hits, and files that differ from the index.
pub(crate) struct VerifiedHits {
    pub(crate) hits: Vec<Hit>,
    pub(crate) changed: Vec<Utf8PathBuf>,
}

pub(crate) fn answer(
    index: &PassageIndex,
    files: &MemoryFiles,
    query: &Query,
    now_ms: i64,
    asked: Option<&EmbeddedQuestion<'_>>,
) -> tantivy::Result<VerifiedHits> {
    let snapshot = index.snapshot();
    let ranking = rank(&snapshot, query, now_ms, asked)?;
    let mut answer = VerifiedHits {
        hits: Vec::new(),
        changed: Vec::new(),
    };
    for ranked in &ranking.memories {
        if answer.hits.len() >= query.limit {
            break;
        }
        let document: TantivyDocument = snapshot.searcher.doc(ranked.best.address)?;
        if holds(&snapshot, files, ranked.best.address, &document, now_ms) {
            answer
                .hits
                .push(hit(&snapshot, query, &ranking, ranked, &document)?);
        } else {
            let path = text(&document, snapshot.fields.path);
            answer.changed.push(Utf8PathBuf::from(path));
        }
    }
    Ok(answer)
}

/// Adds hits from changed files, for when the index cannot be updated.
pub(crate) fn with_fresh(
    mut hits: Vec<Hit>,
    changed: &[Utf8PathBuf],
    files: &MemoryFiles,
    query: &Query,
    now_ms: i64,
) -> Vec<Hit> {
    let fresh: Vec<IndexEntry> = changed
        .iter()
        .filter_map(
            |path| match files.read(path, files::type_of(path)?, now_ms) {
                MemoryFileContent::Memory(memory, _) => Some(IndexEntry::from(&*memory)),
                MemoryFileContent::Gone | MemoryFileContent::Unusable(_) => None,
            },
        )
        .collect();
    if fresh.is_empty() {
        return hits;
    }
    // Search them as a separate index: this gives the order among them, and whether they match at all.
    let Ok(small) = PassageIndex::in_memory() else {
        return hits;
    };
    let asked = || -> Result<Vec<Hit>, crate::SearchError> {
        small.add(fresh)?;
        let snapshot = small.snapshot();
        let ranking =
            rank(&snapshot, query, now_ms, None).unwrap_or_else(|_| MemoryRanking::empty());
        let hits = ranking.memories.iter().filter_map(|ranked| {
            let document = snapshot.searcher.doc(ranked.best.address).ok()?;
            hit(&snapshot, query, &ranking, ranked, &document).ok()
        });
        Ok(hits.collect())
    };
    hits.extend(asked().unwrap_or_default());
    hits.truncate(query.limit);
    hits
}

/// Reports whether a memory's files are unchanged since they were indexed.
fn holds(
    snapshot: &IndexSnapshot,
    files: &MemoryFiles,
    address: DocAddress,
    document: &TantivyDocument,
    now_ms: i64,
) -> bool {
    let id = text(document, snapshot.fields.id);
    let path = Utf8Path::new(text(document, snapshot.fields.path));
    let known = IndexedFileState::new(columns(snapshot, address), address.doc_id, id);
    if files.fingerprint(path, id) != Some(known.fingerprint) {
        return false;
    }
    if !known.is_racy {
        return true;
    }
    let read = files::type_of(path).map(|of| files.read(path, of, now_ms));
    match read {
        Some(MemoryFileContent::Memory(_, seen)) => {
            text(document, snapshot.fields.digest) == seen.digest
        }
        _ => false,
    }
}

fn hit(
    snapshot: &IndexSnapshot,
    query: &Query,
    ranking: &MemoryRanking,
    ranked: &RankedMemory,
    document: &TantivyDocument,
) -> tantivy::Result<Hit> {
    let address = ranked.best.address;
    let columns = columns(snapshot, address);
    let fields = &snapshot.fields;
    let terms: HashSet<&str> = ranking
        .terms
        .iter()
        .map(|term| term.term.as_str())
        .collect();
    let explanation = if query.explain {
        let terms = snapshot.term_scores(address, &ranking.terms)?;
        Some(explanation(ranked, terms))
    } else {
        None
    };
    let number = |column: &tantivy::columnar::Column<u64>| column.first(address.doc_id);
    let title = text(document, fields.title);
    Ok(Hit {
        id: text(document, fields.id).to_owned(),
        path: Utf8PathBuf::from(text(document, fields.path)),
        memory_type: MEMORY_TYPES
            .iter()
            .map(|entry| entry.memory_type)
            .find(|of| number(&columns.memory_type) == Some(*of as u64))
            .unwrap_or(acreta_types::MemoryType::Summary),
        kind: columns.kind_of(address.doc_id)?,
        title: title.to_owned(),
        trust: Trust::ALL
            .into_iter()
            .find(|trust| number(&columns.trust) == Some(*trust as u64))
            .unwrap_or(Trust::Untrusted),
        status: Status::ALL
            .into_iter()
            .find(|status| number(&columns.status) == Some(*status as u64))
            .unwrap_or(Status::Archived),
        is_stale: columns.stale.first(address.doc_id) == Some(true),
        score: ranked.score,
        closeness: ranked.best.closeness,
        snippet: snippet(untitled(text(document, fields.passage), title), &terms),
        explanation,
    })
}

/// Returns a passage without the title above it, which a hit has already.
fn untitled<'a>(passage: &'a str, title: &str) -> &'a str {
    let heading = passage.strip_prefix("# ");
    let rest = heading.and_then(|heading| heading.strip_prefix(title));
    match rest.map(str::trim_start) {
        None | Some("") => passage,
        Some(rest) => rest,
    }
}

impl IndexSnapshot {
    /// Returns the content digest with which a memory was indexed.
    pub(crate) fn digest_of(&self, path: &Utf8Path) -> tantivy::Result<Option<String>> {
        let Some(address) = self.first_at(path)? else {
            return Ok(None);
        };
        let document: TantivyDocument = self.searcher.doc(address)?;
        Ok(Some(text(&document, self.fields.digest).to_owned()))
    }

    /// Returns the path of the memory with an id.
    pub(crate) fn path_of(&self, id: &str) -> tantivy::Result<Option<Utf8PathBuf>> {
        let term = Term::from_field_text(self.fields.id, id);
        let Some(address) = self.first_with(self.fields.id, &term)? else {
            return Ok(None);
        };
        let document: TantivyDocument = self.searcher.doc(address)?;
        Ok(Some(Utf8PathBuf::from(text(&document, self.fields.path))))
    }

    /// Returns a document of the memory at a path.
    pub(crate) fn first_at(&self, path: &Utf8Path) -> tantivy::Result<Option<DocAddress>> {
        self.first_with(self.fields.path, &self.fields.path_term(path))
    }

    /// Reports whether a memory was indexed with these files, and they cannot have changed unnoticed.
    pub(crate) fn is_as_known(&self, address: DocAddress, seen: &MemoryFingerprint) -> bool {
        let columns = columns(self, address);
        columns.fingerprint.first(address.doc_id) == Some(seen.fingerprint)
            && columns.racy.first(address.doc_id) == Some(false)
    }

    fn first_with(&self, field: Field, term: &Term) -> tantivy::Result<Option<DocAddress>> {
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let inverted = reader.inverted_index(field)?;
            let postings =
                inverted.read_postings(term, tantivy::schema::IndexRecordOption::Basic)?;
            let Some(mut postings) = postings else {
                continue;
            };
            use tantivy::DocSet;
            while postings.doc() != tantivy::TERMINATED {
                if !reader.is_deleted(postings.doc()) {
                    return Ok(Some(DocAddress::new(segment as u32, postings.doc())));
                }
                postings.advance();
            }
        }
        Ok(None)
    }
}

fn columns(snapshot: &IndexSnapshot, address: DocAddress) -> &SegmentColumns {
    &snapshot.columns[address.segment_ord as usize]
}

fn text(document: &TantivyDocument, field: Field) -> &str {
    document
        .get_first(field)
        .and_then(|value| value.as_str())
        .unwrap_or_default()
}
