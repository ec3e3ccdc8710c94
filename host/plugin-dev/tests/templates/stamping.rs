//! Contents of a new project, in every role and language.

use std::collections::BTreeMap;

use acreta_plugin_dev::{Language, stamp};
use acreta_types::Role;

fn project(role: Role, name: &str, language: Language) -> BTreeMap<String, String> {
    let files = stamp(role, name, language).unwrap();
    files
        .into_iter()
        .map(|file| (file.path, String::from_utf8(file.bytes).unwrap()))
        .collect()
}

#[test]
fn everything_that_a_project_needs_is_there() {
    for role in Role::ALL {
        for language in Language::ALL {
            let project = project(role, "my-thing", language);
            let own: &[&str] = match language {
                Language::Rust => &[
                    "Cargo.toml",
                    "build.sh",
                    "src/lib.rs",
                    "tests/plugin.rs",
                    "vendor/acreta-sdk/Cargo.toml",
                    "vendor/acreta-sdk/src/lib.rs",
                    "wit/types/types.wit",
                ],
                Language::Js => &[
                    "package.json",
                    "build.mjs",
                    "plugin.js",
                    "component.js",
                    "jsconfig.json",
                    "test/plugin.test.js",
                    "vendor/acreta-sdk/types/acreta-types-types.d.ts",
                    "wit/world.wit",
                    "wit/deps/types/types.wit",
                ],
                Language::Python => &[
                    "requirements.txt",
                    "build.py",
                    "plugin.py",
                    "component.py",
                    "tests/__init__.py",
                    "tests/test_plugin.py",
                    "stubs/wit_world/imports/types.py",
                    "vendor/acreta_sdk/__init__.py",
                    "wit/deps/types/types.wit",
                ],
            };
            let common = [
                ".gitattributes",
                ".gitignore",
                "README.md",
                "cases/README.md",
                "plugin.toml",
            ];
            for path in common.iter().chain(own) {
                assert!(project.contains_key(*path), "{role} in {language}: {path}");
            }
            let has_fixture = project.contains_key("fixtures/my-thing/session.jsonl");
            assert_eq!(has_fixture, role == Role::Adapter, "{role} in {language}");
            // The sample is also a case, so that `plugin test` skips nothing.
            let sample = project.get("cases/sample/input/session.jsonl");
            assert_eq!(sample, project.get("fixtures/my-thing/session.jsonl"));
        }
    }
}

#[test]
fn no_placeholder_is_left() {
    for role in Role::ALL {
        for language in Language::ALL {
            for (path, text) in project(role, "my-thing-2", language) {
                for placeholder in [
                    "example-plugin",
                    "example_plugin",
                    "ExamplePlugin",
                    "example-role",
                ] {
                    let is_left = path.contains(placeholder) || text.contains(placeholder);
                    assert!(!is_left, "{role} in {language}: {placeholder} in {path}");
                }
            }
        }
    }
}

#[test]
fn a_name_is_spelled_as_each_place_wants_it() {
    let rust = project(Role::Adapter, "my-agent-2", Language::Rust);
    assert!(rust["src/lib.rs"].contains("pub struct MyAgent2;"));
    assert!(rust["tests/plugin.rs"].contains("use my_agent_2::MyAgent2;"));
    assert!(rust["build.sh"].contains("release/my_agent_2.wasm\" my-agent-2.wasm"));
    // A name may look like the placeholder of the role.
    let odd = project(Role::Explorer, "example-role", Language::Rust);
    assert!(odd["plugin.toml"].contains("id = \"example-role\""));
}

#[test]
fn a_manifest_says_what_the_project_builds() {
    for role in Role::ALL {
        for language in Language::ALL {
            let project = project(role, "my-thing", language);
            let manifest: toml_edit::DocumentMut = project["plugin.toml"].parse().unwrap();
            let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_owned();
            assert_eq!(text("id"), "my-thing");
            assert_eq!(text("role"), role.name());
            assert_eq!(text("component"), "my-thing.wasm");
            assert!(!text("description").is_empty());
            let is_described = |path: &str| {
                let described = &project[path];
                let root = &manifest["roots"][0];
                let candidate = root["candidates"][0].as_str().unwrap_or_default();
                described.contains(candidate)
            };
            if role == Role::Adapter {
                let source = match language {
                    Language::Rust => "src/lib.rs",
                    Language::Js => "plugin.js",
                    Language::Python => "plugin.py",
                };
                assert!(is_described(source), "{language}");
            } else {
                assert!(
                    manifest.get("roots").is_none(),
                    "{role} is given no folders"
                );
            }
        }
    }
}

#[test]
fn a_whole_adapter_is_under_eighty_lines() {
    let adapter = &project(Role::Adapter, "my-agent", Language::Rust)["src/lib.rs"];
    assert!(adapter.lines().count() < 80, "{}", adapter.lines().count());
}

#[test]
fn the_same_project_is_stamped_every_time() {
    for language in Language::ALL {
        let first = stamp(Role::Adapter, "my-agent", language).unwrap();
        assert_eq!(first, stamp(Role::Adapter, "my-agent", language).unwrap());
        let sorted = first.windows(2).all(|pair| pair[0].path < pair[1].path);
        assert!(sorted, "{language}: two files at one path, or in no order");
    }
}
