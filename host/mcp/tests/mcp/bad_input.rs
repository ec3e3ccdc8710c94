//! Invalid calls, failing calls and cancelled calls: each is answered, and the next one works.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::CallToolRequest;
use rmcp::service::{PeerRequestOptions, RequestHandle};
use serde_json::json;

use crate::fake::Fake;
use crate::support::{Client, call, params, refusal, structured, text, with_client};

async fn still_works(client: &Client) {
    let result = call(client, "memory_search", json!({ "query": "queue" })).await;
    assert_eq!(
        structured(&result.unwrap())["hits"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

/// Starts a search and does not wait for its result.
async fn send(client: &Client, query: &str) -> RequestHandle<RoleClient> {
    let request = CallToolRequest::new(params("memory_search", json!({ "query": query })));
    let options = PeerRequestOptions::no_options();
    let sent = client.send_cancellable_request(request.into(), options);
    sent.await.unwrap()
}

async fn until_waiting(fake: &Arc<Fake>, count: usize) {
    let fake = Arc::clone(fake);
    let waiting = tokio::task::spawn_blocking(move || fake.until_waiting(count));
    waiting.await.unwrap();
}

#[test]
fn wrong_arguments_are_named_and_nothing_is_asked() {
    let huge = "x".repeat(10 * 1024 * 1024);
    let cases = [
        (
            "memory_search",
            json!({}),
            "memory_search: `query` is missing",
        ),
        (
            "memory_search",
            json!({ "query": "  " }),
            "`query` is empty",
        ),
        (
            "memory_search",
            json!({ "query": 5 }),
            "`query` must be a text, not a number",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limt": 3, "Type": "decision" }),
            "unknown arguments: `limt`, `Type` (expected: query, limit, type, kind, tag, agent, since, scope, cursor)",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limit": 0, "type": "poem" }),
            "`limit` must be a whole number from 1 to 50; `type` must be one of: decision, learning, summary",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limit": 1.5 }),
            "a whole number from 1 to 50",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limit": -1 }),
            "a whole number from 1 to 50",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limit": "5" }),
            "`limit` must be a number, not a text",
        ),
        (
            "memory_search",
            json!({ "query": "a", "cursor": "zzz" }),
            "`cursor` is not one that a page gave",
        ),
        (
            "memory_search",
            json!({ "query": "a", "cursor": "5-0" }),
            "belongs to another query",
        ),
        (
            "memory_search",
            json!({ "query": huge }),
            "`query` is 10485760 bytes long; at most 2000 characters",
        ),
        (
            "memory_search",
            json!({ "query": "a", "\u{202e}": 1 }),
            "`\\u{202e}`",
        ),
        (
            "memory_get",
            json!({ "id": "../../etc/passwd" }),
            "not the id of a memory",
        ),
        (
            "memory_get",
            json!({ "id": ["a"] }),
            "`id` must be a text, not a list",
        ),
        (
            "memory_add",
            json!({ "title": "a", "body": "b", "type": "summary" }),
            "one of: decision, learning",
        ),
        (
            "memory_add",
            json!({ "title": "a", "body": huge }),
            "`body` is 10485760 bytes long",
        ),
        (
            "memory_add",
            json!({ "title": "a", "body": "b", "tags": "c" }),
            "`tags` must be a list of texts, not a text",
        ),
        (
            "memory_add",
            json!({ "title": "a", "body": "b", "tags": ["c", 1] }),
            "`tags` must be a list of texts",
        ),
        (
            "memory_add",
            json!({ "title": "a", "body": "b", "tags": vec!["c"; 13] }),
            "has 13 items; at most 12",
        ),
        (
            "memory_archive",
            json!({ "id": "01J", "restore": "yes" }),
            "`restore` must be true or false, not a text",
        ),
        (
            "memory_feedback",
            json!({ "id": "01J" }),
            "`verdict` is missing",
        ),
        (
            "memory_feedback",
            json!({ "id": "01J", "verdict": "meh" }),
            "one of: right, wrong, useful",
        ),
        (
            "context_explore",
            json!({ "budget": 99 }),
            "from 100 to 20000",
        ),
        (
            "context_explore",
            json!({ "detail": "all" }),
            "one of: compact, normal, verbose",
        ),
        (
            "context_delta",
            json!({ "until": "now" }),
            "unknown arguments: `until`",
        ),
        ("ask", json!({ "question": null }), "`question` is missing"),
    ];
    with_client(async |client, fake| {
        for (tool, arguments, why) in cases {
            let result = call(&client, tool, arguments).await.unwrap();
            assert_eq!(result.is_error, Some(true), "{tool}: {why}");
            assert!(text(&result).contains(why), "{tool}: {}", text(&result));
            assert!(text(&result).len() < 1_000);
            assert_eq!(result.structured_content, None);
        }
        assert_eq!(fake.calls(), [] as [&str; 0]);
        still_works(&client).await;
    });
}

#[test]
fn a_thousand_unknown_arguments_make_a_short_answer() {
    let arguments: serde_json::Map<_, _> = (0..1_000)
        .map(|number| (format!("{}{number}", "n".repeat(1_000)), json!(1)))
        .collect();
    with_client(async |client, _| {
        let result = call(&client, "ask", json!(arguments)).await.unwrap();
        assert!(text(&result).contains("992 more"), "{}", text(&result));
        assert!(text(&result).len() < 1_000);
    });
}

#[test]
fn unknown_tools_are_named() {
    with_client(async |client, _| {
        for (tool, shown) in [
            ("memory_delete", "memory_delete"),
            ("\u{202e}x", "\\u{202e}x"),
        ] {
            let (code, message) = refusal(call(&client, tool, json!({})).await);
            assert_eq!(code, -32602);
            let expected =
                format!("unknown tool `{shown}` (expected one of: memory_search, memory_get");
            assert!(message.starts_with(&expected), "{message}");
        }
        still_works(&client).await;
    });
}

#[test]
fn what_the_backend_refuses_is_said_with_causes_and_hints() {
    let cases = [
        (
            "memory_search",
            json!({ "query": "busy" }),
            "memory_search: another process is writing\ncaused by: the lock is held by somebody\nhint: try again",
        ),
        (
            "memory_get",
            json!({ "id": "01K" }),
            "memory_get: no memory `01K`\nhint: memory_search gives ids",
        ),
        (
            "memory_get",
            json!({ "id": "01J" }),
            "memory_get: `01J` is the start of several ids",
        ),
        (
            "memory_add",
            json!({ "title": "key", "body": "AKIA0000000000000000" }),
            "memory_add: it holds a secret",
        ),
        (
            "context_explore",
            json!({ "project": "/elsewhere" }),
            "context_explore: `/elsewhere` is not a registered project\nhint: acreta project add",
        ),
    ];
    with_client(async |client, _| {
        for (tool, arguments, expected) in cases {
            let result = call(&client, tool, arguments).await.unwrap();
            assert_eq!(result.is_error, Some(true));
            assert_eq!(text(&result), expected);
        }
        still_works(&client).await;
    });
}

#[test]
fn a_backend_that_breaks_down_costs_one_call() {
    with_client(async |client, _| {
        let (code, message) =
            refusal(call(&client, "memory_search", json!({ "query": "panic" })).await);
        assert_eq!(code, -32603);
        assert_eq!(message, "internal error; see the log");
        still_works(&client).await;
    });
}

#[test]
fn a_cancelled_call_is_given_up_and_others_go_on() {
    with_client(async |client, fake| {
        let call = send(&client, "wait").await;
        until_waiting(&fake, 1).await;
        call.cancel(None).await.unwrap();
        still_works(&client).await;
        fake.open_gate();
        still_works(&client).await;
    });
}

#[test]
fn a_call_that_is_cancelled_before_its_turn_never_starts() {
    with_client(async |client, fake| {
        let mut calls = Vec::new();
        for _ in 0..9 {
            calls.push(send(&client, "wait").await);
        }
        until_waiting(&fake, 8).await;
        let last = calls.pop().unwrap();
        last.cancel(None).await.unwrap();
        // Answered after the cancellation was received.
        client.list_all_tools().await.unwrap();
        fake.open_gate();
        for call in calls {
            call.await_response().await.unwrap();
        }
        still_works(&client).await;
        assert_eq!(fake.calls().len(), 9);
    });
}

#[test]
fn a_cursor_is_refused_with_other_words_or_filters() {
    let asked = json!({
        "query": "queue", "type": "decision", "kind": "pitfall", "tag": "a", "agent": "b", "since": "7d",
        "scope": "project_only", "limit": 2,
    });
    let others = [
        ("query", json!("cache")),
        ("type", json!("learning")),
        ("kind", json!("insight")),
        ("tag", json!("c")),
        ("agent", json!("c")),
        ("since", json!("8d")),
        ("scope", json!("global_only")),
    ];
    with_client(async |client, _| {
        let first = call(&client, "memory_search", asked.clone()).await.unwrap();
        let cursor = structured(&first)["next_cursor"].clone();
        for (name, other) in others {
            for value in [other, json!(null)] {
                let mut asked = asked.clone();
                asked["cursor"] = cursor.clone();
                asked[name] = value;
                let result = call(&client, "memory_search", asked).await.unwrap();
                assert_eq!(result.is_error, Some(true), "{name}");
            }
        }
        let mut asked = asked;
        asked["cursor"] = cursor;
        asked["limit"] = json!(3);
        let result = call(&client, "memory_search", asked).await.unwrap();
        assert_eq!(result.is_error, Some(false));
    });
}

#[test]
fn more_calls_than_turns_are_all_answered() {
    with_client(async |client, fake| {
        let calls: Vec<_> = (0..40)
            .map(|_| {
                let peer = client.peer().clone();
                tokio::spawn(async move {
                    peer.call_tool(params("memory_search", json!({ "query": "wait" })))
                        .await
                })
            })
            .collect();
        until_waiting(&fake, 8).await;
        assert_eq!(fake.calls().len(), 8);
        fake.open_gate();
        for call in calls {
            assert_eq!(call.await.unwrap().unwrap().is_error, Some(false));
        }
        assert_eq!(fake.calls().len(), 40);
    });
}
