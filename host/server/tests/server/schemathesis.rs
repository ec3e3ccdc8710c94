//! Another code base reads the document and looks for an answer that does not match it. Needs `schemathesis` or `st` in
//! the path, or its path in `ACRETA_SCHEMATHESIS`.

use std::process::Command;

use crate::support::{Running, TOKEN, has, root};

#[test]
fn no_answer_disagrees_with_the_document() {
    let named =
        std::env::var_os("ACRETA_SCHEMATHESIS").map(|path| path.to_string_lossy().into_owned());
    let candidates = named
        .into_iter()
        .chain(["schemathesis".to_owned(), "st".to_owned()]);
    let Some(program) = { candidates }.find(|program| has(program, &["--version"])) else {
        acreta_testing::skip(acreta_testing::SCHEMATHESIS, "no schemathesis");
        return;
    };
    let running = Running::start();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(program)
        .current_dir(folder.path())
        .arg("run")
        .arg(root().join("docs/openapi.json").canonicalize().unwrap())
        .args(["--url", &format!("http://{}", running.address)])
        .args(["--header", &format!("Authorization: Bearer {TOKEN}")])
        // The stream has no end.
        .args(["--exclude-path", "/api/events"])
        .args(["--max-examples", "10", "--seed", "1", "--no-color"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let summary = text.lines().rev().find(|line| line.contains("generated"));
    println!("schemathesis: {}", summary.unwrap_or("no summary").trim());
    assert!(output.status.success(), "{text}");
}
