//! The book: `docs/` and the markdown of the root as chapters, with the reference chapters generated from the program. Built
//! beneath the target directory by mdBook, if that is installed; what is wrong with links fails in any case.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use acreta_book::{Book, reference};
use serde_json::{Value, json};

use crate::files;
use crate::process::{TaskError, cargo, found, read, run, target_dir};

const USAGE: &str = "usage: cargo xtask book [--check] [--binary FILE]";

pub(crate) fn book(arguments: &[&str]) -> Result<(), TaskError> {
    let root = acreta_plugin_build::workspace_root();
    let book = Book::read(&root).map_err(|error| TaskError::at(&root, &error))?;
    let problems = book.problems();
    if !problems.is_empty() {
        return Err(TaskError(problems.join("\n")));
    }
    println!(
        "{} pages, all links and anchors resolve",
        book.pages().count()
    );
    let binary = match arguments {
        ["--check"] => return Ok(()),
        [] => built()?,
        ["--binary", file] => PathBuf::from(file),
        _ => return Err(TaskError(USAGE.to_owned())),
    };
    let folder = target_dir().join("book");
    files::remove(&folder)?;
    for (path, bytes) in book.staged(&generated(&binary, &folder)?) {
        files::put(&folder.join(path), &bytes)?;
    }
    if !found("mdbook") {
        println!(
            "skipped: mdbook is not installed (`cargo install mdbook`); its sources are in {}",
            folder.display()
        );
        return Ok(());
    }
    run(Command::new("mdbook").arg("build").arg(&folder))?;
    println!("{}", folder.join("html/index.html").display());
    Ok(())
}

/// Builds the debug binary that the tests use.
fn built() -> Result<PathBuf, TaskError> {
    run(cargo().args(["build", "--workspace", "--bin", "acreta"]))?;
    let name = format!("acreta{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir().join("debug").join(name))
}

/// Returns the chapters that the program and the settings' table tell about themselves.
fn generated(binary: &Path, folder: &Path) -> Result<BTreeMap<&'static str, String>, TaskError> {
    let acreta = |words: &[&str]| {
        let mut command = Command::new(binary);
        command
            .args(words)
            .env("ACRETA_HOME", folder.join("home"))
            .env("ACRETA_CACHE_DIR", folder.join("cache"));
        command
    };
    let help = |words: &[&str]| {
        let words: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
        read(&mut acreta(&words)).ok()
    };
    if help(&[]).is_none() {
        return Err(TaskError(format!("`{} --help` failed", binary.display())));
    }
    let path = acreta_plugin_build::workspace_root().join("docs/openapi.json");
    let openapi = serde_json::from_slice(&files::bytes(&path)?);
    let openapi: Value = openapi.map_err(|error| TaskError::at(&path, &error))?;
    let example = [
        "run",
        "--quiet",
        "--package",
        "acreta-config",
        "--example",
        "reference",
    ];
    let [tools, templates, prompts] = lists(&mut acreta(&["mcp"]))?;
    Ok(BTreeMap::from([
        ("docs/reference/cli.md", reference::command_line(&help)),
        (
            "docs/reference/configuration.md",
            read(cargo().args(example))?,
        ),
        ("docs/reference/http.md", reference::http(&openapi)),
        (
            "docs/reference/mcp.md",
            reference::mcp(&tools, &templates, &prompts),
        ),
    ]))
}

/// Asks a server for its tools, templates of resources, and prompts.
fn lists(server: &mut Command) -> Result<[Value; 3], TaskError> {
    let failed = |what: &dyn std::fmt::Display| TaskError(format!("`acreta mcp`: {what}"));
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "book", "version": "1" },
    });
    let asked = [
        ("initialize", hello),
        ("tools/list", json!({})),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({})),
    ];
    let server = server.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().map_err(|error| failed(&error))?;
    if let Some(mut input) = server.stdin.take() {
        for (id, (method, params)) in asked.iter().enumerate() {
            let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            writeln!(input, "{message}").map_err(|error| failed(&error))?;
            if id == 0 {
                let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
                writeln!(input, "{ready}").map_err(|error| failed(&error))?;
            }
        }
    }
    let output = server.wait_with_output().map_err(|error| failed(&error))?;
    let answers: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let result = |id: usize| {
        let answer = answers.iter().find(|answer| answer["id"] == id);
        let result = answer.and_then(|answer| answer.get("result")).cloned();
        result.ok_or_else(|| failed(&format!("no answer to `{}`", asked[id].0)))
    };
    Ok([result(1)?, result(2)?, result(3)?])
}
