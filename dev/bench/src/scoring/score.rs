//! The figures of an extractor over labelled sessions. Counts, names and order are those of the scorer that comes with
//! the labels, so that figures are comparable.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::scoring::label::{Extracted, Label, LabelItem, Proposal};
use crate::scoring::matching::{assign, has_all, has_any, normal};

/// Characters of title and body that count.
const COUNTED: usize = 300;
/// A longer candidate is a pasted passage, not a memory.
const LONGEST: usize = 500;
/// Characters of a summary that count.
const SUMMARY: usize = 2000;

/// Scores of one session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionScore {
    pub verdict: String,
    pub candidates: u64,
    pub gold: u64,
    pub gold_found: u64,
    pub missed: Vec<String>,
    pub weight: u64,
    pub weight_found: u64,
    pub right_gold: u64,
    pub right_acceptable: u64,
    pub wrong: u64,
    pub duplicates: u64,
    pub traps: u64,
    pub wrong_titles: Vec<String>,
    pub types: u64,
    pub types_right: u64,
    pub kinds: u64,
    pub kinds_right: u64,
    pub facts: u64,
    pub facts_found: u64,
    /// There was no result to score.
    pub missing: bool,
}

/// Rule for counting a candidate as one of the label's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It names the item's key terms.
    Terms,
    /// It also cites an event that holds one of the item's passages. Random windows of a session reach an F1 of 0.30 by
    /// their terms alone.
    Evidence,
}

/// Scores one session; `None` is a session without a result.
pub fn score(label: &Label, extracted: Option<&Extracted>, rule: Rule) -> SessionScore {
    let nothing = Extracted::default();
    let result = extracted.unwrap_or(&nothing);
    let candidates = &result.candidates;
    let texts: Vec<String> = candidates
        .iter()
        .map(|one| {
            let whole = format!(" {} \n {} ", one.title, one.body);
            if whole.chars().count() > LONGEST {
                return String::new();
            }
            normal(&whole.chars().take(COUNTED).collect::<String>())
        })
        .collect();
    let fitting = |items: &[LabelItem]| -> Vec<Vec<usize>> {
        let fits = |item: &LabelItem| {
            texts
                .iter()
                .enumerate()
                .filter(|(index, text)| {
                    has_all(&item.key_terms, text)
                        && (rule == Rule::Terms || cites(&candidates[*index], item, result))
                })
                .map(|(index, _)| index)
                .collect()
        };
        items.iter().map(fits).collect()
    };
    let (of_gold, of_acceptable) = (fitting(&label.gold), fitting(&label.acceptable));
    let weights: Vec<u64> = label.gold.iter().map(|item| item.importance).collect();
    let owners = assign(&weights, &of_gold, candidates.len());
    let is_rest = |candidate: &usize| owners[*candidate].is_none();
    let rest_of_acceptable: Vec<Vec<usize>> = of_acceptable
        .iter()
        .map(|fitting| fitting.iter().copied().filter(is_rest).collect())
        .collect();
    let ones = vec![1; label.acceptable.len()];
    let acceptable = assign(&ones, &rest_of_acceptable, candidates.len());
    let mut score = SessionScore {
        verdict: label.verdict.clone(),
        candidates: candidates.len() as u64,
        gold: label.gold.len() as u64,
        weight: weights.iter().sum(),
        facts: label.summary_facts.len() as u64,
        missing: extracted.is_none(),
        ..SessionScore::default()
    };
    let mut found = vec![false; label.gold.len()];
    for (index, (candidate, text)) in candidates.iter().zip(&texts).enumerate() {
        if let Some(owner) = owners[index] {
            let item = &label.gold[owner];
            found[owner] = true;
            score.right_gold += 1;
            score.types += 1;
            let is_type = candidate.memory_type == item.memory_type
                || item.also_type.contains(&candidate.memory_type);
            score.types_right += u64::from(is_type);
            let has_kind = !candidate.kind.is_empty()
                && candidate.memory_type == "learning"
                && item.memory_type == "learning";
            score.kinds += u64::from(has_kind);
            let is_kind = item.kind.as_deref() == Some(candidate.kind.as_str());
            score.kinds_right += u64::from(has_kind && is_kind);
        } else if acceptable[index].is_some() {
            score.right_acceptable += 1;
        } else {
            score.wrong += 1;
            let title = [&candidate.title, &candidate.body];
            let title = title.into_iter().find(|text| !text.is_empty());
            let title = title.map_or("", String::as_str);
            score.wrong_titles.push(title.chars().take(90).collect());
            let mut both = of_gold.iter().chain(&of_acceptable);
            if both.any(|fitting| fitting.contains(&index)) {
                score.duplicates += 1;
            } else if label
                .traps
                .iter()
                .any(|trap| has_all(&trap.key_terms, text))
            {
                score.traps += 1;
            }
        }
    }
    for (item, found) in label.gold.iter().zip(found) {
        if found {
            score.gold_found += 1;
            score.weight_found += item.importance;
        } else {
            score.missed.push(item.id.clone());
        }
    }
    let summary = normal(&result.summary.chars().take(SUMMARY).collect::<String>());
    if !summary.is_empty() {
        let facts = label.summary_facts.iter();
        score.facts_found = facts.filter(|fact| has_any(fact, &summary)).count() as u64;
    }
    score
}

