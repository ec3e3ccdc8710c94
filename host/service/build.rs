//! Embeds the built-in plugins and builds those that are missing or older than their sources.

use std::process::ExitCode;

fn main() -> ExitCode {
    acreta_plugin_build::build_script()
}
