//! Generates small typed clients from the OpenAPI document, which is their only source. Each is a package of its
//! language, with the version of the daemon.

mod model;
mod python;
mod rust;
mod typescript;

use serde_json::{Value, json};

use model::ApiModel;

/// A generated file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Relative to the root of the repository.
    pub path: &'static str,
    pub text: String,
}

/// Returns the document and the clients that are checked in.
pub fn generate(version: &str) -> Vec<GeneratedFile> {
    let document = crate::openapi::document(version);
    let model = ApiModel::of(&document);
    let file = |path, text| GeneratedFile { path, text };
    vec![
        file("docs/openapi.json", pretty(&document)),
        file(
            "sdk/client-python/src/acreta_client/__init__.py",
            python::client(&model),
        ),
        file("sdk/client-python/pyproject.toml", python::project(version)),
        file("sdk/client-typescript/index.js", typescript::client(&model)),
        file(
            "sdk/client-typescript/index.d.ts",
            typescript::types(&model),
        ),
        file(
            "sdk/client-typescript/package.json",
            pretty(&package(version)),
        ),
        file("sdk/client-rust/src/api.rs", rust::api(&model)),
    ]
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

fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}
