//! Where a person finds what went wrong in a hook.

use acreta_config::Home;
use acreta_fs::{Directory, NoFaults};
use acreta_service::clock::{now_ms, shown};

use crate::args::HookCommand;
use crate::context::environment;

const FILE: &str = "hooks.log";

/// A longer log begins anew.
const LOG_BYTES: u64 = 256 * 1024;

/// Adds a line. What cannot be written is not missed.
pub(super) fn note(command: &HookCommand, problem: &str) {
    let Ok(home) = Home::new(&environment()) else {
        return;
    };
    let Ok(folder) = Directory::open_or_create_private(home.folder(), NoFaults::shared()) else {
        return;
    };
    let is_long = folder
        .metadata(FILE)
        .is_ok_and(|metadata| metadata.bytes > LOG_BYTES);
    if is_long {
        let _ = folder.remove_file(FILE);
    }
    let hook = match command {
        HookCommand::SessionStart(_) => "session-start",
        HookCommand::SessionEnd(_) => "session-end",
    };
    let problem = acreta_text::visible(problem);
    let line = format!("{} {hook}: {problem}\n", shown(now_ms()));
    let _ = folder.append(FILE, line.as_bytes());
}
