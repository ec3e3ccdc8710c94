//! Makes packages from the archives of `cargo xtask dist`: one binary for each target, in every form that people and agents
//! install. Builds nothing, so it can be tried with any program (`--binary`). What the forms say is in `packaging/`.

mod forms;
mod inventory;
mod template;
mod zip;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use forms::Workbench;
pub(crate) use inventory::Inventory;
use template::{TemplateValues, fill_folder, filled};

use crate::archive::{LICENSES, VERSION, archive, program};
use crate::files::{bytes, hex_digest, make, make_executable, put, remove};
use crate::process::{TaskError, cargo, read, run, target_dir};

/// The bill of materials.
const SBOM: &str = "acreta.cdx.json";

/// The newest version and its archives, for `acreta self`.
const RELEASE: &str = "release.json";

/// How hard `xz` and `gzip` try for a release. A trial takes the quickest way.
pub(crate) const RELEASE_LEVEL: &str = "-9";

/// Folders of `packaging/` that are filled as they are.
const FOLDERS: [&str; 12] = [
    "action",
    "claude",
    "codex",
    "container",
    "gemini",
    "homebrew",
    "install",
    "nix",
    "registry",
    "scoop",
    "vscode",
    "winget",
];

/// A release target, as package managers call it.
pub(crate) struct PackagePlatform {
    pub(crate) triple: &'static str,
    /// In the words of Node: `linux`, `darwin`, `win32`.
    pub(crate) os: &'static str,
    pub(crate) cpu: &'static str,
    /// Tags of the wheel. A static binary runs with every libc.
    pub(crate) wheel: &'static [&'static str],
    /// Architecture of `.deb` and `.rpm`.
    pub(crate) linux: Option<(&'static str, &'static str)>,
}

/// macOS 15 is what the linker writes into the binaries.
pub(crate) const PLATFORMS: [PackagePlatform; 5] = [
    PackagePlatform {
        triple: "x86_64-unknown-linux-musl",
        os: "linux",
        cpu: "x64",
        wheel: &["manylinux_2_17_x86_64", "musllinux_1_1_x86_64"],
        linux: Some(("amd64", "x86_64")),
    },
    PackagePlatform {
        triple: "aarch64-unknown-linux-musl",
        os: "linux",
        cpu: "arm64",
        wheel: &["manylinux_2_17_aarch64", "musllinux_1_1_aarch64"],
        linux: Some(("arm64", "aarch64")),
    },
    PackagePlatform {
        triple: "aarch64-apple-darwin",
        os: "darwin",
        cpu: "arm64",
        wheel: &["macosx_15_0_arm64"],
        linux: None,
    },
    PackagePlatform {
        triple: "x86_64-apple-darwin",
        os: "darwin",
        cpu: "x64",
        wheel: &["macosx_15_0_x86_64"],
        linux: None,
    },
    PackagePlatform {
        triple: "x86_64-pc-windows-gnu",
        os: "win32",
        cpu: "x64",
        wheel: &["win_amd64"],
        linux: None,
    },
];

impl PackagePlatform {
    /// Returns the name of the archive, without its ending, and of the folder in it.
    pub(crate) fn name(&self) -> String {
        format!("acreta-{VERSION}-{}", self.triple)
    }

    pub(crate) fn program(&self) -> &'static str {
        program(self.triple)
    }
}

/// `cargo xtask package [--from DIR] [--binary FILE] [--url URL] [--metadata FILE]`
pub(crate) fn package(arguments: &[&str]) -> Result<(), TaskError> {
    let mut from = target_dir().join("dist");
    let (mut binary, mut metadata) = (None, None);
    let mut url = release_url();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || {
            let value = words.next().copied();
            value.ok_or_else(|| TaskError(format!("{word} needs a value")))
        };
        match *word {
            "--from" => from = absolute(value()?)?,
            "--binary" => binary = Some(absolute(value()?)?),
            "--metadata" => metadata = Some(absolute(value()?)?),
            "--url" => url = value()?.trim_end_matches('/').to_owned(),
            _ => return Err(TaskError(format!("unknown argument `{word}`"))),
        }
    }
    let inventory = match metadata {
        Some(file) => {
            let text = fs::read_to_string(&file).map_err(|error| TaskError::at(&file, &error))?;
            Inventory::of_metadata(&text)?
        }
        None => inventory()?,
    };
    let level = if binary.is_some() {
        "-1"
    } else {
        RELEASE_LEVEL
    };
    if let Some(binary) = binary {
        put(&from.join(LICENSES), inventory.licenses()?.as_bytes())?;
        for platform in &PLATFORMS {
            archive(platform.triple, &binary, &from, level)?;
        }
        println!("every package has {} in it", binary.display());
    }
    all(&from, &url, &inventory, level)
}

