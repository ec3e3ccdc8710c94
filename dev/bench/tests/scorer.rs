//! The figures agree exactly with those of the scorer that comes with the labels.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::Command;

use acreta_bench::scoring::{
    Citation, Extracted, Label, LabelItem, Passage, Proposal, Rule, as_extracted, intervals, score,
    totals,
};
use serde_json::Value;

fn gold() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let gold = crate_folder.join("../../../shared/gold");
    let is_there = gold.join("score_extract.py").is_file()
        && Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        acreta_testing::skip(acreta_testing::TRACES, "no ../shared/gold, or no python3");
    }
    is_there.then_some(gold)
}

fn labels(folder: &Path) -> Vec<(String, Label)> {
    let mut labels: Vec<(String, Label)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let label = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            (name, label)
        })
        .collect();
    labels.sort_by(|left, right| left.0.cmp(&right.0));
    labels
}

/// Kinds of answers: right, doubled, trapped, half, other words, too long, none.
fn answer(way: usize, index: usize, label: &Label) -> Option<Extracted> {
    let proposal = |text: &str, kind: &str, memory_type: &str| Proposal {
        memory_type: memory_type.to_owned(),
        kind: kind.to_owned(),
        title: text.chars().take(80).collect(),
        body: text.to_owned(),
        confidence: 0.7,
        evidence: Vec::new(),
    };
    let own = label.gold.iter().map(|item| {
        proposal(
            &item.statement,
            item.kind.as_deref().unwrap_or_default(),
            &item.memory_type,
        )
    });
    let terms = label
        .gold
        .iter()
        .chain(&label.acceptable)
        .chain(&label.traps)
        .map(|item| {
            let first: Vec<&str> = item
                .key_terms
                .iter()
                .filter_map(|group| group.last().map(String::as_str))
                .collect();
            proposal(&first.join(" – "), "insight", "learning")
        });
    let facts: Vec<&str> = label
        .summary_facts
        .iter()
        .step_by(way.max(1))
        .filter_map(|fact| fact.first().map(String::as_str))
        .collect();
    let candidates: Vec<Proposal> = match way {
        0 => own.collect(),
        1 => own.clone().chain(own).collect(),
        2 => terms.collect(),
        3 => own.step_by(2).chain(terms.step_by(3)).collect(),
        4 => vec![proposal(
            &"nothing of it is true ".repeat(30),
            "",
            "decision",
        )],
        _ => return index.is_multiple_of(2).then(Extracted::default),
    };
    Some(Extracted {
        candidates,
        summary: facts.join(". "),
        ..Extracted::default()
    })
}

#[test]
fn figures_are_those_of_the_scorer() {
    let Some(gold) = gold() else { return };
    let labels = labels(&gold.join("dev"));
    for way in 0..6 {
        let results = tempfile::tempdir().unwrap();
        let mut scores = Vec::new();
        for (index, (name, label)) in labels.iter().enumerate() {
            let answer = answer(way, index, label);
            if let Some(answer) = &answer {
                let file = results.path().join(format!("{name}.json"));
                #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
                std::fs::write(file, serde_json::to_vec(answer).unwrap()).unwrap();
            }
            scores.push((name.clone(), score(label, answer.as_ref(), Rule::Terms)));
        }
        let output = Command::new("python3")
            .arg(gold.join("score_extract.py"))
            .arg(gold.join("dev"))
            .arg(results.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let theirs: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        let ours = serde_json::to_value(totals(&scores)).unwrap();
        let keys =
            |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        assert_eq!(keys(&ours), keys(&theirs), "way {way}");
        same(&format!("way {way}"), &ours, &theirs);
    }
}

/// Compares values; numbers up to rounding.
fn same(place: &str, ours: &Value, theirs: &Value) {
    match (ours, theirs) {
        (Value::Object(left), Value::Object(right)) => {
            assert_eq!(left.len(), right.len(), "{place}");
            for (key, value) in left {
                same(&format!("{place}.{key}"), value, &right[key]);
            }
        }
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap(), right.as_f64().unwrap());
            assert!((left - right).abs() < 1e-9, "{place}: {left} {right}");
        }
        (left, right) => assert_eq!(left, right, "{place}"),
    }
}

fn item(id: &str, term: &str, quotes: &[&str]) -> LabelItem {
    LabelItem {
        id: id.to_owned(),
        memory_type: "decision".to_owned(),
        importance: 2,
        statement: term.to_owned(),
        key_terms: vec![vec![term.to_owned()]],
        evidence: quotes
            .iter()
            .map(|quote| Passage {
                line: 1,
                quote: (*quote).to_owned(),
            })
            .collect(),
        ..LabelItem::default()
    }
}

#[test]
fn strict_asks_for_the_labels_own_event() {
    let label = Label {
        verdict: "memories".to_owned(),
        gold: vec![item("g1", "minisign", &["sign releases with minisign"])],
        ..Label::default()
    };
    let short = Label {
        gold: vec![item("g1", "minisign", &["B"])],
        ..label.clone()
    };
    let table = [
        (&label, "We **sign** releases with minisign.", true),
        (&label, "minisign is installed", false),
        (&short, "B", true),
        (&short, "B, because it is small", true),
        (
            &short,
            "Both need a key that somebody has to keep, and minisign needs only a small one",
            false,
        ),
    ];
    for (label, event, is_right) in table {
        let extracted = Extracted {
            candidates: vec![Proposal {
                memory_type: "decision".to_owned(),
                title: "Releases are signed with minisign".to_owned(),
                evidence: vec![Citation {
                    event_id: "e1".to_owned(),
                }],
                ..Proposal::default()
            }],
            cited: [("e1".to_owned(), event.to_owned())].into(),
            ..Extracted::default()
        };
        assert_eq!(
            score(label, Some(&extracted), Rule::Terms).right_gold,
            1,
            "{event}"
        );
        let strict = score(label, Some(&extracted), Rule::Evidence);
        assert_eq!(strict.right_gold, u64::from(is_right), "{event}");
    }
}

#[test]
fn a_labelling_agrees_with_itself_and_intervals_hold_the_figure() {
    let label = Label {
        verdict: "memories".to_owned(),
        gold: vec![
            item("g1", "minisign", &["sign releases with minisign"]),
            item("g2", "postgres", &["use postgres"]),
        ],
        ..Label::default()
    };
    let own = as_extracted(&label);
    let whole = score(&label, Some(&own), Rule::Evidence);
    assert_eq!((whole.right_gold, whole.wrong), (2, 0));
    let half = Extracted {
        candidates: own.candidates[..1].to_vec(),
        ..own
    };
    let scores = vec![
        ("a".to_owned(), whole),
        ("b".to_owned(), score(&label, Some(&half), Rule::Evidence)),
    ];
    let recall = intervals(&scores, 1).weighted_recall.unwrap();
    assert_eq!((recall.low, recall.high), (0.5, 1.0));
    assert_eq!(intervals(&scores, 1), intervals(&scores, 1));
}
