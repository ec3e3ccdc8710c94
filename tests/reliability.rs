//! The page about faults and attacks (`docs/reliability.md`) and the table of threats (`SECURITY.md`) name tests that
//! exist, and hashes that an attacker can make collide decide nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::files;

/// Returns the Rust sources of the repository, by path.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let root = acreta_plugin_build::workspace_root();
    let mut sources = BTreeMap::new();
    for folder in ["dev", "host", "plugins", "sdk", "tests"] {
        for file in files(&root.join(folder)) {
            let is_source = |end: &str| file.extension().is_some_and(|extension| extension == end);
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
            let path = path.replace('\\', "/");
            if (is_source("rs") || is_source("mjs")) && !path.contains("/target/") {
                sources.insert(path, std::fs::read_to_string(&file).unwrap());
            }
        }
    }
    sources
}

/// Returns what stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn is_test(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty() && name.bytes().all(plain)
}

#[test]
fn every_test_of_the_pages_exists() {
    let root = acreta_plugin_build::workspace_root();
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let sources = sources();
    let has = |source: &str, name: &str| source.contains(&format!("fn {name}("));
    let (page, mut rows, mut tests) = (read("docs/reliability.md"), 0, 0);
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        if cells[0].trim_start_matches("| ").parse::<u32>().is_err() {
            continue;
        }
        rows += 1;
        assert_eq!(cells.len(), 5, "{row}");
        // A file, then tests in it.
        let (mut file, before) = (None, tests);
        for name in quoted(cells[3]) {
            if Path::new(name).extension().is_some() {
                file = sources.get(name);
                assert!(file.is_some(), "no {name}: {row}");
            } else if is_test(name) {
                let file = file.unwrap_or_else(|| panic!("{name} has no file: {row}"));
                assert!(has(file, name), "no test {name}: {row}");
                tests += 1;
            }
        }
        assert!(tests > before, "no test: {row}");
    }
    assert_eq!(rows, 32);
    let security = read("SECURITY.md");
    let (_, threats) = security.split_once("## Threats").unwrap();
    let (threats, _) = threats.split_once("\n## ").unwrap();
    for row in threats
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
    {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for name in quoted(cell).filter(|name| is_test(name)) {
            assert!(
                sources.values().any(|text| has(text, name)),
                "{name}: {row}"
            );
            tests += 1;
        }
    }
    let plugins = read("docs/plugin-security.md");
    let (_, threats) = plugins.split_once("## Threats").unwrap();
    let (threats, attacks) = threats.split_once("\n## ").unwrap();
    for row in threats.lines().filter(|line| line.starts_with("| ")) {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for name in quoted(cell) {
            let exists = sources.values().any(|text| has(text, name));
            assert!(exists, "{name}: {row}");
            tests += 1;
        }
    }
    let hostile = &sources["tests/hostile.rs"];
    for row in attacks.lines().filter(|line| line.starts_with("| ")) {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for attack in quoted(cell) {
            assert!(
                hostile.contains(&format!("\"{attack}\"")),
                "{attack}: {row}"
            );
        }
    }
    println!("{rows} rows, {tests} tests named");
    // Every need that a test can have is told.
    for need in acreta_testing::NEEDS {
        assert!(page.contains(&format!("`{}`", need.name)), "{}", need.name);
    }
}

/// The table of limits for reviewers is that of the code.
#[test]
fn the_default_limits_are_those_of_the_page() {
    let page = acreta_plugin_build::workspace_root().join("docs/plugin-security.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("## Default limits").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let mut told: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let numbers = cells[1..5].iter().map(|cell| cell.parse().unwrap());
        told.insert(cells[0].trim_matches('`').to_owned(), numbers.collect());
    }
    let mut real: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for role in acreta_types::Role::ALL {
        let limits = serde_json::to_value(acreta_types::Limits::for_role(role)).unwrap();
        for (name, value) in limits.as_object().unwrap() {
            let values = real.entry(name.clone()).or_default();
            values.push(value.as_u64().unwrap());
        }
    }
    assert_eq!(told, real);
}

/// Where XXH3 and FNV-1a may be used: for caches that are checked against the files, orders, lines that are looked for (one
/// hit too many), and rows of words that make a text less trusted if they meet. Whoever identifies or trusts something uses SHA-256.
const FAST_HASHES: &[&str] = &[
    "host/codebase/src/artifact/",
    "host/codebase/src/answer/gain.rs",
    "host/codebase/src/context.rs",
    "host/codebase/src/rank/terms.rs",
    "host/codebase/src/scan/content.rs",
    "host/pipeline/src/attribution/echo.rs",
    "host/pipeline/src/attribution/session.rs",
    "host/mcp/src/cursor.rs",
    "host/mcp/src/quote.rs",
    "host/search/src/embedded_text.rs",
    "host/search/src/files.rs",
    "host/search/src/schema.rs",
    "host/search/src/sessions/document.rs",
    "host/search/src/sessions/tokenizer.rs",
    "host/server/src/dashboard.rs",
    "host/service/src/learn/typed.rs",
    "host/text/src/",
    "sdk/rust/src/adapter/calls.rs",
    "sdk/rust/src/adapter/file_probe.rs",
];

#[test]
fn hashes_that_collide_identify_nothing() {
    let mut used = BTreeSet::new();
    for (path, text) in sources() {
        let is_product =
            path.contains("/src/") && !path.contains("/bench/") && !path.contains("/xtask/");
        let mut words = text.split(|character: char| !character.is_alphanumeric());
        let is_fast = |word: &str| ["Fnv", "FNV", "fnv", "Xxh3", "xxh3"].contains(&word);
        if !is_product || !words.any(is_fast) {
            continue;
        }
        let allowed = FAST_HASHES
            .iter()
            .find(|allowed| path.starts_with(**allowed));
        let allowed =
            allowed.unwrap_or_else(|| panic!("{path} uses a hash that can be made to collide"));
        used.insert(*allowed);
    }
    let listed: BTreeSet<&str> = FAST_HASHES.iter().copied().collect();
    assert_eq!(used, listed, "what is listed and not used any more goes");
}
