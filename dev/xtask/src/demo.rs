//! The demo: two sample sessions, a scratch project, and the commands that show the results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{TaskError, read, run, target_dir};
use crate::quick;

/// Written for this demo, in Claude Code's format.
const SAMPLES: [&str; 2] = [
    "tests/fixtures/claude/demo-queue-retries.jsonl",
    "tests/fixtures/claude/demo-release-pitfall.jsonl",
];

pub(crate) fn demo() -> Result<(), TaskError> {
    let binary = quick::build()?;
    let scratch = scratch()?;
    let acreta = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command
            .args(arguments)
            .current_dir(scratch.join("ledger"))
            .env("ACRETA_HOME", scratch.join("home"))
            .env("ACRETA_CACHE_DIR", scratch.join("cache"));
        command
    };
    for sample in SAMPLES {
        println!("$ acreta run {sample}");
        let sample = acreta_plugin_build::workspace_root().join(sample);
        run(&mut acreta(&["run", &sample.to_string_lossy()]))?;
        println!();
    }
    println!("$ acreta memory list");
    run(&mut acreta(&["memory", "list"]))?;
    println!("\nWhat was learned, as it lies in the project:\n");
    for file in memories(&scratch.join("ledger/.acreta/memory"))? {
        show(&scratch.join("ledger"), &file)?;
    }
    println!("The same session again changes nothing:\n");
    let sample = acreta_plugin_build::workspace_root().join(SAMPLES[0]);
    print!(
        "{}",
        read(&mut acreta(&["run", &sample.to_string_lossy()]))?
    );
    println!(
        "\nAll of it lies in {}\n\nThe binary to keep is optimised: `cargo xtask install` builds it and installs it. Then, in a repository you work in:\n\n  acreta run\n  acreta memory list\n",
        scratch.display(),
    );
    Ok(())
}

/// Creates a fresh project under the target directory.
fn scratch() -> Result<PathBuf, TaskError> {
    let scratch = target_dir().join("demo");
    let failed = |error: std::io::Error| TaskError(format!("`{}`: {error}", scratch.display()));
    if scratch.exists() {
        #[expect(
            clippy::disallowed_methods,
            reason = "the demo's own folder, made anew each time"
        )]
        fs::remove_dir_all(&scratch).map_err(failed)?;
    }
    fs::create_dir_all(scratch.join("ledger/.git")).map_err(failed)?;
    Ok(scratch)
}

fn memories(root: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let mut files = Vec::new();
    for folder in ["decisions", "learnings"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            continue;
        };
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.sort();
    Ok(files)
}

fn show(project: &Path, file: &Path) -> Result<(), TaskError> {
    let text = fs::read_to_string(file)
        .map_err(|error| TaskError(format!("`{}`: {error}", file.display())))?;
    println!(
        "── {}",
        file.strip_prefix(project).unwrap_or(file).display()
    );
    println!("{}", text.trim_end());
    println!();
    Ok(())
}
