//! Builds guests with a nested cargo. One call compiles packages of one role only: cargo unifies the SDK's role features
//! over all of them, and a component exports exactly one role.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::environment::nested_cargo;
use crate::{BuildError, TARGET};

/// The profile that guests ship with.
const SHIPPED: &str = "guest";

/// The profile of hosts without optimisation: a third more code, without link-time optimisation.
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

    /// Builds one package, if it is stale, and returns the path of its component. A built-in one is built together with
    /// those that share its call, so that it is the same, byte for byte, as the embedded one.
    pub fn build(&self, package: &str) -> Result<PathBuf, BuildError> {
        let builtin: Vec<&str> = crate::BUILTIN.iter().map(|(_, package)| *package).collect();
        let groups = self.groups(&builtin);
        let group = groups.iter().find(|group| group.contains(&package));
        self.call(group.map_or(&[package], Vec::as_slice), &mut || ())?;
        self.component(package)
    }

    /// Builds packages, if they are stale, and calls `built` after each.
    pub fn build_all(&self, packages: &[&str], built: &mut dyn FnMut()) -> Result<(), BuildError> {
        let mut groups = self.groups(packages).into_iter();
        groups.try_for_each(|group| self.call(&group, built))
    }

    /// Returns the packages that one call of cargo can build. With link-time optimisation that is one. Without, it is
    /// those of one role; a plugin that others use as a library does not declare itself as a component and stays alone.
    fn groups<'a>(&self, packages: &[&'a str]) -> Vec<Vec<&'a str>> {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for package in packages {
            let folder = self.workspace_root.join("plugins").join(package);
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
            let declared = manifest.is_ok_and(|manifest| manifest.contains("\"cdylib\""));
            let key = match self.profile == QUICK && declared {
                true => package.split('-').next().unwrap_or(package),
                false => package,
            };
            groups.entry(key).or_default().push(package);
        }
        groups.into_values().collect()
    }

    fn call(&self, packages: &[&str], built: &mut dyn FnMut()) -> Result<(), BuildError> {
        let mut cargo = nested_cargo();
        cargo
            .current_dir(&self.workspace_root)
            .args(match packages {
                // Not `cargo build`: with an rlib as a second output, cargo would skip link-time optimisation.
                [_] => &["rustc", "--lib", "--crate-type", "cdylib"][..],
                _ => &["build", "--lib"],
            })
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
    fn a_quick_call_builds_one_role() {
        let packages: Vec<&str> = crate::BUILTIN.iter().map(|(_, package)| *package).collect();
        let quick = GuestBuild::quick(crate::workspace_root(), "/guests").groups(&packages);
        let (many, alone): (Vec<_>, Vec<_>) = quick.into_iter().partition(|group| group.len() > 1);
        let [adapters] = &many[..] else {
            panic!("{many:?}");
        };
        assert!(
            adapters
                .iter()
                .all(|package| package.starts_with("adapter-"))
        );
        assert_eq!(adapters.len() + alone.len(), packages.len());
        // Used by other plugins, with a feature for their exports that a call would unify.
        let libraries = ["adapter-cline", "adapter-gemini", "adapter-opencode"];
        assert!(libraries.iter().all(|package| !adapters.contains(package)));

        let shipped = GuestBuild::new(crate::workspace_root(), "/guests").groups(&packages);
        assert_eq!(shipped.len(), packages.len());
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
