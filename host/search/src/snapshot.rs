//! A read-only snapshot of an index: finds the best documents for some terms, and scores given ones. Skips through
//! posting lists instead of reading them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::query::{
    Bm25StatisticsProvider, BoostQuery, EnableScoring, Occur, Query as TantivyQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, Searcher, TERMINATED, Term};

use crate::columns::SegmentColumns;
use crate::expand::QueryTerm;
use crate::schema::{IndexFields, ROLE_LONG, ROLE_MEMORY};

/// A read-only snapshot of an index.
pub(crate) struct IndexSnapshot {
    pub(crate) searcher: Searcher,
    pub(crate) fields: IndexFields,
    pub(crate) columns: Vec<SegmentColumns>,
    memories: u64,
    /// Some memory has several passages.
    pub(crate) has_long: bool,
}

impl IndexSnapshot {
    pub(crate) fn new(searcher: Searcher, fields: IndexFields) -> tantivy::Result<Self> {
        let columns = searcher
            .segment_readers()
            .iter()
            .map(SegmentColumns::open)
            .collect::<tantivy::Result<_>>()?;
        let role = |role| searcher.doc_freq(&Term::from_field_text(fields.role, role));
        Ok(Self {
            memories: role(ROLE_MEMORY)?,
            has_long: role(ROLE_LONG)? > 0,
            searcher,
            fields,
            columns,
        })
    }

    pub(crate) fn memories(&self) -> u64 {
        self.memories
    }

    /// Returns the `count` best documents of a query, skipping blocks that cannot contain any.
    pub(crate) fn best(
        &self,
        query: &dyn TantivyQuery,
        statistics: &dyn Bm25StatisticsProvider,
        count: usize,
        accepts: impl Fn(usize, DocId) -> bool,
    ) -> tantivy::Result<Vec<(DocAddress, f32)>> {
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, &self.searcher);
        let weight = query.weight(scoring)?;
        let mut heap: BinaryHeap<Reverse<Scored>> = BinaryHeap::with_capacity(count.min(4096) + 1);
        let mut threshold = 0.0;
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let alive = reader.alive_bitset();
            weight.for_each_pruning(threshold, reader, &mut |doc, score| {
                if alive.is_none_or(|alive| alive.is_alive(doc)) && accepts(segment, doc) {
                    let address = DocAddress::new(segment as u32, doc);
                    heap.push(Reverse(Scored { score, address }));
                    if heap.len() > count {
                        heap.pop();
                    }
                    if heap.len() == count {
                        threshold = heap.peek().map_or(0.0, |Reverse(worst)| worst.score);
                    }
                }
                threshold
            })?;
        }
        Ok(heap
            .into_iter()
            .map(|Reverse(scored)| (scored.address, scored.score))
            .collect())
    }

    /// Scores given documents, which are sorted, for terms in a field. Seeks term by term: a union would read all
    /// documents in between.
    pub(crate) fn scores_at(
        &self,
        field: Field,
        statistics: &dyn Bm25StatisticsProvider,
        terms: &[QueryTerm],
        addresses: &[DocAddress],
    ) -> tantivy::Result<Vec<f32>> {
        let mut scores = vec![0.0; addresses.len()];
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, &self.searcher);
        for term in terms {
            let key = Term::from_field_text(field, &term.term);
            let weight = TermQuery::new(key, IndexRecordOption::WithFreqs).weight(scoring)?;
            let mut segment = None;
            for (index, address) in addresses.iter().enumerate() {
                if segment
                    .as_ref()
                    .is_none_or(|(ord, _)| *ord != address.segment_ord)
                {
                    let reader = self.searcher.segment_reader(address.segment_ord);
                    let scorer = weight.scorer(reader, term.weight)?;
                    segment = Some((address.segment_ord, scorer));
                }
                let Some((_, scorer)) = &mut segment else {
                    continue;
                };
                if scorer.doc() < address.doc_id {
                    scorer.seek(address.doc_id);
                }
                if scorer.doc() != TERMINATED && scorer.doc() == address.doc_id {
                    scores[index] += scorer.score();
                }
            }
        }
        Ok(scores)
    }

    pub(crate) fn is_alive(&self, address: DocAddress) -> bool {
        let reader = self.searcher.segment_reader(address.segment_ord);
        !reader.is_deleted(address.doc_id)
    }

    pub(crate) fn is_long(&self, address: DocAddress) -> bool {
        let columns = &self.columns[address.segment_ord as usize];
        columns.passages.first(address.doc_id) > Some(1)
    }

    pub(crate) fn statistics(&self) -> MemoryStatistics<'_> {
        MemoryStatistics {
            searcher: &self.searcher,
            memories: self.memories,
        }
    }
}

/// Matches any of the terms in a field, with their weights.
pub(crate) fn any_of(field: Field, terms: &[QueryTerm]) -> Vec<(Occur, Box<dyn TantivyQuery>)> {
    terms
        .iter()
        .map(|term| {
            let key = Term::from_field_text(field, &term.term);
            let query = Box::new(TermQuery::new(key, IndexRecordOption::WithFreqs));
            let query: Box<dyn TantivyQuery> = Box::new(BoostQuery::new(query, term.weight));
            (Occur::Should, query)
        })
        .collect()
}

/// A document, ordered by score.
#[derive(PartialEq)]
pub(crate) struct Scored {
    pub(crate) score: f32,
    pub(crate) address: DocAddress,
}

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let order = self.score.total_cmp(&other.score);
        order.then_with(|| other.address.cmp(&self.address))
    }
}

/// BM25 statistics over memories; tantivy would count passages.
pub(crate) struct MemoryStatistics<'a> {
    searcher: &'a Searcher,
    memories: u64,
}

impl Bm25StatisticsProvider for MemoryStatistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.searcher.total_num_tokens(field)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.memories)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.searcher.doc_freq(term)
    }
}
