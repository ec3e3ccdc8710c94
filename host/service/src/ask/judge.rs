//! Judges whether a memory answers a question: a few features of the sentences that would be quoted, and a table of
//! weights. Precision comes first: a question about the right subject is refused if what it asks for is missing.

use acreta_relate::{TextWord, text_words};

use super::Passage;
use super::demand::Demand;
use super::question::{Question, Term, covered};
use super::sentences::{Sentence, sentences};
use super::weights::{ANSWERS, BIAS, BOUND, FIGURES, KEY, LEAD, WEIGHTS};

/// Judgement of a memory for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPassage {
    /// Index of the passage.
    pub passage: usize,
    /// One or two whole sentences that say most about the question, in order.
    pub quote: Vec<String>,
    /// See [`super::FIGURE_NAMES`]; each about 0 to 1.
    pub figures: [f64; FIGURES],
    /// The share of the question that the quote and the title cover.
    pub titled: f64,
    /// Relative fit of the memory: its search rank and its coverage of the question. It does not say whether the memory
    /// answers.
    pub fit: f64,
    /// Probability that the quote answers, 0 to 1.
    pub probability: f64,
}

impl JudgedPassage {
    pub fn answers(&self) -> bool {
        self.probability >= ANSWERS
    }
}

/// Returns the kind of answer that a question asks for.
pub fn asks_for(question: &str) -> &'static str {
    Question::read(question, &[]).demand.name()
}

/// Judges the first `limit` memories for the question, best first. All passages are used to determine which words of
/// the question are rare.
pub fn judge(question: &str, passages: &[Passage], limit: usize) -> Vec<JudgedPassage> {
    let memories: Vec<Vec<TextWord>> = passages
        .iter()
        .map(|passage| text_words(&format!("{}. {}", passage.title, passage.body)))
        .collect();
    let question = Question::read(question, &memories);
    if question.terms.is_empty() {
        return Vec::new();
    }
    let best = passages
        .iter()
        .map(|one| one.score)
        .fold(f32::MIN_POSITIVE, f32::max);
    let considered = passages.iter().zip(&memories).enumerate().take(limit);
    let mut judged: Vec<JudgedPassage> = considered
        .filter_map(|(at, (passage, words))| {
            let rank = f64::from(passage.score / best);
            PassageMatch::new(&question, passage, words).judged(at, rank)
        })
        .collect();
    let titled: Vec<f64> = judged.iter().map(|one| one.titled).collect();
    for (at, one) in judged.iter_mut().enumerate() {
        let others = titled.iter().enumerate().filter(|(other, _)| *other != at);
        let next = others.map(|(_, titled)| *titled).fold(0.0, f64::max);
        one.figures[LEAD] = (one.titled - next).clamp(-0.5, 0.5);
        one.probability = probability(&one.figures);
    }
    judged.sort_by(|left, right| {
        let order = right.fit.total_cmp(&left.fit);
        order.then(left.passage.cmp(&right.passage))
    });
    judged
}

/// Returns the logistic function of the weighted figures.
fn probability(figures: &[f64; FIGURES]) -> f64 {
    let sum: f64 = figures
        .iter()
        .zip(WEIGHTS)
        .map(|(figure, weight)| figure * weight)
        .sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}

/// One memory while it is judged.
struct PassageMatch<'a> {
    question: &'a Question,
    /// Coverage of each term of the question by the whole memory, and by its title.
    whole: Vec<f64>,
    title: Vec<f64>,
    sentences: Vec<SentenceMatch>,
}

/// A sentence compared with the question.
struct SentenceMatch {
    sentence: Sentence,
    /// Coverage of each term.
    covers: Vec<f64>,
    /// Degree to which it contains the kind of answer that is asked for.
    carried: f64,
    /// Not understandable without the sentence before it.
    points_back: bool,
}

impl<'a> PassageMatch<'a> {
    fn new(question: &'a Question, passage: &Passage, words: &[TextWord]) -> Self {
        let covers = |words: &[TextWord]| -> Vec<f64> {
            let terms = question.terms.iter();
            terms.map(|term| covered(&term.word, words)).collect()
        };
        let read = |sentence: Sentence| {
            let words = text_words(&sentence.text);
            let carried = question.demand.carried(&sentence.text, &words);
            let mut covers = covers(&words);
            for (term, cover) in question.terms.iter().zip(&mut covers) {
                if term.is_of_kind {
                    *cover = cover.max(OF_KIND * carried);
                }
            }
            SentenceMatch {
                covers,
                carried,
                points_back: words
                    .first()
                    .is_some_and(|word| POINTERS.contains(&word.text.as_str())),
                sentence,
            }
        };
        let found = sentences(&passage.title, &passage.body).into_iter();
        Self {
            question,
            whole: covers(words),
            title: covers(&text_words(&passage.title)),
            sentences: found.map(read).collect(),
        }
    }

