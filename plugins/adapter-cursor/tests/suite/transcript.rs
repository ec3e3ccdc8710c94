//! Transcripts with a record per line.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read, steps};
use adapter_cursor::CursorAgent;

use crate::{attributes, check, fixture, session};

const ID: &str = "7b8c9d0e-1f2a-4b3c-8d4e-5f6a7b8c9d0e";

fn transcript(name: &str) -> std::path::PathBuf {
    fixture("projects/home-mira-shop/agent-transcripts").join(name)
}

#[test]
fn the_words_of_the_person_are_told_apart() {
    let session = session(&transcript(&format!("{ID}/{ID}.jsonl")));
    assert_eq!(session.id, ID);
    assert_eq!(session.parent, None);
    assert_eq!(attributes(&session), "project_slug=home-mira-shop");
    check(
        &session,
        r##"
@0 user/injected "<external_links>\nhttps://example.org/fetch\n</external_links>" injected_by=links
@0#1 user/text "retry the shipping rates when the carrier is slow"
@208 assistant/text "Looking at the client."
@208#1 assistant/tool-call "{\"path\":\"/home/mira/shop/rates.ts\",\"limit\":40}" tool=Read call_id=@208#1
@404 assistant/tool-call "{\"pattern\":\"fetch(\"}" tool=Grep call_id=@404
@548 assistant/thinking "A timeout is missing."
@548#1 assistant/text "I retry five times without a pause."
@709 user/text "no, twice at most and with a pause of a second, the carrier blocks us "
@709#1 user/injected "<acreta-brief>The carrier allows 60 calls a minute.</acreta-brief>" injected_by=acreta
@951 assistant/tool-call "{\"command\":\"npm test\"}" tool=Shell call_id=t9
@1072 tool/tool-result "2 failed\n[image]" tool=Shell call_id=t9 is_error=true
@1233 assistant/tool-call "{\"query\":\"carrier\"}" tool=mcp_acreta_search call_id=t10
@1364 tool/injected "two tries" tool=mcp_acreta_search call_id=t10 injected_by=acreta
@1469 assistant/tool-call "{\"path\":\"log\"}" tool=read_file call_id=@1469
@1469#1 assistant/note "A block of a later version."
@1638 tool/tool-result "ok" tool=read_file call_id=
@1760 assistant/text "Two tries, a second apart."
"##,
        &[" 1469..1637 parts of the unknown type `custom_block`"],
    );
}

#[test]
fn a_subagent_lies_below_its_parent() {
    let child = "0f1e2d3c-4b5a-4697-8877-665544332211";
    let session = session(&transcript(&format!("{ID}/subagents/{child}.jsonl")));
    assert_eq!((&*session.id, session.parent.as_deref()), (child, Some(ID)));
    assert_eq!(
        attributes(&session),
        "relation=subagent project_slug=home-mira-shop"
    );
    check(
        &session,
        r##"
@0 user/injected "List the carriers." injected_by=agent
@84 assistant/text "Two carriers."
"##,
        &[],
    );
}

#[test]
fn damage_costs_itself() {
    check(
        &session(&fixture("damaged.jsonl")),
        r##"
@0 user/text "keep the log short"
@210 assistant/text "Short it is."
@406 assistant/text "Done."
"##,
        &[
            " 84..156 the line ends inside a string",
            " 157..210 the line ends inside a string",
            " 293..371 messages of the unknown type `narrator`",
            " 372..405 a message without content",
            " 482..522 unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn many_steps_tell_what_one_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in [
        transcript(&format!("{ID}/{ID}.jsonl")),
        fixture("damaged.jsonl"),
    ] {
        for step in [37, 400] {
            steps::<CursorAgent>(&path, scratch.path(), step);
        }
    }
}

#[test]
fn a_rewritten_transcript_refuses_its_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("rewritten.jsonl");
    let bytes = fs::read(transcript(&format!("{ID}/{ID}.jsonl"))).unwrap();
    put(&copy, &bytes);
    let session = session(&copy);
    let (_, cursor) = read::<CursorAgent>(&session, &START);
    put(&copy, &bytes[..bytes.len() / 2]);
    let failure = CursorAgent::read(&session, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(failure.code, "invalid-cursor");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.jsonl");
    let message = r#""message":{"role":"user","content":[{"type":"text","text":"hi"}]}"#;
    let table = [
        String::new(),
        "plain text".to_owned(),
        format!(r#"{{"type":"user","sessionId":"s","uuid":"u",{message}}}"#),
        format!(r#"{{"role":"user","timestamp":1,{message}}}"#),
        format!(r#"{{"role":"user","id":"1",{message}}}"#),
        r#"{"role":"user","content":"hi"}"#.to_owned(),
        r#"{"role":"user","message":"hi"}"#.to_owned(),
        format!(r#"{{"role":"poet",{message}}}"#),
        "SQLite format 3\0".to_owned(),
    ];
    for text in table {
        put(&path, &text);
        let found = CursorAgent::sessions(&path.to_string_lossy()).unwrap_or_default();
        assert!(found.is_empty(), "{text}");
    }
}
