//! One child process: text on its stdin, bounded output back. It leads a process group of its own,
//! and when its time is over the whole group is killed.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use camino::Utf8Path;

use crate::http::MOST_BYTES;
use crate::{Code, LlmError};

/// A program to run once.
pub(crate) struct Invocation<'a> {
    /// A name is looked for in the `PATH` of `environment`.
    pub(crate) program: &'a str,
    pub(crate) arguments: Vec<String>,
    /// All variables it sees.
    pub(crate) environment: BTreeMap<String, String>,
    /// Its current directory.
    pub(crate) folder: &'a Utf8Path,
    pub(crate) stdin: String,
    pub(crate) timeout: Duration,
    /// Whether it runs at low priority and nothing that it started outlives it.
    pub(crate) contained: bool,
}

/// A program that ended by itself.
pub(crate) struct Completed {
    /// `None` if a signal ended it.
    pub(crate) exit_code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    /// The first 16 KiB.
    pub(crate) stderr: Vec<u8>,
}

/// Why there is no output.
pub(crate) enum Unfinished {
    NotStarted(std::io::Error),
    /// With what it had written until then.
    Late {
        stdout: String,
        stderr: String,
    },
    Cancelled,
    TooLarge,
}

impl Completed {
    pub(crate) fn succeeded(&self) -> bool {
        self.exit_code == Some(0)
    }

    pub(crate) fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub(crate) fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

impl Unfinished {
    /// Reports whether the program ran at all and may have asked its model.
    pub(crate) fn was_started(&self) -> bool {
        !matches!(self, Unfinished::NotStarted(_))
    }

    pub(crate) fn error(self, program: &str, timeout: Duration) -> LlmError {
        match self {
            Unfinished::NotStarted(cause) => {
                LlmError::new(Code::Provider, format!("`{program}` could not be started"))
                    .because(cause.to_string())
            }
            Unfinished::Late { .. } => LlmError::new(
                Code::Timeout,
                format!(
                    "`{program}` gave no reply within {} s and was stopped",
                    timeout.as_secs_f32()
                ),
            )
            .retryable(),
            Unfinished::Cancelled => {
                LlmError::new(Code::Cancelled, format!("`{program}` was stopped"))
            }
            Unfinished::TooLarge => LlmError::new(
                Code::TooLarge,
                format!("`{program}` wrote more than {MOST_BYTES} bytes"),
            ),
        }
    }
}

/// Set once the process that waits is about to end.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// How many programs run.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Ends every program that was started as a model, and starts no further one: for a process that was
/// interrupted. Returns when they are gone, or after two seconds.
pub fn stop_programs() {
    STOPPED.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + GRACE;
    while RUNNING.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        std::thread::sleep(POLL);
    }
}

/// Counts a program for as long as it runs.
struct Counted;

