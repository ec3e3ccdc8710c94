//! The compiler: its settings, its errors, and compiling components of strangers in a child process.
//!
//! The time and memory of a compiler are not bounded by the size of its input, and it cannot be interrupted within this
//! process. So a component that is not built in is compiled by another process of the same program, which limits itself
//! before it reads the first byte, is killed when its time is over, and takes nothing else down with it. Its output is as
//! trusted as the compiler: it is this program.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use acreta_fs::FsError;
use acreta_fs::child::{collect, feed, kill};
use camino::Utf8Path;
use wasmtime::{Config, Engine, OptLevel, WasmBacktraceDetails};

use crate::limits::STACK_BYTES;

/// First argument of the child.
pub const COMPILE: &str = "compile-component";

/// Last argument of the child, if backtraces of the component are to have lines.
pub const LINES: &str = "lines";

/// Processor time, enough for a component with a whole Python interpreter.
const TIME: Duration = Duration::from_secs(300);

/// Time by the clock. A busy machine may stretch processor time that the system counts and limits; elsewhere only the
/// clock ends the child.
pub(crate) const CLOCK: Duration = match cfg!(unix) {
    true => Duration::from_secs(4 * TIME.as_secs()),
    false => TIME,
};
const MEMORY_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// Maximum size of native code that is read into memory.
pub(crate) const NATIVE_BYTES: u64 = 256 * 1024 * 1024;

/// Reason why a component could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("the compiler refused it: {message}")]
    Compiler { message: String },
    #[error("the cache of compiled plugins cannot be used")]
    Cache(#[from] FsError),
    #[error("the key of the cache of compiled plugins has fewer than {MIN_KEY_BYTES} characters")]
    ShortKey,
    #[error("the system returned no random bytes")]
    Random(#[from] io::Error),
}

/// Minimum size of a key that is given.
pub(crate) const MIN_KEY_BYTES: usize = 32;

/// Creates an engine, whose backtraces have lines or not. All processes of a version create the same one, so each can load
/// what another compiled.
pub(crate) fn engine(has_lines: bool) -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config
        .wasm_backtrace_details(match has_lines {
            true => WasmBacktraceDetails::Enable,
            false => WasmBacktraceDetails::Disable,
        })
        .epoch_interruption(true)
        .max_wasm_stack(STACK_BYTES)
        .cranelift_opt_level(OptLevel::Speed);
    Engine::new(&config)
}

/// Compiles in a child process of `program`.
pub(crate) fn compile(
    program: &Utf8Path,
    bytes: &[u8],
    has_lines: bool,
) -> Result<Vec<u8>, CompileError> {
    let failed = |message: String| CompileError::Compiler { message };
    let mut command = Command::new(program);
    command
        .args([COMPILE, &TIME.as_secs().to_string()])
        .arg(MEMORY_BYTES.to_string())
        .args(has_lines.then_some(LINES))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    acreta_fs::detach(&mut command);
    let mut child = command
        .spawn()
        .map_err(|error| failed(format!("`{program}` could not be started: {error}")))?;
    feed(&mut child, bytes.to_vec());
    let output = collect(child.stdout.take(), NATIVE_BYTES);
    let complaints = collect(child.stderr.take(), 4 * 1024);
    let native = match output.recv_timeout(CLOCK) {
        Ok(native) => native,
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            kill(&mut child);
            return Err(over_limits());
        }
    };
    match child.wait() {
        Ok(status) if status.success() => {
            tracing::debug!(bytes = native.len(), "compiled by a process of its own");
            Ok(native)
        }
        // Killed at a limit of time, or ended by a failed allocation.
        Ok(status) if status.code().is_none() => Err(over_limits()),
        _ => {
            let said = complaints.recv_timeout(Duration::from_secs(1));
            let said = said.unwrap_or_default();
            Err(failed(acreta_text::one_line(&String::from_utf8_lossy(
                &said,
            ))))
        }
    }
}

fn over_limits() -> CompileError {
    CompileError::Compiler {
        message: format!(
            "compiling it took more than {} s or {} MiB",
            TIME.as_secs(),
            MEMORY_BYTES >> 20
        ),
    }
}

/// The child's side: compiles a component from stdin to stdout within limits of seconds and bytes.
pub fn compile_as_child(seconds: u64, memory_bytes: u64, has_lines: bool) -> Result<(), String> {
    limit_this_process(seconds, memory_bytes)?;
    let failed = |error: std::io::Error| error.to_string();
    let mut component = Vec::new();
    std::io::stdin()
        .read_to_end(&mut component)
        .map_err(failed)?;
    let engine = engine(has_lines).map_err(|error| format!("{error:#}"))?;
    let native = engine
        .precompile_component(&component)
        .map_err(|error| format!("{error:#}"))?;
    std::io::stdout().write_all(&native).map_err(failed)
}

#[cfg(unix)]
fn limit_this_process(seconds: u64, memory_bytes: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |most| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(Resource::Cpu, limit(seconds))
        .and_then(|()| setrlimit(Resource::Core, limit(0)))
        .and_then(|()| setrlimit(Resource::As, limit(memory_bytes)))
        .map_err(|error| format!("the process could not be limited: {error}"))
}

#[cfg(not(unix))]
fn limit_this_process(_seconds: u64, _memory_bytes: u64) -> Result<(), String> {
    Ok(())
}
