//! The log of hooks, where a person finds their errors. Hooks themselves never fail.

use acreta_config::{Environment, Home};
use acreta_fs::{Directory, NoFaults};
use acreta_redact::Redactor;

use crate::process::clock::{now_ms, shown};

const FILE: &str = "hooks.log";

/// Maximum size; a longer log is started anew.
const LOG_BYTES: u64 = 256 * 1024;

/// Policy for a line that is in the log already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    Kept,
    LeftOut,
}

/// Adds a line. A write error is ignored.
pub fn add(who: &str, text: &str, repeats: Repeats, environment: &Environment) {
    let Ok(home) = Home::new(environment) else {
        return;
    };
    let Ok(folder) = Directory::open_or_create_private(home.folder(), NoFaults::shared()) else {
        return;
    };
    let Ok(redactor) = Redactor::new(&[]) else {
        return;
    };
    let text = crate::visible(&redactor.redact(text).text);
    let known = folder.read_to_string(FILE, 2 * LOG_BYTES);
    if repeats == Repeats::LeftOut && known.is_ok_and(|known| known.contains(text.as_str())) {
        return;
    }
    let is_long = folder
        .metadata(FILE)
        .is_ok_and(|metadata| metadata.bytes > LOG_BYTES);
    if is_long {
        let _ = folder.remove_file(FILE);
    }
    let line = format!("{} {who}: {text}\n", shown(now_ms()));
    let _ = folder.append(FILE, line.as_bytes());
}
