//! How this program was installed, and how it is updated: `acreta self`. Reads marks that packages leave beside the
//! program, and parts of its path. Asks no settings and no state, so that an update can repair what this version cannot
//! read; uses the network only if it is asked to.
//!
//! An installer's own installs are replaced by `update`; everything else belongs to a package manager, whose command is
//! told.

mod release;
mod update;

use acreta_config::{Environment, Home};
use acreta_fs::{Directory, NoFaults, canonical, portable};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::{Failure, Kind};
pub use update::{Replaced, update};

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Written by `install.sh` and `install.ps1` into acreta's folder.
const RECEIPT: &str = "install.json";
const RECEIPT_BYTES: u64 = 64 * 1024;

/// Names another place with the archives; the installers read it, too.
const DOWNLOAD_URL: &str = "ACRETA_DOWNLOAD_URL";

/// An installer's record of what it installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Receipt {
    program: Utf8PathBuf,
    version: String,
    /// The archives and `release.json` of the newest version.
    url: String,
}

/// This program and the way it was installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installation {
    pub version: &'static str,
    pub target: String,
    /// Resolved, without links.
    pub program: Utf8PathBuf,
    /// A short name, for example `installer`, `npm` or `unknown`.
    pub installed_by: &'static str,
    /// What updates it: a command, or advice.
    pub update: String,
    /// Where newer versions are looked for, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The newest version there, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest: Option<String>,
}

/// Describes the installation of a program; asks its place for the newest version if `online`.
pub fn check(
    environment: &Environment,
    program: &Utf8Path,
    online: bool,
) -> Result<Installation, Failure> {
    let mut installation = find(environment, program)?;
    if online {
        let url = installation.url.as_deref().ok_or_else(no_place)?;
        let newest = release::Source::parse(url)?.newest()?;
        installation.newest = Some(newest.version.to_string());
    }
    Ok(installation)
}

fn no_place() -> Failure {
    Failure::new(Kind::Usage, "no place with newer versions is known")
        .hint(format!("set `{DOWNLOAD_URL}` to a folder of releases"))
}

fn find(environment: &Environment, program: &Utf8Path) -> Result<Installation, Failure> {
    let program = canonical(program)?;
    let home = Home::new(environment)?;
    let receipt = receipt(home.folder())
        .filter(|receipt| canonical(&receipt.program).is_ok_and(|recorded| recorded == program));
    let recorded = receipt.map(|receipt| receipt.url);
    let (installed_by, update) = match recorded {
        Some(_) => ("installer", "acreta self update".to_owned()),
        None => by_path(&program)
            .or_else(|| by_marks(&program))
            .unwrap_or_else(|| ("unknown", UNKNOWN.to_owned())),
    };
    let configured = environment.get(DOWNLOAD_URL).filter(|url| !url.is_empty());
    let url = configured.cloned().or(recorded).or_else(published);
    Ok(Installation {
        version: VERSION,
        target: target(),
        program,
        installed_by,
        update,
        url,
        newest: None,
    })
}

/// Returns whether a version is older than this one; a text that is no version is not.
pub fn is_older(version: &str) -> bool {
    let parse = |text| semver::Version::parse(text).ok();
    parse(version)
        .zip(parse(VERSION))
        .is_some_and(|(one, own)| one < own)
}

const UNKNOWN: &str = "replace this file with the program of a newer archive";

/// Returns the place of the newest release, once there is a public one.
fn published() -> Option<String> {
    let repository = env!("CARGO_PKG_REPOSITORY");
    (!repository.contains(".invalid/")).then(|| format!("{repository}/releases/latest/download"))
}

/// Returns the installer's record; one that cannot be read counts as none.
fn receipt(folder: &Utf8Path) -> Option<Receipt> {
    let folder = Directory::open(folder, NoFaults::shared()).ok()?;
    let text = folder.read(RECEIPT, RECEIPT_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Returns the triple that this program was compiled for.
fn target() -> String {
    let environment = if cfg!(target_env = "musl") {
        "-musl"
    } else if cfg!(target_env = "msvc") {
        "-msvc"
    } else if cfg!(target_env = "gnu") {
        "-gnu"
    } else {
        ""
    };
    let system = match std::env::consts::OS {
        "linux" => "unknown-linux",
        "macos" => "apple-darwin",
        "windows" => "pc-windows",
        other => other,
    };
    format!("{}-{system}{environment}", std::env::consts::ARCH)
}

/// Returns the target of the archive that replaces this program.
fn archive_target() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("x86_64-unknown-linux-musl"),
        ("linux", "aarch64") => Some("aarch64-unknown-linux-musl"),
        ("macos", "aarch64") => Some("aarch64-apple-darwin"),
        ("macos", "x86_64") => Some("x86_64-apple-darwin"),
        ("windows", _) => Some("x86_64-pc-windows-gnu"),
        _ => None,
    }
}

