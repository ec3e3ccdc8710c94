//! Recognises the lines of an output that name an error, and the kind of the error.

/// Reports whether a line states an error.
pub(crate) fn names_error(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    ERRORS.iter().any(|mark| line.contains(mark))
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
    VERDICTS.iter().any(|mark| line.contains(mark)) || words.all(|word| COUNTED.contains(&word))
}

/// Reports whether lines are about something missing, stale or not running in the environment, not about the work
/// itself.
pub(crate) fn is_of_environment(causes: &str) -> bool {
    let causes = causes.to_lowercase();
    ENVIRONMENT.iter().any(|mark| causes.contains(mark))
}

/// Reports whether lines are about the formatting of the code: things that a formatter or a fixer changes.
pub(crate) fn is_of_form(causes: &str) -> bool {
    let causes = causes.to_lowercase();
    FORM.iter().any(|mark| causes.contains(mark))
}

const ERRORS: &[&str] = &[
    "error",
    "fatal",
    "failed",
    "failure",
    "panic",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "not found",
    "denied",
    "no such",
    "exception",
    "undefined",
    "unexpected",
    "refused",
    "invalid",
    "missing",
    "unknown",
    "unrecognized",
    "unrecognised",
    "not recognized",
    "unsupported",
    "rejected",
    "conflict",
    "unmatched",
    "no matches found",
    "not permitted",
    "in use",
    "×",
    "must be",
    "must run",
    "not enough",
    "too many",
    "err_",
    "err!",
    "unable to",
    "does not exist",
    "doesn't exist",
    "not installed",
    "not running",
    "no module",
    "illegal",
    "abort",
    "错误",
    "失败",
    "ошибка",
    "오류",
    "エラー",
    "fehler",
];

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

/// Lines that say that something failed, but not what.
const VERDICTS: &[&str] = &[
    "exit code",
    "exited with",
    "exit status",
    "task failed",
    "elifecycle",
    "npm err! a complete log",
    "npm error a complete log",
    "errors were emitted",
    "error: script ",
    "error: recipe ",
    "command failed with",
    "error: command failed",
    "lifecycle script",
    "tests failed",
    "test failed",
    "could not compile",
    "aborting due to",
    "build failed",
    "failed to push some refs",
    "errors found",
    "found 1 error",
    "subprocess",
    "traceback (most recent",
];

/// Words of lines that only count.
const COUNTED: &[&str] = &[
    "error", "errors", "fail", "failed", "failure", "failures", "fatal", "found", "file", "files",
    "issue", "issues", "pass", "passed", "problem", "problems", "result", "skipped", "suite",
    "suites", "test", "tests", "total", "and", "in", "of", "s", "ms", "warning", "warnings",
    "with",
];

const ENVIRONMENT: &[&str] = &[
    "command not found",
    "cannot find module",
    "cannot find package",
    "could not find package",
    "module not found",
    "no module named",
    "modulenotfounderror",
    "err_module_not_found",
    "not found in module",
    "could not resolve",
    "can't resolve",
    "cannot resolve",
    "failed to resolve",
    "not installed",
    "no such command",
    "is not recognized",
    "connection refused",
    "econnrefused",
    "could not connect",
    "cannot connect",
    "can't connect",
    "not running",
    "eaddrinuse",
    "address already in use",
    "port is already",
    "unsupported engine",
    "unsupported environment",
    "not logged in",
    "not authenticated",
    "no such container",
    "no such image",
    "lockfile is not up to date",
    "outdated lockfile",
    "node_modules",
    "missing script",
    "virtual environment",
    "target may not be installed",
    "no such table",
    "pending migration",
    "not been generated",
    "did not initialize yet",
    "updates to go.mod needed",
    "missing go.sum entry",
    "go mod tidy",
    "no required module provides package",
    "are not trusted",
    "inconsistent vendoring",
    "not initialized",
    "not a git repository",
    "fetch first",
    "non-fast-forward",
    "updates were rejected",
    "unstaged changes",
    "uncommitted changes",
    "no upstream branch",
    "no configured push destination",
    "executable doesn't exist",
    "unable to locate package",
    "shared libraries",
];

const FORM: &[&str] = &[
    "gofmt",
    "rustfmt",
    "prettier",
    "could be sorted",
    "organizeimports",
    "fixable",
    "not formatted",
    "would reformat",
    "would be reformatted",
    "would have printed",
    "formatter would",
    "code style issues",
    "incorrectly formatted",
];
