//! Settings as environment variables: `ACRETA_` and the path in capitals, `__` for each dot and `_`
//! for each dash. `decide.update_overlap` is `ACRETA_DECIDE__UPDATE_OVERLAP`, and
//! `plugin.adapter-claude.limits.wall_ms` is `ACRETA_PLUGIN__ADAPTER_CLAUDE__LIMITS__WALL_MS`:
//! in a plugin's id, which has no underscore, `_` is read as a dash.

use std::collections::BTreeMap;

/// Variables by name, as passed to the process.
pub type Environment = BTreeMap<String, String>;

const PREFIX: &str = "ACRETA_";

/// Variables that are not settings.
const RESERVED: [&str; 13] = [
    "ACRETA_ARCHIVE_URL",
    "ACRETA_CACHE_DIR",
    "ACRETA_CACHE_KEY",
    "ACRETA_CALL",
    "ACRETA_CHILD",
    "ACRETA_CONFIG",
    "ACRETA_ENDS_WITH_INPUT",
    "ACRETA_HOME",
    "ACRETA_HOOK_WAIT_MS",
    "ACRETA_LOG",
    "ACRETA_REQUEST_ID",
    "ACRETA_STATE_URL",
    "ACRETA_TRACING",
];

/// Returns the name of the variable that sets the key `path`.
pub fn variable_of(path: &str) -> String {
    let name = path
        .to_ascii_uppercase()
        .replace('.', "__")
        .replace('-', "_");
    format!("{PREFIX}{name}")
}

/// Returns the path that a variable sets, or `None` if the variable is not a setting of acreta.
pub(crate) fn path_of(variable: &str) -> Option<String> {
    if RESERVED.contains(&variable) {
        return None;
    }
    let name = variable.strip_prefix(PREFIX)?.to_ascii_lowercase();
    let mut parts: Vec<String> = name.split("__").map(str::to_owned).collect();
    if let [first, id, ..] = parts.as_mut_slice()
        && first == "plugin"
    {
        *id = id.replace('_', "-");
    }
    Some(parts.join("."))
}
