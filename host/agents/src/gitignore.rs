//! The `.gitignore` rules for a project's `.acreta/`: data that can be rebuilt or belongs to this machine is ignored.
//! Memory, evidence, state and settings are committed.

use acreta_fs::{LOCAL_PARTS, PROJECT_FOLDER};

use crate::json_edit::Put;
use crate::toml::appended;

const HEADING: &str = "# acreta: memory is committed, what can be rebuilt is not";

fn rules() -> impl Iterator<Item = String> {
    LOCAL_PARTS
        .into_iter()
        .map(|part| format!("/{PROJECT_FOLDER}/{part}"))
}

/// Adds the missing rules. A file that ignores all of `.acreta` stays unchanged, since that was intended.
pub(crate) fn put_rules(text: &str) -> Put {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let whole = |line: &&str| {
        let rule = line.trim_start_matches("**").trim_matches('/');
        matches!(rule, ".acreta" | ".acreta/*" | ".acreta/**")
    };
    if lines.iter().any(whole) {
        return Put::Differs;
    }
    let missing: Vec<String> = rules()
        .filter(|rule| !lines.iter().any(|line| same_rule(line, rule)))
        .collect();
    if missing.is_empty() {
        return Put::There;
    }
    let entry = format!("{HEADING}\n{}\n", missing.join("\n"));
    Put::Added {
        text: appended(text, &entry),
        made: 0,
    }
}

/// Compares two rules. A rule with a slash in its middle means the same with and without one at its ends.
fn same_rule(line: &str, rule: &str) -> bool {
    line.trim_matches('/') == rule.trim_matches('/')
}
