//! The context of each finding in the final verification, and the effect of its verdicts.

use crate::support::{Log, Script, Session, content, extract, finds, keeps_all_but, step};
use extractor_llm::{Level, Settings};
use serde_json::json;

const TABS: &str = "please indent with tabs in the parser, we all use narrow screens";

fn session() -> Session {
    Session::of(&[
        (
            "person",
            "have a look at the parser, the output is hard to read",
        ),
        (
            "agent",
            "It mixes tabs and spaces, since two formatters ran over it.",
        ),
        ("person", TABS),
        ("agent", "Understood, tabs it is."),
        (
            "person",
            "now make the colours of the website a little darker",
        ),
        ("agent", "Darker now."),
        ("person", "and write the release notes"),
        ("agent", "Written."),
        (
            "person",
            "by the way, the parser gets spaces instead of tabs from now on",
        ),
        ("agent", "Spaces then."),
    ])
}

#[test]
fn it_sees_the_turns_around_the_evidence_and_what_was_said_later_on_the_subject() {
    let models = Script::new(|request| match step(request).as_str() {
        "window" => finds(
            request,
            &[("preference", "Indent the parser with tabs", TABS)],
        ),
        _ => {
            let shown = content(request);
            for part in [
                "#1 learning/preference, confidence 0.90\n    title: Indent the parser with tabs",
                "    quote [3 person]: please indent with tabs in the parser",
                "    around [2 agent]: It mixes tabs and spaces",
                "    around [4 agent]: Understood, tabs it is.",
                "    person later [9]: by the way, the parser gets spaces instead of tabs",
            ] {
                assert!(shown.contains(part), "{part} in {shown}");
            }
            assert!(
                !shown.contains("release notes"),
                "nothing unrelated: {shown}"
            );
            Ok(json!({"memories": [], "dropped": [{"item": 1, "reason": "reversed"}]}).to_string())
        }
    });
    let log = Log::default();
    let found = extract(&session(), &models, &log, &Settings::default());
    assert!(found.is_empty(), "{found:?}");
    assert!(log.holds(
        Level::Info,
        "dropped: Indent the parser with tabs (reversed)"
    ));
}

#[test]
fn a_finding_it_does_not_name_falls_and_one_it_rewords_keeps_its_evidence() {
    let models = Script::new(|request| match step(request).as_str() {
        "window" => finds(
            request,
            &[
                ("preference", "Indent the parser with tabs", TABS),
                (
                    "insight",
                    "Two formatters ran over the parser",
                    "two formatters ran over it",
                ),
            ],
        ),
        _ => Ok(json!({
            "memories": [{
                "items": [2], "type": "learning", "kind": "preference", "confidence": 0.9,
                "title": "The user said that tabs indent the parser",
                "body": "The user said that narrow screens are the reason.",
            }],
            "dropped": [],
        })
        .to_string()),
    });
    let found = extract(&session(), &models, &Log::default(), &Settings::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].title, "Tabs indent the parser");
    assert_eq!(found[0].body, "Narrow screens are the reason.");
    assert_eq!(found[0].evidence[0].quote, TABS);
}

#[test]
fn it_is_asked_once_for_all() {
    let models = Script::new(|request| match step(request).as_str() {
        "window" => finds(
            request,
            &[("preference", "Indent the parser with tabs", TABS)],
        ),
        _ => keeps_all_but(request, &[]),
    });
    extract(&session(), &models, &Log::default(), &Settings::default());
    assert_eq!(models.steps(), ["window", "verify"]);
}
