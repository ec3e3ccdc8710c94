//! `docs/plugin-toolchains.md`, followed as it is written, in each language whose tools are there.

use std::process::Command;

use acreta_book::Book;
use acreta_testing::Need;

use crate::plugin_projects::with_cargo;
use crate::support::{Project, ran};
use crate::tutorial::learns;

/// What stays of a project in Python.
const KEPT: [&str; 3] = ["cases", "plugin.toml", "wit"];

fn follow(language: &str, need: Need, programs: &[&str], adapter: Option<&str>) {
    let is_there = |program: &&str| Command::new(program).arg("--help").output().is_ok();
    let adapter = adapter.map(std::env::var_os);
    if !programs.iter().all(is_there) || adapter == Some(None) {
        acreta_testing::skip(need, &format!("no tools to build in {language}"));
        return;
    }
    let project = Project::new();
    let here = |words: &[&str]| {
        let mut command = project.command(words);
        // Their caches and proxies.
        let own = std::env::vars_os().filter(|(name, _)| {
            let name = name.to_string_lossy();
            name.starts_with("GO") || name.starts_with("ZIG_")
        });
        ran(with_cargo(&mut command).envs(own).output().unwrap()).succeeded()
    };
    here(&["plugin", "new", "extractor", "remember", "--lang", "python"]);
    let folder = project.root().join("remember");
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        let is_kept = KEPT.iter().any(|kept| entry.file_name() == *kept);
        match entry.file_type().unwrap().is_dir() {
            _ if is_kept => {}
            #[expect(clippy::disallowed_methods, reason = "a test's own scratch folder")]
            true => std::fs::remove_dir_all(entry.path()).unwrap(),
            #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
            false => std::fs::remove_file(entry.path()).unwrap(),
        }
    }
    let book = Book::read(&acreta_plugin_build::workspace_root()).unwrap();
    let page = book.page("docs/plugin-toolchains.md").unwrap();
    let files = format!("file: {language}/");
    for block in page.blocks() {
        let file = block
            .comment
            .as_deref()
            .and_then(|comment| comment.strip_prefix(&files));
        if let Some(file) = file {
            project.write(&format!("project/remember/{file}"), block.text.as_bytes());
        }
    }
    if let Some(Some(adapter)) = adapter {
        let name = "wasi_snapshot_preview1.reactor.wasm";
        std::fs::copy(adapter, folder.join(name)).unwrap();
    }
    here(&["plugin", "build", "remember"]);
    here(&["plugin", "check", "remember"]);
    let tested = here(&["plugin", "test", "remember"]).stdout;
    assert!(tested.contains(" 0 failed"), "{tested}");
    learns(&project, &book, &folder.join("remember.wasm"));
}

#[test]
fn in_c() {
    let programs = ["wit-bindgen", "wasm-tools", "zig"];
    follow("c", acreta_testing::C_TOOLCHAIN, &programs, None);
}

#[test]
fn in_go() {
    let programs = ["wit-bindgen", "wasm-tools", "go"];
    let adapter = Some("ACRETA_WASI_ADAPTER");
    follow("go", acreta_testing::GO_TOOLCHAIN, &programs, adapter);
}
