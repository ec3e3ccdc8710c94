//! Ranking: scores of passages, their neighbourhood and their memory, and factors for age, confidence and use. One
//! mechanism for every kind of text.

use std::collections::HashMap;

use acreta_store::Status;
use acreta_types::MemoryType;

use tantivy::query::{
    BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query as TantivyQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use crate::columns::DocumentFilter;
use crate::expand::{QueryTerm, expand};
use crate::factors::{RankFactors, RankPenalties};
use crate::meaning::Closeness;
use crate::query::{Accesses, Filter, ParsedQuery};
use crate::snapshot::{IndexSnapshot, any_of};
use crate::weights::{
    BEST_PASSAGE, HEAD, MEMORY_IN_PASSAGE, NEXT_PASSAGES, ONLY_PASSAGE, RANKED_BEYOND,
    RANKED_PASSAGES, RANKED_STEP, TIME_ASKED, WORDS_OF_ALL,
};

/// Components of a passage's score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankedPassage {
    pub(crate) address: DocAddress,
    /// The first passage of the same memory.
    pub(crate) head: DocAddress,
    /// Score of its words, its title's and its neighbours'.
    pub(crate) text: f32,
    /// Weighted score of words in title, tags and file name.
    pub(crate) labels: f32,
    /// Score of the words in the whole memory.
    pub(crate) memory: f32,
    /// Contribution of semantic similarity; 0 without a model.
    pub(crate) meaning: f32,
    /// Cosine similarity to the question, if known.
    pub(crate) closeness: Option<f32>,
    /// It is a hit by similarity alone.
    pub(crate) is_close: bool,
    pub(crate) factors: RankFactors,
}

/// A memory and its best passage.
#[derive(Debug, Clone)]
pub(crate) struct RankedMemory {
    pub(crate) best: RankedPassage,
    pub(crate) parts: ScoreParts,
    pub(crate) score: f32,
}

/// Summands of a memory's score, before the factors for age, confidence and use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoreParts {
    pub(crate) memory: f32,
    pub(crate) passage: f32,
    pub(crate) next: f32,
    pub(crate) meaning: f32,
}

/// Basis of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    Words,
    WordsAndMeaning,
}

/// Result of a ranking.
pub(crate) struct MemoryRanking {
    pub(crate) terms: Vec<QueryTerm>,
    /// Best first; only passages with query words in themselves or in their neighbours.
    pub(crate) passages: Vec<RankedPassage>,
    /// Best first.
    pub(crate) memories: Vec<RankedMemory>,
}

/// Inputs of a ranking other than the index and the words.
pub(crate) struct RankingInput<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) accesses: &'a Accesses,
    pub(crate) now_ms: i64,
    /// Number of memories or passages wanted.
    pub(crate) limit: usize,
    /// Semantic similarity of passages, if known.
    pub(crate) closeness: Option<&'a Closeness>,
}

impl MemoryRanking {
    pub(crate) fn empty() -> Self {
        Self {
            terms: Vec::new(),
            passages: Vec::new(),
            memories: Vec::new(),
        }
    }
}

impl RankedPassage {
    pub(crate) fn own(&self) -> f32 {
        self.text + self.labels
    }

    /// Returns the score of its words and of its memory's.
    pub(crate) fn words(&self) -> f32 {
        self.own() + MEMORY_IN_PASSAGE * self.memory
    }

    pub(crate) fn score(&self) -> f32 {
        (self.words() + self.meaning) * self.factors.product()
    }
}

impl IndexSnapshot {
    /// Ranks passages and memories for a query.
    pub(crate) fn rank(
        &self,
        parsed: &ParsedQuery,
        circumstances: &RankingInput<'_>,
    ) -> tantivy::Result<MemoryRanking> {
        let terms = expand(&self.searcher, self.fields.searched(), parsed)?;
        let mut ranking = MemoryRanking {
            terms,
            passages: Vec::new(),
            memories: Vec::new(),
        };
        let nothing_asked = ranking.terms.is_empty() && circumstances.closeness.is_none();
        if nothing_asked || circumstances.limit == 0 {
            return Ok(ranking);
        }
        let accepted = DocumentFilter::new(&self.columns, circumstances.filter)?;
        // In steps, so that paging through hits with a growing limit returns the same hits in the same order.
        let mut wanted = circumstances.limit.saturating_add(RANKED_BEYOND);
        wanted = wanted
            .checked_next_multiple_of(RANKED_STEP)
            .unwrap_or(wanted);
        if self.has_long {
            wanted = wanted.max(RANKED_PASSAGES);
        }
        let count = wanted;
        while !ranking.terms.is_empty() {
            let found = self.passages(&ranking.terms, parsed, &accepted, wanted)?;
            let complete = found.len() < wanted;
            ranking.passages = self.scored(found, &ranking.terms, parsed, circumstances)?;
            if self.has_long && parsed.phrases.is_empty() {
                self.add_whole_memories(&mut ranking, parsed, &accepted, circumstances)?;
            }
            ranking.memories = memories(&ranking.passages, Basis::Words, |head| self.is_long(head));
            // Many passages of few memories: look further down.
            if complete || ranking.memories.len() >= circumstances.limit {
                break;
            }
            wanted = wanted.saturating_mul(4);
        }
        if let Some(closeness) = circumstances.closeness {
            self.fuse(
                &mut ranking,
                closeness,
                parsed,
                &accepted,
                circumstances,
                count,
            )?;
        }
        ranking
            .passages
            .retain(|passage| passage.text > 0.0 || passage.is_close);
        self.sort(&mut ranking);
        Ok(ranking)
    }