    fn judged(&self, passage: usize, rank: f64) -> Option<JudgedPassage> {
        let best = self.quotes().into_iter().map(|quote| {
            let (figures, titled) = self.figures(&quote);
            // A second sentence has to be worth its length.
            let second = SECOND * (quote.len() as f64 - 1.0);
            let worth = figures[BOUND] + titled / 2.0 + figures[KEY] / 4.0 - second;
            (worth, quote, figures, titled)
        });
        let (_, quote, figures, titled) = best.max_by(|left, right| {
            let order = left.0.total_cmp(&right.0);
            order.then(right.1.cmp(&left.1))
        })?;
        Some(JudgedPassage {
            passage,
            quote: quote
                .iter()
                .map(|at| self.sentences[*at].sentence.text.clone())
                .collect(),
            figures,
            titled,
            fit: rank + titled + figures[BOUND] / 2.0,
            probability: 0.0,
        })
    }

    /// Returns the candidates for a quote: each sentence, the title with each, and a sentence with the one before it.
    /// One that points back (`It`, `This`) never stands alone.
    fn quotes(&self) -> Vec<Vec<usize>> {
        let has_title = self
            .sentences
            .first()
            .is_some_and(|one| one.sentence.is_title);
        let mut found = Vec::new();
        for (at, read) in self.sentences.iter().enumerate() {
            if !read.points_back || at == 0 {
                found.push(vec![at]);
            }
            if at > 0 {
                found.push(vec![at - 1, at]);
            }
            if has_title && at > 1 && !read.points_back {
                found.push(vec![0, at]);
            }
        }
        found
    }

    /// Returns the figures of a quote, and the share of the question that it covers together with the title.
    fn figures(&self, quote: &[usize]) -> ([f64; FIGURES], f64) {
        let terms = &self.question.terms;
        let read: Vec<&SentenceMatch> = quote.iter().map(|at| &self.sentences[*at]).collect();
        let most = |left: &[f64], right: &[f64]| -> Vec<f64> {
            left.iter()
                .zip(right)
                .map(|(left, right)| left.max(*right))
                .collect()
        };
        let quoted = read
            .iter()
            .fold(vec![0.0; terms.len()], |all, one| most(&all, &one.covers));
        let titled = most(&quoted, &self.title);
        let all: f64 = terms
            .iter()
            .map(|term| term.weight)
            .sum::<f64>()
            .max(f64::MIN_POSITIVE);
        let held = |covers: &[f64]| -> f64 {
            terms
                .iter()
                .zip(covers)
                .map(|(term, cover)| term.weight * cover)
                .sum()
        };
        let bound = read
            .iter()
            .map(|one| one.carried * held(&most(&one.covers, &self.title)) / all);
        let bound = bound.fold(0.0, f64::max);
        let keys: Vec<f64> = terms
            .iter()
            .zip(&quoted)
            .filter(|(term, _)| term.is_key)
            .map(|(_, cover)| *cover)
            .collect();
        let demand = self.question.demand;
        let is_strange =
            |term: &Term| term.word.is_name && !term.word.opens_sentence || term.word.is_number;
        let strange = terms
            .iter()
            .zip(&self.whole)
            .filter(|(term, cover)| is_strange(term) && **cover < 0.5);
        let lost = terms
            .iter()
            .zip(&titled)
            .filter(|(term, cover)| term.weight >= 0.5 && **cover < 0.7);
        let yes = |holds: bool| f64::from(u8::from(holds));
        let figures = [
            bound,
            held(&self.whole) / all,
            keys.first().copied().unwrap_or(0.5),
            yes(strange.count() > 0),
            (lost.count() as f64 / 4.0).min(1.0),
            0.0,
            yes(demand == Demand::Topic),
            yes(demand == Demand::Reason),
            yes(matches!(demand, Demand::Number | Demand::Version)),
        ];
        (figures, held(&titled) / all)
    }
}

/// Minimum share that a second sentence must add.
const SECOND: f64 = 0.1;

/// Coverage of a noun such as `version` by a version.
const OF_KIND: f64 = 0.8;

/// Words that mean nothing without the sentence before.
const POINTERS: [&str; 12] = [
    "it", "this", "that", "they", "these", "those", "he", "she", "its", "their", "then", "but",
];
