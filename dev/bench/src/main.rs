//! Benches, started by `cargo xtask bench NAME`: each prints a table, then one line of JSON. Times are compared within
//! one run; nothing here passes or fails by the clock.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod ask;
mod context;
mod engine;
mod extract;
mod recall;
mod replay;
mod search;
mod serve;
mod sessions;

use std::process::ExitCode;

/// Any error ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A group of benches: its usages and its entry point. `run` returns `None` for a command line that is not one of its
/// usages.
struct Group {
    usage: &'static str,
    run: fn(&[&str]) -> Option<Outcome<()>>,
}

const GROUPS: [Group; 9] = [
    Group {
        usage: sessions::USAGE,
        run: sessions::run,
    },
    Group {
        usage: engine::USAGE,
        run: engine::run,
    },
    Group {
        usage: search::USAGE,
        run: search::run,
    },
    Group {
        usage: context::USAGE,
        run: context::run,
    },
    Group {
        usage: extract::USAGE,
        run: extract::run,
    },
    Group {
        usage: recall::USAGE,
        run: recall::run,
    },
    Group {
        usage: replay::USAGE,
        run: replay::run,
    },
    Group {
        usage: serve::USAGE,
        run: serve::run,
    },
    Group {
        usage: ask::USAGE,
        run: ask::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match GROUPS.iter().find_map(|group| (group.run)(&words)) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("usage: cargo xtask bench");
            for group in GROUPS {
                eprintln!("{}", group.usage);
            }
            ExitCode::from(2)
        }
    }
}
