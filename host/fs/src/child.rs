//! Pipes of a child process, read and written without blocking each other, and its end together with all processes it
//! started. The child leads its own process group ([`crate::detach`]).

use std::io::{Read, Write};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};

/// Writes to the child's stdin and closes it.
pub fn feed(child: &mut Child, bytes: Vec<u8>) {
    if let Some(mut stdin) = child.stdin.take() {
        std::thread::spawn(move || {
            // A program may end, or answer, without reading all its input.
            let _ = stdin.write_all(&bytes);
        });
    }
}

/// Reads a pipe until it is closed; keeps the first `most` bytes.
pub fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // After an error, what was read so far is the result.
            let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
            // The receiver is gone after a timeout.
            let _ = sender.send(bytes);
            // Drain the pipe so that the program never blocks on it; its exit closes the pipe.
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
    });
    receiver
}

/// Kills a child that was not reaped yet, so that its id is still valid, and all processes it started.
pub fn kill(child: &mut Child) {
    // Best effort: it may have exited meanwhile.
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // Includes child processes: most agent programs are a script that starts the real one.
    #[cfg(windows)]
    {
        use std::process::{Command, Stdio};
        let _ = Command::new("taskkill")
            .args(["/T", "/F", "/PID", &child.id().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
