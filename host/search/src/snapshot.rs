//! One state of an index, open for questions: finding the best documents for some terms, and scoring
//! given ones. Reads only what it must: lists of postings are skipped through, not read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::query::{
    Bm25StatisticsProvider, BoostQuery, EnableScoring, Occur, Query as TantivyQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, Searcher, TERMINATED, Term};

use crate::columns::Columns;
use crate::expand::QueryTerm;
use crate::schema::{Fields, ROLE_LONG, ROLE_MEMORY};

/// One state of an index, open for questions.
pub(crate) struct Snapshot {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) columns: Vec<Columns>,
    memories: u64,
    /// Whether any memory has several passages.
    pub(crate) has_long: bool,
}

impl Snapshot {
    pub(crate) fn new(searcher: Searcher, fields: Fields) -> tantivy::Result<Self> {
        let columns = searcher
            .segment_readers()
            .iter()
            .map(Columns::open)
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

    /// The `count` best documents of a query, skipping what cannot be among them.
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

    /// The scores of documents, which come in order, for terms in a field. Seeks term by term: a
    /// union would read everything in between.
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

/// Any of the terms in a field, each by its weight.
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

/// A document in the order of its score.
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

/// Statistics of whole memories, where tantivy would count passages.
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
