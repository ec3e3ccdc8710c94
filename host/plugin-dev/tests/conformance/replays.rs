//! Differences found by running a case again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_plugin_dev::{
    Case, CaseError, Difference, Outside, Plugin, RECORDED, Replayed, Run, record, replay,
};
use acreta_types::{
    Attrs, Failure, MemorySearch, ModelBudget, ModelReply, ModelRequest, ModelUsage, Models,
    SearchHit,
};

use crate::support::{TestFolder, put};
use crate::{fable, listener, searcher};

/// A case of the fable agent, recorded.
fn recorded(place: &TestFolder) -> (Case, Plugin) {
    let case = place.case("one", fable::FILES);
    let plugin = fable::adapter("");
    let lines = record(&case, &plugin, &Run::new(&place.scratch())).unwrap();
    case.keep(&lines).unwrap();
    (case, plugin)
}

fn difference(case: &Case, plugin: &Plugin, place: &TestFolder) -> Difference {
    match replay(case, plugin, &Run::new(&place.scratch())).unwrap() {
        Replayed::Different(difference) => difference,
        Replayed::Same { .. } => panic!("nothing was noticed"),
    }
}

#[test]
fn whoever_changes_a_recording_is_found_out() {
    type Change = fn(&str) -> String;
    // change to the text, line of the difference, whether it has a recorded and a found side
    let table: [(&str, Change, usize, bool, bool); 7] = [
        ("a word", |text| text.replace("done", "gone"), 6, true, true),
        (
            "a space",
            |text| text.replacen("{\"call\"", "{ \"call\"", 1),
            1,
            true,
            true,
        ),
        (
            "no JSON",
            |text| text.replacen("{\"call\":\"log", "call: log", 1),
            4,
            true,
            true,
        ),
        (
            "a line less",
            |text| {
                text.lines()
                    .take(9)
                    .map(|line| format!("{line}\n"))
                    .collect()
            },
            10,
            false,
            true,
        ),
        (
            "a line more",
            |text| format!("{text}{{}}\n"),
            11,
            true,
            false,
        ),
        (
            "no last line break",
            |text| text.trim_end().to_owned(),
            10,
            true,
            true,
        ),
        ("nothing left", |_| String::new(), 1, false, true),
    ];
    for (what, change, line, is_recorded, is_found) in table {
        let place = TestFolder::new();
        let (case, plugin) = recorded(&place);
        let path = case.folder().join(RECORDED);
        let text = std::fs::read_to_string(&path).unwrap();
        put(&path, change(&text));
        let difference = difference(&case, &plugin, &place);
        assert_eq!(difference.line, line, "{what}");
        let there = (difference.expected.is_some(), difference.found.is_some());
        assert_eq!(there, (is_recorded, is_found), "{what}");
    }
}

#[test]
fn a_difference_is_shown_where_it_is() {
    let place = TestFolder::new();
    let (case, plugin) = recorded(&place);
    let path = case.folder().join(RECORDED);
    let text = std::fs::read_to_string(&path).unwrap();
    put(
        &path,
        text.replace("\"text\":\"done\"", "\"text\":\"d\u{202e}\u{1b}[31mne\""),
    );
    let shown = difference(&case, &plugin, &place).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert!(lines[0].starts_with("line 6, from byte "), "{shown}");
    assert!(lines[1].starts_with("  recorded: …") && lines[1].contains("\\u{202e}\\u{1b}[31mne"));
    assert!(
        lines[2].starts_with("  found:    …") && lines[2].contains("\"done\""),
        "{shown}"
    );
}

#[test]
fn a_changed_input_shows_in_the_first_line() {
    let place = TestFolder::new();
    let (case, plugin) = recorded(&place);
    put(
        &case.folder().join("input/projects/beside.txt"),
        "somebody put it there",
    );
    assert_eq!(difference(&case, &plugin, &place).line, 1);
}

