//! Components for tests, built once per process into the same folder as the built-in ones.

use std::path::{Path, PathBuf};

use acreta_plugin_build::GuestBuild;

/// Returns the component of a package: a built-in one, or a hostile one of `tests/guests`.
pub(crate) fn component(package: &str) -> Vec<u8> {
    let build = GuestBuild::quick(acreta_plugin_build::workspace_root(), target_dir());
    let path = build
        .build(package)
        .unwrap_or_else(|error| panic!("{error}"));
    std::fs::read(path).unwrap()
}

fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .join("guests")
}
