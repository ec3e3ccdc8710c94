//! Small typed clients, written from the OpenAPI document: what they know of the API stands there.

mod model;
mod python;
mod typescript;

use serde_json::Value;

use model::Model;

/// A file of the repository that is generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Relative to the root of the repository.
    pub path: &'static str,
    pub text: String,
}

/// The document and the clients, as they are checked in.
pub fn generate(version: &str) -> Vec<GeneratedFile> {
    let document = crate::openapi::document(version);
    let model = Model::of(&document);
    let file = |path, text| GeneratedFile { path, text };
    vec![
        file("docs/openapi.json", pretty(&document)),
        file("sdk/client-python/acreta_client.py", python::client(&model)),
        file(
            "sdk/client-typescript/acreta-client.ts",
            typescript::client(&model),
        ),
    ]
}

fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}
