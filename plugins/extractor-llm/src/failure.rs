//! Failures: the decisive lines of an error, and the later command that cured it.

use std::collections::VecDeque;

use crate::shorten::ends;

/// Returns the decisive lines of an error: those that name it, and its last.
pub(crate) fn deciding_lines(text: &str) -> String {
    let text = without_reminders(text).trim();
    if text.len() <= MOST {
        return text.to_owned();
    }
    if is_refusal(text) {
        return ends(text, REFUSAL_HEAD, REFUSAL_TAIL);
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let mut chosen: Vec<usize> = (0..lines.len())
        .filter(|at| names_error(lines[*at]))
        .collect();
    // The first errors are causes, the last line is the verdict.
    chosen.truncate(MOST_LINES);
    chosen.push(lines.len().saturating_sub(1));
    chosen.dedup();
    let mut shown = String::new();
    for at in chosen {
        let line = acreta_text::head(lines[at], LONGEST_LINE);
        if shown.len() + line.len() > MOST {
            break;
        }
        if !shown.is_empty() {
            shown.push('\n');
        }
        shown.push_str(line);
    }
    if shown.is_empty() {
        ends(text, MOST / 2, MOST / 4)
    } else {
        shown
    }
}

/// Reports whether a tool call failed because the person refused it.
pub(crate) fn is_refusal(text: &str) -> bool {
    let start = acreta_text::head(text, 400).to_lowercase();
    [
        "user doesn't want",
        "user rejected",
        "rejected by user",
        "user denied",
        "declined by the user",
    ]
    .iter()
    .any(|mark| start.contains(mark))
}

/// Removes text that the agent's program appended to a tool's output.
pub(crate) fn without_reminders(text: &str) -> &str {
    text.split("<system-reminder>").next().unwrap_or(text)
}

const MOST: usize = 600;
const MOST_LINES: usize = 5;
const LONGEST_LINE: usize = 200;
const REFUSAL_HEAD: usize = 900;
const REFUSAL_TAIL: usize = 600;

fn names_error(line: &str) -> bool {
    const MARKS: &[&str] = &[
        "error",
        "fatal",
        "failed",
        "panic",
        "cannot",
        "can't",
        "could not",
        "not found",
        "denied",
        "no such",
        "exception",
        "undefined",
        "unexpected",
        "refused",
        "invalid",
        "missing",
        "错误",
        "失败",
        "ошибка",
        "오류",
        "エラー",
        "fehler",
    ];
    let line = line.to_lowercase();
    MARKS.iter().any(|mark| line.contains(mark))
}

/// Commands that failed recently and are not cured yet.
#[derive(Debug, Default)]
pub(crate) struct Failures(VecDeque<UncuredCommand>);

#[derive(Debug)]
struct UncuredCommand {
    number: u64,
    key: String,
}

impl Failures {
    pub(crate) fn add(&mut self, number: u64, key: String) {
        if key.is_empty() {
            return;
        }
        self.0.retain(|failed| failed.key != key);
        self.0.push_back(UncuredCommand { number, key });
        if self.0.len() > MOST_FAILURES {
            self.0.pop_front();
        }
    }

    /// Returns the failure that a successful run of `key` cures.
    pub(crate) fn cured(&mut self, number: u64, key: &str) -> Option<u64> {
        let at = self.0.iter().position(|failed| failed.key == key)?;
        let failed = self.0.remove(at)?;
        (number.saturating_sub(failed.number) <= REACH).then_some(failed.number)
    }
}

const MOST_FAILURES: usize = 12;
/// Maximum distance in events between a failure and its cure.
const REACH: u64 = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_known_by_its_deciding_lines() {
        let noise = "compiling something large and dull\n".repeat(60);
        let text =
            format!("{noise}error[E0433]: cannot find `x`\n{noise}make: *** [all] Error 2\n");
        let shown = deciding_lines(&text);
        assert_eq!(
            shown,
            "error[E0433]: cannot find `x`\nmake: *** [all] Error 2"
        );
        assert_eq!(
            deciding_lines("exit 1\n<system-reminder>x</system-reminder>"),
            "exit 1"
        );
        assert!(deciding_lines(&noise).len() <= MOST);
    }

    #[test]
    fn a_refusal_keeps_the_words_of_the_person() {
        let said = "never touch the lock file by hand";
        let text = format!(
            "The user doesn't want to proceed with this tool use. {} the user said:\n{said}",
            "The tool use was rejected. ".repeat(30)
        );
        assert!(deciding_lines(&text).ends_with(said));
    }

    #[test]
    fn a_success_cures_the_failure_of_the_same_command_once() {
        let mut failures = Failures::default();
        failures.add(3, "cargo test".to_owned());
        failures.add(5, "npm run".to_owned());
        failures.add(6, "cargo test".to_owned());
        assert_eq!(failures.cured(9, "cargo build"), None);
        assert_eq!(failures.cured(9, "cargo test"), Some(6));
        assert_eq!(failures.cured(10, "cargo test"), None);
        assert_eq!(failures.cured(500, "npm run"), None);
    }
}
