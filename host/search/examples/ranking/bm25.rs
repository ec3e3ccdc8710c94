//! Plain BM25 (k1 = 1.2, b = 0.75) with search's own tokens, stems and stop words.

use std::collections::{HashMap, HashSet};

use acreta_search::terms_of;

const K1: f64 = 1.2;
const B: f64 = 0.75;

pub(crate) struct Bm25 {
    /// Documents that contain a term, and how often.
    postings: HashMap<String, Vec<(usize, u32)>>,
    lengths: Vec<f64>,
    average: f64,
}

impl Bm25 {
    pub(crate) fn new(texts: impl Iterator<Item = String>) -> Self {
        let mut postings: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (document, text) in texts.enumerate() {
            let terms = terms_of(&text);
            lengths.push(terms.len() as f64);
            for term in terms {
                let list = postings.entry(term.term).or_default();
                match list.last_mut() {
                    Some((last, count)) if *last == document => *count += 1,
                    _ => list.push((document, 1)),
                }
            }
        }
        let average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Self {
            postings,
            lengths,
            average,
        }
    }

    /// Returns the best documents, best first.
    pub(crate) fn rank(&self, question: &str, limit: usize) -> Vec<usize> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for term in asked(question) {
            let Some(list) = self.postings.get(&term) else {
                continue;
            };
            let (all, with) = (self.lengths.len() as f64, list.len() as f64);
            let idf = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            for (document, count) in list {
                let count = f64::from(*count);
                let length = 1.0 - B + B * self.lengths[*document] / self.average;
                *scores.entry(*document).or_default() +=
                    idf * count * (K1 + 1.0) / (count + K1 * length);
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        ranked.truncate(limit);
        ranked.into_iter().map(|(document, _)| document).collect()
    }
}

/// Returns the distinct terms of a question, without everyday words unless there are no others.
fn asked(question: &str) -> HashSet<String> {
    let terms = terms_of(question);
    let has_meaning = |word: &str, is_name: bool| is_name || !acreta_text::is_stop_word(word);
    let any = terms
        .iter()
        .any(|term| has_meaning(&term.word, term.is_name));
    terms
        .into_iter()
        .filter(|term| !any || has_meaning(&term.word, term.is_name))
        .map(|term| term.term)
        .collect()
}