#[test]
fn a_plugin_that_does_something_else_or_breaks_down_is_a_difference() {
    let place = TestFolder::new();
    let (case, _) = recorded(&place);
    let other = difference(&case, &fable::adapter("origins/outside"), &place);
    assert_eq!(other.line, 5);
    let broken = difference(&case, &fable::adapter("every-call"), &place);
    assert_eq!(broken.line, 2);
    assert!(
        broken
            .found
            .unwrap()
            .contains("\"fault\":{\"kind\":\"trap\"")
    );
}

#[test]
fn what_was_never_recorded_cannot_be_replayed() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let error = replay(&case, &fable::adapter(""), &Run::new(&place.scratch())).unwrap_err();
    assert!(matches!(error, CaseError::NotRecorded { .. }), "{error}");
}

/// A model that counts its requests.
#[derive(Default)]
struct Oracle(AtomicU64);

impl Models for Oracle {
    fn left(&self) -> ModelBudget {
        ModelBudget {
            calls: 5,
            tokens: u64::MAX,
        }
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        requests
            .iter()
            .map(|_| {
                Ok(ModelReply {
                    content: format!("answer {number}"),
                    input_tokens: 7,
                    output_tokens: 2,
                    cached: false,
                })
            })
            .collect()
    }

    fn usage(&self) -> ModelUsage {
        ModelUsage::default()
    }
}

#[test]
fn models_answer_from_the_recording() {
    let place = TestFolder::new();
    let case = place.case("two", listener::FILES);
    let plugin = listener::extractor("");
    let oracle = Arc::new(Oracle::default());
    let scratch = place.scratch();
    let mut run = Run::new(&scratch);
    run.outside = Outside {
        models: Some(Arc::clone(&oracle) as _),
        search: None,
    };
    let lines = record(&case, &plugin, &run).unwrap();
    assert!(
        lines
            .text()
            .contains("\"result\":[{\"ok\":{\"content\":\"answer 0\"")
    );
    case.keep(&lines).unwrap();
    assert_eq!(oracle.0.load(Ordering::Relaxed), 1);

    // The model is not asked again, whether it is available or not.
    for outside in [run.outside.clone(), Outside::default()] {
        run.outside = outside;
        let replayed = replay(&case, &plugin, &run).unwrap();
        assert!(matches!(replayed, Replayed::Same { .. }), "{replayed}");
    }
    assert_eq!(oracle.0.load(Ordering::Relaxed), 1);

    // A request that was not recorded gets no answer, and shows as a difference.
    let text = std::fs::read_to_string(case.folder().join(RECORDED)).unwrap();
    put(
        &case.folder().join(RECORDED),
        text.replace("Is that all?", "Is this all?"),
    );
    let difference = difference(&case, &plugin, &place);
    assert!(difference.expected.unwrap().contains("Is this all?"));
    assert!(difference.found.unwrap().contains("Is that all?"));
}

/// Scores that have no short decimal form.
struct OddScores;

impl MemorySearch for OddScores {
    fn find(&self, query: &str, _: u32, _: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let third = query.len() as f64 / 3.0;
        Ok(vec![SearchHit {
            id: "m1".to_owned(),
            path: "decisions/20260101-tabs.md".to_owned(),
            score: (0.1 + 0.2) / third,
            snippet: "\u{1f980}\n".to_owned(),
        }])
    }
}

#[test]
fn searches_answer_from_the_recording_to_the_last_digit() {
    let place = TestFolder::new();
    let case = place.case("known", searcher::FILES);
    let plugin = searcher::explorer("");
    let scratch = place.scratch();
    let mut run = Run::new(&scratch);
    run.outside.search = Some(Arc::new(OddScores));
    let lines = record(&case, &plugin, &run).unwrap();
    case.keep(&lines).unwrap();
    assert!(lines.text().contains("decisions/20260101-tabs.md"));
    run.outside = Outside::default();
    let replayed = replay(&case, &plugin, &run).unwrap();
    assert!(matches!(replayed, Replayed::Same { .. }), "{replayed}");
}
