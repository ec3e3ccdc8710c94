//! A project's `.gitignore`.

use acreta_agents::{Problem, apply, undo};

use crate::support::{Home, Unsynced};

const RULES: &str = "# acreta: memory is committed, what can be rebuilt is not\n/.acreta/index/\n/.acreta/meta/commit/\n/.acreta/meta/lock\n/.acreta/meta/traces/\n/.acreta/workspace/\n";

#[test]
fn rules_are_added_once_and_taken_out_again() {
    let cases: [(Option<&str>, Option<String>); 9] = [
        (None, Some(RULES.to_owned())),
        (Some(""), Some(RULES.to_owned())),
        (Some("/target\n"), Some(format!("/target\n\n{RULES}"))),
        (Some("/target\n\n"), Some(format!("/target\n\n{RULES}"))),
        (Some("/target"), Some(format!("/target\n\n{}", RULES.trim_end()))),
        (Some("/target\r\n"), Some(format!("/target\r\n\r\n{}", RULES.replace('\n', "\r\n")))),
        (
            Some(".acreta/index\n/.acreta/workspace/\n"),
            Some(".acreta/index\n/.acreta/workspace/\n\n# acreta: memory is committed, what can be rebuilt is not\n/.acreta/meta/commit/\n/.acreta/meta/lock\n/.acreta/meta/traces/\n".to_owned()),
        ),
        (Some(".acreta/\n"), None),
        (Some("**/.acreta\n"), None),
    ];
    for (before, after) in cases {
        let home = Home::new();
        home.write("work/README.md", "");
        if let Some(before) = before {
            home.write("work/.gitignore", before);
        }
        let start = home.snapshot();
        let project = home.path("work");
        let plan = home.plan_with(&[], Some(&project));
        let Some(after) = after else {
            assert!(plan.is_empty() && plan.kept.len() == 1, "{before:?}");
            continue;
        };
        let receipt = apply(&plan, &home.backups(0), Unsynced::shared()).unwrap();
        assert_eq!(home.read("work/.gitignore"), after);
        assert!(home.plan_with(&[], Some(&project)).is_empty());
        assert!(undo(&receipt, Unsynced::shared()).is_complete());
        assert_eq!(home.snapshot(), start);
    }
}

#[test]
fn rules_come_out_of_a_file_that_went_on() {
    let home = Home::with(&[("work/.gitignore", "/target\n")]);
    let plan = home.plan_with(&[], Some(&home.path("work")));
    let receipt = apply(&plan, &home.backups(0), Unsynced::shared()).unwrap();
    let went_on = home.read("work/.gitignore") + "/dist\n";
    home.write("work/.gitignore", &went_on);
    let undone = undo(&receipt, Unsynced::shared());
    assert_eq!(undone.taken_out, [home.path("work/.gitignore")]);
    assert_eq!(home.read("work/.gitignore"), "/target\n\n/dist\n");
}

#[test]
fn a_link_in_a_repository_is_not_followed() {
    let home = Home::with(&[("elsewhere", "secret\n"), ("work/README.md", "")]);
    home.link("work/.gitignore", "elsewhere");
    let plan = home.plan_with(&[], Some(&home.path("work")));
    assert!(plan.is_empty());
    assert!(matches!(plan.problems[..], [Problem::LinkInProject { .. }]));
}
