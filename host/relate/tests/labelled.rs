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

/// Short pairs: the least macro-F1 and the most false merges. Those of the pairs kept aside are what was measured once
/// (0.836, 2.3 %), not what is wanted (0.90, 0.5 %): they guard against getting worse.
const SHORT: [(&str, f64, f64); 2] = [("short", 0.90, 0.005), ("short-aside", 0.83, 0.025)];

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

/// Statements that are hardly more than a title, in five languages. The first file was in view while the rules were
/// made, the second was not.
#[test]
fn short_pairs_are_judged_well() {
    for (file, macro_f1, false_merges) in SHORT {
        let score = Score::of(&pairs_in(file));
        println!("{file}: {score}");
        assert!(score.macro_f1() >= macro_f1, "{file}: {score}");
        assert!(score.false_merges() <= false_merges, "{file}: {score}");
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

/// Pairs in the words of the bench: `a` and `b`, kinds as types, four relations.
#[test]
fn pairs_are_read_in_the_words_of_the_bench() {
    let text = r#"{"a":{"type":"convention","title":"Releases are tagged by hand"},"b":{"type":"convention","title":"Releases are tagged by CI"},"relation":"supersedes"}
{"a":{"type":"decision","title":"Use tabs","body":""},"b":{"type":"decision","title":"Paint the door","body":""},"relation":"unrelated"}"#;
    let figures = Score::of(&pairs_of(text)).json();
    let classes = ["same", "update", "contradiction", "unrelated"];
    assert_eq!(figures["classes"], serde_json::json!(classes));
    assert_eq!(figures["confusion"][2], serde_json::json!([0, 0, 1, 0]));
    assert_eq!(figures["confusion"][3], serde_json::json!([0, 0, 0, 1]));
    for (broken, problem) in [
        ("{", "line 1: "),
        (
            r#"{"relation":"twins"}"#,
            "line 1: unknown relation `twins`",
        ),
    ] {
        let Err(found) = score::pairs_of(broken) else {
            panic!("`{broken}` was read");
        };
        assert!(found.starts_with(problem), "{found}");
    }
}
