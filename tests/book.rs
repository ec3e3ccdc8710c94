//! The documents: links, chapters, command lines, paths, messages and outputs that they name are those of the program.
//! `dev/book` reads the pages; `cargo xtask book` builds them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use acreta_book::{Block, Book, Page, commands, recording, reference};
use serde_json::json;

use crate::mcp::Client;
use crate::reliability::sources;
use crate::support::{Project, files, fixture};
use crate::transcripts::{check, steady};

/// Pages that speak of former names: records of what was decided or changed, and examples of style.
const PAST: [&str; 3] = ["CHANGELOG.md", "docs/decisions/", "docs/style.md"];

fn book() -> Book {
    Book::read(&acreta_plugin_build::workspace_root()).unwrap()
}

fn is_past(page: &Page) -> bool {
    PAST.iter().any(|past| page.path().starts_with(past))
}

#[track_caller]
fn none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Returns the help text of a command.
fn help_of(project: &Project, words: &[&str]) -> Option<String> {
    let words: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
    let ran = project.acreta(&words);
    (ran.code == 0).then_some(ran.stdout)
}

#[test]
fn links_and_chapters_exist() {
    none(&book().problems());
}

#[test]
fn command_lines_of_the_documents_exist() {
    let project = Project::new();
    let (problems, checked) = commands::problems(&book(), &PAST, &|words| help_of(&project, words));
    none(&problems);
    assert!(checked > 200, "{checked}");
}

/// The generated chapters: nothing is missing in them, their links resolve, and help texts keep to the style.
#[test]
fn generated_chapters_are_whole() {
    let project = Project::new();
    let help = |words: &[&str]| help_of(&project, words);
    let mut problems = Vec::new();
    let all = commands::all(&help, "worker");
    for (words, text) in &all {
        let name = format!("acreta {}", words.join(" "));
        let first = text.lines().next().unwrap_or_default();
        let is_sentence = first.starts_with(|one: char| one.is_ascii_uppercase());
        if !is_sentence || first.ends_with('.') {
            problems.push(format!("{name}: begins with {first:?}"));
        }
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().map_or("", |next| next.trim());
            let names = line.trim_start();
            let is_value = names.starts_with("- ");
            let is_option =
                names.starts_with('-') || line.starts_with("  <") || line.starts_with("  [");
            let said = line
                .trim_start()
                .split_once("  ")
                .map_or("", |(_, said)| said.trim());
            if is_option
                && !is_value
                && said.is_empty()
                && (next.is_empty() || next.starts_with('-'))
            {
                problems.push(format!("{name}: `{}` has no help", line.trim()));
            }
        }
    }
    none(&problems);
    assert!(all.len() > 90, "{}", all.len());

    let mut client = Client::start(&project);
    let mut ask = |method: &str| client.ask(method, json!({}))["result"].clone();
    let tools = ask("tools/list");
    let mcp = reference::mcp(
        &tools,
        &ask("resources/templates/list"),
        &ask("prompts/list"),
    );
    for tool in tools["tools"].as_array().unwrap() {
        let heading = format!("### `{}`", tool["name"].as_str().unwrap());
        assert!(mcp.contains(&heading), "{heading}");
    }
    let openapi = acreta_plugin_build::workspace_root().join("docs/openapi.json");
    let openapi = crate::support::json_file(&openapi);
    let http = reference::http(&openapi);
    for path in openapi["paths"].as_object().unwrap().keys() {
        assert!(http.contains(&format!(" {path}\n")), "{path}");
    }
    // Staged as for mdBook, every link leads somewhere, also in what is generated.
    let generated = BTreeMap::from([
        ("docs/reference/cli.md", reference::command_line(&help)),
        (
            "docs/reference/configuration.md",
            "# Configuration\n".to_owned(),
        ),
        ("docs/reference/http.md", http),
        ("docs/reference/mcp.md", mcp),
    ]);
    let staged = book().staged(&generated);
    let mirror = staged.into_iter().filter_map(|(path, bytes)| {
        let path = path.strip_prefix("src/")?;
        Some((path.to_owned(), bytes))
    });
    let mut problems = Book::of(mirror.collect()).problems();
    problems.retain(|problem| {
        let about_chapters = [
            "no chapter",
            "no other page",
            "must not be committed",
            "is missing",
            "no table of contents",
        ];
        !about_chapters.iter().any(|about| problem.contains(about))
            && !problem.contains("is generated")
    });
    none(&problems);
}

/// Matches lines against a pattern in which a line `…` stands for any lines, and ` …` at the end of a line for its rest.
fn fits(pattern: &[&str], lines: &[&str]) -> bool {
    match (pattern, lines) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        ([first, pattern @ ..], [line, lines @ ..]) => {
            let is_same = match first.strip_suffix('…') {
                Some(beginning) => line.starts_with(beginning.trim_end()),
                None => first == line,
            };
            is_same && fits(pattern, lines)
        }
        _ => false,
    }
}

