//! Every kind of step: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{START, read, render};
use adapter_windsurf::Windsurf;

use crate::support::{fixtures, scratch, session};

fn check(name: &str, events: &str, diagnostics: &[&str]) {
    let session = session(&fixtures().join(name));
    let (told, _) = read::<Windsurf>(&session, &START);
    assert_eq!(render(&told.events, &[]), events.trim_start(), "{name}");
    assert_eq!(told.messages(), diagnostics, "{name}");
}

#[test]
fn a_conversation_with_all_that_happens_in_one() {
    check(
        "7c3e9a52-0f5d-4a0e-9b1d-6d2f8c41e7aa.jsonl",
        r#"
@0 user/text "Clients hammer the tide API after an outage. Add a Retry-After header "
@177 assistant/text "I'll look at how errors are written first."
@298 assistant/tool-call "{\"end_line\":3,\"path\":\"file:///home/dev/harbor/api/errors.go\",\"start_li" tool=view_file call_id=@298
@298#1 tool/tool-result "<file name=\"/home/dev/harbor/api/errors.go\" start_line=\"1\" end_line=\"4" tool=view_file call_id=@298
@658 assistant/tool-call "{\"query\":\"Retry-After\",\"search_path\":\"file:///home/dev/harbor\"}" tool=grep_search call_id=@658
@658#1 tool/tool-result "0 results" tool=grep_search call_id=@658
@793 assistant/tool-call "{\"new_content\":\"package api\\n\\nfunc unavailable(w http.ResponseWriter)" tool=code_action call_id=@793
@793#1 tool/tool-result "ACKNOWLEDGEMENT_TYPE_ACCEPT" tool=code_action call_id=@793
@1091 assistant/tool-call "{\"command\":\"go test ./api\",\"cwd\":\"/home/dev/harbor\"}" tool=run_command call_id=@1091
@1091#1 tool/tool-result "--- FAIL: TestUnavailable\n    errors_test.go:14: want jittered Retry-A" tool=run_command call_id=@1091 is_error=true
@1340 user/text "No, not a fixed 30: all clients would come back at once. Use a random "
@1564 assistant/tool-call "{\"arguments\":{\"query\":\"retry jitter\"},\"server_name\":\"acreta\",\"tool_nam" tool=mcp__acreta__search call_id=@1564
@1564#1 tool/injected "decision: background jobs use full jitter" tool=mcp__acreta__search call_id=@1564 injected_by=acreta
@1747 assistant/tool-call "{\"new_content\":\"package api // rewritten\\n\",\"path\":\"file:///home/dev/h" tool=code_action call_id=@1747
@1747#1 tool/tool-result "ACKNOWLEDGEMENT_TYPE_REJECT" tool=code_action call_id=@1747 is_error=true
@1945 assistant/tool-call "{\"command\":\"git push --force\",\"cwd\":\"/home/dev/harbor\"}" tool=run_command call_id=@1945
@1945#1 tool/tool-result "rejected by the user" tool=run_command call_id=@1945 is_error=true
@2075 user/text "Keep the function signature as it is, and never force-push here."
@2075#1 user/injected "<acreta-brief>\nRetry values are jittered.\n</acreta-brief>" injected_by=acreta
@2272 assistant/tool-call "{\"server_name\":\"memory\"}" tool=list_resources call_id=@2272
@2272#1 tool/tool-result "" tool=list_resources call_id=@2272 is_error=true
@2357 system/injected "The user has api/errors.go open." injected_by=system-reminder
@2469 assistant/thinking "Only the header value changes."
@2469#1 assistant/text "The header now has a random value between 20 and 40 and the signature "
@2675 assistant/tool-call "{\"path\":\"file:///home/dev/harbor\"}" tool=list_directory call_id=@2675
"#,
        &[],
    );
}

#[test]
fn damage_costs_only_itself() {
    check(
        "damaged.jsonl",
        r#"
@0 user/text "Which port does the tide API listen on?"
@161 assistant/text "It listens on 8085, set in config/api.toml."
"#,
        &[
            "the line ends inside a string",
            "a record that is no step",
            "unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn every_kind_of_step_has_its_voice() {
    let table = [
        (
            r#"{"checkpoint":{"summary":"so far"},"status":"done","type":"checkpoint"}"#,
            "@0 system/compaction \"so far\"\n",
        ),
        (
            r#"{"error_message":{"error":"model overloaded"},"status":"done","type":"error_message"}"#,
            "@0 system/note \"model overloaded\"\n",
        ),
        (
            r#"{"memory":{"title":"Style","body":"tabs"},"status":"done","type":"memory"}"#,
            "@0 system/injected \"{\\\"title\\\":\\\"Style\\\",\\\"body\\\":\\\"tabs\\\"}\" injected_by=memory\n",
        ),
        (
            r#"{"search_web":{"query":"q","results":[{"url":"u"}]},"status":"done","type":"search_web"}"#,
            "@0 assistant/tool-call \"{\\\"query\\\":\\\"q\\\"}\" tool=search_web call_id=@0\n\
             @0#1 tool/tool-result \"[{\\\"url\\\":\\\"u\\\"}]\" tool=search_web call_id=@0\n",
        ),
        (
            r#"{"status":"done","suggested_responses":{},"type":"suggested_responses"}"#,
            "",
        ),
    ];
    let scratch = scratch();
    for (line, expected) in table {
        let told = scratch.told(line);
        assert_eq!(render(&told.events, &[]), expected, "{line}");
        assert!(told.diagnostics.is_empty(), "{line}");
    }
}
