//! Options of the server: address, limits, clock.

use std::borrow::Cow;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

/// The server's configuration. A caller with the token may do everything.
pub struct Options {
    /// A name or an address; loopback unless there is a reason.
    pub host: String,
    /// 0 for any free port.
    pub port: u16,
    pub version: String,
    /// Random, at least 32 characters.
    pub token: String,
    pub schedule: Schedule,
    pub limits: Limits,
    pub surroundings: Surroundings,
    /// Called once, as soon as connections are accepted.
    pub ready: Box<dyn FnOnce(SocketAddr) + Send>,
}

/// Intervals of scheduled work; `None` for never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The first one starts with the server.
    pub sync: Option<Duration>,
    pub maintain: Option<Duration>,
    /// Time that [`Control::wake_sync`] waits for further changes before it starts a sync.
    pub settle: Duration,
}

/// Limits of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub connections: usize,
    /// Maximum number of concurrent calls of the service.
    pub calls: usize,
    /// Maximum number of these that may take long: questions, and MCP clients.
    pub long_calls: usize,
    pub listeners: usize,
    pub body_bytes: usize,
    /// Time limit from the first byte of a request to the end of its headers, and between requests.
    pub head_time: Duration,
    pub body_time: Duration,
    pub call_time: Duration,
    pub long_call_time: Duration,
    /// A client that reads nothing for this time is disconnected.
    pub write_time: Duration,
    /// Time limit for running calls when the server ends.
    pub last_time: Duration,
    /// Polling interval for events while somebody listens.
    pub event_pause: Duration,
    /// Interval of keep-alive messages to a listener.
    pub keep_alive: Duration,
}

/// Access to clock and randomness, passed in by the binary.
#[derive(Clone)]
pub struct Surroundings {
    /// Milliseconds since 1970.
    pub now_ms: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Fills a buffer with cryptographically random bytes.
    pub random: Random,
}

pub type Random = Arc<dyn Fn(&mut [u8]) -> io::Result<()> + Send + Sync>;

/// A file of the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub bytes: Cow<'static, [u8]>,
    pub content_type: Cow<'static, str>,
    /// Including its quotes, `"3f2a"`.
    pub etag: Option<Cow<'static, str>>,
}

/// Returns a file by its path without a leading slash; `index.html` for `/`.
pub type Assets = fn(&str) -> Option<Asset>;

/// Controls a server from any thread. Clones control the same one.
#[derive(Clone)]
pub struct Control {
    pub(crate) ending: Arc<watch::Sender<bool>>,
    pub(crate) wake: Arc<Notify>,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            sync: Some(Duration::from_secs(600)),
            maintain: Some(Duration::from_secs(3600)),
            settle: Duration::from_secs(2),
        }
    }
}

impl Schedule {
    /// Returns a schedule without any scheduled work.
    pub fn off() -> Self {
        Self {
            sync: None,
            maintain: None,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            calls: 32,
            long_calls: 8,
            listeners: 32,
            body_bytes: 1024 * 1024,
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(15),
            call_time: Duration::from_secs(30),
            long_call_time: Duration::from_secs(120),
            write_time: Duration::from_secs(30),
            last_time: Duration::from_secs(10),
            event_pause: Duration::from_millis(300),
            keep_alive: Duration::from_secs(15),
        }
    }
}

impl Default for Control {
    fn default() -> Self {
        Self {
            ending: Arc::new(watch::channel(false).0),
            wake: Arc::new(Notify::new()),
        }
    }
}

impl Control {
    /// Ends the server: nothing new is accepted, jobs are cancelled, and running calls have ten seconds.
    pub fn shut_down(&self) {
        self.ending.send_replace(true);
    }

    /// Starts a sync soon, because files changed.
    pub fn wake_sync(&self) {
        self.wake.notify_one();
    }
}
