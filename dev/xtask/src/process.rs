//! Runs other programs and reports which one failed.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An error message for a person.
pub(crate) struct TaskError(pub(crate) String);

impl TaskError {
    pub(crate) fn at(path: &Path, error: &dyn Display) -> Self {
        Self(format!("`{}`: {error}", path.display()))
    }
}

pub(crate) fn cargo() -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo says in its environment which cargo it is"
    )]
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.current_dir(acreta_plugin_build::workspace_root());
    command
}

/// Runs to the end, its output passed through.
pub(crate) fn run(command: &mut Command) -> Result<(), TaskError> {
    let shown = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(TaskError(format!("`{shown}` ended with {status}"))),
        Err(error) => Err(TaskError(format!(
            "`{shown}` could not be started: {error}"
        ))),
    }
}

/// Runs to the end and returns its output.
pub(crate) fn read(command: &mut Command) -> Result<String, TaskError> {
    let shown = shown(command);
    match command.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => Err(TaskError(format!(
            "`{shown}` ended with {}:\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ))),
        Err(error) => Err(TaskError(format!(
            "`{shown}` could not be started: {error}"
        ))),
    }
}

/// Reports whether a program responds to `--version`.
pub(crate) fn found(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Returns cargo's target directory.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => acreta_plugin_build::workspace_root().join(folder),
        None => acreta_plugin_build::workspace_root().join("target"),
    }
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
