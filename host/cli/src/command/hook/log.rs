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
    let hook = match command {
        HookCommand::SessionStart(_) => "session-start",
        HookCommand::SessionEnd(_) => "session-end",
    };
    add(hook, problem, Repeats::Told);
}

/// Adds a line about something that is so at every session, once.
pub(crate) fn note_once(who: &str, text: &str) {
    add(who, text, Repeats::LeftOut);
}

/// Whether a line is added that is there already.
#[derive(PartialEq, Eq)]
enum Repeats {
    Told,
    LeftOut,
}

fn add(who: &str, text: &str, repeats: Repeats) {
    let Ok(home) = Home::new(&environment()) else {
        return;
    };
    let Ok(folder) = Directory::open_or_create_private(home.folder(), NoFaults::shared()) else {
        return;
    };
    let text = acreta_text::visible(text);
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
