//! Errors of component builds, with hints.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::{GUESTS_DIR_VARIABLE, TARGET};

#[derive(Debug)]
pub enum BuildError {
    /// The toolchain cannot compile for the guests' target, and the target could not be added.
    Target {
        tried: String,
        outcome: String,
    },
    /// A program could not be started.
    Start {
        program: String,
        cause: io::Error,
    },
    /// Cargo refused.
    Cargo {
        package: String,
        output: String,
    },
    /// Cargo succeeded, but its output is not a component.
    NotAComponent {
        package: String,
        path: PathBuf,
    },
    /// The folder of prebuilt components lacks this one.
    NotPrebuilt {
        plugin: String,
        path: PathBuf,
    },
    /// A build script's variable is missing.
    Variable {
        name: &'static str,
    },
    Io {
        path: PathBuf,
        cause: io::Error,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Target { tried, outcome } => write!(
                formatter,
                "the Rust target `{TARGET}` is not installed\n\
                 tried `{tried}`: {outcome}\n\
                 hint: with rustup, run `rustup target add {TARGET}`; without it, install your \
                 toolchain's standard library for `{TARGET}`\n\
                 hint: on a machine without network, set `{GUESTS_DIR_VARIABLE}` to a folder of \
                 prebuilt components (`<plugin id>.wasm`)"
            ),
            BuildError::Start { program, .. } => write!(formatter, "could not start `{program}`"),
            BuildError::Cargo { package, output } => {
                write!(
                    formatter,
                    "could not build the component `{package}`\n{}",
                    output.trim_end()
                )
            }
            BuildError::NotAComponent { package, path } => write!(
                formatter,
                "building `{package}` left no component at `{}`\n\
                 hint: a plugin is a library that calls the `export!` of its role",
                path.display()
            ),
            BuildError::NotPrebuilt { plugin, path } => write!(
                formatter,
                "no component of `{plugin}` at `{}`\n\
                 hint: `{GUESTS_DIR_VARIABLE}` must hold one for each built-in plugin; unset it to \
                 build them",
                path.display()
            ),
            BuildError::Variable { name } => {
                write!(
                    formatter,
                    "`{name}` is not set; this runs in a build script only"
                )
            }
            BuildError::Io { path, .. } => write!(formatter, "could not use `{}`", path.display()),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Start { cause, .. } | BuildError::Io { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
