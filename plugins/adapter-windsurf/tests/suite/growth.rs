//! A growing transcript: in steps as at once, and never from a file that was replaced.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, files, read, steps};
use adapter_windsurf::Windsurf;

use crate::support::{fixtures, scratch, session};

#[test]
fn steps_tell_what_the_whole_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures()) {
        for step in [29, 333] {
            steps::<Windsurf>(&path, scratch.path(), step);
        }
    }
}

#[test]
fn a_rewritten_transcript_refuses_the_cursor() {
    let line = |words: &str| {
        format!(
            "{{\"status\":\"done\",\"type\":\"user_input\",\
             \"user_input\":{{\"user_response\":\"{words}\"}}}}\n"
        )
    };
    let scratch = scratch();
    scratch.write(&line("first"));
    let session = session(&scratch.path());
    let (_, cursor) = read::<Windsurf>(&session, &START);
    scratch.write(&format!("{}{}", line("other"), line("more")));
    let mut told = ReadResult::default();
    let failed = Windsurf::read(&session, &cursor, &mut told);
    assert_eq!(failed.unwrap_err().code, "invalid-cursor");
    assert!(told.events.is_empty());
}
