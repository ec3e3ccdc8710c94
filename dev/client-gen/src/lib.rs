//! Generates small typed clients of the HTTP API from the OpenAPI document, which is their only source. No generated file
//! is in git: `sdk/client-rust` generates its code when it is built, and `cargo xtask clients` writes packages of all three
//! languages, each with the version of the document.

mod model;
mod python;
mod rust;
mod typescript;

use serde_json::{Value, json};

use model::ApiModel;

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Folder in `sdk/` whose other files are written by hand.
    pub package: &'static str,
    /// Relative to the package.
    pub path: &'static str,
    pub text: String,
}

/// Generates all clients from the document.
pub fn clients(document: &Value) -> Vec<GeneratedFile> {
    let model = ApiModel::of(document);
    let version = document["info"]["version"].as_str().unwrap_or_default();
    let file = |package, path, text| GeneratedFile {
        package,
        path,
        text,
    };
    let python = "client-python";
    let typescript = "client-typescript";
    vec![
        file(
            python,
            "src/acreta_client/__init__.py",
            python::client(&model),
        ),
        file(python, "pyproject.toml", python::project(version)),
        file(typescript, "index.js", typescript::client(&model)),
        file(typescript, "index.d.ts", typescript::types(&model)),
        file(
            typescript,
            "package.json",
            format!("{:#}\n", package(version)),
        ),
        file("client-rust", "src/api.rs", rust::api(&model)),
    ]
}

/// Generates the types and calls of the Rust client.
pub fn rust_api(document: &Value) -> String {
    rust::api(&ApiModel::of(document))
}

fn package(version: &str) -> Value {
    json!({
        "name": "acreta-client",
        "version": version,
        "description": "A typed client of acreta's HTTP API",
        "license": "Apache-2.0 OR MIT",
        "type": "module",
        "exports": { ".": { "types": "./index.d.ts", "default": "./index.js" } },
        "types": "./index.d.ts",
        "files": ["index.js", "index.d.ts"],
        "engines": { "node": ">=20" },
    })
}
