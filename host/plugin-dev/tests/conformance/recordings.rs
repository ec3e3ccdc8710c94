//! Recordings: every call in order, the same bytes on every machine and at any time.

use acreta_plugin_dev::{Case, CaseError, Clock, Plugin, Recorded, Replayed, Run, record, replay};
use acreta_types::{PluginFault, Role};

use crate::support::{TestFolder, copy};
use crate::{fable, listener, scribe, searcher};

type Files = &'static [(&'static str, &'static str)];

/// A good plugin of every role with a case for it.
fn roles() -> [(Plugin, Files); 4] {
    [
        (fable::adapter(""), fable::FILES),
        (listener::extractor(""), listener::FILES),
        (searcher::explorer(""), searcher::FILES),
        (scribe::writer(""), scribe::FILES),
    ]
}

fn lines(recorded: &Recorded) -> Vec<&str> {
    recorded.lines.iter().map(String::as_str).collect()
}

#[test]
fn a_recording_is_the_same_elsewhere_and_at_another_time() {
    for (plugin, files) in roles() {
        let here = TestFolder::new();
        let case = here.case("one", files);
        let first = record(&case, &plugin, &Run::new(&here.scratch())).unwrap();
        case.keep(&first).unwrap();

        let elsewhere = TestFolder::new();
        let folder = elsewhere
            .path()
            .join("a/much/deeper/folder/of another name");
        copy(case.folder(), &folder);
        let moved = Case::open(&folder).unwrap();
        let scratch = elsewhere.scratch();
        let mut run = Run::new(&scratch);
        run.clock = Clock::At(4_102_444_800_000);
        let second = record(&moved, &plugin, &run).unwrap();
        assert_eq!(second.text(), first.text(), "{}", plugin.role());
        let lines = first.lines.len();
        assert_eq!(
            replay(&moved, &plugin, &run).unwrap(),
            Replayed::Same { lines }
        );
        let left = scratch.path().read_dir_utf8().unwrap().count();
        assert_eq!(left, 0, "copies and drafts are left behind");
    }
}

#[test]
fn a_plugin_that_looks_at_the_clock_shows_it() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let scratch = place.scratch();
    let plugin = fable::adapter("the-clock");
    let mut run = Run::new(&scratch);
    case.keep(&record(&case, &plugin, &run).unwrap()).unwrap();
    assert!(matches!(
        replay(&case, &plugin, &run).unwrap(),
        Replayed::Same { .. }
    ));
    run.clock = Clock::At(1);
    let Replayed::Different(difference) = replay(&case, &plugin, &run).unwrap() else {
        panic!("the clock was not seen");
    };
    assert_eq!(difference.line, 5);
    assert!(difference.expected.unwrap().contains("it is 1767225600000"));
    assert!(difference.found.unwrap().contains("it is 1\""));
}

#[test]
fn an_adapter_s_calls_are_recorded_in_order() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let recorded = record(&case, &fable::adapter(""), &Run::new(&place.scratch())).unwrap();
    let digest = acreta_store::digest(fable::SESSION);
    let found = lines(&recorded);
    assert_eq!(found.len(), 10, "{found:#?}");
    assert_eq!(
        found[0],
        format!(
            "{{\"call\":\"case\",\"arguments\":{{\"format\":1,\"role\":\"adapter\",\"settings\":{{}},\
             \"inputs\":{{\"input/projects/one.jsonl\":\"{digest}\"}}}}}}"
        )
    );
    assert_eq!(
        found[1],
        "{\"call\":\"adapter.describe\",\"arguments\":{},\"result\":{\"ok\":{\"agent\":\"fable\",\"roots\":[{\
         \"name\":\"fable\",\"candidates\":[\"~/.fable/sessions\"],\"patterns\":[\"**/*.jsonl\"],\
         \"reason\":\"Sessions are read to learn from them.\"}],\"attrs\":{\"drift\":\"\"}}}}"
    );
    assert_eq!(
        found[2],
        format!(
            "{{\"call\":\"adapter.sessions\",\"arguments\":{{\"path\":\"/fable/projects/one.jsonl\"}},\
             \"result\":{{\"ok\":[{{\"id\":\"s1\",\"agent\":\"fable\",\"path\":\"/fable/projects/one.jsonl\",\
             \"revision\":\"{}\"}}]}}}}",
            crate::fable::revision(crate::fable::SESSION.as_bytes())
        )
    );
    assert_eq!(
        found[3],
        "{\"call\":\"log.write\",\"arguments\":{\"level\":\"debug\",\"message\":\"reading\"}}"
    );
    assert_eq!(
        found[5],
        "{\"call\":\"sink.emit\",\"arguments\":{\"batch\":[{\"id\":\"b\",\"origin\":{\"record\":\"b\",\
         \"start\":129,\"end\":173},\"role\":\"assistant\",\"kind\":\"text\",\"text\":\"done\"}]},\
         \"result\":{\"ok\":null}}"
    );
    assert!(found[7].starts_with(
        "{\"call\":\"adapter.read\",\"arguments\":{\"session\":\"s1\",\"from\":{\"offset\":0,\"state\":\"\"}},"
    ));
    // Reading from the end emits nothing more.
    assert!(
        found[8].contains("log.write") && found[9].contains("adapter.read"),
        "{found:#?}"
    );
}

