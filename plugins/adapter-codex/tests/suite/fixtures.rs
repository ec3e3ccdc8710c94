//! Whole fixtures as events, for each of the three generations of the format.

use acreta_sdk::adapter::testing::render;

use crate::support::{fixture, read_whole};

fn check(part: &str, expected: &str) {
    let told = read_whole(&fixture(part));
    assert_eq!(told.messages(), [""; 0], "{part}");
    assert_eq!(render(&told.events, &[]), expected, "{part}");
}

#[test]
fn a_session_of_today() {
    check(
        "019ed99c-0a11",
        r##"@755 system/injected "<permissions instructions>\nsandbox_mode is danger-full-access.\n</permi" injected_by=permissions
@755#1 system/injected "<collaboration_mode># Collaboration Mode: Default</collaboration_mode>" injected_by=collaboration-mode
@755#2 system/injected "Speak plainly." injected_by=developer
@1151 user/injected "# AGENTS.md instructions for /home/dev/parcel-api\n\n<INSTRUCTIONS>\nRun " injected_by=instructions
@1151#1 user/injected "<environment_context>\n  <cwd>/home/dev/parcel-api</cwd>\n  <shell>zsh</" injected_by=environment
@1151#2 user/injected "<acreta-brief>\nLabels are printed by the worker.\n</acreta-brief>" injected_by=acreta
@2066 user/text "tests/test_labels.py fails about once in ten runs. Find out why and fi"
@2893 assistant/text "I will run the test a few times and look at the queue." model=gpt-5.5
@3125 assistant/tool-call "{\"cmd\":\"for i in 1 2 3; do pytest -q tests/test_labels.py; done\",\"work" tool=exec_command call_id=call_a1
@3387 assistant/tool-call "{\"cmd\":\"sed -n 1,80p parcel/labels.py\",\"workdir\":\"/home/dev/parcel-api" tool=exec_command call_id=call_a2
@3623 tool/tool-result "FAILED tests/test_labels.py::test_expiry - assert 0 == 1\n" tool=exec_command call_id=call_a1 is_error=true
@3927 tool/tool-result "def expired(label):\n    return time.time() - label.printed_at > 30\n" tool=exec_command call_id=call_a2
@4660 assistant/thinking "**Timing**\n\nThe test races the wall clock." model=gpt-5.5 input_tokens=9120 output_tokens=211 cache_read_tokens=0
@5145 assistant/text "The test races the wall clock. I will add a short sleep before the ass"
@5400 assistant/tool-call "*** Begin Patch\n*** Update File: tests/test_labels.py\n@@\n+    time.sle" tool=apply_patch call_id=call_a3
@5907 tool/tool-result "Failed to find expected lines in tests/test_labels.py" tool=apply_patch call_id=call_a3 is_error=true
@6941 system/note "turn aborted: interrupted"
@7119 user/injected "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</tu" injected_by=turn-aborted
@7921 user/text "No sleeps in tests, please. We always inject the clock instead: give `"
@8522 user/injected "<skill>\n<name>tidy</name>\n<path>/home/dev/.agents/skills/tidy/SKILL.md" injected_by=skill
@8777 assistant/tool-call "{\"query\":\"clock in tests\"}" tool=mcp__acreta__search call_id=call_b1 model=gpt-5.5 input_tokens=9480 output_tokens=140 cache_read_tokens=0
@9339 tool/injected "Tests take their time from a fake clock" tool=mcp__acreta__search call_id=call_b1 injected_by=acreta
@9552 assistant/tool-call "*** Begin Patch\n*** Update File: parcel/labels.py\n@@\n-def expired(labe" tool=apply_patch call_id=call_b2
@10109 tool/tool-result "Success. Updated the following files:\nM parcel/labels.py\n" tool=apply_patch call_id=call_b2
@10776 system/compaction "Conversation compacted"
@11216 assistant/tool-call "{\"cmd\":\"make test\",\"workdir\":\"/home/dev/parcel-api\"}" tool=exec_command call_id=call_b3 model=gpt-5.5 input_tokens=11020 output_tokens=502 cache_read_tokens=0
@11432 tool/tool-result "148 passed\n" tool=exec_command call_id=call_b3
@12358 assistant/text "`expired` takes `now`; the worker passes it and the test uses a fixed " model=gpt-5.5 input_tokens=5200 output_tokens=61 cache_read_tokens=0
@12633 system/note "turn finished" model=gpt-5.5 input_tokens=5410 output_tokens=80 cache_read_tokens=0
"##,
    );
}

