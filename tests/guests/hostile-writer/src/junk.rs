//! Answers that are valid only by their types.

use acreta_sdk::memory_writer::{Action, Written};

/// Returns files that were never written, for actions that were never requested.
pub(crate) fn written(actions: &[Action]) -> Vec<Written> {
    let known = actions.first().map_or("a-1", |action| action.id.as_str());
    let paths = [
        "decisions/never-written.md",
        "decisions/never-written.md",
        "",
        "/",
        "/etc/passwd",
        "../memory/decisions/a.md",
        "decisions",
        "decisions/\0.md",
        "\u{1b}[31mred",
    ];
    let written = |action_id: &str, path: &str| Written {
        action_id: action_id.to_owned(),
        path: path.to_owned(),
        attrs: vec![(String::new(), "\0".to_owned())],
    };
    let for_known = paths.iter().map(|path| written(known, path));
    let for_unknown = paths.iter().map(|path| written("no-such-action", path));
    for_known.chain(for_unknown).collect()
}
