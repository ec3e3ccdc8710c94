//! Writes the packages of the HTTP clients: what is written by hand in `sdk/`, and what is generated from the OpenAPI
//! document.

use std::path::Path;

use crate::files::{bytes, put, remove};
use crate::process::TaskError;

/// Files of a package that are not generated.
const BY_HAND: &[(&str, &[&str])] = &[
    (
        "client-python",
        &[
            "README.md",
            "build_package.py",
            "src/acreta_client/py.typed",
        ],
    ),
    ("client-typescript", &["README.md"]),
    (
        "client-rust",
        &["README.md", "src/events.rs", "src/path.rs"],
    ),
];

/// How the crate's root includes the generated file in this workspace, and in a package.
const INCLUDED: &str = "mod api {\n    include!(concat!(env!(\"OUT_DIR\"), \"/api.rs\"));\n}\n";
const BESIDE: &str = "#[rustfmt::skip]\nmod api;\n";

pub(crate) fn write(folder: &Path) -> Result<(), TaskError> {
    let root = acreta_plugin_build::workspace_root();
    let path = root.join("docs/openapi.json");
    let document = serde_json::from_slice(&bytes(&path)?)
        .map_err(|error| TaskError(format!("{}: {error}", path.display())))?;
    for (package, files) in BY_HAND {
        remove(&folder.join(package))?;
        for file in *files {
            let from = root.join("sdk").join(package).join(file);
            put(&folder.join(package).join(file), &bytes(&from)?)?;
        }
    }
    for file in acreta_client_gen::clients(&document) {
        let to = folder.join(file.package).join(file.path);
        put(&to, file.text.as_bytes())?;
    }
    let library = String::from_utf8_lossy(&bytes(&root.join("sdk/client-rust/src/lib.rs"))?)
        .replace(INCLUDED, BESIDE);
    put(&folder.join("client-rust/src/lib.rs"), library.as_bytes())?;
    let manifest = manifest(&document, &root)?;
    put(&folder.join("client-rust/Cargo.toml"), manifest.as_bytes())?;
    println!("{}", folder.display());
    Ok(())
}

/// The manifest of the packed crate: versions of its own instead of the workspace's, and no build script.
fn manifest(document: &serde_json::Value, root: &Path) -> Result<String, TaskError> {
    let read = |path: &str| {
        bytes(&root.join(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let workspace = read("Cargo.toml")?;
    let own = read("sdk/client-rust/Cargo.toml")?;
    let own = own.split("[build-dependencies]").next().unwrap_or_default();
    let own = own.replace("[lints]\nworkspace = true\n\n", "");
    let lines = own.lines().map(|line| {
        let Some(name) = line.strip_suffix(".workspace = true") else {
            return line.to_owned();
        };
        let value = match name {
            "version" => document["info"]["version"].to_string(),
            "publish" => return String::new(),
            name => {
                let mut lines = workspace.lines();
                let of = lines.find_map(|line| line.strip_prefix(&format!("{name} = ")));
                of.unwrap_or_default().to_owned()
            }
        };
        format!("{name} = {value}")
    });
    Ok(lines.collect::<Vec<_>>().join("\n") + "\n")
}
