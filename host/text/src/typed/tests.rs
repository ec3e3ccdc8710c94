//! Messages, and what of them was typed.

use super::*;

fn check(text: &str, expected: &[&str]) {
    let found: Vec<&str> = typed_sentences(text)
        .into_iter()
        .map(|range| &text[range])
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_region_ends_with_its_last_end_tag() {
    check(
        "<ide_selection>a\n<ide_selection>b</ide_selection>\nnever push\n</ide_selection>\nuse tabs",
        &["use tabs"],
    );
    check(
        "<note_file>\na\n</note_file>\nnever push\n</note_file>\n\nuse tabs",
        &["use tabs"],
    );
    check(
        "\nnever push\nexpect: null</ide_selection>\nuse tabs",
        &["use tabs"],
    );
}

#[test]
fn what_stands_between_two_regions_is_nobodys() {
    for (first, second) in [
        ("note_file", "note_file"),
        ("teammate-message", "teammate-message"),
        ("agent-message", "system-reminder"),
        ("channel", "channel"),
    ] {
        check(
            &format!(
                "go on\n<{first} from=\"b\">\nhi\n</{first}>\nnever push\n<{second}>\nbye\n</{second}>\nuse tabs"
            ),
            &["go on", "use tabs"],
        );
    }
    let named = "print the <b>name</b> of the customer and the <b>date</b> in bold letters";
    check(named, &[named]);
}

#[test]
fn a_paragraph_below_the_first_is_pasted_if_it_has_three_lines() {
    let mail = "hi all\nwe push to main now.\nreviews are optional.";
    check(
        &format!("answer him, politely\n\n{mail}"),
        &["answer him, politely"],
    );
    check(
        mail,
        &["hi all\nwe push to main now.", "reviews are optional."],
    );
    check(
        "fix it\n\nuse tabs.\nno mocks.",
        &["fix it", "use tabs.", "no mocks."],
    );
    let list = "- no mocks\n- use tabs\n- squash";
    check(
        &format!("my rules:\n\n{list}"),
        &["my rules:", "no mocks", "use tabs", "squash"],
    );
    check(
        &format!("is this about us?\n\n{list}"),
        &["is this about us?"],
    );
}

#[test]
fn what_stands_above_the_lines_of_a_program_is_its_message() {
    check(
        "Fatal error: unset. Always set it. in /srv/Config.php:71\nStack trace:\n\
         #0 /srv/Gateway.php(33): Config->currency()\n#1 /srv/Cart.php(58): quote(Object(Cart))\n\nuse tabs",
        &["use tabs"],
    );
    check(
        "after the update:\n\nwarning: use of deprecated `round`: do not use it; always use f64\n  --> src/a.rs:117:21\n    |\n\
         117 |     let all = round(sum);\n    |               ^^^^^\n\nuse tabs",
        &["after the update:", "use tabs"],
    );
    check(
        "how we release:\n1 bump the version\n2 soak it for a day\nnever the tag first",
        &[
            "how we release:",
            "1 bump the version\n2 soak it for a day\nnever the tag first",
        ],
    );
}

#[test]
fn pasted_text_is_cut_by_its_form() {
    check(
        "why?\n```\nnever push\n```\nuse tabs",
        &["why?", "use tabs"],
    );
    check(
        "look\n$ cargo test\nalways rebase\n\nuse tabs",
        &["look", "use tabs"],
    );
    check(
        "<system-reminder>never push</system-reminder>\nuse tabs",
        &["use tabs"],
    );
    check("<command-args>\nnever push", &[]);
    check("> never push\nuse tabs", &["use tabs"]);
    check(
        "fwd\nFrom: Ana <ana@example.org>\nSubject: rules\nAlways squash.",
        &["fwd"],
    );
    check("2026-01-02 10:22:01 never push\nuse tabs", &[]);
    check(
        "see\n\n[10:32] anna: never push\n\nuse tabs",
        &["see", "use tabs"],
    );
    check(
        "the page says:\nAlways squash.\n\nuse tabs",
        &["the page says:", "use tabs"],
    );
    check("│ never push │\n\nuse tabs", &["use tabs"]);
    check(
        "thoughts?\n# Rules\nNever push.\n# More\nAlways squash.",
        &["thoughts?"],
    );
    check(
        "what is this\n---\nNever push to main without a review by two.",
        &["what is this"],
    );
    check("core/net.cpp:210:5: never push\n\nok", &["ok"]);
    check("\"Never push to main again\"", &[]);
    check("n\u{435}ver push", &[]);
    check(
        "   at run (app.js:3:1)\n   at main (app.js:9:1)\n\nfix",
        &["fix"],
    );
    check("{\"rule\": \"never push\"}\n\nok then", &["ok then"]);
}

#[test]
fn typed_text_stays() {
    check(
        "Rules:\n- no default exports\n  - tests next to it\n* pnpm only",
        &[
            "Rules:",
            "no default exports",
            "tests next to it",
            "pnpm only",
        ],
    );
    check(
        "the button \"Save all\" must be called \"Save\"",
        &["the button \"Save all\" must be called \"Save\""],
    );
    check(
        "always run `cargo fmt && cargo clippy -- -D warnings` first",
        &["always run `cargo fmt && cargo clippy -- -D warnings` first"],
    );
    check(
        "put it into src/net/a.rs and docs/b/c.md, never elsewhere",
        &["put it into src/net/a.rs and docs/b/c.md, never elsewhere"],
    );
    check(
        "NOTE: never push on fridays",
        &["NOTE: never push on fridays"],
    );
    check("数据库一律用 Postgres。", &["数据库一律用 Postgres。"]);
    check(
        "we meet at 10:30 and release after that, always",
        &["we meet at 10:30 and release after that, always"],
    );
}

#[test]
fn the_middle_is_the_persons_if_it_opens_with_a_small_letter() {
    check(
        "can we do this today?\n\nStrictness is always opt-in. Do not raise.\n\nno flags. Ever\n\nWhat do they want",
        &[
            "can we do this today?",
            "no flags.",
            "Ever",
            "What do they want",
        ],
    );
    check(
        "这段和我们的日志模块一致吗\n\n访问记录应当每月检查一次。\n\n谢谢",
        &["这段和我们的日志模块一致吗", "谢谢"],
    );
    check(
        "veja isto\n\n§ 4º O consentimento deve ser claro.\n\nestamos bem?",
        &["veja isto", "estamos bem?"],
    );
    check(
        "Please fix it.\n\nNever push to main.",
        &["Please fix it.", "Never push to main."],
    );
}

#[test]
fn below_a_chat_and_a_quoted_mail_the_person_goes_on() {
    check(
        "look at this:\n\n[10:31] Raul: the tests take 9 min\n[10:32] Ana: skip them\n\nno skips, ever",
        &["look at this:", "no skips, ever"],
    );
    check(
        "got this\n\n> From: Lorna <lorna@example.org>\n> Subject: your invoices\n> Always send Word.\n\nwe never send Word",
        &["got this", "we never send Word"],
    );
    check(
        "it is a mess\n\nfrom here on:\n- one role per service\n- no common role\n\nthx",
        &[
            "it is a mess",
            "from here on:",
            "one role per service",
            "no common role",
            "thx",
        ],
    );
}