impl Counted {
    fn one() -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs a program to its end, or ends it.
pub(crate) fn run(
    invocation: Invocation<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Completed, Unfinished> {
    let _counted = Counted::one();
    if STOPPED.load(Ordering::SeqCst) {
        return Err(Unfinished::Cancelled);
    }
    let mut command = command(&invocation);
    let started = match invocation.contained {
        true => spawn_at_low_priority(&mut command),
        false => command.spawn(),
    };
    let mut child = started.map_err(Unfinished::NotStarted)?;
    let deadline = Instant::now() + invocation.timeout;
    feed(&mut child, invocation.stdin);
    let output = collect(child.stdout.take(), MOST_BYTES + 1);
    let complaints = collect(child.stderr.take(), COMPLAINT_BYTES);

    let ended = wait_for(&output, deadline, is_cancelled).and_then(|output| {
        if invocation.contained {
            wait_and_clear(&child, deadline, is_cancelled)?;
        }
        Ok((output, wait_for_exit(&mut child, deadline, is_cancelled)?))
    });
    match ended {
        Ok((stdout, exit_code)) => Ok(Completed {
            exit_code,
            stdout,
            stderr: complaints.recv_timeout(COMPLAINT_WAIT).unwrap_or_default(),
        }),
        Err(Unfinished::Late { .. }) => {
            // It may say how far it came before it is killed.
            let last_words = match invocation.contained {
                true => {
                    ask_to_end(&child);
                    output.recv_timeout(GRACE).ok()
                }
                false => None,
            };
            kill(&mut child);
            let rest = |stream: Receiver<Vec<u8>>| stream.recv_timeout(COMPLAINT_WAIT).ok();
            let text = |bytes: Option<Vec<u8>>| {
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            };
            Err(Unfinished::Late {
                stdout: text(last_words.or_else(|| rest(output))),
                stderr: text(rest(complaints)),
            })
        }
        Err(end) => {
            kill(&mut child);
            Err(end)
        }
    }
}

const COMPLAINT_BYTES: u64 = 16 * 1024;
const COMPLAINT_WAIT: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(5);
const GRACE: Duration = Duration::from_secs(2);

#[cfg(unix)]
const LOW_PRIORITY: i32 = 10;

fn command(invocation: &Invocation<'_>) -> Command {
    let mut command = Command::new(invocation.program);
    command
        .args(&invocation.arguments)
        .current_dir(invocation.folder)
        .env_clear()
        .envs(&invocation.environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn feed(child: &mut Child, text: String) {
    let Some(mut stdin) = child.stdin.take() else {
        return;
    };
    std::thread::spawn(move || {
        // A program that does not read to the end may answer all the same.
        let _ = stdin.write_all(text.as_bytes());
    });
}

/// All that comes out of a pipe, once it is closed or has given `most` bytes.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is what there is.
            let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
            // Nobody listens any more when it took too long.
            let _ = sender.send(bytes);
            // A program must not block on a full pipe; its exit or its end by force closes it.
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
    });
    receiver
}

fn wait_for(
    output: &Receiver<Vec<u8>>,
    deadline: Instant,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Unfinished> {
    loop {
        match output.recv_timeout(POLL) {
            Ok(bytes) if bytes.len() as u64 > MOST_BYTES => return Err(Unfinished::TooLarge),
            Ok(bytes) => return Ok(bytes),
            Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) => goes_on(deadline, is_cancelled)?,
        }
    }
}

/// Waits for the end of a program without reaping it, so that its group still has its id, and kills
/// whatever the program left behind.
#[cfg(unix)]
fn wait_and_clear(
    child: &Child,
    deadline: Instant,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Unfinished> {
    use rustix::process::{Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    let Some(group) = group(child) else {
        return Ok(());
    };
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    while matches!(waitid(WaitId::Pid(group), look), Ok(None)) {
        goes_on(deadline, is_cancelled)?;
        std::thread::sleep(POLL);
    }
    // Mostly there is nothing left.
    let _ = kill_process_group(group, Signal::KILL);
    Ok(())
}

#[cfg(not(unix))]
fn wait_and_clear(
    _child: &Child,
    _deadline: Instant,
    _is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Unfinished> {
    Ok(())
}

fn wait_for_exit(
    child: &mut Child,
    deadline: Instant,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Option<i32>, Unfinished> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) => goes_on(deadline, is_cancelled)?,
            Err(_) => return Ok(None),
        }
        std::thread::sleep(POLL);
    }
}

fn goes_on(deadline: Instant, is_cancelled: &dyn Fn() -> bool) -> Result<(), Unfinished> {
    if is_cancelled() || STOPPED.load(Ordering::SeqCst) {
        Err(Unfinished::Cancelled)
    } else if Instant::now() >= deadline {
        Err(Unfinished::Late {
            stdout: String::new(),
            stderr: String::new(),
        })
    } else {
        Ok(())
    }
}

/// Starts a program so that all other work on the machine goes first. Whatever it starts inherits
/// that. On Linux each thread has a priority of its own, so a thread for the purpose lowers its own
/// and hands it down: the program has it from its first instruction.
#[cfg(target_os = "linux")]
fn spawn_at_low_priority(command: &mut Command) -> std::io::Result<Child> {
    std::thread::scope(|scope| {
        let starting = scope.spawn(|| {
            // Best effort: a program at normal priority does its work as well.
            let _ = rustix::process::setpriority_process(None, LOW_PRIORITY);
            command.spawn()
        });
        starting
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(all(unix, not(target_os = "linux")))]
fn spawn_at_low_priority(command: &mut Command) -> std::io::Result<Child> {
    let child = command.spawn()?;
    if let Some(group) = group(&child) {
        // Best effort: a program that has ended already needs no priority.
        let _ = rustix::process::setpriority_pgrp(Some(group), LOW_PRIORITY);
    }
    Ok(child)
}

#[cfg(not(unix))]
fn spawn_at_low_priority(command: &mut Command) -> std::io::Result<Child> {
    command.spawn()
}

/// Tells a program with all it started to end.
#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(group) = group(child) {
        // Best effort: what does not listen is killed in any case.
        let _ = kill_process_group(group, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_child: &Child) {}

/// Ends a program that has not been waited for, with its whole group: its id is still its own.
fn kill(child: &mut Child) {
    // Best effort: it may have ended by itself meanwhile.
    #[cfg(unix)]
    if let Some(group) = group(child) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // With what it started: most agent programs are a script that starts the real one.
    #[cfg(windows)]
    let _ = Command::new("taskkill")
        .args(["/T", "/F", "/PID", &child.id().to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
    let _ = child.wait();
}

/// The group a program leads.
#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok()?;
    rustix::process::Pid::from_raw(id)
}
