//! Explanation of a score, named after the table of weights.

use serde::Serialize;

use crate::rank::RankedMemory;

/// The parts of a memory's score:
/// `(memory + passage + next + meaning) × recency × confidence × access × helped × standing`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub score: f32,
    /// Score of the words in the memory as a whole.
    pub memory: f32,
    /// Weighted score of the words in and around the best passage, and in title and tags.
    pub passage: f32,
    /// Weighted score of the words in the next best passages.
    pub next: f32,
    /// Similarity of the best passage; 0 without a model.
    pub meaning: f32,
    pub recency: f32,
    pub confidence: f32,
    pub access: f32,
    pub helped: f32,
    /// Less than 1 for stale or superseded memories, and for summaries unless the question asks what happened.
    pub standing: f32,
    /// Contribution of each word to the best passage.
    pub terms: Vec<TermPart>,
}

/// Contribution of one word to a passage's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermPart {
    /// The indexed form: the stem.
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