/// Makes all packages from a folder with the five archives, in that folder.
pub(crate) fn all(
    folder: &Path,
    url: &str,
    inventory: &Inventory,
    level: &str,
) -> Result<(), TaskError> {
    let packed = |platform: &PackagePlatform| folder.join(format!("{}.tar.xz", platform.name()));
    let missing = PLATFORMS.iter().map(packed).find(|path| !path.is_file());
    if let Some(missing) = missing {
        return Err(TaskError(format!(
            "there is no `{}`: run `cargo xtask dist`, or try it with one program for all targets: `cargo xtask \
             package --from DIR --binary FILE`",
            missing.display()
        )));
    }
    put(&folder.join(LICENSES), inventory.licenses()?.as_bytes())?;
    put(&folder.join(SBOM), inventory.sbom().as_bytes())?;
    let stage = folder.join("stage");
    remove(&stage)?;
    make(&stage)?;
    let bench = Workbench {
        folder,
        stage: &stage,
        level,
    };
    let mut values = values(url, inventory)?;
    for platform in &PLATFORMS {
        run(Command::new("tar")
            .args(["--extract", "--xz", "--file"])
            .arg(packed(platform))
            .arg("--directory")
            .arg(&stage))?;
        forms::of_platform(&bench, platform, &mut values)?;
    }
    forms::npm_main(&bench, &values)?;
    for name in FOLDERS {
        remove(&folder.join(name))?;
        fill_folder(name, &folder.join(name), &values)?;
    }
    write_release(folder)?;
    let script = folder.join("install/install.sh");
    make_executable(&script)?;
    let beside = folder.join("action/install.sh");
    fs::copy(&script, &beside).map_err(|error| TaskError::at(&beside, &error))?;
    remove(&stage)?;
    let count = write_sums(folder)?;
    println!(
        "\n{count} files in {} (SHA256SUMS); {} libraries in {LICENSES} and {SBOM}",
        folder.display(),
        inventory.len()
    );
    if repository().contains(".invalid/") {
        println!(
            "note: the repository's address is a placeholder: set `repository` in Cargo.toml before you publish"
        );
    }
    Ok(())
}

/// Asks cargo for the libraries of the binary and the plugins.
pub(crate) fn inventory() -> Result<Inventory, TaskError> {
    let mut command = cargo();
    command.args(["metadata", "--locked", "--format-version", "1"]);
    command.args(["--filter-platform", "wasm32-wasip2"]);
    for platform in &PLATFORMS {
        command.args(["--filter-platform", platform.triple]);
    }
    Inventory::of_metadata(&read(&mut command)?)
}

/// Returns the address of the archives of this version.
pub(crate) fn release_url() -> String {
    format!("{}/releases/download/v{VERSION}", repository())
}

fn repository() -> &'static str {
    env!("CARGO_PKG_REPOSITORY")
}

/// Returns the values that all forms share. Those of a platform are added with its files.
fn values(url: &str, inventory: &Inventory) -> Result<TemplateValues, TaskError> {
    let skill = include_str!("../../../host/agent-setup/src/texts/SKILL.md");
    let latest = match url == release_url() {
        true => format!("{}/releases/latest/download", repository()),
        false => url.to_owned(),
    };
    let pairs = [
        ("version", VERSION),
        ("description", &inventory.description),
        ("license", env!("CARGO_PKG_LICENSE")),
        ("repository", repository()),
        ("download", url),
        // Where later versions will be.
        ("latest", &latest),
        ("mcp_name", &mcp_name(repository())),
        ("skill", skill),
        // Claude Code puts the plugin's name before the name of its server.
        (
            "claude_skill",
            &skill.replace("mcp__acreta__", "mcp__plugin_acreta_acreta__"),
        ),
    ];
    let owned = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut values: TemplateValues = owned.into_iter().collect();
    let readme = filled("agents/README.md", &values)?;
    values.insert("agent_readme".to_owned(), readme);
    Ok(values)
}

/// Returns the name in the registry of MCP servers: the host backwards, or the account on GitHub.
fn mcp_name(repository: &str) -> String {
    let address = repository
        .split_once("://")
        .map_or(repository, |(_, it)| it);
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let (account, name) = path.split_once('/').unwrap_or(("", path));
    let mut parts: Vec<&str> = match host {
        "github.com" => vec!["github", "io"],
        _ => host.split('.').collect(),
    };
    parts.reverse();
    parts.extend((!account.is_empty()).then_some(account));
    format!("{}/{name}", parts.join("."))
}

/// Writes `release.json`: for each target the archive that its installer takes.
fn write_release(folder: &Path) -> Result<(), TaskError> {
    let mut archives = serde_json::Map::new();
    for platform in &PLATFORMS {
        let ending = if platform.os == "win32" {
            "zip"
        } else {
            "tar.xz"
        };
        let name = format!("{}.{ending}", platform.name());
        let content = bytes(&folder.join(&name))?;
        let archive = serde_json::json!({
            "name": name, "bytes": content.len(), "sha256": hex_digest(&content),
        });
        archives.insert(platform.triple.to_owned(), archive);
    }
    let release = serde_json::json!({ "version": VERSION, "archives": archives });
    put(&folder.join(RELEASE), format!("{release:#}\n").as_bytes())
}

/// Writes `SHA256SUMS` for all files, and returns how many there are.
fn write_sums(folder: &Path) -> Result<usize, TaskError> {
    let sums = folder.join("SHA256SUMS");
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.retain(|file| *file != sums);
    files.sort();
    let mut text = String::new();
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file);
        text += &format!("{}  {}\n", hex_digest(&bytes(file)?), name.display());
    }
    put(&sums, text.as_bytes())?;
    Ok(files.len())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), TaskError> {
    let failed = |error: std::io::Error| TaskError::at(folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

pub(crate) fn absolute(path: &str) -> Result<PathBuf, TaskError> {
    std::path::absolute(path).map_err(|error| TaskError::at(Path::new(path), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_the_registry_follows_from_the_address() {
        let cases = [
            (
                "https://github.com/someone/acreta",
                "io.github.someone/acreta",
            ),
            ("https://acreta.invalid/acreta", "invalid.acreta/acreta"),
            (
                "https://forge.example/group/acreta",
                "example.forge.group/acreta",
            ),
        ];
        for (address, name) in cases {
            assert_eq!(mcp_name(address), name);
        }
    }
}
