//! One run of git: bytes on its stdin, bounded output back, a deadline. It leads its own process group, which is
//! killed as a whole when the time is up.

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use acreta_fs::child::{collect, feed, kill};

use crate::GitFailure;

/// A program that exited by itself.
pub(crate) struct Completed {
    /// `None` if a signal ended it.
    pub(crate) exit_code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    /// The first 16 KiB.
    pub(crate) stderr: String,
}

/// Runs a command to its end or to the deadline.
pub(crate) fn run(
    command: &mut Command,
    stdin: Vec<u8>,
    timeout: Duration,
    most_bytes: u64,
) -> Result<Completed, GitFailure> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    acreta_fs::detach(command);
    let mut child = command.spawn().map_err(GitFailure::NotStarted)?;
    let deadline = Instant::now() + timeout;
    feed(&mut child, stdin);
    let output = collect(child.stdout.take(), most_bytes + 1);
    let complaints = collect(child.stderr.take(), COMPLAINT_BYTES);
    let late = GitFailure::Timeout {
        seconds: timeout.as_secs(),
    };
    let ended = match output.recv_timeout(timeout) {
        Ok(bytes) if bytes.len() as u64 > most_bytes => {
            Err(GitFailure::TooLarge { limit: most_bytes })
        }
        Ok(bytes) => Ok(bytes),
        Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
        Err(RecvTimeoutError::Timeout) => Err(late),
    }
    .and_then(|stdout| Ok((stdout, wait_for_exit(&mut child, deadline, timeout)?)));
    match ended {
        Ok((stdout, exit_code)) => Ok(Completed {
            exit_code,
            stdout,
            // A helper that stays behind, like the master of a shared ssh connection, may keep the pipe open.
            stderr: text(complaints.recv_timeout(COMPLAINT_WAIT).unwrap_or_default()),
        }),
        Err(failure) => {
            kill(&mut child);
            Err(failure)
        }
    }
}

const COMPLAINT_BYTES: u64 = 16 * 1024;
const COMPLAINT_WAIT: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(1);

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait_for_exit(
    child: &mut Child,
    deadline: Instant,
    timeout: Duration,
) -> Result<Option<i32>, GitFailure> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(POLL),
            Ok(None) => {
                return Err(GitFailure::Timeout {
                    seconds: timeout.as_secs(),
                });
            }
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, timeout_ms: u64, most: u64) -> Result<Completed, GitFailure> {
        let timeout = Duration::from_millis(timeout_ms);
        run(
            Command::new("sh").args(["-c", script]),
            b"input".to_vec(),
            timeout,
            most,
        )
    }

    #[test]
    fn output_and_exit_code_are_returned() {
        let done = shell("cat; echo problem >&2; exit 3", 10_000, 100).unwrap();
        assert_eq!(done.stdout, b"input");
        assert_eq!(done.stderr, "problem\n");
        assert_eq!(done.exit_code, Some(3));
    }

    #[test]
    fn a_late_program_is_stopped_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("alive");
        let script = format!("(sleep 1; touch '{}') & sleep 30", marker.display());
        let began = Instant::now();
        let failure = shell(&script, 200, 100).err();
        assert!(matches!(failure, Some(GitFailure::Timeout { .. })));
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!marker.exists(), "the child went on");
    }

    #[test]
    fn output_is_bounded() {
        let failure = shell("yes", 10_000, 1000).err();
        assert!(matches!(
            failure,
            Some(GitFailure::TooLarge { limit: 1000 })
        ));
    }
}
