//! The bodies of all fuzz targets. Each takes bytes, hands them to a public door, and panics if the product breaks a
//! promise. Tests here run them on stable with a bounded number of inputs; `fuzz/` runs them under libFuzzer.

#![expect(
    clippy::disallowed_methods,
    reason = "targets write files of their own, as agents and people do"
)]

mod adapters;
mod config;
mod exchange;
mod input;
mod plugins;
mod sessions;
mod store;
mod text;

use std::path::Path;

pub use adapters::adapters;
pub use config::config;
pub use exchange::import;
pub use plugins::{grants, plugin, plugin_lock};
pub use sessions::{archive, boundary};
pub use store::{journal, memory_file, sidecar};
pub use text::{redactor, typed};

/// A body with its name, which is also that of its file in `fuzz/fuzz_targets` and of its folder in `fuzz/seeds`.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        /// Every target.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $name }),*];
    };
}

targets![
    adapters,
    archive,
    boundary,
    config,
    grants,
    import,
    journal,
    memory_file,
    plugin,
    plugin_lock,
    redactor,
    sidecar,
    typed,
];

/// Returns the inputs in the target's folder of `fuzz/seeds`, in the order of their names. `root` is the repository.
pub fn committed(root: &Path, target: &str) -> Vec<Vec<u8>> {
    let files = acreta_sdk::adapter::testing::files(&root.join("fuzz/seeds").join(target));
    let files = files.iter().filter_map(|path| std::fs::read(path).ok());
    files.collect()
}

/// Returns all inputs that a target starts from: those that are committed and, for adapters, the fixtures.
pub fn seeds(root: &Path, target: &str) -> Vec<Vec<u8>> {
    let mut seeds = committed(root, target);
    if target == "adapters" {
        seeds.extend(adapters::from_fixtures(&root.join("tests/fixtures")));
    }
    seeds
}
