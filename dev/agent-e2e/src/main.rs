//! `cargo xtask agents [NAME…]`: runs real agent programs against a scripted model on loopback, connected to acreta.
//! Drives the `acreta` binary from outside and relies only on the documented files.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who started it"
)]

mod archive;
mod cache;
mod compare;
mod process;
mod programs;
mod report;
mod scenario;
mod scratch;
mod script;

use std::path::PathBuf;
use std::process::ExitCode;

use programs::ALL;

const HELP: &str = "Usage: cargo xtask agents [NAME…] [--keep] [--list]";

fn main() -> ExitCode {
    let mut names = Vec::new();
    let (mut binary, mut is_kept) = (None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--binary" => binary = arguments.next().map(PathBuf::from),
            "--keep" => is_kept = true,
            "--list" => {
                ALL.iter().for_each(|program| println!("{}", program.name));
                return ExitCode::SUCCESS;
            }
            name if ALL.iter().any(|program| program.name == name) => names.push(argument),
            other => {
                eprintln!("`{other}` is not an agent that the suite knows\n{HELP}");
                return ExitCode::from(2);
            }
        }
    }
    let Some(binary) = binary else {
        eprintln!("`--binary FILE` names the acreta to try\n{HELP}");
        return ExitCode::from(2);
    };
    let mut rows = Vec::new();
    for program in ALL {
        if !names.is_empty() && !names.iter().any(|name| name == program.name) {
            continue;
        }
        let row = scenario::run(program, &binary, is_kept);
        eprintln!("{}", report::table(std::slice::from_ref(&row)));
        rows.push(row);
    }
    println!("{}", report::table(&rows));
    println!("{}", report::summary(&rows));
    match rows.iter().all(report::AgentRow::held) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