#[test]
fn the_calls_of_the_other_roles_are_recorded() {
    // role, names of the calls in order
    let expected: [(Role, &[&str]); 3] = [
        (
            Role::Extractor,
            &[
                "case",
                "trace.next",
                "trace.next",
                "llm.left",
                "extractor.extract",
                "trace.count",
                "trace.find",
                "trace.rewind",
                "extractor.summarise",
            ],
        ),
        (Role::Explorer, &["case", "search.find", "explorer.explore"]),
        (
            Role::MemoryWriter,
            &["case", "log.write", "memory-writer.apply", "draft.file"],
        ),
    ];
    for (role, expected) in expected {
        let (plugin, files) = roles()
            .into_iter()
            .find(|(plugin, _)| plugin.role() == role)
            .unwrap();
        let place = TestFolder::new();
        let case = place.case("one", files);
        let recorded = record(&case, &plugin, &Run::new(&place.scratch())).unwrap();
        let calls: Vec<String> = recorded
            .lines
            .iter()
            .map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                line["call"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(calls, expected, "{role}");
    }
}

#[test]
fn a_draft_is_recorded_with_its_text() {
    let place = TestFolder::new();
    let case = place.case("one", scribe::FILES);
    let recorded = record(&case, &scribe::writer(""), &Run::new(&place.scratch())).unwrap();
    let last = recorded.lines.last().unwrap();
    let line: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(line["arguments"]["path"], "decisions/20260101-use-tabs.md");
    let text = line["result"]["text"].as_str().unwrap();
    assert!(text.starts_with("---\nid: \"01AAA\"\n") && text.ends_with("Tabs it is.\n"));
}

#[test]
fn a_failure_is_a_result_and_a_breakdown_is_not() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let scratch = place.scratch();
    let run = Run::new(&scratch);
    let recorded = record(&case, &fable::adapter("a-failure"), &run).unwrap();
    let last = recorded.lines.last().unwrap();
    assert!(
        last.contains("\"result\":{\"failure\":{\"code\":\"too-old\""),
        "{last}"
    );

    let error = record(&case, &fable::adapter("every-call"), &run).unwrap_err();
    let CaseError::Broke { cause, .. } = &error else {
        panic!("{error}");
    };
    assert!(matches!(cause.fault, PluginFault::Trap { .. }));
    assert!(!case.is_recorded().unwrap());
}

#[test]
fn folders_of_this_machine_are_not_recorded() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let plugin = fable::adapter("host-paths");
    let error = record(&case, &plugin, &Run::new(&place.scratch())).unwrap_err();
    assert!(
        matches!(error, CaseError::NamesMachine { line: 5, .. }),
        "{error}"
    );
}

#[test]
fn a_plugin_of_another_role_is_refused() {
    let place = TestFolder::new();
    let case = place.case("one", fable::FILES);
    let error = record(&case, &scribe::writer(""), &Run::new(&place.scratch())).unwrap_err();
    assert!(matches!(error, CaseError::WrongRole { .. }), "{error}");
    assert!(error.hint().contains("memory-writer"));
}