/// Reports whether a candidate cites an event with one of the item's passages. An item without passages is identified
/// by its terms alone.
fn cites(candidate: &Proposal, item: &LabelItem, extracted: &Extracted) -> bool {
    item.evidence.is_empty()
        || candidate
            .evidence
            .iter()
            .filter_map(|citation| extracted.cited.get(&citation.event_id))
            .any(|event| {
                let event = normal(event);
                item.evidence
                    .iter()
                    .any(|passage| holds(event.trim(), normal(&passage.quote).trim()))
            })
}

/// A short passage ("A", "yes") occurs in many events, so it counts only in an event with little other text.
fn holds(event: &str, quote: &str) -> bool {
    let is_short = quote.chars().count() < SHORT_QUOTE;
    !quote.is_empty()
        && event.contains(quote)
        && (!is_short || event.chars().count() <= quote.chars().count() + SHORT_REST)
}

const SHORT_QUOTE: usize = 12;
const SHORT_REST: usize = 60;

impl SessionScore {
    pub fn recall(&self) -> Option<f64> {
        share(self.weight_found, self.weight)
    }

    pub fn precision(&self) -> Option<f64> {
        let right = self.right_gold + self.right_acceptable;
        share(right, right + self.wrong)
    }

    pub fn f1(&self) -> Option<f64> {
        mean(self.precision().or(Some(0.0)), self.recall())
    }
}

/// The figures of all sessions, in the scorer's own order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Totals {
    pub sessions: usize,
    pub positive: usize,
    pub negative: usize,
    pub missing_results: Vec<String>,
    pub weighted_recall: Option<f64>,
    pub recall_unweighted: Option<f64>,
    pub macro_weighted_recall: Option<f64>,
    pub precision: Option<f64>,
    pub precision_incl_negatives: Option<f64>,
    pub precision_acceptable_neutral: Option<f64>,
    pub f1: Option<f64>,
    pub f1_incl_negatives: Option<f64>,
    pub type_accuracy: Option<f64>,
    pub kind_accuracy: Option<f64>,
    pub gold_items: u64,
    pub gold_found: u64,
    pub candidates: u64,
    pub duplicates: u64,
    pub trap_hits: u64,
    pub junk_per_negative: Option<f64>,
    pub emitted_per_negative: Option<f64>,
    pub clean_negatives: Option<f64>,
    pub summary_coverage: Option<f64>,
    pub summary_coverage_positive: Option<f64>,
    pub per_file: Map<String, Value>,
}

