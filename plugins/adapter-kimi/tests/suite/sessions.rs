//! The session of a file: by its content, its path and its neighbours.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{put, sessions};
use adapter_kimi::Kimi;

use crate::{FORK, LEGACY, LEGACY_SUBAGENT, MAIN, SUBAGENT, fixture};

/// Id, parent, directory, attributes.
type Expected<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a str);

const ID: &str = "3b9d2c70-1f64-4c8e-8b21-6a0e9d4f7c15";
const LEGACY_ID: &str = "f0c2a6de-77b1-4f0e-8a3d-2c5b9e1d4a68";
const DIRECTORY: Option<&str> = Some("/home/mira/ledger-export");

#[test]
fn a_session_is_known_by_its_place() {
    let model = "model=moonshot-ai/kimi-k2.7-code";
    let digest = "project_digest=8985233bb992c030b87322d2c635ce2c";
    let table: [(&str, Expected<'_>); 6] = [
        (
            MAIN,
            (
                ID,
                None,
                DIRECTORY,
                &format!("title=Semicolons in the export {model}"),
            ),
        ),
        (
            SUBAGENT,
            (
                &format!("{ID}-agent-0"),
                Some(ID),
                DIRECTORY,
                &format!("relation=subagent {model}"),
            ),
        ),
        (
            FORK,
            (
                "c41f88d2-0a3b-4be7-9d52-e7713f0b6a90",
                Some(ID),
                DIRECTORY,
                &format!("relation=fork title=Fork: Semicolons in the export {model}"),
            ),
        ),
        (
            LEGACY,
            (
                LEGACY_ID,
                None,
                None,
                &format!("title=Rename the header {digest}"),
            ),
        ),
        (
            LEGACY_SUBAGENT,
            (
                &format!("{LEGACY_ID}-a1b2c3"),
                Some(LEGACY_ID),
                None,
                &format!("relation=subagent {digest}"),
            ),
        ),
        (
            "header-only.jsonl",
            ("header-only", None, None, "empty=true"),
        ),
    ];
    for (name, expected) in table {
        let found = sessions::<Kimi>(&fixture(name));
        let [session] = &found[..] else {
            panic!("{name}: {found:?}");
        };
        let attrs: Vec<_> = session
            .attrs
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        let told = (
            &*session.id,
            session.parent.as_deref(),
            session.project_dir.as_deref(),
            &*attrs.join(" "),
        );
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn a_file_out_of_its_place_has_an_id_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("wire.jsonl");
    fs::copy(fixture(MAIN), &copy).unwrap();
    let [session] = &sessions::<Kimi>(&copy)[..] else {
        panic!("no session");
    };
    assert_eq!(session.id, "wire-1782900000000");
    assert_eq!(session.project_dir.as_deref(), DIRECTORY);
}

#[test]
fn a_session_that_grew_has_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("grown.jsonl");
    let bytes = fs::read(fixture(MAIN)).unwrap();
    let mut revisions = Vec::new();
    for size in [bytes.len() / 2, bytes.len() - 10, bytes.len()] {
        put(&copy, &bytes[..size]);
        revisions.push(sessions::<Kimi>(&copy)[0].revision.clone());
    }
    revisions.dedup();
    assert_eq!(revisions.len(), 3);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.jsonl");
    let table = [
        "",
        "\n\n",
        "not json",
        r#"{"type":"metadata","version":3}"#,
        r#"{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{}}"#,
        r#"{"timestamp":1,"message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"context.append_message","text":"no message"}"#,
        r#"[{"type":"metadata","protocol_version":"1.4"}]"#,
    ];
    for text in table {
        put(&path, text);
        assert!(sessions::<Kimi>(&path).is_empty(), "{text}");
    }
}

#[test]
fn what_is_asked_for_is_only_where_sessions_lie() {
    for root in Kimi::describe().roots {
        assert!(
            root.candidates
                .iter()
                .all(|place| place.ends_with("/sessions"))
        );
        assert!(
            root.patterns
                .iter()
                .all(|pattern| pattern.ends_with("/wire.jsonl"))
        );
    }
}
