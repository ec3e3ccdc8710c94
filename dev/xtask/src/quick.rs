//! The binary of the demo: all plugins and all commands, without sentence models and OTLP, compiled for the shortest build. Says how far it is, on a
//! terminal in one line that changes, elsewhere in a line now and then.

use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use acreta_plugin_build::{BUILTIN, GUESTS_DIR_VARIABLE, GuestBuild};

use crate::process::{TaskError, cargo, target_dir};

/// Work of a first build, and how much of it only one core can do.
const CORE_MINUTES: usize = 16;
const SERIAL_MINUTES: usize = 1;

/// Time between two lines where lines cannot be replaced.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Builds what is stale and returns the path of the binary.
pub(crate) fn build() -> Result<PathBuf, TaskError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let minutes = SERIAL_MINUTES + CORE_MINUTES.div_ceil(cores);
    println!(
        "Building acreta with its {} plugins. With {cores} cores, the first time takes about {minutes} minutes.",
        BUILTIN.len()
    );
    let mut progress = Progress::new();
    let folder = target_dir().join("plugins-quick");
    let build = GuestBuild::quick(
        acreta_plugin_build::workspace_root(),
        target_dir().join("guests"),
    );
    acreta_plugin_build::prebuild(&build, &folder, |done| {
        progress.show("plugins", done, BUILTIN.len());
    })
    .map_err(|error| TaskError(error.to_string()))?;
    host(&folder, &mut progress)?;
    let name = format!("acreta{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir().join("quick").join(name))
}

/// Builds the host. Cargo's own bar, without its terminal, says how many crates are done.
fn host(plugins: &Path, progress: &mut Progress) -> Result<(), TaskError> {
    let arguments = [
        "build",
        "--profile",
        "quick",
        "--package",
        "acreta",
        "--no-default-features",
    ];
    let failed = |outcome: String| TaskError(format!("`cargo {}` {outcome}", arguments.join(" ")));
    let mut running = cargo()
        .args(arguments)
        .env(GUESTS_DIR_VARIABLE, plugins)
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_TERM_PROGRESS_WHEN", "always")
        .env("CARGO_TERM_PROGRESS_WIDTH", "80")
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("could not be started: {error}")))?;
    let mut messages = String::new();
    if let Some(stderr) = running.stderr.take() {
        let mut stderr = BufReader::new(stderr);
        let mut lines = Vec::new();
        // The bar ends with a carriage return, everything else with a line feed.
        while stderr
            .read_until(b'\r', &mut lines)
            .is_ok_and(|bytes| bytes > 0)
        {
            for line in String::from_utf8_lossy(&lines).lines() {
                match crates(line) {
                    Some((done, all)) => progress.show("crates", done, all),
                    None if line.trim_start().starts_with("Compiling ") => {}
                    None => messages.extend([line, "\n"]),
                }
            }
            lines.clear();
        }
    }
    let ended = running.wait();
    progress.end();
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(format!("ended with {status}:\n{messages}"))),
        Err(error) => Err(failed(format!("was lost: {error}"))),
    }
}

/// Reads `Building [==>   ] 12/345: names`, a line of cargo's bar, as crates done and crates in all.
fn crates(line: &str) -> Option<(usize, usize)> {
    let (_, counts) = line
        .trim_start()
        .strip_prefix("Building [")?
        .split_once("] ")?;
    let (done, all) = counts.split(':').next()?.split_once('/')?;
    Some((done.parse().ok()?, all.trim().parse().ok()?))
}

/// A line that says how far the build is.
struct Progress {
    started: Instant,
    shown: Option<Instant>,
    on_terminal: bool,
}

impl Progress {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            shown: None,
            on_terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, what: &str, done: usize, all: usize) {
        let now = Instant::now();
        let due = self.shown.is_none_or(|shown| now - shown >= LINE_INTERVAL);
        if !self.on_terminal && !due {
            return;
        }
        self.shown = Some(now);
        let seconds = (now - self.started).as_secs();
        let line = format!(
            "  {done} of {all} {what}, {}:{:02}",
            seconds / 60,
            seconds % 60
        );
        match self.on_terminal {
            // Back to the start of the line, and nothing left of what was there.
            true => eprint!("\r{line}\x1b[K"),
            false => eprintln!("{line}"),
        }
    }

    /// Leaves the line.
    fn end(&mut self) {
        if self.on_terminal && self.shown.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_of_cargo_says_how_many_crates_are_done() {
        let table = [
            (
                "    Building [====>        ] 12/345: serde, tokio     ",
                Some((12, 345)),
            ),
            ("    Building [=============] 345/345", Some((345, 345))),
            ("    Building [ ] many", None),
            ("   Compiling serde v1.0.229", None),
            ("error: 1/2", None),
        ];
        for (line, expected) in table {
            assert_eq!(crates(line), expected, "{line}");
        }
    }
}
