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
    collect_seen(pipe, most, |_| {})
}

/// Like [`collect`]; shows all bytes so far whenever there are more.
pub fn collect_seen(
    pipe: Option<impl Read + Send + 'static>,
    most: u64,
    mut see: impl FnMut(&[u8]) + Send + 'static,
) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let mut chunk = vec![0; 64 * 1024];
            let mut limited = pipe.by_ref().take(most);
            loop {
                match limited.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(count) => {
                        bytes.extend_from_slice(&chunk[..count]);
                        see(&bytes);
                    }
                    Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
                    // What was read so far is the result.
                    Err(_) => break,
                }
            }
            // The receiver is gone after a timeout.
            let _ = sender.send(bytes);
            // Drain the pipe so that the program never blocks on it; its exit closes the pipe.
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
    });
    receiver
}

/// Kills the process group of a child if this process ends first, however it ends. Dropping the guard ends the watch.
///
/// A shell waits for the end of its input, whose other end only this process has: the kernel closes it. So this holds on
/// every Unix. Without `/bin/sh`, and on Windows, nothing watches.
#[derive(Debug)]
pub struct Leash {
    #[cfg(unix)]
    watcher: Option<Child>,
}

impl Leash {
    /// Watches over a child that leads a process group.
    #[cfg(unix)]
    pub fn of(child: &Child) -> Self {
        use std::process::{Command, Stdio};
        let mut watcher = Command::new("/bin/sh");
        watcher
            .args(["-c", "read -r _; kill -s KILL -- \"-$1\"", "sh"])
            .arg(child.id().to_string())
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        crate::detach(&mut watcher);
        Self {
            watcher: watcher.spawn().ok(),
        }
    }

    #[cfg(not(unix))]
    pub fn of(_child: &Child) -> Self {
        Self {}
    }
}

#[cfg(unix)]
impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            // Killed while its input is still open, so that it kills nothing.
            let _ = watcher.kill();
            let _ = watcher.wait();
        }
    }
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
