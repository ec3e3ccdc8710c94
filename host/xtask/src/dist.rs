//! Release archives for five targets, from one Linux machine. The plugins are built once and embedded in every
//! binary. C parts are compiled by zig (`cargo-zigbuild` and `ziglang`, both on PyPI), for Windows by mingw-w64.
//! With all five archives, every other form is made from them (`package`). `--check` runs clippy over all crates and tests for
//! the same targets, and builds nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::package;
use crate::process::{TaskError, cargo, found, make, put, read, run, target_dir};

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

/// Files of the repository in every archive besides the binary.
pub(crate) const BESIDE: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

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
        let suffix = if self.is_windows() { ".exe" } else { "" };
        let folder = target_dir().join(self.triple).join(folder);
        folder.join(format!("acreta{suffix}"))
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
                zig.current_dir(acreta_guests::workspace_root());
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
    let inventory = package::inventory()?;
    put(
        &folder.join(package::LICENSES),
        inventory.licenses()?.as_bytes(),
    )?;
    let is_complete = !check && targets.len() == TARGETS.len();
    let mut rows = Vec::new();
    for target in targets {
        add(target)?;
        if check {
            run(target
                .cargo("clippy")?
                .args(["--workspace", "--all-targets"])
                .env(acreta_guests::GUESTS_DIR_VARIABLE, &guests)
                .args(["--", "--deny", "warnings"]))?;
            rows.push(format!("{:<28} clippy passed", target.triple));
            continue;
        }
        run(target
            .cargo("build")?
            .args(["--locked", "--package", "acreta", "--bin", "acreta"])
            .args(["--profile", profile])
            .env(acreta_guests::GUESTS_DIR_VARIABLE, &guests))?;
        rows.push(archive(target, &target.binary(profile), &folder, "-9e")?);
    }
    println!("\n{}", rows.join("\n"));
    match is_complete {
        true => package::all(
            &folder,
            &package::release_url(),
            &inventory,
            package::RELEASE_LEVEL,
        ),
        false => Ok(()),
    }
}

/// Builds the built-in plugins once, for all targets, and returns the folder they are in.
pub(crate) fn guests() -> Result<PathBuf, TaskError> {
    let root = acreta_guests::workspace_root();
    let build = acreta_guests::GuestBuild::new(&root, target_dir().join("guests"));
    let folder = target_dir().join("plugins");
    let built = acreta_guests::prebuild(&build, &folder, |_| ());
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

/// Packs binary and documents into an archive of a folder, and returns a line with sizes and digest. The third-party licences
/// are in that folder already. Archives are a quarter smaller with xz than with gzip; the `tar` of Windows 11 reads it.
pub(crate) fn archive(
    target: ReleaseTarget,
    binary: &Path,
    dist: &Path,
    level: &str,
) -> Result<String, TaskError> {
    let name = format!("acreta-{}-{}", package::VERSION, target.triple);
    let stage = dist.join("stage");
    let folder = stage.join(&name);
    make(&folder)?;
    let program = if target.is_windows() {
        "acreta.exe"
    } else {
        "acreta"
    };
    let root = acreta_guests::workspace_root();
    let copy = |from: PathBuf, name: &str| {
        let to = folder.join(name);
        fs::copy(&from, to).map_err(|error| TaskError::at(&from, &error))
    };
    for name in BESIDE {
        copy(root.join(name), name)?;
    }
    copy(dist.join(package::LICENSES), package::LICENSES)?;
    copy(binary.to_owned(), program)?;
    package::make_executable(&folder.join(program))?;
    let packed = dist.join(format!("{name}.tar.xz"));
    pack(&stage, &name, &packed, level)?;
    package::remove(&stage)?;
    Ok(format!(
        "{}  {name}.tar.xz  {:.1} MB, binary {:.1} MB",
        package::hex_digest(&package::bytes(&packed)?),
        megabytes(&packed)?,
        megabytes(binary)?
    ))
}

/// Packs a file or folder with `tar`. Reproducible: independent of this machine's order, owner, time and mask of modes.
pub(crate) fn pack(base: &Path, entry: &str, to: &Path, level: &str) -> Result<(), TaskError> {
    let is_xz = to.extension().is_some_and(|ending| ending == "xz");
    let program = if is_xz { "xz" } else { "gzip -n" };
    run(Command::new("tar")
        .current_dir(base)
        .arg(format!("--use-compress-program={program} {level}"))
        .args(["--create", "--sort=name", "--mtime=@0"])
        .args(["--owner=0", "--group=0", "--numeric-owner"])
        .args(["--mode=u+rw,go-w,a+rX", "--file"])
        .arg(to)
        .arg(entry))
}

fn megabytes(file: &Path) -> Result<f64, TaskError> {
    let metadata = fs::metadata(file).map_err(|error| TaskError::at(file, &error))?;
    Ok(metadata.len() as f64 / 1e6)
}
