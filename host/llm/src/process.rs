//! One child process: text on its stdin, bounded output back. It leads its own process group, which is killed as a
//! whole after the timeout, and if this process is killed ([`Leash`]). A process can leave its group (`setsid`), but not
//! the environment it was born with: on Linux every process that carries the mark of the call is killed as well.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use acreta_fs::child::{Leash, collect_seen, feed, kill};
use acreta_fs::random_secret;
use camino::Utf8Path;

use crate::http::MOST_BYTES;
use crate::{Code, LlmError};

/// A single run of a program.
pub(crate) struct Invocation<'a> {
    /// A bare name is searched in the `PATH` of `environment`.
    pub(crate) program: &'a str,
    pub(crate) arguments: Vec<String>,
    /// All variables it sees.
    pub(crate) environment: BTreeMap<String, String>,
    /// Its current directory.
    pub(crate) folder: &'a Utf8Path,
    pub(crate) stdin: String,
    pub(crate) timeout: Duration,
    /// True if it runs at low priority and none of its child processes may outlive it.
    pub(crate) contained: bool,
    pub(crate) gives_up: Option<GivesUp>,
}

/// Reports whether a line on stdout, or one on stderr, says that no reply will come. The program is stopped then, as after
/// its timeout.
pub(crate) type GivesUp = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// A program that exited by itself.
pub(crate) struct Completed {
    /// `None` if a signal terminated it.
    pub(crate) exit_code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    /// The first 16 KiB.
    pub(crate) stderr: Vec<u8>,
}

/// Reason why there is no output.
pub(crate) enum Unfinished {
    NotStarted(std::io::Error),
    /// Also of a program that said that no reply will come. With the output written so far.
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
    /// Returns true if the program ran at all and may have asked its model.
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

/// Set once this process is about to exit.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Number of running programs.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Terminates every program that was started as a model, and starts no more: for a process that was interrupted.
/// Returns when they are gone, or after two seconds.
pub fn stop_programs() {
    STOPPED.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + GRACE;
    while RUNNING.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        std::thread::sleep(POLL);
    }
}

/// Counts a program while it runs.
struct RunningProgram;

