//! Builds guests with a nested cargo. A call compiles packages of one role, none of which uses another one: cargo
//! unifies features within a call, and a component exports exactly one role, once.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::environment::nested_cargo;
use crate::{BuildError, TARGET};

/// The profile that guests ship with.
const SHIPPED: &str = "guest";

/// The profile of the demo: twice the code, in a tenth of the time.
const QUICK: &str = "guest-quick";

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
            profile: SHIPPED.to_owned(),
        }
    }

    /// Uses the profile that compiles fastest.
    pub fn quick(workspace_root: impl Into<PathBuf>, target_dir: impl Into<PathBuf>) -> Self {
        Self {
            profile: QUICK.to_owned(),
            ..Self::new(workspace_root, target_dir)
        }
    }

    /// Builds one package, if it is stale, and returns the path of its component.
    pub fn build(&self, package: &str) -> Result<PathBuf, BuildError> {
        self.build_all(&[package], &mut || ())?;
        self.component(package)
    }

    /// Builds packages, if they are stale, and calls `built` after each.
    pub fn build_all(&self, packages: &[&str], built: &mut dyn FnMut()) -> Result<(), BuildError> {
        for group in self.groups(packages) {
            if self.profile == QUICK {
                self.call("build", &group, &[], built)?;
                continue;
            }
            // Not `cargo build`: with an rlib as a second output, cargo would skip link-time optimisation. `cargo rustc`
            // takes one package.
            for package in group {
                self.call("rustc", &[package], &["--crate-type", "cdylib"], built)?;
            }
        }
        Ok(())
    }

    /// Returns the packages that one call of cargo can build: of one role, and those that use another plugin apart, and
    /// first. A plugin that is used is compiled as a library without exports, and the linker leaves that under the name
    /// of its component.
    fn groups<'a>(&self, packages: &[&'a str]) -> Vec<Vec<&'a str>> {
        let mut groups: BTreeMap<(bool, &str), Vec<&str>> = BTreeMap::new();
        for package in packages {
            let role = package.split('-').next().unwrap_or(package);
            let folder = self.workspace_root.join("plugins").join(package);
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
            let manifest = manifest.unwrap_or_default();
            let uses_none = manifest.lines().all(|line| {
                let dependency = line.split('.').next().unwrap_or(line);
                !packages.contains(&dependency)
            });
            groups.entry((uses_none, role)).or_default().push(package);
        }
        groups.into_values().collect()
    }

    fn call(
        &self,
        command: &str,
        packages: &[&str],
        arguments: &[&str],
        built: &mut dyn FnMut(),
    ) -> Result<(), BuildError> {
        let mut cargo = nested_cargo();
        cargo
            .current_dir(&self.workspace_root)
            .args([command, "--lib"])
            .args(arguments)
            .args(["--target", TARGET, "--profile", &self.profile])
            .arg("--message-format=json-render-diagnostics")
            .arg("--target-dir")
            .arg(&self.target_dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for package in packages {
            cargo.args(["--package", package]);
        }
        let program = cargo.get_program().to_string_lossy().into_owned();
        let failed = |cause| BuildError::Start {
            program: program.clone(),
            cause,
        };
        let mut running = cargo.spawn().map_err(failed)?;
        let stderr = running.stderr.take();
        // Read beside the output: cargo waits when either pipe is full.
        let messages = std::thread::spawn(move || {
            let mut messages = Vec::new();
            if let Some(mut stderr) = stderr {
                // What was read until an error is all there is to show.
                let _ = stderr.read_to_end(&mut messages);
            }
            messages
        });
        if let Some(stdout) = running.stdout.take() {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if packages
                    .iter()
                    .any(|package| is_component_of(&line, package))
                {
                    built();
                }
            }
        }
        let status = running.wait().map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let messages = messages.join().unwrap_or_default();
        Err(BuildError::Cargo {
            package: packages.join(", "),
            output: String::from_utf8_lossy(&messages).into_owned(),
        })
    }

    /// Returns the path of a component that was built.
    pub(crate) fn component(&self, package: &str) -> Result<PathBuf, BuildError> {
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

/// Reports whether one of cargo's messages says that the component of a package is there.
fn is_component_of(message: &str, package: &str) -> bool {
    let name = format!(r#""name":"{}""#, package.replace('-', "_"));
    message.contains(r#""reason":"compiler-artifact""#)
        && message.contains(r#".wasm""#)
        && message.contains(&name)
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
    fn a_call_builds_one_role_and_nothing_that_another_plugin_of_it_uses() {
        let build = GuestBuild::quick(crate::workspace_root(), "/guests");
        let packages: Vec<&str> = crate::BUILTIN.iter().map(|(_, package)| *package).collect();
        let groups = build.groups(&packages);
        let few = groups.iter().filter(|group| group.len() < 10);
        assert_eq!(
            few.map(|group| group.join(" ")).collect::<Vec<_>>(),
            [
                "adapter-crush adapter-kilo adapter-qwen",
                "explorer-llm",
                "extractor-llm",
                "explorer-overlap",
                "extractor-rules",
                "writer-markdown",
            ]
        );
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), packages.len());
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
