//! The editor's database for all folders: composers, and a row per bubble.

use acreta_sdk::adapter::testing::{START, read, sessions};
use adapter_cursor::CursorAgent;
use rusqlite::{Connection, params};

use crate::{Home, attributes, check, session_of};

const COMPOSER: &str = "a0c1d2e3-5f60-4718-9a2b-3c4d5e6f7081";
const SUBAGENT: &str = "b7e6d5c4-1a2b-4c3d-8e9f-0a1b2c3d4e5f";
const INLINE: &str = "c3b2a190-7d6e-4f5a-b4c3-d2e1f0a9b8c7";
const EMPTY: &str = "e1111111-2222-4333-8444-555566667777";
const DAMAGED: &str = "f5f5f5f5-0000-4000-8000-0000000bad00";

/// Id, parent, directory, revision, attributes.
type Expected = (
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    &'static str,
    &'static str,
);

#[test]
fn every_composer_is_listed_but_a_deleted_one() {
    let table: [Expected; 5] = [
        (
            COMPOSER,
            None,
            Some("/home/mira/shop"),
            "1778487600000:15",
            "title=Dates on the order page model=gpt-5",
        ),
        (
            SUBAGENT,
            Some(COMPOSER),
            Some("/home/mira/shop two"),
            "1778486900000:2",
            "relation=subagent title=Count uses model=gpt-5",
        ),
        // In later versions the folder's own database has the directory of a composer.
        (
            INLINE,
            None,
            Some("/home/mira/readme"),
            "1739999000000:5",
            "title=Readme",
        ),
        (
            EMPTY,
            None,
            Some("/home/mira/readme"),
            "1778000000000:0",
            "empty=true",
        ),
        (DAMAGED, None, None, "0:0", ""),
    ];
    let home = Home::new();
    let found = sessions::<CursorAgent>(&home.global());
    assert_eq!(found.len(), table.len(), "{found:?}");
    for (id, parent, directory, revision, attrs) in table {
        let session = session_of(&home.global(), id);
        assert_eq!(session.parent.as_deref(), parent, "{id}");
        assert_eq!(session.project_dir.as_deref(), directory, "{id}");
        assert_eq!(session.revision, revision, "{id}");
        assert_eq!(attributes(&session), attrs, "{id}");
    }
}

