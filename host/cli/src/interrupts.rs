//! Listens for requests to end the process: Ctrl-C, and signals of a service manager, a closing terminal or the daemon.

use std::io::{self, Read};
use std::sync::Arc;

use acreta_server::daemon::ENDS_WITH_INPUT;

/// Calls `asked` for every request to end, on a separate thread.
pub(crate) fn listen(asked: impl Fn() + Send + Sync + 'static) -> io::Result<()> {
    let asked = Arc::new(asked);
    if std::env::var_os(ENDS_WITH_INPUT).is_some_and(|value| value == "1") {
        let asked = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut ignored = [0; 64];
            let mut input = io::stdin().lock();
            while matches!(input.read(&mut ignored), Ok(bytes) if bytes > 0) {}
            asked();
        });
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let mut requests = {
        let _entered = runtime.enter();
        Requests::new()?
    };
    std::thread::spawn(move || {
        runtime.block_on(async {
            while requests.next().await.is_some() {
                asked();
            }
        });
    });
    Ok(())
}

#[cfg(unix)]
struct Requests {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Requests {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Option<()> {
        tokio::select! {
            request = self.interrupt.recv() => request,
            request = self.terminate.recv() => request,
            request = self.hangup.recv() => request,
        }
    }
}

#[cfg(windows)]
struct Requests {
    interrupt: tokio::signal::windows::CtrlC,
    stop: tokio::signal::windows::CtrlBreak,
    close: tokio::signal::windows::CtrlClose,
}

#[cfg(windows)]
impl Requests {
    fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        Ok(Self {
            interrupt: ctrl_c()?,
            stop: ctrl_break()?,
            close: ctrl_close()?,
        })
    }

    async fn next(&mut self) -> Option<()> {
        tokio::select! {
            request = self.interrupt.recv() => request,
            request = self.stop.recv() => request,
            request = self.close.recv() => request,
        }
    }
}
