//! Benches of the daemon: `serve` and `soak`. A table for people, then one line of JSON. Load goes to
//! loopback alone, bounded in count and time.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod daemon;
mod home;
mod serve;
mod soak;
mod times;

use std::path::PathBuf;
use std::process::ExitCode;

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "\
Usage: acreta-bench-serve serve [--memories N] [--clients N] [--requests N] --binary ACRETA
       acreta-bench-serve soak [--seconds N] --binary ACRETA";

/// What is measured, and how much of it.
struct Options {
    binary: PathBuf,
    memories: usize,
    clients: usize,
    requests: usize,
    seconds: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((task, options)) = parse(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let done = match task {
        "serve" => serve::bench(&options),
        _ => soak::bench(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse<'a>(words: &[&'a str]) -> Option<(&'a str, Options)> {
    let (task, mut rest) = words.split_first()?;
    if !["serve", "soak"].contains(task) {
        return None;
    }
    let mut options = Options {
        binary: PathBuf::new(),
        memories: 10_000,
        clients: 64,
        requests: 6_400,
        seconds: 300,
    };
    while let [name, value, more @ ..] = rest {
        match *name {
            "--binary" => options.binary = PathBuf::from(value),
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
