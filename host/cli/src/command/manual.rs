//! Shell completions and manual pages, generated from the same definitions as `--help`.

use acreta_service::{Failure, Kind};
use camino::Utf8Path;
use clap_complete::Shell;

use crate::help;
use crate::output::{raw, talk};

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "acreta", &mut script);
    raw(&String::from_utf8_lossy(&script));
    Ok(())
}

/// Writes a manual page for each command into a folder.
pub(crate) fn man(folder: &Utf8Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(help::command(), folder))
        .map_err(|error| {
            let message = format!("the manual pages cannot be written to `{folder}`: {error}");
            Failure::new(Kind::Failure, message)
        })?;
    talk(&format!("manual pages are in `{folder}`"));
    Ok(())
}