#[test]
fn the_order_is_that_of_the_headers() {
    let home = Home::new();
    let told = check(
        &session_of(&home.global(), COMPOSER),
        r##"
2c80d1a2-4a4a-4b4b-8c8c-000000000001 user/text "the order page shows yesterday's date for customers in Auckland, find "
2f64180a-4a4a-4b4b-8c8c-000000000003 assistant/text "I'll look at where the date is formatted." model=gpt-5
65f39e12-4a4a-4b4b-8c8c-000000000004 assistant/tool-call "{\"pattern\":\"toLocaleDateString\"}" tool=grep call_id=call_g1
65f39e12-4a4a-4b4b-8c8c-000000000004#1 tool/tool-result "{\"success\":{\"pattern\":\"toLocaleDateString\",\"matches\":[\"web/src/order.t" tool=grep call_id=call_g1
9d4b5444-4a4a-4b4b-8c8c-000000000005 assistant/tool-call "{\"target_file\":\"web/src/order.ts\"}" tool=read_file call_id=call_read_file
9d4b5444-4a4a-4b4b-8c8c-000000000005#1 tool/tool-result "export const day = (t) => new Date(t).toLocaleDateString()" tool=read_file call_id=call_read_file
7d0b23c0-4a4a-4b4b-8c8c-000000000006 assistant/tool-call "{\"query\":\"dates\"}" tool=mcp_acreta_search call_id=call_mcp_acreta_search
7d0b23c0-4a4a-4b4b-8c8c-000000000006#1 tool/injected "dates are kept in UTC" tool=mcp_acreta_search call_id=call_mcp_acreta_search injected_by=acreta
b0018f9a-4a4a-4b4b-8c8c-000000000007 assistant/tool-call "{\"command\":\"npm test\"}" tool=run_terminal_cmd call_id=call_run_terminal_cmd
b0018f9a-4a4a-4b4b-8c8c-000000000007#1 tool/tool-result "Command failed with exit code 1" tool=run_terminal_cmd call_id=call_run_terminal_cmd is_error=true
65aada08-4a4a-4b4b-8c8c-000000000008 assistant/thinking "The server sends local time."
7329d3d4-4a4a-4b4b-8c8c-000000000009 assistant/text "I'll shift the date on the server for each customer."
23315bfd-4a4a-4b4b-8c8c-00000000000a user/text "No. Keep UTC on the server and format in the browser only, otherwise t"
23315bfd-4a4a-4b4b-8c8c-00000000000a#1 user/injected "<acreta-brief>Invoices are legal documents.</acreta-brief>" injected_by=acreta
23315bfd-4a4a-4b4b-8c8c-00000000000a#2 user/note "[image]"
e3ccbc66-4a4a-4b4b-8c8c-00000000000b assistant/tool-call "{\"file_path\":\"server/orders.ts\"}" tool=apply_patch call_id=call_apply_patch model=gpt-5
e3ccbc66-4a4a-4b4b-8c8c-00000000000b#1 tool/tool-result "{\"diff\":{\"chunks\":[]}}" tool=apply_patch call_id=call_apply_patch is_error=true
e3ccbc66-4a4a-4b4b-8c8c-00000000000b#2 user/note "rejected: apply_patch" call_id=call_apply_patch
40cc5bcc-4a4a-4b4b-8c8c-00000000000c assistant/text "The server keeps UTC; the browser formats with the customer's zone." input_tokens=23050 output_tokens=412
"##,
        &[
            "0babd255-4a4a-4b4b-8c8c-00000000000d 0..0 a bubble of the conversation is not in the database",
            "54624726-4a4a-4b4b-8c8c-00000000000e 0..0 a bubble that is not valid JSON",
            "2211c910-4a4a-4b4b-8c8c-00000000000f 0..0 a bubble of the conversation is not in the database",
            "a0c1d2e3-5f60-4718-9a2b-3c4d5e6f7081 0..0 1 bubbles are not in the conversation and left out",
        ],
    );
    let times: Vec<_> = told.events.iter().filter_map(|event| event.at_ms).collect();
    assert_eq!(times.len(), told.events.len());
    assert!(times.is_sorted());
    assert_eq!(times[0], 1_778_486_460_250);
}

#[test]
fn a_subagent_is_asked_by_an_agent() {
    let home = Home::new();
    check(
        &session_of(&home.global(), SUBAGENT),
        r##"
3da68e3f-4a4a-4b4b-8c8c-000000000014 user/injected "Count the uses of toLocaleDateString." injected_by=agent
2faff49e-4a4a-4b4b-8c8c-000000000015 assistant/text "There are four."
"##,
        &[],
    );
}

#[test]
fn an_older_composer_holds_its_bubbles_itself() {
    let home = Home::new();
    let told = check(
        &session_of(&home.global(), INLINE),
        r##"
c-1 user/text "write the readme in short sentences"
c-2 assistant/text "Done, in short sentences."
c-1~2 user/text "and in plain words"
c3b2a190-7d6e-4f5a-b4c3-d2e1f0a9b8c7:4 assistant/text "In plain words now."
"##,
        &[" 0..0 bubbles of the unknown type `7`"],
    );
    assert_eq!(told.events[3].at_ms, Some(1_740_000_000_000));
}

#[test]
fn what_tells_nothing_says_why() {
    let home = Home::new();
    check(&session_of(&home.global(), EMPTY), "", &[]);
    let why = format!("{DAMAGED} 0..0 the conversation is not valid JSON");
    check(&session_of(&home.global(), DAMAGED), "", &[&why]);
}