#[test]
fn a_session_of_the_first_wrapped_version() {
    check(
        "01997e76-1111",
        r##"@400 user/injected "<environment_context>\n  <cwd>/home/dev/parcel-api</cwd>\n  <approval_po" injected_by=environment
@680 user/text "round prices half up, not half even. Finance asked for it."
@680#1 user/injected "# Context from my IDE setup:\n\n## Active file: parcel/rates.py\n\n## Open" injected_by=ide
@680#2 user/note "[image]"
@2348 assistant/thinking "**Looking at rounding**" model=gpt-5-codex input_tokens=3200 output_tokens=90 cache_read_tokens=0
@2568 assistant/tool-call "{\"command\":[\"bash\",\"-lc\",\"rg round parcel/rates.py\"],\"workdir\":\"/home/" tool=shell call_id=call_o1
@2815 tool/tool-result "12:    return round(price, 2)\n" tool=shell call_id=call_o1
@3476 assistant/tool-call "{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Update File: parcel/ra" tool=shell call_id=call_o2 model=gpt-5-codex input_tokens=3400 output_tokens=120 cache_read_tokens=0
@3815 tool/tool-result "patch rejected by user" tool=shell call_id=call_o2 is_error=true
@3975 assistant/tool-call "{\"command\":[\"bash\",\"-lc\",\"pytest -q tests/test_rates.py\"]}" tool=shell call_id=call_o3
@4190 tool/tool-result "no tests ran\n" tool=shell call_id=call_o3 is_error=true
@4575 assistant/text "Prices are rounded half up with `Decimal.quantize`."
"##,
    );
}

#[test]
fn a_session_of_the_bare_version() {
    check(
        "4b825dc6-42cb",
        r##"@180 user/injected "<environment_context>\nCurrent working directory: /home/dev/parcel-api\n" injected_by=environment
@447 user/text "add a --dry-run flag to bin/import. It must never open the database."
@628 assistant/thinking "**Planning the flag**"
@785 assistant/tool-call "{\"command\":[\"bash\",\"-lc\",\"cat bin/import\"]}" tool=shell call_id=call_f1
@924 tool/tool-result "#!/usr/bin/env python3\n" tool=shell call_id=call_f1
@1112 assistant/text "`--dry-run` prints the plan and opens nothing."
"##,
    );
}

#[test]
fn a_session_of_a_subagent() {
    check(
        "019ee210-3001",
        r##"@1184 user/injected "List every caller of `expired`." injected_by=agent
@1553 assistant/tool-call "{\"cmd\":\"rg -n \\\"expired\\\\(\\\"\",\"workdir\":\"/home/dev/parcel-api\"}" tool=exec_command call_id=call_s1 model=gpt-5.5-mini
@1786 tool/tool-result "parcel/worker.py:41:    if expired(label, clock.now()):\n" tool=exec_command call_id=call_s1
@2270 assistant/text "Only `parcel/worker.py:41`."
@2477 user/injected "Thank you, that is all." injected_by=agent agent_id=/main
"##,
    );
}

#[test]
fn a_session_of_counted_records() {
    check(
        "019ee201-5c00",
        r##"@976 user/text "Where do we validate postcodes?"
@1522 assistant/text "In `parcel/address.py`, with one regular expression per country." model=gpt-5.5
@2122 user/text "Move that to the gateway."
@2656 assistant/text "Moved."
"##,
    );
}

#[test]
fn every_event_has_its_time_and_its_record() {
    let told = read_whole(&fixture("019ee201-5c00"));
    let first = &told.events[0];
    assert_eq!(first.origin.record, "msg_p1");
    assert_eq!((first.origin.start, first.origin.end), (976, 1183));
    assert_eq!(first.at_ms, Some(1_781_942_401_200));
    let bare = read_whole(&fixture("4b825dc6-42cb"));
    assert!(bare.events.iter().all(|event| event.at_ms.is_none()));
}

#[test]
fn damage_costs_itself() {
    let told = read_whole(&fixture("019ee400-5003"));
    assert_eq!(
        told.texts(),
        [
            ("user", "text", "which port does the gateway use?"),
            ("assistant", "text", "8443, from `gateway.toml`."),
            ("user", "text", "and in tests?"),
        ]
    );
    let diagnostics: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(_, start, end, message)| (*start, *end, &**message))
        .collect();
    assert_eq!(
        diagnostics,
        [
            (1296, 1459, "the line ends inside a string"),
            (1842, 1944, "items of the unknown type `hologram`"),
            (2048, 2136, "notices of the unknown type `fanfare`"),
            (2137, 2224, "records of the unknown type `moon_phase`"),
            (2225, 2240, "not a JSON object"),
            (
                3130,
                3216,
                "unfinished at the end of the file, left for the next read"
            ),
        ]
    );
}