/// Returns what a block is told to do in the comment above it, such as `run: ledger`.
fn told<'a>(block: &'a Block, what: &str) -> Option<&'a str> {
    block.comment.as_deref()?.strip_prefix(what)
}

/// Project of the sample sessions, laid out where Claude Code leaves its sessions.
fn ledger() -> Project {
    let project = Project::new();
    let root = project.root().to_string_lossy().into_owned();
    for name in ["demo-queue-retries", "demo-release-pitfall"] {
        let session = std::fs::read_to_string(fixture(&format!("claude/{name}.jsonl"))).unwrap();
        let session = session.replace("/home/dev/ledger", &root);
        let path = format!(".claude/projects/-home-dev-ledger/{name}.jsonl");
        project.write(&path, session.as_bytes());
    }
    project
}

/// Runs the commands of a block and compares what they print with it.
fn follow(project: &Project, page: &Page, block: &Block) {
    let mut left = block.text.lines().peekable();
    while let Some(line) = left.next() {
        let place = format!("{}:{}", page.path(), block.line);
        let command = line.strip_prefix("$ acreta ");
        let command = command.unwrap_or_else(|| panic!("{place}: {line:?} is no command"));
        let words = shell_words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = project.acreta(&words);
        let root = project.root().to_string_lossy().into_owned();
        let is_steady = |line: &&str| !line.starts_with("preparing ");
        let said: Vec<&str> = ran.stderr.lines().filter(is_steady).collect();
        let shown = format!("{}{}", ran.stdout, said.join("\n")).replace(&root, "/home/dev/ledger");
        assert_eq!(ran.code, 0, "{place}: {command}: {shown}");
        let mut expected = String::new();
        while let Some(line) = left.next_if(|line| !line.starts_with("$ ")) {
            expected.push_str(line);
            expected.push('\n');
        }
        let (pattern, lines) = (steady(&expected), steady(&shown));
        let pattern: Vec<&str> = pattern.lines().filter(|line| !line.is_empty()).collect();
        let lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
        assert!(
            fits(&pattern, &lines),
            "{place}: `acreta {command}` prints\n{shown}\nand the page says\n{expected}"
        );
    }
}

fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for one in line.chars() {
        match one {
            '"' | '\'' if quote.is_none() => quote = Some(one),
            _ if quote == Some(one) => quote = None,
            ' ' if quote.is_none() => words.push(String::new()),
            _ => words.last_mut().unwrap().push(one),
        }
    }
    words
}

#[test]
fn outputs_in_the_documents_are_real() {
    let mut followed = 0;
    for page in book().pages() {
        let mut project = None;
        for block in page.blocks() {
            let Some(setup) = told(block, "run: ") else {
                continue;
            };
            assert_eq!(setup, "ledger", "{}:{}", page.path(), block.line);
            follow(project.get_or_insert_with(ledger), page, block);
            followed += 1;
        }
    }
    assert!(followed >= 3, "{followed}");
}

/// The picture in the README is drawn from the blocks of a page that the test above runs.
#[test]
fn the_recording_shows_what_is_run() {
    let book = book();
    let page = book.page("docs/learning.md").unwrap();
    let blocks = page.blocks().iter();
    let blocks = blocks.filter(|block| told(block, "run: ledger").is_some());
    let texts: Vec<&str> = blocks.map(|block| block.text.as_str()).collect();
    let file = acreta_plugin_build::workspace_root().join("docs/images/recording.svg");
    check(&file, &recording::svg(&texts));
}

/// Every message of the page about trouble is still in the sources: its parts between `…`, in order.
#[test]
fn messages_of_the_troubleshooting_exist() {
    let is_product = |path: &str| path.starts_with("host/") && !path.contains("/tests/");
    let sources: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| is_product(path))
        .map(|(_, text)| joined(&text))
        .collect();
    let book = book();
    let page = book.page("docs/troubleshooting.md").unwrap();
    let (mut problems, mut messages) = (Vec::new(), 0);
    for row in page.text().lines().filter(|line| line.starts_with("| `")) {
        let message = row.split('`').nth(1).unwrap_or_default();
        let parts: Vec<&str> = message
            .split('…')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        messages += 1;
        if !sources.iter().any(|source| has_parts(source, &parts)) {
            problems.push(format!("no message `{message}`"));
        }
    }
    none(&problems);
    assert!(messages > 30, "{messages}");
}

/// Joins literals that go on in the next line.
fn joined(source: &str) -> String {
    let mut text = String::new();
    for (index, piece) in source.split("\\\n").enumerate() {
        text.push_str(if index == 0 {
            piece
        } else {
            piece.trim_start()
        });
    }
    text.replace("\\\"", "\"")
}

