//! A generated project on disk, and the programs that build and test it.

use std::path::{Path, PathBuf};
use std::process::Command;

use acreta_plugin_dev::{Language, stamp};
use acreta_types::Role;

/// The name of every project here.
pub(crate) const NAME: &str = "my-plugin";

/// Folder of the projects. It is not deleted, so that a second run builds only what changed.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("stamped")
}

/// Target directory shared by all projects.
pub(crate) fn target() -> PathBuf {
    folder().join("target")
}

/// Writes a project with exactly the generated files, plus the output of earlier builds.
#[expect(
    clippy::disallowed_methods,
    reason = "files of the tests' own, which nobody misses"
)]
pub(crate) fn project(role: Role, language: Language) -> PathBuf {
    let project = folder().join(format!("{language}-{role}"));
    for file in stamp(role, NAME, language).unwrap() {
        let path = project.join(&file.path);
        // An unchanged file keeps its modification time, which cargo compares.
        if std::fs::read(&path).is_ok_and(|bytes| bytes == file.bytes) {
            continue;
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.bytes).unwrap();
    }
    // Removes the results of an earlier run.
    let _gone = std::fs::remove_file(component(&project));
    let _gone = std::fs::remove_file(project.join("node_modules"));
    project
}

pub(crate) fn component(project: &Path) -> PathBuf {
    project.join(NAME).with_extension("wasm")
}

/// Runs a program to its end.
///
/// # Panics
/// With the program's output, if it fails.
pub(crate) fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Reports whether a program exists and its output for these arguments satisfies `hoped`.
pub(crate) fn answers(program: &str, arguments: &[&str], hoped: fn(&str) -> bool) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| {
        output.status.success() && hoped(String::from_utf8_lossy(&output.stdout).trim())
    })
}

/// Checks that the project built a component of its role.
pub(crate) fn assert_built(project: &Path, role: Role, most: usize) {
    let path = component(project);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(
        bytes.starts_with(b"\0asm\x0d\0\x01\0"),
        "{role} is no component"
    );
    let export = format!("acreta:{role}/{role}@0.1.0");
    let is_exported = bytes
        .windows(export.len())
        .any(|window| window == export.as_bytes());
    assert!(is_exported, "no {export}");
    assert!(bytes.len() <= most, "{role}: {} bytes", bytes.len());
}
