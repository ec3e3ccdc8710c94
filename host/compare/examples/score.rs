//! `cargo xtask bench relate FILE [--verbose]`: scores the judgement on a file of labelled pairs, one JSON object per
//! line. Prints a table and, as the last line, the figures as JSON; `--verbose` also lists the misjudged pairs.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench reads one file and prints its figures"
)]

#[path = "../tests/score/mod.rs"]
mod score;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (file, verbose) = match words.as_slice() {
        [file] => (*file, false),
        [file, "--verbose"] | ["--verbose", file] => (*file, true),
        _ => {
            eprintln!("usage: cargo xtask bench relate FILE [--verbose]");
            return ExitCode::from(2);
        }
    };
    let pairs = std::fs::read_to_string(file)
        .map_err(|cause| cause.to_string())
        .and_then(|text| score::pairs_of(&text));
    let pairs = match pairs {
        Ok(pairs) => pairs,
        Err(cause) => {
            eprintln!("could not read pairs from `{file}`: {cause}");
            return ExitCode::FAILURE;
        }
    };
    let score = score::Score::of(&pairs);
    if verbose {
        for wrong in &score.wrong {
            println!("  {wrong}");
        }
    }
    println!("{score}{}", score.json());
    ExitCode::SUCCESS
}
