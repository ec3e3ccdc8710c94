//! Every role in every language: a new project passes its own tests and builds a component.

use std::path::Path;
use std::process::Command;

use acreta_plugin_dev::Language;
use acreta_types::Role;

use crate::contract::repository;
use crate::project::{answers, assert_built, project, run, target};

/// Maximum component sizes, in bytes. Rust needs some hundred kilobytes, the others include their language runtime.
const RUST: usize = 400_000;
const JS: usize = 20_000_000;
const PYTHON: usize = 50_000_000;

#[test]
fn rust_projects_build_and_pass_their_tests() {
    // Dependencies are in cargo's cache, since this workspace needs the same crates.
    let cargo = |project: &Path, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(project)
            .env("CARGO_TARGET_DIR", target());
        command
    };
    for role in Role::ALL {
        let project = project(role, Language::Rust);
        run(&mut cargo(&project, &["test", "--quiet"]));
        run(Command::new("sh")
            .arg("build.sh")
            .current_dir(&project)
            .env("CARGO", env!("CARGO"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", target()));
        assert_built(&project, role, RUST);
    }
}

#[test]
fn js_projects_build_and_pass_their_tests() {
    let is_recent = |version: &str| {
        let major = version.trim_start_matches('v').split('.').next();
        major.and_then(|major| major.parse().ok()).unwrap_or(0) >= 20
    };
    if !answers("node", &["--version"], is_recent) {
        acreta_testing::skip(acreta_testing::NODE, "no node 20 or later");
        return;
    }
    let sdk = repository().join("sdk/js");
    run(Command::new("node")
        .args(["--test", "test/"])
        .current_dir(sdk));
    let tools = std::env::var_os("ACRETA_COMPONENTIZE_JS");
    for role in Role::ALL {
        let project = project(role, Language::Js);
        run(Command::new("node").arg("--test").current_dir(&project));
        let Some(tools) = &tools else {
            acreta_testing::skip(
                acreta_testing::COMPONENTIZE_JS,
                &format!("{role} is not built"),
            );
            continue;
        };
        link(Path::new(tools), &project.join("node_modules"));
        run(Command::new("node").arg("build.mjs").current_dir(&project));
        assert_built(&project, role, JS);
    }
}

#[test]
fn python_projects_build_and_pass_their_tests() {
    let version = "import sys; print(sys.version_info >= (3, 11))";
    if !answers("python3", &["-c", version], |answer| answer == "True") {
        acreta_testing::skip(acreta_testing::PYTHON, "no python 3.11 or later");
        return;
    }
    let unittest = |folder: &Path| {
        run(Command::new("python3")
            .args(["-m", "unittest"])
            .current_dir(folder)
            .env("PYTHONDONTWRITEBYTECODE", "1"));
    };
    unittest(&repository().join("sdk/python"));
    let tool = std::env::var_os("ACRETA_COMPONENTIZE_PY");
    for role in Role::ALL {
        let project = project(role, Language::Python);
        unittest(&project);
        let Some(tool) = &tool else {
            acreta_testing::skip(
                acreta_testing::COMPONENTIZE_PY,
                &format!("{role} is not built"),
            );
            continue;
        };
        run(Command::new("python3")
            .arg("build.py")
            .current_dir(&project)
            .env("COMPONENTIZE_PY", tool));
        assert_built(&project, role, PYTHON);
    }
}

#[cfg(unix)]
fn link(tools: &Path, place: &Path) {
    std::os::unix::fs::symlink(tools, place).unwrap();
}

#[cfg(not(unix))]
fn link(_tools: &Path, _place: &Path) {}
