//! The compiler's target for components: detects it, and adds it if it is missing.

use std::path::PathBuf;
use std::process::Command;

use crate::environment::program;
use crate::{BuildError, TARGET};

/// Reports whether the compiler in use has a standard library for [`TARGET`].
pub fn target_installed() -> bool {
    let printed = Command::new(program("RUSTC", "rustc"))
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    match printed {
        Ok(output) if output.status.success() => {
            let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
            std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
        }
        _ => false,
    }
}

/// Adds [`TARGET`] with rustup if it is missing.
pub fn ensure_target() -> Result<(), BuildError> {
    if target_installed() {
        return Ok(());
    }
    let outcome = match Command::new("rustup")
        .args(["target", "add", TARGET])
        .output()
    {
        Ok(output) if output.status.success() && target_installed() => return Ok(()),
        Ok(output) if output.status.success() => {
            "it succeeded, but the compiler in use is not rustup's".to_owned()
        }
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(cause) => format!("could not be started ({cause})"),
    };
    Err(BuildError::Target {
        tried: format!("rustup target add {TARGET}"),
        outcome,
    })
}