impl RunningProgram {
    fn one() -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs a program until it exits or times out.
pub(crate) fn run(
    invocation: Invocation<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Completed, Unfinished> {
    let _counted = RunningProgram::one();
    if STOPPED.load(Ordering::SeqCst) {
        return Err(Unfinished::Cancelled);
    }
    let mark = random_secret().map_err(Unfinished::NotStarted)?;
    let mut command = command(&invocation);
    command.env(MARK, &mark);
    let started = match invocation.contained {
        true => spawn_at_low_priority(&mut command),
        false => command.spawn(),
    };
    let mut child = started.map_err(Unfinished::NotStarted)?;
    let leash = Leash::of(&child);
    let deadline = Deadline {
        at: Instant::now() + invocation.timeout,
        has_given_up: Arc::default(),
    };
    feed(&mut child, invocation.stdin.into_bytes());
    let (on_output, on_complaint) = (invocation.gives_up.clone(), invocation.gives_up);
    let output = collect_seen(
        child.stdout.take(),
        MOST_BYTES + 1,
        deadline.watch(move |line| on_output.as_ref().is_some_and(|says| says(line, ""))),
    );
    let complaints = collect_seen(
        child.stderr.take(),
        COMPLAINT_BYTES,
        deadline.watch(move |line| on_complaint.as_ref().is_some_and(|says| says("", line))),
    );

    let ended = wait_for(&output, &deadline, is_cancelled).and_then(|output| {
        if invocation.contained {
            wait_and_clear(&child, &deadline, is_cancelled)?;
        }
        Ok((output, wait_for_exit(&mut child, &deadline, is_cancelled)?))
    });
    let ended = match ended {
        Ok((stdout, exit_code)) => Ok(Completed {
            exit_code,
            stdout,
            stderr: complaints.recv_timeout(COMPLAINT_WAIT).unwrap_or_default(),
        }),
        Err(Unfinished::Late { .. }) => {
            // It may report its progress before it is killed.
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
    };
    if invocation.contained || ended.is_err() {
        kill_marked(&mark);
    }
    drop(leash);
    ended
}

/// The time at which a program is stopped: when its time is up, or at once when it says that no reply will come.
struct Deadline {
    at: Instant,
    has_given_up: Arc<AtomicBool>,
}

impl Deadline {
    fn is_past(&self) -> bool {
        Instant::now() >= self.at || self.has_given_up.load(Ordering::SeqCst)
    }

    /// Returns a function that is shown all bytes of a stream so far, and looks at each line once.
    fn watch(
        &self,
        gives_up: impl Fn(&str) -> bool + Send + 'static,
    ) -> impl FnMut(&[u8]) + Send + 'static {
        let has_given_up = Arc::clone(&self.has_given_up);
        let mut seen = 0;
        move |bytes| {
            while let Some(length) = bytes[seen..].iter().position(|byte| *byte == b'\n') {
                let line = String::from_utf8_lossy(&bytes[seen..seen + length]);
                if gives_up(&line) {
                    has_given_up.store(true, Ordering::SeqCst);
                }
                seen += length + 1;
            }
        }
    }
}

/// The variable that all processes of a call inherit.
const MARK: &str = "ACRETA_CALL";

/// Kills every process that inherited the mark.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    /// A process may start another while the list is read.
    const ROUNDS: usize = 20;
    let mark = format!("{MARK}={mark}");
    let has_mark = |entry: &std::fs::DirEntry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark.as_bytes())
    };
    for _ in 0..ROUNDS {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let marked: Vec<Pid> = processes
            .filter_map(|entry| {
                let id = entry.file_name().to_str()?.parse().ok()?;
                has_mark(&entry).then_some(Pid::from_raw(id)?)
            })
            .collect();
        if marked.is_empty() {
            return;
        }
        for process in marked {
            // Best effort: it may have exited meanwhile.
            let _ = kill_process(process, Signal::KILL);
        }
        std::thread::sleep(POLL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_mark: &str) {}

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

fn wait_for(
    output: &Receiver<Vec<u8>>,
    deadline: &Deadline,
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

/// Waits for a program to exit without reaping it, so that its group keeps its id, and kills the child processes it
/// left behind.
#[cfg(unix)]
fn wait_and_clear(
    child: &Child,
    deadline: &Deadline,
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
    // Usually no process is left.
    let _ = kill_process_group(group, Signal::KILL);
    Ok(())
}

#[cfg(not(unix))]
fn wait_and_clear(
    _child: &Child,
    _deadline: &Deadline,
    _is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Unfinished> {
    Ok(())
}

fn wait_for_exit(
    child: &mut Child,
    deadline: &Deadline,
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

fn goes_on(deadline: &Deadline, is_cancelled: &dyn Fn() -> bool) -> Result<(), Unfinished> {
    if is_cancelled() || STOPPED.load(Ordering::SeqCst) {
        Err(Unfinished::Cancelled)
    } else if deadline.is_past() {
        Err(Unfinished::Late {
            stdout: String::new(),
            stderr: String::new(),
        })
    } else {
        Ok(())
    }
}

/// Starts a program at low priority, which its child processes inherit. On Linux each thread has its own priority, so a
/// separate thread lowers its own and starts the program, which then has it from its first instruction.
#[cfg(target_os = "linux")]
fn spawn_at_low_priority(command: &mut Command) -> std::io::Result<Child> {
    std::thread::scope(|scope| {
        let starting = scope.spawn(|| {
            // Best effort: the program also works at normal priority.
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
        // Best effort: the program may have exited already.
        let _ = rustix::process::setpriority_pgrp(Some(group), LOW_PRIORITY);
    }
    Ok(child)
}

#[cfg(not(unix))]
fn spawn_at_low_priority(command: &mut Command) -> std::io::Result<Child> {
    command.spawn()
}

/// Asks a program and its child processes to terminate.
#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(group) = group(child) {
        // Best effort: a process that ignores this is killed afterwards.
        let _ = kill_process_group(group, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_child: &Child) {}

/// Returns the process group that a program leads.
#[cfg(unix)]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok()?;
    rustix::process::Pid::from_raw(id)
}
