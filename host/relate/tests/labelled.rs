//! How well the judgement agrees with labelled pairs. The weights were fitted on the development, held-out and
//! unseen pairs and on those beside this file, and the word tables grew while looking at all of them: their
//! figures guard against getting worse and say nothing about pairs nobody has seen. The fresh pairs do.
//!
//! `ACRETA_RELATIONS=development cargo nextest run -p acreta-relate --no-capture labelled` shows one file.

mod score;

use std::path::{Path, PathBuf};

use acreta_relate::Relation;
use score::{Pair, Score};

/// What the tables were made from, and what they were not.
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

/// Short statements with few words in common, most of them contradictions: harder than what memory holds, so
/// less is asked for.
#[test]
fn hard_pairs_are_not_judged_worse() {
    let pairs: Vec<Pair> = pairs_of(include_str!("hard.jsonl"));
    let score = Score::of(&pairs);
    println!("hard: {score}");
    assert!(score.found(Relation::Contradiction) >= 0.65, "{score}");
    assert!(score.false_merges() <= 0.03, "{score}");
}

#[test]
fn seed_pairs_are_judged_well() {
    let pairs: Vec<Pair> = pairs_of(include_str!("pairs.jsonl"));
    let score = Score::of(&pairs);
    println!("seeds: {score}");
    assert!(score.macro_f1() >= 0.90, "{score}");
    assert!(score.false_merges() <= 0.01, "{score}");
}

/// The one file that was asked for, if one was.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever works on the tables must be able to keep the fresh pairs out of sight"
)]
fn chosen() -> Option<String> {
    std::env::var("ACRETA_RELATIONS").ok()
}

fn pairs_in(file: &str) -> Vec<Pair> {
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

fn pairs_of(text: &str) -> Vec<Pair> {
    score::pairs_of(text).expect("every line is a labelled pair")
}