/// Adds up the scores of sessions by name.
pub fn totals(scores: &[(String, SessionScore)]) -> Totals {
    let all: Vec<&SessionScore> = scores.iter().map(|(_, score)| score).collect();
    let is_positive = |score: &&&SessionScore| score.verdict == "memories";
    let positive: Vec<&SessionScore> = all.iter().filter(is_positive).copied().collect();
    let negative: Vec<&SessionScore> = all
        .iter()
        .filter(|score| !is_positive(score) && !score.missing)
        .copied()
        .collect();
    let sum = |of: &[&SessionScore], part: fn(&SessionScore) -> u64| -> u64 {
        of.iter().map(|score| part(score)).sum()
    };
    let right_gold = sum(&positive, |score| score.right_gold);
    let right = right_gold + sum(&positive, |score| score.right_acceptable);
    let wrong = sum(&positive, |score| score.wrong);
    let all_right = right + sum(&negative, |score| score.right_acceptable);
    let all_wrong = wrong + sum(&negative, |score| score.wrong);
    let weighted_recall = share(
        sum(&positive, |score| score.weight_found),
        sum(&positive, |score| score.weight),
    );
    let precision = share(right, right + wrong);
    let precision_incl_negatives = share(all_right, all_right + all_wrong);
    let recalls: Vec<f64> = positive.iter().filter_map(|score| score.recall()).collect();
    let per_negative = |part: u64| share(part, negative.len() as u64);
    Totals {
        sessions: all.len(),
        positive: positive.len(),
        negative: all.len() - positive.len(),
        missing_results: scores
            .iter()
            .filter(|(_, score)| score.missing)
            .map(|(name, _)| name.clone())
            .collect(),
        weighted_recall,
        recall_unweighted: share(
            sum(&positive, |score| score.gold_found),
            sum(&positive, |score| score.gold),
        ),
        macro_weighted_recall: (!positive.is_empty())
            .then(|| recalls.iter().sum::<f64>() / positive.len() as f64),
        precision,
        precision_incl_negatives,
        precision_acceptable_neutral: share(right_gold, right_gold + wrong),
        f1: mean(precision.or(Some(0.0)), weighted_recall),
        f1_incl_negatives: mean(precision_incl_negatives.or(Some(0.0)), weighted_recall),
        type_accuracy: share(
            sum(&positive, |score| score.types_right),
            sum(&positive, |score| score.types),
        ),
        kind_accuracy: share(
            sum(&positive, |score| score.kinds_right),
            sum(&positive, |score| score.kinds),
        ),
        gold_items: sum(&positive, |score| score.gold),
        gold_found: sum(&positive, |score| score.gold_found),
        candidates: sum(&all, |score| score.candidates),
        duplicates: sum(&all, |score| score.duplicates),
        trap_hits: sum(&all, |score| score.traps),
        junk_per_negative: per_negative(sum(&negative, |score| score.wrong)),
        emitted_per_negative: per_negative(sum(&negative, |score| score.candidates)),
        clean_negatives: per_negative(
            negative.iter().filter(|score| score.wrong == 0).count() as u64
        ),
        summary_coverage: share(
            sum(&all, |score| score.facts_found),
            sum(&all, |score| score.facts),
        ),
        summary_coverage_positive: share(
            sum(&positive, |score| score.facts_found),
            sum(&positive, |score| score.facts),
        ),
        per_file: scores
            .iter()
            .map(|(name, score)| (name.clone(), of_file(score)))
            .collect(),
    }
}

fn of_file(score: &SessionScore) -> Value {
    serde_json::json!({
        "verdict": score.verdict,
        "candidates": score.candidates,
        "gold": score.gold,
        "gold_found": score.gold_found,
        "missed": score.missed,
        "right_gold": score.right_gold,
        "right_acceptable": score.right_acceptable,
        "wrong": score.wrong,
        "dup": score.duplicates,
        "trap": score.traps,
        "recall": score.recall(),
        "precision": score.precision(),
        "f1": score.f1(),
    })
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns the harmonic mean.
fn mean(precision: Option<f64>, recall: Option<f64>) -> Option<f64> {
    let (precision, recall) = (precision?, recall?);
    let sum = precision + recall;
    Some(if sum > 0.0 {
        2.0 * precision * recall / sum
    } else {
        0.0
    })
}
