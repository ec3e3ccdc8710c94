//! The environment of a nested cargo. A build script's environment is full of the outer build's own settings;
//! inherited, they silently drop flags or select another compiler.

use std::ffi::OsString;
use std::process::Command;

/// The target of every guest.
pub const TARGET: &str = "wasm32-wasip2";

/// The guests' own compiler flags. No other flag reaches them.
const GUEST_FLAGS: &str = "-C target-feature=+simd128";

/// Cargo's cache, network and output settings, which belong to the machine, not to a build.
const KEPT_PREFIXES: &[&str] = &[
    "CARGO_HOME",
    "CARGO_HTTP_",
    "CARGO_NET_",
    "CARGO_REGISTR",
    "CARGO_SOURCE_",
    "CARGO_TERM_",
];

/// Set by cargo for a build script, by clippy, or by a person for the host's own build.
const DROPPED_PREFIXES: &[&str] = &["CARGO", "CLIPPY_", "DEP_", "RUSTC_", "RUSTDOC"];

const DROPPED: &[&str] = &[
    "DEBUG",
    "HOST",
    "MAKEFLAGS",
    "MFLAGS",
    "NUM_JOBS",
    "OPT_LEVEL",
    "OUT_DIR",
    "PROFILE",
    "RUSTFLAGS",
    "TARGET",
];

/// Builds a cargo command that is independent of the calling build. `CARGO` and `RUSTC`, if set, name the outer build's
/// toolchain; the inner build uses the same.
pub(crate) fn nested_cargo() -> Command {
    let mut command = Command::new(program("CARGO", "cargo"));
    for (name, _) in std::env::vars_os() {
        if !is_kept(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command.env(rustflags_variable(), GUEST_FLAGS);
    command
}

/// Returns the program a variable names, or the one on the path.
pub(crate) fn program(variable: &str, otherwise: &str) -> OsString {
    std::env::var_os(variable)
        .filter(|value| !value.is_empty())
        .unwrap_or_else(|| otherwise.into())
}

fn rustflags_variable() -> String {
    let target = TARGET.replace('-', "_").to_uppercase();
    format!("CARGO_TARGET_{target}_RUSTFLAGS")
}

fn is_kept(name: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    starts(KEPT_PREFIXES) || !(starts(DROPPED_PREFIXES) || DROPPED.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_outer_build_is_kept() {
        let dropped = [
            "CARGO",
            "CARGO_BUILD_JOBS",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_BUILD_TARGET",
            "CARGO_CFG_TARGET_ARCH",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_FEATURE_DEFAULT",
            "CARGO_INCREMENTAL",
            "CARGO_MAKEFLAGS",
            "CARGO_MANIFEST_DIR",
            "CARGO_PKG_NAME",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_TARGET_DIR",
            "CLIPPY_ARGS",
            "CLIPPY_CONF_DIR",
            "DEP_Z_ROOT",
            "MAKEFLAGS",
            "OUT_DIR",
            "RUSTC_BOOTSTRAP",
            "RUSTC_LINKER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC_WRAPPER",
            "RUSTDOCFLAGS",
            "RUSTFLAGS",
            "TARGET",
        ];
        for name in dropped {
            assert!(!is_kept(name), "{name} leaks into a nested build");
        }
    }

    #[test]
    fn the_machine_is_kept() {
        let kept = [
            "CARGO_HOME",
            "CARGO_HTTP_PROXY",
            "CARGO_NET_OFFLINE",
            "CARGO_REGISTRIES_MINE_INDEX",
            "HOME",
            "PATH",
            "RUSTC",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
            "RUST_BACKTRACE",
            "TARGETS_OF_MINE",
        ];
        for name in kept {
            assert!(is_kept(name), "{name} is missing in a nested build");
        }
    }

    #[test]
    fn guests_get_their_own_flags() {
        assert_eq!(rustflags_variable(), "CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS");
    }
}