type Method = (&'static str, String);

/// Package managers with folders of their own.
fn by_path(program: &Utf8Path) -> Option<Method> {
    const FOLDERS: [(&str, &str, &str); 6] = [
        ("/nix/store/", "nix", "nix profile upgrade acreta"),
        ("/Cellar/acreta/", "homebrew", "brew upgrade acreta"),
        ("/scoop/apps/acreta/", "scoop", "scoop update acreta"),
        (
            "/WinGet/Packages/",
            "winget",
            "winget upgrade Acreta.Acreta",
        ),
        ("/_npx/", "npx", "npx acreta@latest"),
        ("/archive-v0/", "uvx", "uvx acreta@latest"),
    ];
    let program = portable(program);
    let program = program.as_str();
    let known = FOLDERS.iter().find(|(part, ..)| program.contains(part));
    if let Some((_, name, update)) = known {
        return Some((*name, (*update).to_owned()));
    }
    // One package for each platform, `acreta-linux-x64` and so on, beneath or beside the package `acreta`.
    let (folder, _) = program.split_once("/node_modules/acreta")?;
    let is_global = ["/lib", "/npm"].iter().any(|end| folder.ends_with(end));
    let update = match is_global {
        true => "npm install --global acreta@latest".to_owned(),
        false => format!("npm install acreta@latest (in {folder})"),
    };
    Some(("npm", update))
}

/// Package managers that leave a file near the program.
fn by_marks(program: &Utf8Path) -> Option<Method> {
    let bin = program.parent()?;
    let prefix = bin.parent()?;
    if prefix.join("uv-receipt.toml").is_file() {
        return Some(("uv", "uv tool upgrade acreta".to_owned()));
    }
    if prefix.join("pipx_metadata.json").is_file() {
        return Some(("pipx", "pipx upgrade acreta".to_owned()));
    }
    by_package(prefix)
        .or_else(|| by_cargo(prefix))
        .or_else(|| by_wheel(bin, prefix))
        .or_else(|| by_bundle(bin, prefix))
        .or_else(|| in_build_tree(program))
}

/// `.deb` and `.rpm` say what they are in a file.
fn by_package(prefix: &Utf8Path) -> Option<Method> {
    let mark = std::fs::read_to_string(prefix.join("share/acreta/installed-by")).ok()?;
    match mark.trim() {
        "deb" => Some((
            "deb",
            "sudo apt install ./acreta_VERSION_ARCH.deb".to_owned(),
        )),
        "rpm" => Some((
            "rpm",
            "sudo dnf install ./acreta-VERSION.ARCH.rpm".to_owned(),
        )),
        _ => None,
    }
}

/// Cargo lists what it installed: `"acreta 0.1.0 (path+file:///src/host/cli)" = ["acreta"]`.
fn by_cargo(prefix: &Utf8Path) -> Option<Method> {
    let list = std::fs::read_to_string(prefix.join(".crates.toml")).ok()?;
    let own = list.lines().find(|line| line.starts_with("\"acreta "))?;
    let binstall = std::fs::read_to_string(prefix.join("binstall/crates-v1.json"));
    if binstall.is_ok_and(|list| list.contains("\"name\":\"acreta\"")) {
        return Some(("cargo-binstall", "cargo binstall acreta".to_owned()));
    }
    let checkout = own
        .split_once("(path+file://")
        .and_then(|(_, rest)| rest.split_once("/host/cli"));
    match checkout {
        Some((folder, _)) => {
            let update = format!("cargo xtask install (in {folder}, from a newer commit)");
            Some(("source", update))
        }
        None => Some(("cargo", "cargo install --locked acreta".to_owned())),
    }
}

/// A wheel leaves `acreta-VERSION.dist-info` among the packages of a Python, with the name of its installer.
fn by_wheel(bin: &Utf8Path, prefix: &Utf8Path) -> Option<Method> {
    let mut packages = vec![prefix.join("Lib/site-packages")];
    let libraries = prefix.join("lib").read_dir_utf8();
    for entry in libraries.into_iter().flatten().flatten() {
        if entry.file_name().starts_with("python") {
            packages.push(entry.path().join("site-packages"));
            packages.push(entry.path().join("dist-packages"));
        }
    }
    let info = packages
        .iter()
        .map(|folder| folder.join(format!("acreta-{VERSION}.dist-info")))
        .find(|info| info.is_dir())?;
    let installer = std::fs::read_to_string(info.join("INSTALLER")).unwrap_or_default();
    let update = match installer.trim() {
        "uv" => "uv pip install --upgrade acreta".to_owned(),
        _ if bin.join("python").exists() || bin.join("python.exe").exists() => {
            format!("{} -m pip install --upgrade acreta", bin.join("python"))
        }
        _ => "pip install --upgrade acreta".to_owned(),
    };
    Some(("pip", update))
}

/// A bundle (`.mcpb`) has the program in `server`, beside its manifest.
fn by_bundle(bin: &Utf8Path, prefix: &Utf8Path) -> Option<Method> {
    let manifest = std::fs::read_to_string(prefix.join("manifest.json")).ok()?;
    let is_bundle = bin.file_name() == Some("server") && manifest.contains("\"manifest_version\"");
    is_bundle.then(|| ("mcpb", "open the bundle of the newer version".to_owned()))
}

/// Cargo leaves a file in its target directory.
fn in_build_tree(program: &Utf8Path) -> Option<Method> {
    let is_built = |folder: &Utf8Path| folder.join(".rustc_info.json").is_file();
    program
        .ancestors()
        .skip(1)
        .take(4)
        .any(is_built)
        .then(|| ("build", "build it again from a newer commit".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a program in a folder with these marks, each a path from the folder and its text.
    fn laid_out(program: &str, marks: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
        let scratch = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(scratch.path().to_owned()).unwrap();
        for (path, text) in [(program, "")].iter().chain(marks) {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            #[expect(clippy::disallowed_methods, reason = "files of a test")]
            std::fs::write(path, text).unwrap();
        }
        let program = canonical(&root.join(program)).unwrap();
        (scratch, program)
    }

    fn in_home(home: &str) -> Environment {
        let variables = ["HOME", "USERPROFILE"];
        Environment::from(variables.map(|name| (name.to_owned(), home.to_owned())))
    }

    #[test]
    fn each_way_to_install_is_told_by_what_it_leaves() {
        let info = format!("lib/python3.12/site-packages/acreta-{VERSION}.dist-info/INSTALLER");
        let (info, npm) = (info.as_str(), "lib/node_modules/acreta");
        let nested = format!("{npm}/node_modules/acreta-linux-x64/bin/acreta");
        let registry = "[v1]\n\"acreta 0.1.0 (registry+https://example.invalid)\" = [\"acreta\"]\n";
        let path = "[v1]\n\"acreta 0.1.0 (path+file:///src/host/cli)\" = [\"acreta\"]\n";
        let binstall = "{\"name\":\"acreta\",\"version_req\":\"*\"}";
        type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a str);
        let rows: [Row<'_>; 22] = [
            ("bin/acreta", &[], "unknown", UNKNOWN),
            (
                "bin/acreta",
                &[(".crates.toml", "[v1]\n")],
                "unknown",
                UNKNOWN,
            ),
            (
                "bin/acreta",
                &[("share/acreta/installed-by", "pacman\n")],
                "unknown",
                UNKNOWN,
            ),
            (&nested, &[], "npm", "npm install --global acreta@latest"),
            (
                "node_modules/acreta-linux-x64/bin/acreta",
                &[],
                "npm",
                "npm install acreta@latest",
            ),
            (
                "_npx/0a/node_modules/acreta-linux-x64/bin/acreta",
                &[],
                "npx",
                "npx acreta@latest",
            ),
            (
                "uv/archive-v0/x/bin/acreta",
                &[(info, "uv")],
                "uvx",
                "uvx acreta@latest",
            ),
            (
                "bin/acreta",
                &[("uv-receipt.toml", ""), (info, "uv")],
                "uv",
                "uv tool upgrade acreta",
            ),
            (
                "bin/acreta",
                &[("pipx_metadata.json", "{}"), (info, "pip")],
                "pipx",
                "pipx upgrade acreta",
            ),
            (
                "bin/acreta",
                &[(info, "uv\n")],
                "pip",
                "uv pip install --upgrade acreta",
            ),
            (
                "bin/acreta",
                &[(info, "pip\n")],
                "pip",
                "pip install --upgrade acreta",
            ),
            (
                "bin/acreta",
                &[(info, "pip\n"), ("bin/python", "")],
                "pip",
                "/bin/python -m pip install",
            ),
            (
                "usr/bin/acreta",
                &[("usr/share/acreta/installed-by", "deb\n")],
                "deb",
                "sudo apt install",
            ),
            (
                "usr/bin/acreta",
                &[("usr/share/acreta/installed-by", "rpm\n")],
                "rpm",
                "sudo dnf install",
            ),
            (
                "Cellar/acreta/0.1.0/bin/acreta",
                &[],
                "homebrew",
                "brew upgrade acreta",
            ),
            (
                "scoop/apps/acreta/current/acreta.exe",
                &[],
                "scoop",
                "scoop update acreta",
            ),
            (
                "WinGet/Packages/Acreta.Acreta_x/acreta.exe",
                &[],
                "winget",
                "winget upgrade",
            ),
            (
                "nix/store/x-acreta/bin/acreta",
                &[],
                "nix",
                "nix profile upgrade acreta",
            ),
            (
                "bin/acreta",
                &[(".crates.toml", registry)],
                "cargo",
                "cargo install --locked acreta",
            ),
            (
                "bin/acreta",
                &[(".crates.toml", path)],
                "source",
                "cargo xtask install (in /src,",
            ),
            (
                "bin/acreta",
                &[
                    (".crates.toml", registry),
                    ("binstall/crates-v1.json", binstall),
                ],
                "cargo-binstall",
                "cargo binstall acreta",
            ),
            (
                "target/release/acreta",
                &[("target/.rustc_info.json", "{}")],
                "build",
                "build it again",
            ),
        ];
        for (program, marks, name, update) in rows {
            let (scratch, program) = laid_out(program, marks);
            let environment = in_home(scratch.path().to_str().unwrap());
            let found = find(&environment, &program).unwrap();
            assert_eq!(found.installed_by, name, "{program}");
            assert!(found.update.contains(update), "{program}: {}", found.update);
        }
    }

    #[test]
    fn a_receipt_counts_for_its_own_program_alone() {
        let (scratch, program) = laid_out("bin/acreta", &[("bin/other", "")]);
        let home = Utf8PathBuf::from_path_buf(scratch.path().join(".acreta")).unwrap();
        let environment = |url: Option<&str>| {
            let mut environment = in_home(scratch.path().to_str().unwrap());
            environment.extend(url.map(|url| (DOWNLOAD_URL.to_owned(), url.to_owned())));
            environment
        };
        let folder = Directory::open_or_create_private(&home, NoFaults::shared()).unwrap();
        let other = program.with_file_name("other");
        let gone = program.with_file_name("gone");
        let cases = [
            (&program, None, "installer", Some("https://a.example/x")),
            (
                &program,
                Some("https://b.example"),
                "installer",
                Some("https://b.example"),
            ),
            (&program, Some(""), "installer", Some("https://a.example/x")),
            (&other, None, "unknown", None),
            (&gone, None, "unknown", None),
        ];
        for (recorded, configured, name, url) in cases {
            let receipt = Receipt {
                program: recorded.clone(),
                version: "0.0.1".to_owned(),
                url: "https://a.example/x".to_owned(),
            };
            let text = serde_json::to_vec(&receipt).unwrap();
            folder.replace(RECEIPT, &text).unwrap();
            let found = find(&environment(configured), &program).unwrap();
            assert_eq!((found.installed_by, found.url.as_deref()), (name, url));
        }
        folder.replace(RECEIPT, b"{").unwrap();
        assert_eq!(
            find(&environment(None), &program).unwrap().installed_by,
            "unknown"
        );
    }
}
