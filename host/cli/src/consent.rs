//! Asks a person before something is written or granted. Without a terminal, only `--yes` agrees.

use std::io::{BufRead, IsTerminal};

use acreta_service::{Failure, Kind};

use crate::output::talk;
use crate::progress::QuietProgress;

/// The answer that Enter alone gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    Yes,
    No,
}

/// Returns whether stdin and stderr are terminals, so that a person can be asked.
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Returns whether a person agrees. `yes` is their `--yes`. Fails if nobody can be asked.
pub(crate) fn agrees(question: &str, preset: Preset, yes: bool) -> Result<bool, Failure> {
    asked(question, preset, yes, None)
}

/// Like [`agrees`]; `d` calls `show`, which prints the details, and asks again.
pub(crate) fn agrees_or_shows(
    question: &str,
    preset: Preset,
    yes: bool,
    show: &dyn Fn(),
) -> Result<bool, Failure> {
    asked(question, preset, yes, Some(show))
}

fn asked(
    question: &str,
    preset: Preset,
    yes: bool,
    show: Option<&dyn Fn()>,
) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !is_terminal() {
        return Err(Failure::new(
            Kind::Usage,
            "nothing was changed: there is no terminal to ask at",
        )
        .hint("read what would change above, and add `--yes` to agree"));
    }
    let choices = match (preset, show) {
        (Preset::Yes, None) => "[Y/n]",
        (Preset::No, None) => "[y/N]",
        (Preset::Yes, Some(_)) => "[Y/n, d: show the changes]",
        (Preset::No, Some(_)) => "[y/N, d: show the changes]",
    };
    let _quiet = QuietProgress::new();
    loop {
        talk(&format!("{question} {choices}"));
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        match (answer.trim().to_lowercase().as_str(), show) {
            ("d", Some(show)) => show(),
            // End of input is not Enter.
            ("", _) => return Ok(preset == Preset::Yes && read.is_ok_and(|bytes| bytes > 0)),
            (answer, _) => return Ok(matches!(answer, "y" | "yes")),
        }
    }
}
