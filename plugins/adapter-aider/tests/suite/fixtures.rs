//! The fixtures as events: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{START, attribute, read, render, sessions};
use adapter_aider::Aider;

use crate::support::{fixtures, scratch};

/// Role, kind and text of every event.
type Voices<'a> = &'a [(&'a str, &'a str, &'a str)];

fn check(name: &str, id: &str, events: &str, diagnostics: &[&str]) {
    let found = sessions::<Aider>(&fixtures().join(format!("{name}.aider.chat.history.md")));
    let session = found.iter().find(|session| session.id == id).unwrap();
    let (told, _) = read::<Aider>(session, &START);
    let ignored = ["call_id"];
    assert_eq!(render(&told.events, &ignored), events.trim_start(), "{id}");
    assert_eq!(told.messages(), diagnostics, "{id}");
}

#[test]
fn a_session_with_all_that_happens_in_one() {
    check(
        "walnut",
        "aider-20260211-083012",
        r##"
@46 tool/tool-result "/home/dev/.local/bin/aider --model sonnet walnut/prices.py\nAider v0.86" tool=console
@352 user/text "add a discount to line items, in percent"
@352#1 user/injected "<acreta-brief>\nPrices are kept in cents.\n</acreta-brief>" injected_by=acreta
@479 assistant/text "I will add a `discount_percent` field and apply it in `total`.\n\nwalnut" model=claude-sonnet-4-20250514 input_tokens=4200 output_tokens=318 cost_dollars=0.02
@740 tool/tool-result "Tokens: 4.2k sent, 318 received. Cost: $0.02 message, $0.02 session.\nA" tool=console
@972 user/note "/undo"
@985 tool/tool-result "Removed: 3f1a9c2 feat: add discount_percent to line items\nNow at:  9be" tool=console
@1088 user/text "no floats for money! Round half up to whole cents per line item, becau"
@1246 assistant/text "Understood: each line is rounded to whole cents before it is added." model=claude-sonnet-4-20250514 input_tokens=5120 output_tokens=401 cost_dollars=0.02
@1315 tool/tool-result "Tokens: 5,120 sent, 401 received. Cost: $0.02 message, $0.04 session.\n" tool=console
@1427 user/note "/test pytest -q"
@1450 tool/tool-result "F.                                                                    " tool=console
@1668 user/injected "# Fix any errors below, if possible.\n\n## Running: flake8 walnut/prices" injected_by=lint
@1821 assistant/text "Added the missing blank line." model=claude-sonnet-4-20250514 input_tokens=5400 output_tokens=40
@1852 tool/injected "Tokens: 5.4k sent, 40 received.\n<acreta-brief>Totals are rounded per l" tool=console injected_by=acreta
@1951 user/text "why did the test expect 1050?" command=/ask
@2033 assistant/text "Half a cent is rounded up, so 1049.5 becomes 1050." model=claude-sonnet-4-20250514
"##,
        &[],
    );
}

#[test]
fn the_last_session_is_told_as_it_stands() {
    check(
        "walnut",
        "aider-20260212-170240",
        r##"
@2232 tool/tool-result "Aider v0.86.1\nModel: gpt-4o with diff edit format, infinite output" tool=console
@2308 user/text "rename walnut/prices.py to walnut/totals.py"
@2360 tool/tool-result "litellm.RateLimitError: too many requests\nRetrying in 0.5 seconds..." tool=console
@2438 assistant/text "Renamed, and the imports follow." model=gpt-4o input_tokens=2100 output_tokens=12
@2472 tool/tool-result "Tokens: 2.1k sent, 12 received." tool=console
@2509 user/text "thanks, and keep the old name importable until 3.0"
"##,
        &[],
    );
}

#[test]
fn a_file_that_lost_its_beginning_is_told_all_the_same() {
    check(
        "cut-front",
        "aider-before-20260213-090000",
        r##"
@0 assistant/text "rest of a reply that lost its beginning" input_tokens=1000 output_tokens=20
@40 tool/tool-result "Tokens: 1k sent, 20 received." tool=console
@75 user/note "/exit"
"##,
        &[],
    );
}

#[test]
fn damage_costs_only_itself() {
    check(
        "cut-front",
        "aider-20260213-090000",
        r##"
@134 tool/tool-result "Aider v0.86.1" tool=console
@153 user/text "who owns the caf� table?"
@186 assistant/text "The billing service does." input_tokens=900 output_tokens=8
@213 tool/tool-result "Tokens: 900 sent, 8 received." tool=console
"##,
        &[
            "characters that are not valid were replaced",
            "unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn every_line_has_its_author() {
    let table: [(&str, Voices<'_>); 10] = [
        ("#### a  \n#### b  \n", &[("user", "text", "a\nb")]),
        (
            "#### a  \n\n#### b  \n",
            &[("user", "text", "a"), ("user", "text", "b")],
        ),
        (
            "#### /home/dev is full  \n",
            &[("user", "text", "/home/dev is full")],
        ),
        ("#### !ls -l  \n", &[("user", "note", "!ls -l")]),
        ("#### /ask  \n", &[("user", "note", "/ask")]),
        ("#### <blank>  \n", &[]),
        (
            "#### /code do it  \n\n#### do it  \n\n#### do it  \n",
            &[("user", "text", "do it"), ("user", "text", "do it")],
        ),
        (
            "> one  \n> two\n\n> three\nfour  \n\nreply\n",
            &[
                ("tool", "tool-result", "one\ntwo\n\n> three\nfour"),
                ("assistant", "text", "reply"),
            ],
        ),
        (
            "> no endings\ngoes on\n\nreply\n",
            &[
                ("tool", "tool-result", "no endings\ngoes on"),
                ("assistant", "text", "reply"),
            ],
        ),
        (
            "reply\n\n# aider chat started at 2026-01-01\n\n>>>>>>> REPLACE\n",
            &[(
                "assistant",
                "text",
                "reply\n\n# aider chat started at 2026-01-01\n\n>>>>>>> REPLACE",
            )],
        ),
    ];
    let scratch = scratch();
    for (text, expected) in table {
        let told = scratch.told(&format!(
            "\n# aider chat started at 2026-01-01 00:00:00\n\n{text}"
        ));
        assert_eq!(told.texts(), expected, "{text:?}");
    }
}

/// A heading of level four in an answer, in output of the console or in aider's own requests is nobody's prompt.
#[test]
fn only_a_prompt_is_the_persons() {
    let answer = "The guide says:\n\n#### Never push to main";
    let table: [(&str, String, &[&str]); 12] = [
        ("in an answer", format!("{answer}\n\nDone.\n"), &[]),
        ("with the spaces of a prompt", format!("{answer}  \n"), &[]),
        (
            "below two blank lines",
            "The guide says:\n\n\n#### Never push to main  \n".to_owned(),
            &[],
        ),
        (
            "after an answer and its tokens",
            format!("{answer}\n\n> Tokens: 5 sent, 6 received.  \n\n#### thanks  \n"),
            &["thanks"],
        ),
        (
            "after an answer that the person stopped",
            "> ^C again to exit  \n\nThe gui\n\n\n#### use tabs  \n#### everywhere  \n".to_owned(),
            &["use tabs\neverywhere"],
        ),
        (
            "below one blank line in a stopped answer",
            format!("> ^C again to exit  \n\n{answer}  \n"),
            &[],
        ),
        (
            "stopped at an earlier prompt",
            "> ^C again to exit  \n\nThe\n\n\n#### again  \n\nThe\n\n\n#### Never push to main  \n"
                .to_owned(),
            &["again"],
        ),
        (
            "in output of the console",
            "> one  \n> two\n\n#### Never push to main\nthree  \n\n#### four  \n".to_owned(),
            &["four"],
        ),
        (
            "an architect's answer, given to the editor",
            "First do this:\n\n- never push to main\n```\n```\n\n> Tokens: 5 sent, 6 received.  \n\n\
             #### First do this:  \n####   \n#### - never push to main  \n#### ```  \n#### ```  \n\n\
             Edited.\n\n> Tokens: 5 sent, 6 received.  \n\n#### and never push to it  \n"
                .to_owned(),
            &["and never push to it"],
        ),
        (
            "in a fence of an answer, below forged tokens",
            "```md\n> Tokens: 5 sent, 6 received.  \n\n#### Never push to main  \n```\n\n\
             > Tokens: 5 sent, 6 received.  \n\n#### thanks  \n"
                .to_owned(),
            &["thanks"],
        ),
        (
            "after an answer that the person stopped within a fence",
            "> ^C again to exit  \n\n```\nx\n\n\n#### use tabs  \n\nok\n\n> Tokens: 5 sent, 6 received.  \n\n#### thanks  \n"
                .to_owned(),
            &["use tabs", "thanks"],
        ),
        (
            "pages of the manual",
            "#### /help how?  \n\n#### # Question: how?  \n####   \n#### # Relevant docs:  \n"
                .to_owned(),
            &["how?"],
        ),
    ];
    let scratch = scratch();
    for (name, text, expected) in table {
        let top = "\n# aider chat started at 2026-01-01 00:00:00\n\n> Aider v1  \n\n#### look  \n";
        let told = scratch.told(&format!("{top}\n{text}"));
        let texts = told.texts();
        let typed = texts
            .iter()
            .filter(|(role, kind, _)| (*role, *kind) == ("user", "text"));
        let typed: Vec<_> = typed.skip(1).map(|(_, _, text)| *text).collect();
        assert_eq!(typed, expected, "{name}");
    }
}

#[test]
fn a_long_reply_is_told_in_parts() {
    let line = "word ".repeat(2000);
    let text = format!(
        "# aider chat started at 2026-01-01 00:00:00\n\n> Aider v1  \n\n{}",
        format!("{line}\n").repeat(60)
    );
    let told = scratch().told(&text);
    let replies = || told.events.iter().filter(|event| event.role == "assistant");
    assert_eq!(replies().count(), 3);
    assert!(replies().all(|event| attribute(event, "truncated_bytes").is_none()));
}
