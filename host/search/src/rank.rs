//! Ranking: which passages have the words, what their neighbourhood and their memory add, and how
//! age, confidence and use weigh in. One mechanism for every kind of text.

use std::collections::HashMap;

use acreta_model::MemoryType;
use acreta_store::Status;

use tantivy::query::{
    BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query as TantivyQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use crate::columns::Accepted;
use crate::expand::{QueryTerm, expand};
use crate::factors::{Factors, Standing};
use crate::meaning::Closeness;
use crate::query::{Accesses, Filter, Parsed};
use crate::snapshot::{Snapshot, any_of};
use crate::weights::{
    BEST_PASSAGE, HEAD, MEMORY_IN_PASSAGE, NEXT_PASSAGES, ONLY_PASSAGE, RANKED_BEYOND,
    RANKED_PASSAGES, RANKED_STEP, TIME_ASKED, WORDS_OF_ALL,
};

/// The parts of a passage's score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankedPassage {
    pub(crate) address: DocAddress,
    /// The first passage of the same memory.
    pub(crate) head: DocAddress,
    /// Its words, its title's and its neighbours'.
    pub(crate) text: f32,
    /// Words in title, tags and file name, weighted.
    pub(crate) labels: f32,
    /// The words of the whole memory.
    pub(crate) memory: f32,
    /// What closeness in meaning adds; nothing where it was not asked.
    pub(crate) meaning: f32,
    /// The cosine of the angle to the question, where it is known.
    pub(crate) closeness: Option<f32>,
    /// Whether it is a hit by its meaning.
    pub(crate) is_close: bool,
    pub(crate) factors: Factors,
}

/// A memory and its best passage.
#[derive(Debug, Clone)]
pub(crate) struct RankedMemory {
    pub(crate) best: RankedPassage,
    pub(crate) parts: Parts,
    pub(crate) score: f32,
}

/// What a memory's score is the sum of, before age, confidence and use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) memory: f32,
    pub(crate) passage: f32,
    pub(crate) next: f32,
    pub(crate) meaning: f32,
}

/// What a ranking goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    Words,
    WordsAndMeaning,
}

/// What was looked for and found.
pub(crate) struct Ranking {
    pub(crate) terms: Vec<QueryTerm>,
    /// Best first; only passages that have one of the words themselves or around them.
    pub(crate) passages: Vec<RankedPassage>,
    /// Best first.
    pub(crate) memories: Vec<RankedMemory>,
}

/// What a ranking depends on besides the index and the words.
pub(crate) struct Circumstances<'a> {
    pub(crate) filter: &'a Filter,
    pub(crate) accesses: &'a Accesses,
    pub(crate) now_ms: i64,
    /// How many memories or passages are wanted.
    pub(crate) limit: usize,
    /// How close passages are in meaning, where that is known.
    pub(crate) closeness: Option<&'a Closeness>,
}

impl Ranking {
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

    /// What its words and its memory's say.
    pub(crate) fn words(&self) -> f32 {
        self.own() + MEMORY_IN_PASSAGE * self.memory
    }

    pub(crate) fn score(&self) -> f32 {
        (self.words() + self.meaning) * self.factors.product()
    }
}

impl Snapshot {
    /// Ranks what the index has for a query.
    pub(crate) fn rank(
        &self,
        parsed: &Parsed,
        circumstances: &Circumstances<'_>,
    ) -> tantivy::Result<Ranking> {
        let terms = expand(&self.searcher, &self.fields, parsed)?;
        let mut ranking = Ranking {
            terms,
            passages: Vec::new(),
            memories: Vec::new(),
        };
        let nothing_asked = ranking.terms.is_empty() && circumstances.closeness.is_none();
        if nothing_asked || circumstances.limit == 0 {
            return Ok(ranking);
        }
        let accepted = Accepted::new(&self.columns, circumstances.filter)?;
        // In steps: who pages through hits asks for a few more each time, and must get the same ones
        // in the same order again.
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

    /// The score of each term in the best passage of a memory, for those who want to know.
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

    /// The passages with the best scores of their own.
    fn passages(
        &self,
        terms: &[QueryTerm],
        parsed: &Parsed,
        accepted: &Accepted<'_>,
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

    /// Adds what labels, whole memory, time and circumstances say to the passages found.
    pub(crate) fn scored(
        &self,
        found: Vec<(DocAddress, f32)>,
        terms: &[QueryTerm],
        parsed: &Parsed,
        circumstances: &Circumstances<'_>,
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

    /// Sets the whole memory's score on each passage. Short and long memories are scored by the same words, each once, so
    /// that both can be compared.
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

    /// Adds long memories that have the words all over rather than in one passage.
    fn add_whole_memories(
        &self,
        ranking: &mut Ranking,
        parsed: &Parsed,
        accepted: &Accepted<'_>,
        circumstances: &Circumstances<'_>,
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

    /// Best first. Equal scores go by a number that depends on the id alone, so that the order does not
    /// depend on how the index grew.
    fn sort(&self, ranking: &mut Ranking) {
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
        parsed: &Parsed,
        circumstances: &Circumstances<'_>,
    ) -> tantivy::Result<Factors> {
        let columns = &self.columns[address.segment_ord as usize];
        let doc = address.doc_id;
        let access = if circumstances.accesses.is_empty() {
            None
        } else {
            circumstances.accesses.get(&columns.id_of(doc)?)
        };
        let updated = columns.updated.first(doc).or(columns.created.first(doc));
        let confidence = columns.confidence.first(doc).map(|value| value as f32);
        Ok(Factors::new(
            circumstances.now_ms,
            updated,
            confidence,
            access,
            Standing {
                is_unwanted_summary: !parsed.asks_history
                    && columns.memory_type.first(doc) == Some(MemoryType::Summary as u64),
                is_stale: columns.stale.first(doc) == Some(true),
                is_superseded: columns.status.first(doc) == Some(Status::Superseded as u64),
            },
        ))
    }
}

/// Puts the passages of each memory together.
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
    let by_words = Parts {
        memory: best.memory,
        passage: if is_long { BEST_PASSAGE } else { ONLY_PASSAGE } * best.own(),
        next: NEXT_PASSAGES * sum(RankedPassage::own),
        meaning: 0.0,
    };
    let parts = match basis {
        Basis::Words => by_words,
        // Mostly what its best passage is, by both.
        Basis::WordsAndMeaning => Parts {
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
