//! Benches, started by `cargo xtask bench NAME`: a table for people, then one line of JSON.
//! Times are compared inside one run; nothing here passes or fails by the clock.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod corpus;
mod ingest;
mod languages;
mod process;
mod sandbox;
mod sync;

use std::process::ExitCode;

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["sandbox"] => sandbox::bench(),
        ["sync"] => sync::bench(),
        ["languages", session, components @ ..] => languages::bench(session, components),
        _ => {
            eprintln!("usage: cargo xtask bench sandbox|sync|languages SESSION FILE.wasm…");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}
