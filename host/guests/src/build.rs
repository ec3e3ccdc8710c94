//! Builds one guest with a nested cargo. One package per call: cargo would unify the SDK's role features over several,
//! and a component exports exactly one role.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::environment::nested_cargo;
use crate::{BuildError, TARGET};

/// Settings of guest builds.
#[derive(Debug, Clone)]
pub struct GuestBuild {
    pub workspace_root: PathBuf,
    /// Must not be the target directory of a cargo that waits for this build: both would wait for its lock.
    pub target_dir: PathBuf,
    pub profile: String,
}

impl GuestBuild {
    /// Uses the profile that guests ship with.
    pub fn new(workspace_root: impl Into<PathBuf>, target_dir: impl Into<PathBuf>) -> Self {
        Self {
            workspace_root: workspace_root.into(),
            target_dir: target_dir.into(),
            profile: "guest".to_owned(),
        }
    }

    /// Builds one package, if it is stale, and returns the path of its component.
    pub fn build(&self, package: &str) -> Result<PathBuf, BuildError> {
        let mut command = nested_cargo();
        // Not `cargo build`: with an rlib as a second output, cargo would skip link-time optimisation.
        command
            .current_dir(&self.workspace_root)
            .args(["rustc", "--package", package])
            .args(["--lib", "--crate-type", "cdylib"])
            .args(["--target", TARGET, "--profile", &self.profile])
            .arg("--target-dir")
            .arg(&self.target_dir);
        let output = command.output().map_err(|cause| BuildError::Start {
            program: command.get_program().to_string_lossy().into_owned(),
            cause,
        })?;
        if !output.status.success() {
            return Err(BuildError::Cargo {
                package: package.to_owned(),
                output: String::from_utf8_lossy(&output.stderr).into_owned(),
            });
        }
        let path = self.component_path(package);
        if is_component(&path) {
            Ok(path)
        } else {
            Err(BuildError::NotAComponent {
                package: package.to_owned(),
                path,
            })
        }
    }

    fn component_path(&self, package: &str) -> PathBuf {
        let folder = match self.profile.as_str() {
            "dev" | "test" => "debug",
            "bench" => "release",
            other => other,
        };
        self.target_dir
            .join(TARGET)
            .join(folder)
            .join(package.replace('-', "_"))
            .with_extension("wasm")
    }
}

/// Reports whether a file starts like a component; a core module differs in the fifth byte.
pub(crate) fn is_component(path: &Path) -> bool {
    let mut start = [0; 8];
    File::open(path)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == *b"\0asm\x0d\0\x01\0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_lies_where_cargo_puts_it() {
        let mut build = GuestBuild::new("/workspace", "/guests");
        let cases = [
            ("guest", "/guests/wasm32-wasip2/guest/adapter_claude.wasm"),
            ("dev", "/guests/wasm32-wasip2/debug/adapter_claude.wasm"),
            (
                "release",
                "/guests/wasm32-wasip2/release/adapter_claude.wasm",
            ),
        ];
        for (profile, expected) in cases {
            build.profile = profile.to_owned();
            assert_eq!(build.component_path("adapter-claude"), Path::new(expected));
        }
    }

    #[test]
    fn an_unknown_package_says_what_cargo_said() {
        let target_dir = std::env::temp_dir().join(format!("acreta-guests-{}", std::process::id()));
        let build = GuestBuild::new(crate::workspace_root(), &target_dir);
        match build.build("no-such-guest") {
            Err(BuildError::Cargo { package, output }) => {
                assert_eq!(package, "no-such-guest");
                assert!(output.contains("no-such-guest"), "{output}");
            }
            other => panic!("{other:?}"),
        }
    }
}
