//! Agreement of the judgement with labelled pairs. The weights were fitted on the development, held-out and unseen
//! pairs and on those beside this file, and the word tables were extended with all of them in view: their figures only
//! guard against regressions and do not predict new pairs. The fresh pairs do.
//!
//! `ACRETA_RELATIONS=development cargo nextest run -p acreta-relate --no-capture labelled` shows one file.

use std::fmt;
use std::path::{Path, PathBuf};

use acreta_model::MemoryType;
use acreta_relate::{Relation, Statement, relate};
use serde_json::Value;

/// Files that the tables were fitted on, and files that they were not.
const FITTED: [&str; 3] = ["development", "held-out", "unseen"];
const FRESH: &str = "fresh";

#[test]
fn labelled_pairs_are_judged_well() {
    let chosen = chosen();
    let is_chosen = |file: &str| chosen.as_deref().is_none_or(|chosen| chosen == file);
    let mut fitted = Vec::new();
    for file in FITTED.into_iter().filter(|file| is_chosen(file)) {
        let pairs = pairs_in(file);
        println!("{file}: {}", Score::of(&pairs));
        fitted.extend(pairs);
    }
    if !fitted.is_empty() {
        let score = Score::of(&fitted);
        assert!(score.macro_f1() >= 0.90, "{score}");
        assert!(score.false_merges() <= 0.01, "{score}");
    }
    if is_chosen(FRESH) {
        let score = Score::of(&pairs_in(FRESH));
        println!("{FRESH}: {score}");
        assert!(score.macro_f1() >= 0.80, "{score}");
        assert!(score.false_merges() <= 0.025, "{score}");
    }
}

/// Short statements with few words in common, most of them contradictions: harder than real memories, so the limits are
/// lower.
#[test]
fn hard_pairs_are_not_judged_worse() {
    let pairs: Vec<PairCase> = pairs_of(include_str!("hard.jsonl"));
    let score = Score::of(&pairs);
    println!("hard: {score}");
    assert!(score.found(Relation::Contradiction) >= 0.65, "{score}");
    assert!(score.false_merges() <= 0.03, "{score}");
}

#[test]
fn seed_pairs_are_judged_well() {
    let pairs: Vec<PairCase> = pairs_of(include_str!("pairs.jsonl"));
    let score = Score::of(&pairs);
    println!("seeds: {score}");
    assert!(score.macro_f1() >= 0.90, "{score}");
    assert!(score.false_merges() <= 0.01, "{score}");
}

/// Returns the requested file, if there is one.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever works on the tables must be able to keep the fresh pairs out of sight"
)]
fn chosen() -> Option<String> {
    std::env::var("ACRETA_RELATIONS").ok()
}

const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];

const UPDATE_OVERLAP: f64 = 0.72;

struct PairCase {
    id: String,
    relation: Relation,
    older: Statement,
    newer: Statement,
}

fn pairs_in(file: &str) -> Vec<PairCase> {
    let path = path_of(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|cause| panic!("could not read `{}`: {cause}", path.display()));
    pairs_of(&text)
}

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/relations")
        .join(file)
        .with_extension("jsonl")
}

fn pairs_of(text: &str) -> Vec<PairCase> {
    text.lines()
        .map(|line| {
            let pair: Value = serde_json::from_str(line).expect("a line is a JSON object");
            PairCase {
                id: text_of(&pair, "id").to_owned(),
                relation: Relation::from_name(text_of(&pair, "relation")).expect("a known label"),
                older: statement_of(&pair["older"]),
                newer: statement_of(&pair["newer"]),
            }
        })
        .collect()
}

fn statement_of(value: &Value) -> Statement {
    Statement::new(
        MemoryType::from_name(text_of(value, "type")).expect("a known type"),
        text_of(value, "kind"),
        text_of(value, "title"),
        text_of(value, "body"),
    )
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

/// Counts by label (rows) and judgement (columns), and the misjudged pairs.
#[derive(Default)]
struct Score {
    counts: [[usize; 5]; 5],
    wrong: Vec<String>,
}

impl Score {
    fn of(pairs: &[PairCase]) -> Self {
        let mut score = Self::default();
        for pair in pairs {
            let judgement = relate(&pair.older, &pair.newer, UPDATE_OVERLAP);
            score.counts[position(pair.relation)][position(judgement.relation)] += 1;
            if judgement.relation != pair.relation {
                score.wrong.push(format!(
                    "{} {} as {}: {}",
                    pair.id,
                    pair.relation.name(),
                    judgement.relation.name(),
                    judgement.reason
                ));
            }
        }
        score
    }

    fn macro_f1(&self) -> f64 {
        let f1 = |relation: usize| {
            let labelled: usize = self.counts[relation].iter().sum();
            let judged: usize = self.counts.iter().map(|row| row[relation]).sum();
            2.0 * self.counts[relation][relation] as f64 / (labelled + judged).max(1) as f64
        };
        (0..5).map(f1).sum::<f64>() / 5.0
    }

    /// Returns the share of the pairs with this label that are judged so.
    fn found(&self, relation: Relation) -> f64 {
        let row = &self.counts[position(relation)];
        let labelled: usize = row.iter().sum();
        row[position(relation)] as f64 / labelled.max(1) as f64
    }

    /// Returns the share of all pairs that should stay apart and were joined.
    fn false_merges(&self) -> f64 {
        let joined: usize = self.counts[3..].iter().flat_map(|row| &row[..3]).sum();
        let all: usize = self.counts.iter().flatten().sum();
        joined as f64 / all.max(1) as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "macro-F1 {:.3}, false merges {:.2} %",
            self.macro_f1(),
            self.false_merges() * 100.0
        )?;
        for (relation, row) in RELATIONS.into_iter().zip(&self.counts) {
            writeln!(formatter, "{:>14} {row:3?}", relation.name())?;
        }
        for wrong in &self.wrong {
            writeln!(formatter, "  {wrong}")?;
        }
        Ok(())
    }
}

fn position(relation: Relation) -> usize {
    RELATIONS
        .into_iter()
        .position(|other| other == relation)
        .expect("every relation is listed")
}