#[test]
fn only_the_changed_conversation_has_another_revision() {
    let home = Home::new();
    let before = sessions::<CursorAgent>(&home.global());
    let connection = Connection::open(home.global()).unwrap();
    let change = "UPDATE cursorDiskKV SET value = replace(value, '1778487600000', '1778487600001')
                  WHERE key = 'composerData:' || ?1";
    connection.execute(change, [COMPOSER]).unwrap();
    drop(connection);
    for after in sessions::<CursorAgent>(&home.global()) {
        let known = before
            .iter()
            .find(|session| session.id == after.id)
            .unwrap();
        assert_eq!(
            known.revision != after.revision,
            after.id == COMPOSER,
            "{}",
            after.id
        );
    }
}

/// Builds a database with `composers` conversations of `bubbles` bubbles each, with keys in another order than the
/// conversation.
fn large(composers: usize, bubbles: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = Connection::open(folder.path().join("state.vscdb")).unwrap();
    let batch = connection.transaction().unwrap();
    let schema = "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)";
    batch.execute(schema, []).unwrap();
    let mut insert = batch
        .prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)")
        .unwrap();
    for composer in 0..composers {
        let ids: Vec<_> = (0..bubbles)
            .map(|n| format!("{:03}", n * 37 % 1000))
            .collect();
        let headers = ids
            .iter()
            .map(|id| format!("{{\"bubbleId\":\"{id}\",\"type\":1}}"));
        let headers = headers.collect::<Vec<_>>().join(",");
        let value = format!(
            "{{\"fullConversationHeadersOnly\":[{headers}],\"createdAt\":{},\"workspaceIdentifier\":\
             {{\"uri\":{{\"fsPath\":\"/w\"}}}}}}",
            1_780_000_000_000_u64 + composer as u64
        );
        insert
            .execute(params![format!("composerData:{composer:05}"), value])
            .unwrap();
        for (number, id) in ids.iter().enumerate() {
            let value = format!("{{\"type\":1,\"bubbleId\":\"{id}\",\"text\":\"say {number}\"}}");
            insert
                .execute(params![format!("bubbleId:{composer:05}:{id}"), value])
                .unwrap();
        }
    }
    drop(insert);
    batch.commit().unwrap();
    folder
}

#[test]
fn many_bubbles_are_told_in_order() {
    let folder = large(1, 1000);
    let path = folder.path().join("state.vscdb");
    let (told, _) = read::<CursorAgent>(&session_of(&path, "00000"), &START);
    let texts: Vec<_> = told.events.iter().map(|event| event.text.clone()).collect();
    let expected: Vec<_> = (0..1000).map(|number| format!("say {number}")).collect();
    assert_eq!(texts, expected);
    assert!(told.diagnostics.is_empty());
}

#[test]
fn a_bubble_that_is_too_large_costs_itself() {
    let folder = large(1, 3);
    let path = folder.path().join("state.vscdb");
    let connection = Connection::open(&path).unwrap();
    let text = "x".repeat(5 * 1024 * 1024);
    let value = format!("{{\"type\":1,\"text\":\"{text}\"}}");
    let change = "UPDATE cursorDiskKV SET value = ?1 WHERE key = 'bubbleId:00000:037'";
    assert_eq!(connection.execute(change, [value]).unwrap(), 1);
    drop(connection);
    let (told, _) = read::<CursorAgent>(&session_of(&path, "00000"), &START);
    assert_eq!(
        told.texts(),
        [("user", "text", "say 0"), ("user", "text", "say 2")]
    );
    assert_eq!(
        told.messages(),
        ["a bubble of the conversation is too large"]
    );
}

#[test]
fn ten_thousand_conversations_are_listed() {
    let folder = large(10_000, 2);
    let found = sessions::<CursorAgent>(&folder.path().join("state.vscdb"));
    assert_eq!(found.len(), 10_000);
    let mut revisions: Vec<_> = found.iter().map(|session| &session.revision).collect();
    revisions.sort();
    revisions.dedup();
    assert_eq!(revisions.len(), 10_000);
}
