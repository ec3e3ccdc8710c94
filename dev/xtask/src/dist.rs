//! Release archives for five targets, from one Linux machine. The plugins are built once and embedded in every
//! binary. C parts are compiled by zig (`cargo-zigbuild` and `ziglang`, both on PyPI), for Windows by mingw-w64.
//! With all five archives, every other form is made from them (`package`). `--check` runs clippy over all crates and tests for
//! the same targets, and builds nothing.

use std::path::PathBuf;
use std::process::Command;

use crate::archive::{LICENSES, archive, program};
use crate::files::put;
use crate::package;
use crate::process::{TaskError, cargo, found, read, run, target_dir};

/// A release target.
#[derive(Clone, Copy)]
pub(crate) struct ReleaseTarget {
    pub(crate) triple: &'static str,
    /// Compiler and linker of its C parts.
    tools: Tools,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tools {
    Zig,
    Mingw,
}

const TARGETS: [ReleaseTarget; 5] = [
    ReleaseTarget::new("x86_64-unknown-linux-musl", Tools::Zig),
    ReleaseTarget::new("aarch64-unknown-linux-musl", Tools::Zig),
    ReleaseTarget::new("aarch64-apple-darwin", Tools::Zig),
    ReleaseTarget::new("x86_64-apple-darwin", Tools::Zig),
    ReleaseTarget::new("x86_64-pc-windows-gnu", Tools::Mingw),
];

impl ReleaseTarget {
    const fn new(triple: &'static str, tools: Tools) -> Self {
        Self { triple, tools }
    }

    pub(crate) fn named(triple: &str) -> Result<Self, TaskError> {
        let known = TARGETS.into_iter().find(|target| target.triple == triple);
        known.ok_or_else(|| {
            let all: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            TaskError(format!(
                "unknown target `{triple}` (expected one of: {})",
                all.join(", ")
            ))
        })
    }

    pub(crate) fn is_windows(self) -> bool {
        self.tools == Tools::Mingw
    }

    /// Returns the path of cargo's binary.
    pub(crate) fn binary(self, profile: &str) -> PathBuf {
        let folder = if profile == "dev" { "debug" } else { profile };
        let folder = target_dir().join(self.triple).join(folder);
        folder.join(program(self.triple))
    }

    /// Links x86_64 musl as a position-independent program. Its 100,000 relative relocations take 2.4 MB, or 17 KB if
    /// packed, which zig's linker cannot do; rustc brings one that can, and libc.
    fn link_flags(self) -> Option<&'static str> {
        (self.triple == "x86_64-unknown-linux-musl").then_some(
            "-Clinker=rust-lld -Clinker-flavor=ld.lld -Clink-self-contained=yes \
             -Clink-arg=--pack-dyn-relocs=relr -Clink-arg=-O2",
        )
    }

    /// Builds a command for cargo, or for the wrapper that provides a C compiler for the target.
    fn cargo(self, command: &str) -> Result<Command, TaskError> {
        let needed = match self.tools {
            Tools::Zig => "cargo-zigbuild",
            Tools::Mingw => "x86_64-w64-mingw32-gcc",
        };
        if !found(needed) {
            return Err(TaskError(format!(
                "`{needed}` is not on the path, and {} needs it (`pip install cargo-zigbuild ziglang`; Debian: \
                 `apt install gcc-mingw-w64-x86-64`)",
                self.triple
            )));
        }
        let mut cargo = match self.tools {
            Tools::Mingw => cargo(),
            Tools::Zig => {
                let mut zig = Command::new(needed);
                zig.current_dir(acreta_plugin_build::workspace_root());
                zig
            }
        };
        cargo.arg(match (self.tools, command) {
            (Tools::Zig, "build") => "zigbuild",
            _ => command,
        });
        cargo.args(["--target", self.triple]);
        if let (Some(flags), "build") = (self.link_flags(), command) {
            cargo.env("RUSTFLAGS", flags);
        }
        Ok(cargo)
    }
}

/// `cargo xtask dist [--check] [--profile NAME] [TARGET…]`; without a target, all of them. The profile `dist` makes the
/// smallest binaries and takes the longest.
pub(crate) fn dist(arguments: &[&str]) -> Result<(), TaskError> {
    let mut check = false;
    let mut profile = "dist";
    let mut targets = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--check" => check = true,
            "--profile" => {
                let name = words.next();
                profile = name.ok_or_else(|| TaskError("--profile needs a name".to_owned()))?;
            }
            triple => targets.push(ReleaseTarget::named(triple)?),
        }
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    let guests = guests()?;
    let folder = target_dir().join("dist");
    let is_complete = targets.len() == TARGETS.len();
    let mut inventory = None;
    if !check {
        let made = inventory.insert(package::inventory()?);
        put(&folder.join(LICENSES), made.licenses()?.as_bytes())?;
    }
    let mut rows = Vec::new();
    for target in targets {
        add(target)?;
        if check {
            run(target
                .cargo("clippy")?
                .args(["--workspace", "--all-targets"])
                .env(acreta_plugin_build::GUESTS_DIR_VARIABLE, &guests)
                .args(["--", "--deny", "warnings"]))?;
            rows.push(format!("{:<28} clippy passed", target.triple));
            continue;
        }
        run(target
            .cargo("build")?
            .args(["--locked", "--package", "acreta", "--bin", "acreta"])
            .args(["--profile", profile])
            .env(acreta_plugin_build::GUESTS_DIR_VARIABLE, &guests))?;
        rows.push(archive(
            target.triple,
            &target.binary(profile),
            &folder,
            "-9e",
        )?);
    }
    println!("\n{}", rows.join("\n"));
    match inventory {
        Some(inventory) if is_complete => package::all(
            &folder,
            &package::release_url(),
            &inventory,
            package::RELEASE_LEVEL,
        ),
        _ => Ok(()),
    }
}

/// Builds the built-in plugins once, for all targets, and returns the folder they are in.
/// Those of another machine are taken from the folder that the environment names.
pub(crate) fn guests() -> Result<PathBuf, TaskError> {
    if let Some(folder) = std::env::var_os(acreta_plugin_build::GUESTS_DIR_VARIABLE) {
        return Ok(folder.into());
    }
    let root = acreta_plugin_build::workspace_root();
    let build = acreta_plugin_build::GuestBuild::new(&root, target_dir().join("guests"));
    let folder = target_dir().join("plugins");
    let built = acreta_plugin_build::prebuild(&build, &folder, |_| ());
    built.map_err(|error| TaskError(error.to_string()))?;
    Ok(folder)
}

fn add(target: ReleaseTarget) -> Result<(), TaskError> {
    if !found("rustup") {
        println!("skipped: rustup is not installed (`rustup target add`)");
        return Ok(());
    }
    let installed = read(Command::new("rustup").args(["target", "list", "--installed"]))?;
    if installed.lines().any(|line| line == target.triple) {
        return Ok(());
    }
    run(Command::new("rustup").args(["target", "add", target.triple]))
}
