//! Benches of the daemon: `serve` and `soak`. Prints a table, then one line of JSON. Load goes only to loopback,
//! bounded in count and time.

mod bare;
mod daemon;
pub(crate) mod home;
mod requests;

mod soak;
pub(crate) mod times;

use std::path::PathBuf;

use crate::Outcome;

pub(crate) const USAGE: &str = "  serve [--memories N] [--clients N] [--requests N]
  soak [--seconds N]";

/// The amount of work.
struct Options {
    binary: PathBuf,
    /// Program with a bare handler to compare with.
    bare: PathBuf,
    memories: usize,
    clients: usize,
    requests: usize,
    seconds: u64,
}

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let (task, options) = parse(words)?;
    Some(match task {
        "serve" => requests::bench(&options),
        _ => soak::bench(&options),
    })
}

fn parse<'a>(words: &[&'a str]) -> Option<(&'a str, Options)> {
    let (task, mut rest) = words.split_first()?;
    if !["serve", "soak"].contains(task) {
        return None;
    }
    let mut options = Options {
        binary: PathBuf::new(),
        bare: PathBuf::new(),
        memories: 10_000,
        clients: 64,
        requests: 6_400,
        seconds: 300,
    };
    while let [name, value, more @ ..] = rest {
        match *name {
            "--binary" => options.binary = PathBuf::from(value),
            "--bare" => options.bare = PathBuf::from(value),
            "--memories" => options.memories = value.parse().ok()?,
            "--clients" => options.clients = value.parse().ok()?,
            "--requests" => options.requests = value.parse().ok()?,
            "--seconds" => options.seconds = value.parse().ok()?,
            _ => return None,
        }
        rest = more;
    }
    let is_whole = rest.is_empty() && !options.binary.as_os_str().is_empty();
    is_whole.then_some((task, options))
}
