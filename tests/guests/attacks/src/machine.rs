//! Attempts to learn about the machine, or to communicate.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Read;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::raw::wasi::random::random::get_random_bytes;
use crate::report::Report;

/// Checks that arguments, variables and input are empty.
pub(crate) fn environment(report: &mut Report) {
    let arguments: Vec<_> = std::env::args_os().collect();
    let variables: Vec<_> = std::env::vars_os().collect();
    for argument in &arguments {
        report.escaped(format!("argument {argument:?}"));
    }
    for (name, value) in &variables {
        report.escaped(format!("variable {name:?}={value:?}"));
    }
    report.noted(format!(
        "{} arguments, {} variables",
        arguments.len(),
        variables.len()
    ));
    report.noted(format!("current folder {:?}", std::env::current_dir()));
    let mut byte = [0];
    match std::io::stdin().read(&mut byte) {
        Ok(0) => report.noted("stdin is empty"),
        Ok(_) => report.escaped("read stdin"),
        Err(error) => report.refused("read stdin", error),
    }
}

/// Tries every way to open a socket.
pub(crate) fn sockets(report: &mut Report) {
    for address in [
        "127.0.0.1:80",
        "127.0.0.1:8765",
        "[::1]:80",
        "169.254.169.254:80",
        "192.0.2.1:443",
    ] {
        report.forbidden(format!("connect {address}"), TcpStream::connect(address));
    }
    for address in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0"] {
        report.forbidden(format!("listen {address}"), TcpListener::bind(address));
        let bound = UdpSocket::bind(address);
        if let Ok(socket) = &bound {
            report.forbidden(
                format!("send from {address}"),
                socket.send_to(b"x", "127.0.0.1:53"),
            );
        }
        report.forbidden(format!("bind {address}"), bound);
    }
    for name in ["localhost", "example.org", "metadata.google.internal"] {
        report.forbidden(format!("look up {name}"), (name, 80).to_socket_addrs());
    }
}

/// Reads the wall clock and random numbers. Both are fixed for a run: two calls return the same.
#[expect(
    clippy::disallowed_methods,
    reason = "the attack is to look at the clock"
)]
pub(crate) fn clock_random(report: &mut Report) {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    report.noted(format!("clock {}", since.as_millis()));
    report.noted(format!("random bytes {:?}", get_random_bytes(8)));
    report.noted(format!("random {}", RandomState::new().hash_one("acreta")));
}
