//! The older shape: a whole conversation as one object, as a person saved it.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read, sessions};
use adapter_kiro::Kiro;

use crate::{SAVED, check, fixture};

/// Events of the saved conversation, in every store.
pub(crate) const STORY: &str = r##"
q-1 user/injected "--- CONTEXT ENTRY BEGIN ---\nhook: branch main\n--- CONTEXT ENTRY END --" injected_by=context
q-1#1 user/text "name the bucket in the config, not in the code"
q-1#2 assistant/text "I'll move it." model=claude-sonnet-4.5
q-1#3 assistant/tool-call "{\"path\":\"config.toml\"}" tool=fs_write call_id=tooluse_c1
q-2 tool/tool-result "written" tool=fs_write call_id=tooluse_c1
q-2#1 assistant/tool-call "{\"command\":\"cargo test\"}" tool=execute_bash call_id=tooluse_c2 model=claude-sonnet-4.5
q-3 tool/tool-result "bucket is empty" tool=execute_bash call_id=tooluse_c2 is_error=true
q-3#1 assistant/tool-call "{\"command\":\"git push\"}" tool=execute_bash call_id=tooluse_c3 model=claude-sonnet-4.5
q-4 tool/tool-result "Tool use was cancelled by the user" tool=execute_bash call_id=tooluse_c3 is_error=true
q-4#1 user/text "don't push, I review first"
q-4#2 assistant/text "I leave pushing to you." model=claude-sonnet-4.5
"##;

#[test]
fn a_saved_conversation_is_told() {
    let found = sessions::<Kiro>(&fixture("saved.json"));
    let [session] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(session.id, SAVED);
    assert_eq!(
        session.project_dir.as_deref(),
        Some("/home/noor/archive-uploader")
    );
    assert_eq!(
        (session.started_ms, session.updated_ms),
        (Some(1_772_442_000_250), Some(1_772_442_120_000))
    );
    let told = check(session, STORY, &[]);
    // The person's words have their time, the answer its own.
    assert_eq!(told.events[1].at_ms, Some(1_772_442_000_250));
    assert_eq!(told.events[2].at_ms, Some(1_772_442_004_000));
    let bytes = fs::read(fixture("saved.json")).unwrap();
    for event in &told.events {
        let span = &bytes[event.origin.start as usize..event.origin.end as usize];
        assert!(span.starts_with(b"{\"user\":") && span.ends_with(b"}"));
    }
}

#[test]
fn a_conversation_that_is_written_anew_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.json");
    fs::copy(fixture("saved.json"), &path).unwrap();
    let session = sessions::<Kiro>(&path).remove(0);
    let (_, cursor) = read::<Kiro>(&session, &START);
    let (again, same) = read::<Kiro>(&session, &cursor);
    assert!(again.events.is_empty() && same == cursor);
    let text = fs::read_to_string(&path).unwrap();
    put(&path, text.replace("the bucket", "its bucket"));
    let failure = Kiro::read(&session, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(failure.code, "invalid-cursor");
    assert_ne!(sessions::<Kiro>(&path)[0].revision, session.revision);
}

#[test]
fn what_is_odd_in_a_history_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.json");
    let table = [
        (r#"[]"#, 0, None),
        (
            r#"[{"user":null,"assistant":{"Response":{"message_id":"a","content":"hi"}}}]"#,
            1,
            None,
        ),
        (
            r#"[{"user":{"content":{"Prompt":{"prompt":"hi"}}},"assistant":null}]"#,
            1,
            Some("an entry of the history without an answer"),
        ),
        (
            r#"[{"user":{"content":{"Song":{}}},"assistant":{"Response":{"content":"la"}}}]"#,
            1,
            Some("an entry of the history with an unknown content"),
        ),
        (
            r#"[{"user":null,"assistant":{"Dance":{}}}]"#,
            0,
            Some("an answer of an unknown kind"),
        ),
        (
            r#"[{"user":null,"assistant":{"Response":{"message_id":"a","content":"1"}}},{"user":null,"assistant":{"Response":{"message_id":"a","content":"2"}}}]"#,
            2,
            None,
        ),
    ];
    for (history, events, problem) in table {
        put(
            &path,
            format!(r#"{{"conversation_id":"c","history":{history}}}"#),
        );
        let session = sessions::<Kiro>(&path).remove(0);
        let (told, _) = read::<Kiro>(&session, &START);
        assert_eq!(told.events.len(), events, "{history}");
        assert_eq!(
            told.messages(),
            problem.into_iter().collect::<Vec<_>>(),
            "{history}"
        );
        let is_empty = session.attrs.iter().any(|(key, _)| key == "empty");
        assert_eq!(is_empty, history == "[]", "{history}");
    }
}
