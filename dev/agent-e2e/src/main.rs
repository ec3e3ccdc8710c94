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
mod scenario;
mod scratch;
mod script;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use acreta_agent_e2e::report::{self, AgentRow};
use programs::ALL;

const HELP: &str = "Usage: cargo xtask agents [NAME…] [--keep] [--list]";

fn main() -> ExitCode {
    let mut names = Vec::new();
    let (mut binary, mut documents, mut is_kept) = (None, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--binary" => binary = arguments.next().map(PathBuf::from),
            "--documents" => documents = arguments.next().map(PathBuf::from),
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
        if let Some(Err(why)) = documents.as_deref().map(|folder| record(folder, &row)) {
            eprintln!("the result of {} was not recorded: {why}", row.agent);
        }
        rows.push(row);
    }
    println!("{}", report::table(&rows));
    println!("{}", report::summary(&rows));
    match rows.iter().all(AgentRow::held) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Puts a row into `agents.json`, and the table of all rows into `agents.md`.
fn record(folder: &Path, row: &AgentRow) -> Result<(), String> {
    let file = |name: &str| {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("`{name}`: {error}"));
        text.map(|text| (path, text))
    };
    let write = |path: &Path, text: &str| {
        #[expect(clippy::disallowed_methods, reason = "documents of the repository")]
        std::fs::write(path, text).map_err(|error| format!("`{}`: {error}", path.display()))
    };
    let (data, rows) = file("agents.json")?;
    let mut rows: Vec<AgentRow> = serde_json::from_str(&rows).map_err(|error| error.to_string())?;
    report::merge(&mut rows, std::slice::from_ref(row));
    let (document, text) = file("agents.md")?;
    let text = report::with_table(&text, &rows).ok_or("`agents.md` has no place for the table")?;
    write(
        &data,
        &report::json(&rows).map_err(|error| error.to_string())?,
    )?;
    write(&document, &text)
}
