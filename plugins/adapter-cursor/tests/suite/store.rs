//! The command line's database: messages by their digest, in the order of the root.

use acreta_sdk::adapter::testing::{START, read, sessions};
use adapter_cursor::CursorAgent;

use crate::{Home, attributes, check, session};

#[test]
fn the_root_says_the_order() {
    let home = Home::new();
    let session = session(&home.store("a"));
    assert_eq!(session.id, "4d5e6f70-8192-4a3b-bc4d-5e6f708192a3");
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/shop"));
    assert_eq!(session.started_ms, Some(1_780_000_000_000));
    assert_eq!(
        attributes(&session),
        "title=Seed twice model=composer-2 project_digest=9d4b3c0f6a1e4d2f8b7c5a6e1f0d2c3b"
    );
    check(
        &session,
        r##"
f94ca7c2117f38c9267c3fe56bbd5855ec48de47e330b2e94ef38aae4e93eb8d system/injected "You are an agent in the terminal." injected_by=system-prompt
48823d9c07ed561458436c1b514d141384b1d658c6e4de057ce9bdfc4cc16716 user/injected "<user_info>\nOS Version: linux\nWorkspace Path: /home/mira/shop\n</user_i" injected_by=environment
48823d9c07ed561458436c1b514d141384b1d658c6e4de057ce9bdfc4cc16716#1 user/injected "<rules>\nAnswer briefly.\n</rules>" injected_by=rules
4bb8bfb23461dc67d170ff2de4696089f1e4ed8bb30a9ab2ddc467b0485408c8 user/text "make the seed script safe to run twice"
27054030b4d7be224e55d4668cf5252b46be35a596414dd49bc323f0338d8b2d assistant/thinking "Upserts would do."
27054030b4d7be224e55d4668cf5252b46be35a596414dd49bc323f0338d8b2d#1 assistant/text "I'll use upserts."
27054030b4d7be224e55d4668cf5252b46be35a596414dd49bc323f0338d8b2d#2 assistant/tool-call "{\"command\":\"node seed.js\"}" tool=Shell call_id=tool_s1
c5f8bcffc4a27c62e0419bfcfd0f002f38dd57101cffa581add08f7310bab22e tool/tool-result "error: duplicate key" tool=Shell call_id=tool_s1 is_error=true
dd09a4d11419226c4c5cecfce9b9bff276e3557d2a412b5101a0e01c4a65cbdb user/text "continue"
f278b518a3627f5a308806bb51eef4ccb0af1182e8131ef880c00a540138f749 assistant/tool-call "{\"query\":\"seed\"}" tool=acreta-search call_id=tool_s2
60aa433f8b9c8282a036f6310cbec1c270afc7d7e7f0d2c2f3192d462f8b4af0 tool/injected "seeds are idempotent" tool=acreta-search call_id=tool_s2 injected_by=acreta
dd09a4d11419226c4c5cecfce9b9bff276e3557d2a412b5101a0e01c4a65cbdb~2 user/text "continue"
19cbb6ddf84ef0ebf03f312e15e3260f2eeb3532c35b18c0b05e78e54b31ea27 assistant/text "It upserts by the natural key now."
"##,
        &[
            "abababababababababababababababababababababababababababababababab 0..0 a message of the conversation is not in the database, or too large",
            "4d5e6f70-8192-4a3b-bc4d-5e6f708192a3 0..0 1 messages are not in the conversation and left out",
        ],
    );
}

#[test]
fn without_a_root_messages_are_told_as_they_were_written() {
    let home = Home::new();
    let session = session(&home.store("b"));
    let (told, _) = read::<CursorAgent>(&session, &START);
    assert_eq!(told.events.len(), 13);
    assert_eq!(told.events[12].text, "A draft that was replaced.");
    assert_eq!(
        told.messages(),
        ["the order of the messages is not known: told as they were written"]
    );
}

#[test]
fn a_new_session_is_known_to_be_empty() {
    let home = Home::new();
    let session = session(&home.store("c"));
    assert!(attributes(&session).ends_with("empty=true"));
    check(&session, "", &[]);
}

#[test]
fn the_revision_is_the_root() {
    let home = Home::new();
    let before = session(&home.store("a")).revision;
    let connection = rusqlite::Connection::open(home.store("a")).unwrap();
    connection
        .execute("INSERT INTO blobs VALUES ('ff', x'00')", [])
        .unwrap();
    drop(connection);
    assert_ne!(session(&home.store("a")).revision, before);
}

#[test]
fn databases_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let schema =
        "CREATE TABLE blobs (id TEXT, data BLOB); CREATE TABLE meta (key TEXT, value TEXT);";
    let table = [
        "CREATE TABLE session (id TEXT)".to_owned(),
        schema.to_owned(),
        format!("{schema} INSERT INTO meta VALUES ('0', '7b7d')"),
        format!("{schema} INSERT INTO meta VALUES ('0', 'no hex')"),
        format!("{schema} INSERT INTO meta VALUES ('version', '7b226167656e744964223a2231227d')"),
    ];
    for (number, script) in table.iter().enumerate() {
        let path = folder.path().join(format!("{number}.db"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(script).unwrap();
        drop(connection);
        assert!(sessions::<CursorAgent>(&path).is_empty(), "{script}");
    }
}
