//! Tests the adapter through its public interface: files in, sessions and events out.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::testing::{
    START, Scratch, attribute, conformance, only_session, read, steps,
};
use example_plugin::ExamplePlugin;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn own() -> PathBuf {
    fixtures().join("example-plugin/session.jsonl")
}

#[test]
fn a_session_is_known_by_its_first_line() {
    let session = only_session::<ExamplePlugin>(&own());
    assert_eq!(session.id, "2f6c1d");
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/boat"));
    assert_eq!(session.started_ms, Some(1_772_359_200_000));
    assert_eq!(session.updated_ms, Some(1_772_359_230_000));
}

#[test]
fn everything_said_and_done_is_told() {
    let (told, _) = read::<ExamplePlugin>(&only_session::<ExamplePlugin>(&own()), &START);
    let kinds: Vec<_> = told
        .texts()
        .iter()
        .map(|(role, kind, _)| (*role, *kind))
        .collect();
    assert_eq!(
        kinds,
        [
            ("user", "text"),
            ("assistant", "text"),
            ("assistant", "tool-call"),
            ("tool", "tool-result"),
            ("assistant", "text"),
        ]
    );
    assert!(told.diagnostics.is_empty(), "{:?}", told.diagnostics);
    // The tool of a result is known from its call.
    assert_eq!(attribute(&told.events[3], "tool"), Some("shell"));
}

#[test]
fn a_damaged_line_costs_itself() {
    let text = concat!(
        r#"{"type":"session","agent":"example-plugin","session":"s1"}"#,
        "\n",
        r#"{"type":"user","text":"cut o"#,
        "\n",
        r#"{"type":"user","text":"whole"}"#,
        "\n",
    );
    let told = Scratch::<ExamplePlugin>::new("session.jsonl").told(text);
    assert_eq!(told.texts(), [("user", "text", "whole")]);
    assert_eq!(told.diagnostics.len(), 1);
}

#[test]
fn it_holds_what_every_adapter_holds() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    conformance::<ExamplePlugin>(
        &fixtures().join("example-plugin"),
        &fixtures(),
        scratch.path(),
    );
    for step in [1, 7, 64] {
        steps::<ExamplePlugin>(&own(), scratch.path(), step);
    }
}