    /// Returns the score of each term in the best passage of a memory, for explanations.
    pub(crate) fn term_scores(
        &self,
        address: DocAddress,
        terms: &[QueryTerm],
    ) -> tantivy::Result<Vec<(String, f32)>> {
        let mut scores = Vec::new();
        for term in terms {
            let one = std::slice::from_ref(term);
            let score = self.scores_at(self.fields.text, &self.searcher, one, &[address])?;
            if score[0] > 0.0 {
                scores.push((term.term.clone(), score[0]));
            }
        }
        Ok(scores)
    }

    /// Returns the passages with the best scores of their own.
    fn passages(
        &self,
        terms: &[QueryTerm],
        parsed: &ParsedQuery,
        accepted: &DocumentFilter<'_>,
        count: usize,
    ) -> tantivy::Result<Vec<(DocAddress, f32)>> {
        let mut clauses = any_of(self.fields.text, terms);
        for phrase in &parsed.phrases {
            let mut words: Vec<Term> = phrase
                .iter()
                .map(|word| Term::from_field_text(self.fields.words, word))
                .collect();
            let phrase: Box<dyn TantivyQuery> = match words.len() {
                1 => Box::new(TermQuery::new(words.remove(0), IndexRecordOption::Basic)),
                _ => Box::new(PhraseQuery::new(words)),
            };
            clauses.push((Occur::Must, Box::new(ConstScoreQuery::new(phrase, 0.0))));
        }
        self.best(
            &BooleanQuery::new(clauses),
            &self.searcher,
            count,
            |segment, doc| accepted.accepts(segment, doc),
        )
    }

    /// Adds labels, whole memory, time and other factors to the passages found.
    pub(crate) fn scored(
        &self,
        found: Vec<(DocAddress, f32)>,
        terms: &[QueryTerm],
        parsed: &ParsedQuery,
        circumstances: &RankingInput<'_>,
    ) -> tantivy::Result<Vec<RankedPassage>> {
        let mut passages = Vec::with_capacity(found.len());
        for (address, score) in found {
            let columns = &self.columns[address.segment_ord as usize];
            let asked = parsed.asks_time && columns.names_time.first(address.doc_id) == Some(1);
            passages.push(RankedPassage {
                address,
                head: columns.head(address),
                text: if asked { score * TIME_ASKED } else { score },
                labels: 0.0,
                memory: 0.0,
                meaning: 0.0,
                closeness: None,
                is_close: false,
                factors: self.factors(address, parsed, circumstances)?,
            });
        }
        passages.sort_by_key(|passage| passage.address);
        let addresses: Vec<DocAddress> = passages.iter().map(|passage| passage.address).collect();
        let labels = self.scores_at(self.fields.head, &self.searcher, terms, &addresses)?;
        for (passage, labels) in passages.iter_mut().zip(labels) {
            passage.labels = HEAD * labels;
        }
        self.score_memories(&mut passages, terms)?;
        Ok(passages)
    }

    /// Sets the whole memory's score on each passage. Counts each word once, so that short and long memories are
    /// comparable.
    fn score_memories(
        &self,
        passages: &mut [RankedPassage],
        terms: &[QueryTerm],
    ) -> tantivy::Result<()> {
        let mut heads: Vec<DocAddress> = passages.iter().map(|passage| passage.head).collect();
        heads.sort();
        heads.dedup();
        let scores = self.scores_at(self.fields.memory, &self.statistics(), terms, &heads)?;
        let scores: HashMap<DocAddress, f32> = heads.into_iter().zip(scores).collect();
        for passage in passages {
            if let Some(score) = scores.get(&passage.head) {
                passage.memory = *score;
            }
        }
        Ok(())
    }

