//! Whole fixtures as events.

use acreta_sdk::adapter::testing::render;

use crate::support::{fixture, read_whole};

#[test]
fn a_session_of_the_command_line() {
    let told = read_whole(&fixture("6d1f3c52"));
    assert_eq!(told.messages(), [""; 0]);
    assert_eq!(
        render(&told.events, &[]),
        r#"@1195 user/injected "<acreta-brief>\nThe nightly import runs at 02:00.\n</acreta-brief>" injected_by=acreta
@1522 system/injected "You are the GitHub Copilot CLI, a terminal assistant." injected_by=system-prompt
@1772 user/text "The nightly import sometimes runs twice at once. Add a lock so that on"
@1772#1 user/note "[file jobs/import.py]"
@1772#2 user/injected "<current_datetime>2026-07-02T10:00:00.000+02:00</current_datetime>\n<sy" injected_by=context
@2678 assistant/thinking "Find out how the import is started before choosing a lock." model=claude-sonnet-5 output_tokens=100
@2678#1 assistant/text "I will look at how the job starts."
@2678#2 assistant/tool-call "{\"path\":\"/home/dev/harvest/jobs/import.py\"}" tool=view call_id=toolu_1
@2678#3 assistant/tool-call "{\"command\":\"grep -rn \\\"LOCK\\\" jobs\",\"description\":\"Look for locks\"}" tool=bash call_id=toolu_2
@4250 tool/tool-result "1. def main():\n2.     run_import()" tool=view call_id=toolu_1
@4878 tool/tool-result "<shellId: 0 completed with exit code 1>" tool=bash call_id=toolu_2 is_error=true
@5461 assistant/text "I will add a table `import_lock` and insert a row while the import run" model=claude-sonnet-5 output_tokens=80
@5855 assistant/tool-call "{\"path\":\"/home/dev/harvest/migrations/0042_lock.sql\"}" tool=edit call_id=toolu_3
@6580 tool/tool-result "Path does not exist" tool=edit call_id=toolu_3 is_error=true
@6915 system/note "aborted: user_initiated"
@7350 user/text "No lock table: a crashed run would leave its row behind. Use a Postgre"
@7350#1 user/injected "<current_datetime>2026-07-02T10:00:00.000+02:00</current_datetime>\n<sy" injected_by=context
@8030 assistant/tool-call "{\"query\":\"locks\"}" tool=acreta-search call_id=toolu_4 model=claude-sonnet-5 output_tokens=100
@8746 tool/injected "Jobs take advisory locks" tool=acreta-search call_id=toolu_4 injected_by=acreta
@9114 user/injected "Use the postgres skill: take the lock first." injected_by=skill
@9114#1 user/injected "<current_datetime>2026-07-02T10:00:00.000+02:00</current_datetime>\n<sy" injected_by=context
@9668 user/injected "Prefer pg_try_advisory_lock." injected_by=skill
@9947 assistant/text "The import takes `pg_try_advisory_lock` and leaves if it is held." model=claude-sonnet-5 output_tokens=140
"#
    );
    let first = &told.events[0];
    assert_eq!(first.origin.record.len(), 36);
    assert_eq!((first.origin.start, first.origin.end), (1195, 1521));
    assert_eq!(first.at_ms, Some(1_782_979_203_000));
}

#[test]
fn a_damaged_session_with_a_subagent() {
    let told = read_whole(&fixture("7e2a4d63"));
    assert_eq!(
        render(&told.events, &["model", "output_tokens"]),
        r#"@838 user/text "Who calls run_import?"
@838#1 user/injected "<current_datetime>2026-07-02T10:00:00.000+02:00</current_datetime>\n<sy" injected_by=context
@1320 assistant/tool-call "{\"agent_type\":\"explore\",\"prompt\":\"Find the callers of run_import\"}" tool=task call_id=call_1
@2343 user/injected "Find the callers of run_import" injected_by=agent agent_id=explore-7
@2647 assistant/text "Only `jobs/import.py:2`." agent_id=explore-7
@3285 tool/tool-result "Only `jobs/import.py:2`." tool=task call_id=call_1
@3724 system/compaction "Conversation truncated: 12 messages removed"
@3984 system/compaction "run_import has one caller."
@4226 system/note "error: Model is busy"
@5084 user/text "Then rename it to import_all."
@5084#1 user/injected "<current_datetime>2026-07-02T10:00:00.000+02:00</current_datetime>\n<sy" injected_by=context
@5582 assistant/tool-call "{\"command\":\"git status -s\"}" tool=bash call_id=u1
@5831 tool/tool-result " M jobs/import.py\n<exited with exit code 0>" tool=bash call_id=u1
"#
    );
    let diagnostics: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(_, start, end, message)| (*start, *end, &**message))
        .collect();
    assert_eq!(
        diagnostics,
        [
            (3652, 3723, "the line ends inside a string"),
            (4456, 4630, "records of the unknown type `galaxy.brain`"),
            (
                6234,
                6292,
                "unfinished at the end of the file, left for the next read"
            ),
        ]
    );
}

#[test]
fn a_chat() {
    let told = read_whole(&fixture("c0ffee00-1111"));
    assert_eq!(
        render(&told.events, &[]),
        r#"request_a1 user/text "The delivery date is off by one day for users in Lisbon. Why?"
request_a1#1 user/note "[file date.ts]"
request_a1#2 assistant/thinking "A date without a time is parsed as UTC." model=copilot/claude-sonnet-4.5 input_tokens=5200 output_tokens=310
request_a1#3 assistant/text "The date is parsed as UTC in `date.ts` and shown in local time."
request_a1#4 assistant/tool-call "npm test" tool=run_in_terminal call_id=t1
request_a1#5 tool/tool-result "1 failing\n" tool=run_in_terminal call_id=t1 is_error=true
request_a2 user/text "Show every date in UTC then. We never use the local zone in the web ap"
request_a2#1 assistant/tool-call "{\"query\":\"dates\"}" tool=mcp_acreta_search call_id=t2 model=copilot/claude-sonnet-4.5
request_a2#2 tool/injected "Dates are shown in UTC" tool=mcp_acreta_search call_id=t2 injected_by=acreta
request_a2#3 assistant/note "[edited date.ts]"
request_a2#4 assistant/text "Dates are formatted with `timeZone: \"UTC\"`."
request_a2#5 system/note "error: Sorry, the network failed."
request_a2#6 system/note "aborted"
"#
    );
    assert_eq!(
        told.messages(),
        ["parts of an answer of the unknown type `sparkles`"]
    );
    assert_eq!(told.events[0].at_ms, Some(1_783_238_400_000));
    let origin = &told.events[6].origin;
    assert_eq!((origin.start, origin.end), (2439, 4176));
}

#[test]
fn a_chat_that_is_a_log_of_changes() {
    let told = read_whole(&fixture("c0ffee00-3333"));
    assert_eq!(told.messages(), [""; 0]);
    assert_eq!(
        render(&told.events, &[]),
        r#"request_b1 user/text "add a loading spinner to the order list, but only after 300 ms"
request_b1#1 assistant/text "I will delay the spinner." model=copilot/claude-sonnet-4.5 input_tokens=900 output_tokens=40
"#
    );
}
