//! Benches of search: `retrieval FILE` and `search`. A table for people, then one line of JSON.
//! Figures are compared inside one run; nothing here passes or fails by the clock.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod generate;
mod measures;
mod memory;
mod retrieval;
mod search;
mod sqlite;

use std::process::ExitCode;

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["retrieval", file] => retrieval::bench(std::path::Path::new(file)),
        ["search"] => search::bench(),
        ["part", rest @ ..] => search::part(rest),
        _ => {
            eprintln!("usage: acreta-bench-search retrieval FILE | search");
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
