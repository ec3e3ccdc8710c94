//! Starts another `acreta` that outlives this process: a sync after a hook, or the reading of sessions for their index.

use std::process::{Command, Stdio};

use camino::Utf8Path;

use crate::Failure;

/// Starts a detached process in a directory. Nobody waits for it, and nobody reads what it prints.
pub(crate) fn in_background(
    program: &Utf8Path,
    arguments: &[&str],
    directory: &Utf8Path,
) -> Result<(), Failure> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    acreta_fs::detach(&mut command);
    command.spawn().map_err(|error| {
        let name = arguments.first().copied().unwrap_or_default();
        Failure::saying(format!("`acreta {name}` could not be started: {error}"))
    })?;
    Ok(())
}
