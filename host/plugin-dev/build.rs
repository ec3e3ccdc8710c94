//! Embeds the files of new plugins into the crate: the templates, the SDKs and the WIT. Writes `files.rs` with one
//! `(path, bytes)` for each file, by its path in the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment, writes its output and talks to cargo"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders of the repository that are embedded whole.
const FOLDERS: &[&str] = &[
    "host/plugin-dev/files",
    "sdk/js/src",
    "sdk/js/template",
    "sdk/js/types",
    "sdk/js/wit",
    "sdk/python/src",
    "sdk/python/stubs",
    "sdk/python/template",
    "sdk/rust/src",
    "sdk/rust/template",
    "wit/adapter",
    "wit/explorer",
    "wit/extractor",
    "wit/host",
    "wit/memory-writer",
    "wit/types",
];

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let crate_folder = variable("CARGO_MANIFEST_DIR");
    let root = crate_folder.ancestors().nth(2).unwrap_or(&crate_folder);
    let mut files = Vec::new();
    for folder in FOLDERS {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    files.sort();
    let mut table = String::from("const FILES: &[(&str, &[u8])] = &[\n");
    for file in &files {
        let path = file.strip_prefix(root).unwrap_or(file);
        let name = path.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({name:?}, include_bytes!({file:?})),").map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    fs::write(variable("OUT_DIR").join("files.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            // Leftovers of tools, if a template was tried in place.
            if name != "__pycache__" && name != "node_modules" && name != "target" {
                collect(&path, files)?;
            }
        } else if !name.starts_with('.') {
            files.push(path);
        }
    }
    Ok(())
}
