//! Starts the `acreta` binary for benches, and measures its time and memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// A home, a cache and the binary that works with them.
pub(crate) struct Acreta {
    pub(crate) home: PathBuf,
}

/// Measurements of a successful process.
pub(crate) struct ProcessCost {
    pub(crate) elapsed: Duration,
    /// Peak resident memory, in MB.
    pub(crate) peak_mb: f64,
    pub(crate) stdout: String,
}

impl Acreta {
    pub(crate) fn new(home: &Path) -> Outcome<Self> {
        std::fs::create_dir_all(home)?;
        Ok(Self {
            home: home.to_owned(),
        })
    }

    fn command(&self, directory: &Path, arguments: &[&str]) -> Outcome<Command> {
        let name = format!("acreta{}", std::env::consts::EXE_SUFFIX);
        let mut command = Command::new(std::env::current_exe()?.with_file_name(name));
        command
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .env("HOME", &self.home)
            .env("ACRETA_HOME", self.home.join(".acreta"))
            .env("ACRETA_CACHE_DIR", self.home.join(".cache/acreta"))
            .stderr(Stdio::piped());
        Ok(command)
    }

    /// Runs a command that must succeed.
    pub(crate) fn run(&self, directory: &Path, arguments: &[&str]) -> Outcome<ProcessCost> {
        let started = Instant::now();
        let output = self.command(directory, arguments)?.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`acreta {}` failed: {said}", arguments.join(" ")).into());
        }
        Ok(ProcessCost {
            elapsed: started.elapsed(),
            peak_mb: 0.0,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        })
    }

    /// Runs a command that must succeed, and measures its memory.
    pub(crate) fn watched(&self, directory: &Path, arguments: &[&str]) -> Outcome<ProcessCost> {
        let started = Instant::now();
        let mut child = self
            .command(directory, arguments)?
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut peak_mb = 0.0f64;
        let status = loop {
            peak_mb = peak_mb.max(high_water_mark(child.id()).unwrap_or(0.0));
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if !status.success() {
            return Err(format!("`acreta {}` ended with {status}", arguments.join(" ")).into());
        }
        Ok(ProcessCost {
            elapsed: started.elapsed(),
            peak_mb,
            stdout: String::new(),
        })
    }
}

/// Returns the peak resident memory of a process, in MB.
fn high_water_mark(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}

pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Rounds to two digits after the point.
pub(crate) fn round(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0
}
