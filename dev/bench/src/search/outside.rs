//! External programs, started once for each question: `acreta` itself and `rg`.

use std::path::Path;
use std::process::{Command, Stdio};

use camino::Utf8Path;
use serde_json::Value;

use crate::search::times::{percentiles, timed};
use crate::search::{Outcome, generate};

/// Runs `acreta memory search --json QUESTION` in a project, with a separate home.
pub(crate) fn acreta(binary: &Path, root: &Utf8Path, questions: &[String]) -> Outcome<Value> {
    let home = root.join("home");
    std::fs::create_dir_all(&home)?;
    let initialised = quiet(
        Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(root),
    )?;
    if !initialised {
        return Err("`git init` failed".into());
    }
    let binary = binary.canonicalize()?;
    let start = |question: &str| -> Outcome<()> {
        let mut command = Command::new(&binary);
        command
            .args(["memory", "search", "--json", question])
            .current_dir(root)
            .env("HOME", &home)
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_STATE_HOME");
        match quiet(&mut command)? {
            true => Ok(()),
            false => Err(format!("`{} memory search` failed", binary.display()).into()),
        }
    };
    // The first search compares all files, since the last comparison is too long ago.
    start(questions.first().map_or("", String::as_str))?;
    let mut times = Vec::new();
    for question in questions {
        times.push(timed(|| start(question))?.1);
    }
    Ok(percentiles(times))
}

/// Runs `rg` for any of the words in the files; `None` if `rg` is not installed.
pub(crate) fn rg(root: &Utf8Path, questions: &[String]) -> Outcome<Option<Value>> {
    if Command::new("rg").arg("--version").output().is_err() {
        return Ok(None);
    }
    let mut times = Vec::new();
    for question in questions {
        let mut command = Command::new("rg");
        command.args(["--count-matches", "--ignore-case", "--fixed-strings"]);
        for word in question.split(' ') {
            command.args(["-e", word]);
        }
        command.arg(root.join(generate::FOLDER));
        times.push(timed(|| quiet(&mut command))?.1);
    }
    Ok(Some(percentiles(times)))
}

/// Reports whether a command succeeded, ignoring its output.
fn quiet(command: &mut Command) -> Outcome<bool> {
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}