fn has_parts(source: &str, parts: &[&str]) -> bool {
    const NEAR: usize = 200;
    let [first, rest @ ..] = parts else {
        return false;
    };
    source.match_indices(first).any(|(start, _)| {
        let mut at = start + first.len();
        rest.iter().all(|part| {
            let end = (at + NEAR).min(source.len());
            let near = source.get(at..).map(|_| &source.as_bytes()[at..end]);
            let near = String::from_utf8_lossy(near.unwrap_or_default()).into_owned();
            let found = near.find(part);
            at += found.unwrap_or_default() + part.len();
            found.is_some()
        })
    })
}

/// Paths in backticks: from the root of the repository, or the end of one.
#[test]
fn paths_that_the_documents_name_exist() {
    const TOP: [&str; 9] = [
        "host",
        "dev",
        "plugins",
        "sdk",
        "tests",
        "wit",
        "fuzz",
        "packaging",
        "docs",
    ];
    let root = acreta_plugin_build::workspace_root();
    let mut known = BTreeSet::new();
    for top in TOP {
        for file in files(&root.join(top)) {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
            let path = path.replace('\\', "/");
            let ends = path
                .match_indices('/')
                .map(|(end, _)| path[..end].to_owned());
            known.extend(ends);
            known.insert(path);
        }
    }
    let (mut problems, mut paths) = (Vec::new(), 0);
    for page in book().pages().filter(|page| !is_past(page)) {
        for (line, span) in page.code_spans() {
            let top = span.split('/').next().unwrap_or_default();
            let is_from_root = span.contains('/') && TOP.contains(&top);
            let is_source = Path::new(&span).extension().is_some_and(|end| end == "rs");
            if span.contains([' ', '…']) || !(is_from_root || is_source) {
                continue;
            }
            paths += 1;
            let wanted = span.trim_end_matches('/');
            let exists = known.iter().any(|path| match is_from_root {
                true => is_like(wanted, path),
                false => path.ends_with(&format!("/{wanted}")),
            });
            if !exists {
                problems.push(format!("{}:{line}: `{span}`", page.path()));
            }
        }
    }
    none(&problems);
    assert!(paths > 200, "{paths}");
}

/// Compares part by part; `NAME`, `*`, `<…>` and the like stand for one part or a part of one.
fn is_like(pattern: &str, path: &str) -> bool {
    let is_fixed = |part: &str| !part.contains(['*', '<', '{']) && !part.contains("NAME");
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), path.split('/').collect());
    pattern.len() == path.len()
        && pattern
            .iter()
            .zip(path)
            .all(|(wanted, part)| match is_fixed(wanted) {
                true => *wanted == part,
                false => {
                    let beginning = wanted.split(['*', '<', '{']).next().unwrap_or_default();
                    part.starts_with(beginning.split("NAME").next().unwrap_or_default())
                }
            })
}

/// Every crate is on the map, and decision 0022 has their number.
#[test]
fn the_map_has_every_crate() {
    let root = acreta_plugin_build::workspace_root();
    let book = book();
    let map = book.page("docs/architecture.md").unwrap().text();
    let mut crates = Vec::new();
    for folder in ["dev", "host"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.join("Cargo.toml").is_file() {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                crates.push(format!("{folder}/{name}"));
            }
        }
    }
    let missing: Vec<String> = crates
        .iter()
        .filter(|path| !map.contains(&format!("`{path}`")))
        .map(|path| format!("docs/architecture.md does not name `{path}`"))
        .collect();
    none(&missing);
    let decision = book
        .pages()
        .find(|page| page.path().contains("/0022-"))
        .unwrap();
    let chores = crates
        .iter()
        .filter(|path| path.starts_with("dev/"))
        .count();
    let said = format!("{} crates are left, {chores} of them chores", crates.len());
    assert!(
        decision.text().contains(&said),
        "{}: not {said:?}",
        decision.path()
    );
}

/// The README's numbers of agents are those of the program, and `init` names all that it can connect.
#[test]
fn numbers_of_agents_are_current() {
    let project = Project::new();
    let refused = project
        .acreta(&["init", "--agents", "nobody"])
        .failed(2, "unknown agent");
    let (_, known) = refused.stderr.split_once("expected one of ").unwrap();
    let known: Vec<&str> = known.trim().split(", ").collect();
    let help = help_of(&project, &["init"]).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing: Vec<String> = known
        .iter()
        .filter(|name| !help.contains(**name))
        .map(|name| format!("`init --help` does not name {name}"))
        .collect();
    none(&missing);
    let builtin = acreta_plugin_build::BUILTIN.iter();
    let adapters = builtin.filter(|(id, _)| id.starts_with("adapter-")).count();
    let book = book();
    let readme = book.page("README.md").unwrap().text();
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        format!("Sessions of {adapters} agents are read"),
        format!("; {} can be connected", known.len()),
    ] {
        assert!(readme.contains(&said), "README.md: not {said:?}");
    }
}
