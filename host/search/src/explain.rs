//! How a score came about, in the words of the table of weights.

use serde::Serialize;

use crate::rank::RankedMemory;

/// The parts of a memory's score:
/// `(memory + passage + next + meaning) × recency × confidence × access × helped × standing`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub score: f32,
    /// The words in the memory as a whole.
    pub memory: f32,
    /// The words in and around the best passage and in title and tags, by their weight.
    pub passage: f32,
    /// The words in the next best passages, by their weight.
    pub next: f32,
    /// The closeness of the best passage; 0 without a model.
    pub meaning: f32,
    pub recency: f32,
    pub confidence: f32,
    pub access: f32,
    pub helped: f32,
    /// Less than 1 for a summary where nobody asks what happened, and for what is stale or superseded.
    pub standing: f32,
    /// What each word gave to the best passage.
    pub terms: Vec<TermPart>,
}

/// One word's part in a passage's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermPart {
    /// As it is indexed: the stem.
    pub term: String,
    pub score: f32,
}

pub(crate) fn explanation(ranked: &RankedMemory, terms: Vec<(String, f32)>) -> Explanation {
    let best = &ranked.best;
    Explanation {
        score: ranked.score,
        memory: ranked.parts.memory,
        passage: ranked.parts.passage,
        next: ranked.parts.next,
        meaning: ranked.parts.meaning,
        recency: best.factors.recency,
        confidence: best.factors.confidence,
        access: best.factors.access,
        helped: best.factors.helped,
        standing: best.factors.standing,
        terms: terms
            .into_iter()
            .map(|(term, score)| TermPart { term, score })
            .collect(),
    }
}
