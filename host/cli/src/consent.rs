//! Asks a person before something is written or granted. Without a terminal, only `--yes` agrees.

use std::io::{BufRead, IsTerminal};

use acreta_service::{Failure, Kind};

use crate::output::talk;

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
    let choices = match preset {
        Preset::Yes => "[Y/n]",
        Preset::No => "[y/N]",
    };
    talk(&format!("{question} {choices}"));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    Ok(match answer.trim().to_lowercase().as_str() {
        // End of input is not Enter.
        "" => preset == Preset::Yes && read.is_ok_and(|bytes| bytes > 0),
        answer => matches!(answer, "y" | "yes"),
    })
}
