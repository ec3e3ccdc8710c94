//! Every shape of the format, one fixture each: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{START, attribute, read, render};
use adapter_pi::Pi;

use crate::support::{fixtures, session};

const USAGE: [&str; 6] = [
    "model",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cost_dollars",
];

fn check(name: &str, ignored: &[&str], events: &str, diagnostics: &[&str]) {
    let session = session(&fixtures().join(name));
    let (told, _) = read::<Pi>(&session, &START);
    let events = events.trim_start();
    assert_eq!(render(&told.events, ignored), events, "{name}");
    assert_eq!(told.messages(), diagnostics, "{name}");
}

#[test]
fn a_session_with_all_that_happens_in_one() {
    check(
        "--home-dev-lantern--/2026-03-02T09-00-00-000Z_0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33.jsonl",
        &[],
        r#"
a0000003 user/injected "<acreta-brief>\nPhotos are never deleted by sync.\n</acreta-brief>" injected_by=acreta
a0000004 user/text "sync uploads unchanged photos again after every backup restore. find o"
a0000004#1 user/injected "<skill name=\"sync-rules\" location=\"/home/dev/.pi/agent/skills/sync-rul" injected_by=skill
a0000004#2 user/note "[image]"
a0000005 assistant/thinking "A restore touches every file. Look at how changes are found." model=claude-sonnet-4-5 input_tokens=1212 output_tokens=40 cache_read_tokens=900 cache_write_tokens=300 cost_dollars=0.01
a0000005#1 assistant/text "I will look at how changed files are found."
a0000005#2 assistant/tool-call "{\"path\":\"src/scan.ts\"}" tool=read call_id=toolu_01a
a0000005#3 assistant/tool-call "{\"command\":\"npm test -- scan\"}" tool=bash call_id=toolu_01b
a0000006 tool/tool-result "export const changed = (a: Entry, b: Entry) => a.mtime !== b.mtime;" tool=read call_id=toolu_01a
a0000007 tool/tool-result "FAIL test/scan.test.ts\n  restored files are not uploaded again\n\nComman" tool=bash call_id=toolu_01b is_error=true
a0000008 assistant/text "Changes are found by modification time, and a restore changes all of t" model=claude-sonnet-4-5 input_tokens=1209 output_tokens=61 cache_read_tokens=1200 cache_write_tokens=0 cost_dollars=0.01
a0000009 user/text "no, size and time is not enough. Compare a SHA-256 of the content inst"
a000000a user/note "git switch -c content-hash"
a000000a#1 user/injected "Switched to a new branch 'content-hash'" injected_by=bash
a000000b assistant/tool-call "{\"query\":\"hash photos\"}" tool=acreta_search call_id=toolu_01c model=claude-sonnet-4-5 input_tokens=1308 output_tokens=20 cache_read_tokens=1300 cache_write_tokens=0 cost_dollars=0.01
a000000c tool/injected "decision: thumbnails are keyed by content hash" tool=acreta_search call_id=toolu_01c injected_by=acreta
a000000d assistant/tool-call "{\"path\":\"src/scan.ts\",\"oldText\":\"a.mtime !== b.mtime\",\"newText\":\"a.sha" tool=edit call_id=toolu_01d model=claude-sonnet-4-5 input_tokens=1358 output_tokens=44 cache_read_tokens=1350 cache_write_tokens=0 cost_dollars=0.01
a000000e tool/tool-result "Successfully replaced text in src/scan.ts.\n[image]" tool=edit call_id=toolu_01d
a000000f system/compaction "Sync compared modification times; the user wants a SHA-256 of the cont"
a0000012 assistant/text "Sync now compares content hashes; the scan tests pass." model=claude-sonnet-4-5 input_tokens=405 output_tokens=18 cache_read_tokens=400 cache_write_tokens=0 cost_dollars=0.01
"#,
        &[],
    );
}

#[test]
fn only_the_branch_of_the_last_entry_is_told() {
    check(
        "branches.jsonl",
        &USAGE,
        r#"
c0000001 user/text "add a --dry-run flag to sync"
c0000002 assistant/text "Should it print a table or plain lines?"
c0000006 system/compaction "A table needed a new package."
c0000007 user/text "plain lines, one per file. no new dependencies for output, ever"
c0000008 assistant/text "`lantern sync --dry-run` prints one line per file."
"#,
        &["3 entries stand on branches that were left"],
    );
}

#[test]
fn the_first_version_has_no_ids() {
    check(
        "first-version.jsonl",
        &USAGE,
        r#"
@338 user/text "/mode"
@479 system/note "Request was aborted"
@931 user/text "rename the config key cache_dir to cacheDir, all our keys are camelCas"
@1138 assistant/text "Renaming it."
@1138#1 assistant/tool-call "{\"command\":\"rg -l cache_dir\"}" tool=bash call_id=toolu_03a
@1573 tool/tool-result "src/config.ts" tool=bash call_id=toolu_03a
@1787 system/compaction "The key cache_dir is being renamed to cacheDir."
@1952 assistant/text "Renamed in src/config.ts."
"#,
        &[],
    );
}

#[test]
fn damage_costs_only_itself() {
    check(
        "damaged.jsonl",
        &USAGE,
        r#"
d0000001 user/text "which exif fields do we read?"
d0000003 user/text "then drop the GPS fields from the type, we must not keep locations"
d0000007 assistant/text "Dropped them."
"#,
        &[
            "the line ends inside a string",
            "records of the unknown type `telepathy`",
            "messages of the unknown type `narrator`",
            "a record of the conversation without a message",
            "blocks of the unknown type `hologram`",
            "unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn a_fork_says_what_it_took_over() {
    let path =
        "--home-dev-lantern--/2026-03-03T10-00-00-000Z_5c2d8e70-1f4b-4f0c-9f57-3a9b2c7d8e11.jsonl";
    let (told, _) = read::<Pi>(&session(&fixtures().join(path)), &START);
    let (taken, own): (Vec<_>, Vec<_>) = told
        .events
        .iter()
        .partition(|event| attribute(event, "copied_from").is_some());
    assert_eq!((taken.len(), own.len()), (11, 2));
    let parent = "0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33";
    assert_eq!(attribute(taken[0], "copied_from"), Some(parent));
    assert!(own.iter().all(|event| event.id.starts_with('b')));
}

/// Pi writes files and skills before the words; each may hold the marks of both.
#[test]
fn what_a_file_holds_is_not_typed() {
    let table = [
        ("<file name=\"a.md\">\nx\n</file>\nlook at it", "look at it"),
        (
            "<file name=\"a.md\">\nx\n</file>\nnever push\n<file name=\"b\">\nx\n</file>\nlook at it",
            "look at it",
        ),
        (
            "<skill name=\"a\" location=\"b\">\n</skill>\n\nnever push\n</skill>\n\nlook at it",
            "look at it",
        ),
    ];
    for (text, expected) in table {
        let told = crate::support::scratch().told(&format!(
            r#"{{"type":"session","version":3,"id":"s","timestamp":"2026-03-03T10:00:00.000Z","cwd":"/home/dev/lantern"}}
{{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-03T10:00:01.000Z","message":{{"role":"user","content":[{{"type":"text","text":{text:?}}}]}}}}
"#
        ));
        let texts = told.texts();
        let typed: Vec<_> = texts
            .iter()
            .filter(|(_, kind, _)| *kind == "text")
            .collect();
        assert_eq!(typed, [&("user", "text", expected)], "{text}");
    }
}
