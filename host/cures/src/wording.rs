//! Recognises the lines of an output that name an error, and the kind of the error.

use crate::word_lists::word_list;

/// Reports whether a line states an error.
pub(crate) fn names_error(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    word_list("errors").iter().any(|mark| line.contains(mark))
        && !PASSING.iter().any(|beginning| line.starts_with(beginning))
        && !HARMLESS.iter().any(|mark| line.contains(mark))
        && !is_code(&line)
}

/// Reports whether a line is code that a tool quotes, the echo of a command, or an option in a usage text.
fn is_code(line: &str) -> bool {
    let line = line.trim_end();
    let explains = line
        .strip_prefix('-')
        .is_some_and(|rest| !rest.starts_with(' '));
    if explains || line.starts_with("$ ") || line.starts_with("> ") {
        return true;
    }
    line.ends_with(['{', '}', ';'])
        || (line.ends_with([')', ',']) && line.contains("(\"") && line.contains('.'))
        || CODE.iter().any(|part| line.contains(part))
}

const CODE: &[&str] = &[
    "func ", "fn ", "def ", "return ", "const ", "let ", "var ", "=> {", " := ", "panic({",
];

/// Reports whether a line that names an error only says that something failed, not what.
pub(crate) fn is_verdict(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    let mut words = line
        .split(|one: char| !one.is_alphabetic())
        .filter(|word| !word.is_empty());
    word_list("verdicts").iter().any(|mark| line.contains(mark))
        || words.all(|word| word_list("counted").contains(&word))
}

/// Reports whether lines are about something missing, stale or not running in the environment, not about the work
/// itself.
pub(crate) fn is_of_environment(causes: &str) -> bool {
    let causes = causes.to_lowercase();
    word_list("environment")
        .iter()
        .any(|mark| causes.contains(mark))
}

/// Reports whether lines are about the formatting of the code: things that a formatter or a fixer changes.
pub(crate) fn is_of_form(causes: &str) -> bool {
    let causes = causes.to_lowercase();
    word_list("form").iter().any(|mark| causes.contains(mark))
}

const PASSING: &[&str] = &[
    "warn", "npm warn", "(pass)", "pass ", "ok ", "✓", "✔", "[info]", "info:", "info ", "--- pass",
    "=== ", "hint:", "at ", "note:", "help:", "(skip)",
];

const HARMLESS: &[&str] = &[
    "0 errors",
    "0 failed",
    "0 failures",
    "no errors",
    "no error ",
    " - info - ",
    "warning:",
    "0 error(s)",
    "without errors",
];
