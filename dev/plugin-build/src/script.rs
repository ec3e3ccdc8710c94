//! The build script of the binary: embeds every built-in plugin as bytes in the crate's own output folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sha2::{Digest, Sha256};

use crate::build::is_component;
use crate::prebuild::{build_builtin, read, shipped, write};
use crate::{BUILTIN, BuildError, GUESTS_DIR_VARIABLE, GuestBuild};

/// The file that [`embed`] writes, for `include!(concat!(env!("OUT_DIR"), "/builtin.rs"))`.
pub const BUILTIN_FILE: &str = "builtin.rs";

/// Reduces components to a third, in a few seconds for all; decompressing one takes a millisecond.
const BEST_LEVEL: i32 = 19;

/// For hosts without optimisation, of which the compressor is a part: the best level takes a minute there.
const QUICK_LEVEL: i32 = 1;

/// A complete build script: `fn main() -> ExitCode { acreta_plugin_build::build_script() }`.
///
/// Embeds every built-in plugin, tells cargo when to repeat it, and reports a failure in the form that cargo shows.
#[expect(
    clippy::print_stdout,
    reason = "a build script talks to cargo on stdout"
)]
pub fn build_script() -> ExitCode {
    let workspace_root = crate::workspace_root();
    println!("cargo::rerun-if-env-changed={GUESTS_DIR_VARIABLE}");
    let prebuilt = std::env::var_os(GUESTS_DIR_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from);
    match &prebuilt {
        Some(folder) => println!("cargo::rerun-if-changed={}", folder.display()),
        None => {
            let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
            let package = package.unwrap_or_default();
            for source in crate::sources(&workspace_root) {
                let source = from_package(&source, &package, &workspace_root);
                println!("cargo::rerun-if-changed={}", source.display());
            }
        }
    }
    let embedded = match std::env::var_os("OUT_DIR") {
        Some(out_dir) => embed(&workspace_root, Path::new(&out_dir), prebuilt.as_deref()),
        None => Err(BuildError::Variable { name: "OUT_DIR" }),
    };
    match embedded {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in report(&error).lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Returns a source relative to the package, so that a second checkout that shares the target directory watches its own
/// sources and not those of the checkout that built first.
fn from_package(source: &Path, package: &Path, workspace_root: &Path) -> PathBuf {
    let inside = package.strip_prefix(workspace_root);
    match (inside, source.strip_prefix(workspace_root)) {
        (Ok(inside), Ok(source)) => {
            let mut path: PathBuf = inside.components().map(|_| "..").collect();
            path.push(source);
            path
        }
        _ => source.to_owned(),
    }
}

/// Writes every built-in component into `out_dir`, together with [`BUILTIN_FILE`], which declares them as `BUILTIN:
/// &[Builtin]`, a struct of the crate that includes it: id, SHA-256 in hex, bytes of the component, and the component
/// compressed with zstd. They are copied from `prebuilt`, or built, as quickly as possible if the host is not optimised.
pub fn embed(
    workspace_root: &Path,
    out_dir: &Path,
    prebuilt: Option<&Path>,
) -> Result<(), BuildError> {
    let optimised = std::env::var_os("OPT_LEVEL").is_none_or(|level| level != "0");
    let target_dir = target_dir(out_dir);
    let (build, level) = match optimised {
        true => (GuestBuild::new(workspace_root, target_dir), BEST_LEVEL),
        false => (GuestBuild::quick(workspace_root, target_dir), QUICK_LEVEL),
    };
    if prebuilt.is_none() {
        build_builtin(&build, &mut || ())?;
    }
    let mut digests = Vec::new();
    let mut sizes = Vec::new();
    for (plugin, package) in BUILTIN {
        let bytes = match prebuilt {
            Some(folder) => read(prebuilt_component(folder, plugin)?)?,
            None => shipped(&build, package)?,
        };
        digests.push(acreta_text::hex(&Sha256::digest(&bytes)));
        sizes.push(bytes.len());
        let path = out_dir.join(plugin).with_extension("zst");
        let packed = zstd::bulk::compress(&bytes, level);
        let packed = packed.map_err(|cause| BuildError::Io {
            path: path.clone(),
            cause,
        })?;
        write(path, &packed)?;
    }
    write(
        out_dir.join(BUILTIN_FILE),
        declarations(&digests, &sizes).as_bytes(),
    )
}

fn prebuilt_component(folder: &Path, plugin: &str) -> Result<PathBuf, BuildError> {
    let path = folder.join(plugin).with_extension("wasm");
    if is_component(&path) {
        Ok(path)
    } else {
        Err(BuildError::NotPrebuilt {
            plugin: plugin.to_owned(),
            path,
        })
    }
}

/// `target/debug/build/<package>-<hash>/out` → `target/guests`, shared by all profiles of the host.
fn target_dir(out_dir: &Path) -> PathBuf {
    out_dir.ancestors().nth(4).unwrap_or(out_dir).join("guests")
}

fn declarations(digests: &[String], sizes: &[usize]) -> String {
    let entries: String = BUILTIN
        .iter()
        .zip(digests)
        .zip(sizes)
        .map(|(((id, _), digest), size)| {
            format!("    Builtin {{ id: {id:?}, digest: {digest:?}, size: {size}, packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{id}.zst\")) }},\n")
        })
        .collect();
    format!("static BUILTIN: &[Builtin] = &[\n{entries}];\n")
}

fn report(error: &BuildError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}\n  caused by: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_from_the_package() {
        let root = Path::new("/a/checkout");
        let relative = |source: &str, package: &str| {
            from_package(&root.join(source), Path::new(package), root)
        };
        assert_eq!(
            relative("plugins", "/a/checkout/host/service"),
            Path::new("../../plugins")
        );
        assert_eq!(relative("wit", "/elsewhere"), Path::new("/a/checkout/wit"));
    }

    #[test]
    fn guests_are_built_beside_the_profiles_of_the_host() {
        let out_dir = Path::new("/project/target/debug/build/acreta-0123/out");
        assert_eq!(target_dir(out_dir), Path::new("/project/target/guests"));
    }

    #[test]
    fn every_builtin_is_declared() {
        let digests = vec!["00ff".to_owned(); BUILTIN.len()];
        let sizes = vec![7; BUILTIN.len()];
        let declarations = declarations(&digests, &sizes);
        assert!(declarations.starts_with("static BUILTIN: &[Builtin] = &[\n"));
        for (plugin, _) in BUILTIN {
            let entry = format!(
                "id: \"{plugin}\", digest: \"00ff\", size: 7, packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{plugin}.zst\"))"
            );
            assert!(declarations.contains(&entry), "{declarations}");
        }
    }

    #[test]
    fn a_folder_without_components_is_named() {
        let error = embed(
            Path::new("/nowhere"),
            Path::new("/nowhere"),
            Some(Path::new("/prebuilt")),
        )
        .expect_err("nothing is there");
        let report = report(&error);
        assert!(report.contains("/prebuilt/adapter-aider.wasm"), "{report}");
        assert!(report.contains(GUESTS_DIR_VARIABLE), "{report}");
    }
}
