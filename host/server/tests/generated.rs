//! The checked-in OpenAPI document equals the one generated from the table of routes. `ACRETA_UPDATE=1` regenerates it.
//! This is a separate binary, because users of the Rust client do not compile until it is written.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn what_is_checked_in_is_current() {
    let update = std::env::var_os("ACRETA_UPDATE").is_some();
    let path = root().join("docs/openapi.json");
    let document = acreta_server::document(env!("CARGO_PKG_VERSION"));
    let text = format!("{document:#}\n");
    if update {
        write(&path, &text);
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == text,
        "docs/openapi.json is not current: run this test with ACRETA_UPDATE=1"
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a chore on the repository itself"
)]
fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

#[test]
fn no_get_has_effects_and_everything_has_words() {
    let document = acreta_server::document("1");
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert_eq!(
                operation["x-effects"] == true,
                method != "get",
                "{method} {path}"
            );
            assert!(!operation["summary"].as_str().unwrap().is_empty());
            let names = operation["parameters"].as_array().unwrap();
            let in_path = names
                .iter()
                .filter(|parameter| parameter["in"] == "path")
                .count();
            assert_eq!(in_path, path.matches('{').count(), "{path}");
        }
    }
}
