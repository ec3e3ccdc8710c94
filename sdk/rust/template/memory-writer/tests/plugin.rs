//! Tests the memory-writer through its public interface: actions in, files out.

use std::fs;

use acreta_sdk::memory_writer::MemoryWriter;
use acreta_sdk::memory_writer::testing::{ScriptedHost, add, add_summary, context};
use example_plugin::ExamplePlugin;

fn host() -> ScriptedHost {
    ScriptedHost::with_types(&[
        ("decision", "decisions", &[]),
        ("learning", "learnings", &["convention"]),
        ("summary", "summaries", &[]),
    ])
}

#[test]
fn every_action_has_a_file_of_its_own() {
    let draft = tempfile::tempdir().expect("a draft");
    let actions = [
        add("m1", "Run `make check` first", "Before \"done\"."),
        add("m2", "Run `make check` first", "The same title."),
        add_summary("m3", "Fixed the tide table", "Asked: fix it."),
    ];
    let written = ExamplePlugin::apply(draft.path(), &context(), &actions, &host());
    let paths: Vec<_> = written
        .expect("no failure")
        .into_iter()
        .map(|one| one.path)
        .collect();
    assert_eq!(
        paths,
        [
            "learnings/20260220-run-make-check-first.md",
            "learnings/20260220-run-make-check-first-2.md",
            "summaries/20260220-101112-fixed-the-tide-table.md",
        ]
    );
    let text = fs::read_to_string(draft.path().join(&paths[0])).expect("the file");
    assert_eq!(
        text,
        "---\nid: \"m1\"\ntitle: \"Run `make check` first\"\nkind: \"convention\"\n\
         created: 2026-02-20T10:11:12Z\nupdated: 2026-02-20T10:11:12Z\n\
         source: \"agent/session\"\nconfidence: 0.80\ntags: [\"build\"]\nrelated: []\n---\n\
         # Run `make check` first\n\nBefore \"done\".\n"
    );
}

#[test]
fn a_file_keeps_its_name() {
    let draft = tempfile::tempdir().expect("a draft");
    let mut action = add("m1", "Another title", "Body");
    action.target = Some("learnings/20250101-old.md".to_owned());
    let written = ExamplePlugin::apply(draft.path(), &context(), &[action], &host());
    assert_eq!(
        written.expect("no failure")[0].path,
        "learnings/20250101-old.md"
    );
}

#[test]
fn a_type_that_the_host_does_not_know_is_refused() {
    let draft = tempfile::tempdir().expect("a draft");
    let actions = [add("m1", "Title", "Body")];
    let nothing = ScriptedHost::default();
    let failure = ExamplePlugin::apply(draft.path(), &context(), &actions, &nothing);
    assert_eq!(failure.expect_err("no types").code, "unknown-type");
}
