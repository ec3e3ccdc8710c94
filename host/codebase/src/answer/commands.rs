//! Build and test commands that manifests declare, as a person would type them in the manifest's folder.

use serde_json::Value;

use crate::answer::response::BuildCommand;
use crate::answer::toml_lines::{self, TomlLine};
use crate::artifact::aside::is_aside;
use crate::scan::tree::parts;

/// Returns build and test commands, those of the outermost manifests first.
pub(crate) fn find(manifests: &[(String, String)], most: usize) -> Vec<BuildCommand> {
    let mut ordered: Vec<&(String, String)> = manifests
        .iter()
        .filter(|(path, _)| !is_aside(path))
        .collect();
    ordered.sort_by_key(|(path, _)| (path.matches('/').count(), path.clone()));
    let mut found: Vec<BuildCommand> = Vec::new();
    for (path, text) in ordered {
        let name = parts(path).1;
        let commands = match name {
            "Cargo.toml" => fixed(&[("build", "cargo build"), ("test", "cargo test")]),
            "go.mod" => fixed(&[("build", "go build ./..."), ("test", "go test ./...")]),
            "pom.xml" => fixed(&[("build", "mvn package"), ("test", "mvn test")]),
            "build.gradle" | "build.gradle.kts" => {
                fixed(&[("build", "gradle build"), ("test", "gradle test")])
            }
            "CMakeLists.txt" => fixed(&[
                ("build", "cmake -B build && cmake --build build"),
                ("test", "ctest --test-dir build"),
            ]),
            "meson.build" => fixed(&[
                ("build", "meson setup build && meson compile -C build"),
                ("test", "meson test -C build"),
            ]),
            "package.json" => scripts(text),
            "Makefile" | "GNUmakefile" | "makefile" => targets("make", text),
            "justfile" | "Justfile" => targets("just", text),
            "pyproject.toml" => pyproject(text),
            "tox.ini" => fixed(&[("test", "tox")]),
            "pytest.ini" => fixed(&[("test", "pytest")]),
            "setup.cfg" if text.contains("[tool:pytest]") => fixed(&[("test", "pytest")]),
            "Rakefile" if text.contains("test") => fixed(&[("test", "rake test")]),
            "composer.json" if text.contains("phpunit") => fixed(&[("test", "vendor/bin/phpunit")]),
            _ => Vec::new(),
        };
        for (purpose, command) in commands {
            // A workspace member usually repeats the commands of its root.
            if !found.iter().any(|known| known.command == command) {
                found.push(BuildCommand {
                    purpose: purpose.to_owned(),
                    command,
                    path: path.clone(),
                });
            }
        }
    }
    found.truncate(most);
    found
}

fn fixed(commands: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    commands
        .iter()
        .map(|(purpose, command)| (*purpose, (*command).to_owned()))
        .collect()
}

/// Maps the name of a script or target to its purpose.
fn purpose(name: &str) -> Option<&'static str> {
    let first = name.split([':', '-', '_']).next().unwrap_or(name);
    match first {
        "build" | "compile" | "all" | "dist" => Some("build"),
        "test" | "tests" | "check" | "spec" => Some("test"),
        "lint" | "format" | "fmt" | "typecheck" => Some("lint"),
        "start" | "run" | "serve" | "dev" => Some("run"),
        _ => None,
    }
}

fn scripts(text: &str) -> Vec<(&'static str, String)> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let runner = match manifest.get("packageManager").and_then(Value::as_str) {
        Some(manager) if manager.starts_with("pnpm") => "pnpm",
        Some(manager) if manager.starts_with("yarn") => "yarn",
        Some(manager) if manager.starts_with("bun") => "bun",
        _ => "npm",
    };
    let Some(scripts) = manifest.get("scripts").and_then(Value::as_object) else {
        return Vec::new();
    };
    scripts
        .keys()
        .filter_map(|name| Some((purpose(name)?, format!("{runner} run {name}"))))
        .collect()
}

fn targets(tool: &str, text: &str) -> Vec<(&'static str, String)> {
    text.lines()
        .filter(|line| !line.starts_with([' ', '\t', '#', '.']))
        .filter_map(|line| {
            let (head, rest) = line.split_once(':')?;
            if rest.starts_with('=') {
                return None;
            }
            let name = head.split_whitespace().next()?;
            Some((purpose(name)?, format!("{tool} {name}")))
        })
        .collect()
}

fn pyproject(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for line in toml_lines::lines(text) {
        match line {
            TomlLine::Section("build-system") => {
                found.push(("build", "pip install -e .".to_owned()))
            }
            TomlLine::Section(name) if name.starts_with("tool.pytest") => {
                found.push(("test", "pytest".to_owned()));
            }
            TomlLine::Section(name) if name.starts_with("tool.tox") => {
                found.push(("test", "tox".to_owned()));
            }
            _ => {}
        }
    }
    found
}
