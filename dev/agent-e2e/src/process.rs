//! Runs a program to its end or its time limit; its output goes to a file, so that leftover child processes cannot
//! block the suite.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Output and outcome of a program.
pub(crate) struct ProgramOutput {
    pub(crate) succeeded: bool,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl ProgramOutput {
    /// Returns its whole output.
    pub(crate) fn output(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    /// Returns the last line of its output, for a report.
    pub(crate) fn last_line(&self) -> String {
        let output = self.output();
        let mut lines = output.lines().map(str::trim);
        let last = lines.rfind(|line| !line.is_empty()).unwrap_or("no output");
        last.chars().take(160).collect()
    }
}

/// Runs a command; `log` gets its stdout and, with `.err` behind it, its stderr.
pub(crate) fn run(
    command: &mut Command,
    log: &Path,
    limit: Duration,
) -> Result<ProgramOutput, String> {
    let errors = log.with_extension("err");
    let open =
        |path: &Path| File::create(path).map_err(|error| format!("`{}`: {error}", path.display()));
    command
        .stdin(Stdio::null())
        .stdout(open(log)?)
        .stderr(open(&errors)?);
    own_group(command);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .spawn()
        .map_err(|error| format!("`{name}` could not be started: {error}"))?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() < limit => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(None) => {
                end(&mut child);
                break None;
            }
            Err(error) => return Err(format!("`{name}`: {error}")),
        }
    };
    let text = |path: &Path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let mut ran = ProgramOutput {
        succeeded: status.is_some_and(|status| status.success()),
        code: status.and_then(|status| status.code()),
        stdout: text(log),
        stderr: text(&errors),
    };
    if status.is_none() {
        let note = format!("\nstopped after {} seconds", limit.as_secs());
        ran.stderr.push_str(&note);
    }
    Ok(ran)
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// Kills a program that exceeded its time limit, with its process group.
fn end(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
