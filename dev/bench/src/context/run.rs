//! Runs programs and measures their time.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use camino::Utf8Path;

use crate::Outcome;

/// Runs git in a folder and returns its output.
pub(crate) fn git(folder: &Utf8Path, arguments: &[&str]) -> Outcome<Vec<u8>> {
    let output = Command::new("git")
        .args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "advice.detachedHead=false",
        ])
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(format!("git {}: {message}", arguments.join(" ")).into())
    }
}

/// Measures the time of a program from start to end.
pub(crate) fn timed(command: &mut Command) -> Outcome<(Duration, String)> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let start = Instant::now();
    let output = command.stdout(Stdio::piped()).output()?;
    let taken = start.elapsed();
    if output.status.success() {
        Ok((taken, String::from_utf8_lossy(&output.stdout).into_owned()))
    } else {
        Err(format!("{command:?} failed").into())
    }
}

/// Starts this program for a part of a bench that needs a separate process.
pub(crate) fn part(arguments: &[&str]) -> Outcome<(Duration, String)> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("context-part").args(arguments);
    timed(&mut command)
}

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// Measures the time of a closure.
pub(crate) fn took<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}
