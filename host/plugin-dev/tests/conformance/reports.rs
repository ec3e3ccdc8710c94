//! Presentation of results.

use acreta_plugin_dev::{Check, Report, Verdict, promises};
use acreta_types::Role;

use crate::fable::{FILES, adapter};
use crate::support::{TestFolder, run};

#[test]
fn a_report_is_a_line_per_check_and_says_how_to_mend() {
    let report = Report {
        plugin: "mine".to_owned(),
        role: Role::Extractor,
        checks: vec![
            Check {
                name: "quotes",
                promise: "every candidate cites events of the trace, word for word",
                verdict: Verdict::Failed {
                    expected: "words of the event".to_owned(),
                    found: "case `a`: candidate `c1` says that `e1` has `x`".to_owned(),
                    mend: "cut quotes out of the event's text",
                },
            },
            Check {
                name: "one-event",
                promise: "a trace with one event does not break it",
                verdict: Verdict::Passed {
                    found: "0 candidates".to_owned(),
                },
            },
            Check {
                name: "own-traces",
                promise: "the traces of the cases have an answer",
                verdict: Verdict::Skipped {
                    reason: "there is no case".to_owned(),
                },
            },
        ],
    };
    assert_eq!(
        report.to_string(),
        "\
FAIL  quotes      every candidate cites events of the trace, word for word
      expected: words of the event
      found:    case `a`: candidate `c1` says that `e1` has `x`
      to mend:  cut quotes out of the event's text
ok    one-event   0 candidates
skip  own-traces  there is no case
mine (extractor): 1 passed, 1 failed, 1 skipped
"
    );
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["role"], "extractor");
    assert_eq!(json["checks"][0]["verdict"], "failed");
    assert_eq!(json["checks"][0]["expected"], "words of the event");
    assert_eq!(json["checks"][1]["found"], "0 candidates");
    assert_eq!(json["checks"][2]["reason"], "there is no case");
}

#[test]
fn what_a_plugin_says_is_made_visible() {
    let place = TestFolder::new();
    let cases = [place.case("short", FILES)];
    let text = run(&adapter("root-reasons/hidden"), &cases, &place).to_string();
    assert!(text.contains("trust\\u{202e}me"), "{text}");
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn the_page_for_authors_lists_every_check() {
    let page = std::fs::read_to_string("../../docs/plugins.md").unwrap();
    for role in Role::ALL {
        let promises = promises(role);
        let mut table = format!("| {} checks |\n|---|---|\n", promises.len());
        for (name, promise) in promises {
            table += &format!("| `{name}` | {promise} |\n");
        }
        assert!(page.contains(&format!("{table}\n")), "{role}:\n{table}");
    }
}