    /// Adds long memories whose words are spread over several passages.
    fn add_whole_memories(
        &self,
        ranking: &mut MemoryRanking,
        parsed: &ParsedQuery,
        accepted: &DocumentFilter<'_>,
        circumstances: &RankingInput<'_>,
    ) -> tantivy::Result<()> {
        let query = BooleanQuery::new(any_of(self.fields.memory, &ranking.terms));
        let count = circumstances.limit.saturating_add(20);
        let found = self.best(&query, &self.statistics(), count, |segment, doc| {
            let address = DocAddress::new(segment as u32, doc);
            self.is_long(address) && accepted.accepts(segment, doc)
        })?;
        for (address, memory) in found {
            if ranking
                .passages
                .iter()
                .all(|passage| passage.head != address)
            {
                ranking.passages.push(RankedPassage {
                    address,
                    head: address,
                    text: 0.0,
                    labels: 0.0,
                    memory,
                    meaning: 0.0,
                    closeness: None,
                    is_close: false,
                    factors: self.factors(address, parsed, circumstances)?,
                });
            }
        }
        Ok(())
    }

    /// Sorts best first. Ties are broken by a hash of the id, so that the order does not depend on how the index grew.
    fn sort(&self, ranking: &mut MemoryRanking) {
        let tie = |address: DocAddress| {
            let columns = &self.columns[address.segment_ord as usize];
            (columns.tie.first(address.doc_id), address)
        };
        ranking.memories.sort_by(|left, right| {
            let order = right.score.total_cmp(&left.score);
            order.then_with(|| tie(left.best.head).cmp(&tie(right.best.head)))
        });
        ranking.passages.sort_by(|left, right| {
            let order = right.score().total_cmp(&left.score());
            order.then_with(|| tie(left.address).cmp(&tie(right.address)))
        });
    }

    fn factors(
        &self,
        address: DocAddress,
        parsed: &ParsedQuery,
        circumstances: &RankingInput<'_>,
    ) -> tantivy::Result<RankFactors> {
        let columns = &self.columns[address.segment_ord as usize];
        let doc = address.doc_id;
        let access = if circumstances.accesses.is_empty() {
            None
        } else {
            circumstances.accesses.get(&columns.id_of(doc)?)
        };
        let updated = columns.updated.first(doc).or(columns.created.first(doc));
        let confidence = columns.confidence.first(doc).map(|value| value as f32);
        Ok(RankFactors::new(
            circumstances.now_ms,
            updated,
            confidence,
            access,
            RankPenalties {
                is_unwanted_summary: !parsed.asks_history
                    && columns.memory_type.first(doc) == Some(MemoryType::Summary as u64),
                is_stale: columns.stale.first(doc) == Some(true),
                is_superseded: columns.status.first(doc) == Some(Status::Superseded as u64),
            },
        ))
    }
}

/// Groups passages by memory.
pub(crate) fn memories(
    passages: &[RankedPassage],
    basis: Basis,
    is_long: impl Fn(DocAddress) -> bool,
) -> Vec<RankedMemory> {
    let mut groups: HashMap<DocAddress, Vec<&RankedPassage>> = HashMap::new();
    for passage in passages {
        groups.entry(passage.head).or_default().push(passage);
    }
    let groups = groups.into_values();
    groups
        .map(|group| {
            let is_long = is_long(group[0].head);
            memory(group, basis, is_long)
        })
        .collect()
}

fn memory(mut group: Vec<&RankedPassage>, basis: Basis, is_long: bool) -> RankedMemory {
    let of = |passage: &RankedPassage| passage.own() + passage.meaning;
    group.sort_by(|left, right| {
        let order = of(right).total_cmp(&of(left));
        order.then_with(|| left.address.cmp(&right.address))
    });
    let best = *group[0];
    let sum = |of: fn(&RankedPassage) -> f32| -> f32 {
        group
            .iter()
            .skip(1)
            .take(2)
            .map(|passage| of(passage))
            .sum()
    };
    let by_words = ScoreParts {
        memory: best.memory,
        passage: if is_long { BEST_PASSAGE } else { ONLY_PASSAGE } * best.own(),
        next: NEXT_PASSAGES * sum(RankedPassage::own),
        meaning: 0.0,
    };
    let parts = match basis {
        Basis::Words => by_words,
        // Mostly the best passage, by words and meaning.
        Basis::WordsAndMeaning => ScoreParts {
            memory: WORDS_OF_ALL * by_words.memory + MEMORY_IN_PASSAGE * best.memory,
            passage: WORDS_OF_ALL * by_words.passage + best.own(),
            next: WORDS_OF_ALL * by_words.next + NEXT_PASSAGES * sum(RankedPassage::words),
            meaning: best.meaning + NEXT_PASSAGES * sum(|passage| passage.meaning),
        },
    };
    let sum = parts.memory + parts.passage + parts.next + parts.meaning;
    RankedMemory {
        best,
        parts,
        score: sum * best.factors.product(),
    }
}
