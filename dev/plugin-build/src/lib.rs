//! Builds plugins as components with a separate cargo. The result depends only on the sources and the toolchain:
//! nothing of the calling build leaks in, and no lock is shared with it.

mod build;
mod environment;
mod error;
mod prebuild;
mod prompts;
#[cfg(feature = "embed")]
mod script;
mod target;

use std::path::{Path, PathBuf};

pub use build::GuestBuild;
pub use environment::TARGET;
pub use error::BuildError;
pub use prebuild::prebuild;
#[cfg(feature = "embed")]
pub use script::{BUILTIN_FILE, build_script, embed};
pub use target::{ensure_target, target_installed};

/// The plugins that ship inside the binary: plugin id and cargo package.
pub const BUILTIN: &[(&str, &str)] = &[
    ("adapter-aider", "adapter-aider"),
    ("adapter-amp", "adapter-amp"),
    ("adapter-claude", "adapter-claude"),
    ("adapter-cline", "adapter-cline"),
    ("adapter-codex", "adapter-codex"),
    ("adapter-continue", "adapter-continue"),
    ("adapter-copilot", "adapter-copilot"),
    ("adapter-crush", "adapter-crush"),
    ("adapter-cursor", "adapter-cursor"),
    ("adapter-droid", "adapter-droid"),
    ("adapter-forge", "adapter-forge"),
    ("adapter-gemini", "adapter-gemini"),
    ("adapter-goose", "adapter-goose"),
    ("adapter-gptme", "adapter-gptme"),
    ("adapter-grok", "adapter-grok"),
    ("adapter-hermes", "adapter-hermes"),
    ("adapter-kilo", "adapter-kilo"),
    ("adapter-kimi", "adapter-kimi"),
    ("adapter-kiro", "adapter-kiro"),
    ("adapter-omp", "adapter-omp"),
    ("adapter-openclaude", "adapter-openclaude"),
    ("adapter-openclaw", "adapter-openclaw"),
    ("adapter-opencode", "adapter-opencode"),
    ("adapter-openhands", "adapter-openhands"),
    ("adapter-pi", "adapter-pi"),
    ("adapter-qwen", "adapter-qwen"),
    ("adapter-roo", "adapter-roo"),
    ("adapter-specstory", "adapter-specstory"),
    ("adapter-swe-agent", "adapter-swe-agent"),
    ("adapter-vibe", "adapter-vibe"),
    ("adapter-windsurf", "adapter-windsurf"),
    ("adapter-zed", "adapter-zed"),
    ("extractor-llm", "extractor-llm"),
    ("extractor-notes", "extractor-notes"),
    ("extractor-rules", "extractor-rules"),
    ("explorer-llm", "explorer-llm"),
    ("explorer-overlap", "explorer-overlap"),
    ("writer-markdown", "writer-markdown"),
];

/// Names a folder of prebuilt components (`<plugin id>.wasm`), used instead of building.
pub const GUESTS_DIR_VARIABLE: &str = "ACRETA_GUESTS_DIR";

/// Returns the root of the workspace of the package that cargo runs. The folder this was compiled in may be another one
/// if checkouts share a target directory.
pub fn workspace_root() -> PathBuf {
    let running = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = running.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    let root = package
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap_or(&package).to_owned()
}

/// Files and folders whose change makes a built component stale.
pub fn sources(workspace_root: &Path) -> Vec<PathBuf> {
    [
        "Cargo.lock",
        "Cargo.toml",
        "host/text",
        "plugins",
        "sdk/rust",
        "wit",
    ]
    .iter()
    .map(|part| workspace_root.join(part))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_exists() {
        for source in sources(&workspace_root()) {
            assert!(source.exists(), "{} is gone", source.display());
        }
    }

    #[test]
    fn every_builtin_is_a_plugin_of_the_workspace() {
        for (id, package) in BUILTIN {
            let manifest = workspace_root()
                .join("plugins")
                .join(package)
                .join("Cargo.toml");
            assert!(manifest.exists(), "{id}: {} is gone", manifest.display());
        }
    }
}
