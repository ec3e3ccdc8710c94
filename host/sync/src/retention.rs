//! Determines how long agents keep their own sessions: by the setting that an adapter names, or else by the agent's
//! default.

use acreta_fs::{Directory, NoFaults};
use acreta_types::Description;
use camino::Utf8Path;
use serde_json::Value;

/// Maximum size of a settings file.
const MAX_BYTES: u64 = 1024 * 1024;

/// Returns the days after which an agent deletes a session; `None` if it keeps them.
pub(crate) fn deletes_after_days(
    description: &Description,
    root: Option<&Utf8Path>,
) -> Option<u64> {
    let usual = description.attrs.get("deletes_after_days");
    let usual = usual.and_then(|days| days.parse().ok());
    let setting = description.attrs.get("retention_setting");
    let setting = setting.and_then(|setting| setting.split_once(' '));
    match setting.zip(root) {
        Some(((file, key), root)) => match settings(root, file) {
            Some(settings) => by_setting(&settings, key, usual),
            None => usual,
        },
        None => usual,
    }
}

/// Reads a settings file in an adapter's root, or directly beside it.
fn settings(root: &Utf8Path, file: &str) -> Option<Value> {
    let (folder, name) = match file.strip_prefix("../") {
        Some(name) => (root.parent()?, name),
        None => (root, file),
    };
    // An adapter names a plain file, not a path out of its folder.
    if name.contains(['/', '\\']) || name == ".." {
        return None;
    }
    let folder = Directory::open(folder, NoFaults::shared()).ok()?;
    let bytes = folder.read(name, MAX_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Reads the value of a dotted key. A section that is not `enabled` deletes nothing; a value that is not set, or cannot
/// be parsed, means the default.
fn by_setting(settings: &Value, key: &str, usual: Option<u64>) -> Option<u64> {
    let mut value = settings;
    for part in key.split('.') {
        if value.get("enabled") == Some(&Value::Bool(false)) {
            return None;
        }
        match value.get(part) {
            Some(inner) => value = inner,
            None => {
                return usual;
            }
        }
    }
    match value {
        Value::Number(days) => days.as_u64().or(usual),
        Value::String(text) => days(text).or(usual),
        _ => usual,
    }
}

/// Parses a duration like `30d`, `2w` or `36h` to days, rounded up.
fn days(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let count: u64 = digits.parse().ok()?;
    match &text[digits.len()..] {
        "" | "d" => Some(count),
        "h" => Some(count.div_ceil(24)),
        "w" => count.checked_mul(7),
        "m" => count.checked_mul(30),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use acreta_types::Attrs;

    use super::*;

    fn description(setting: &str) -> Description {
        let mut attrs = Attrs::default();
        attrs.push("deletes_after_days", "30");
        attrs.push("retention_setting", setting);
        Description {
            agent: "fake".to_owned(),
            roots: Vec::new(),
            attrs,
        }
    }

    #[test]
    fn the_agents_own_settings_count() {
        const AGE: &str = "settings.json general.sessionRetention.maxAge";
        const PERIOD: &str = "../settings.json cleanupPeriodDays";
        let table = [
            (PERIOD, "{\"cleanupPeriodDays\": 7}", Some(7)),
            (PERIOD, "{\"cleanupPeriodDays\": 99999}", Some(99_999)),
            (PERIOD, "{}", Some(30)),
            (PERIOD, "no JSON", Some(30)),
            (PERIOD, "{\"cleanupPeriodDays\": null}", Some(30)),
            (
                AGE,
                "{\"general\": {\"sessionRetention\": {\"maxAge\": \"2w\"}}}",
                Some(14),
            ),
            (
                AGE,
                "{\"general\": {\"sessionRetention\": {\"maxAge\": \"36h\"}}}",
                Some(2),
            ),
            (
                AGE,
                "{\"general\": {\"sessionRetention\": {\"maxAge\": \"soon\"}}}",
                Some(30),
            ),
            (
                AGE,
                "{\"general\": {\"sessionRetention\": {\"enabled\": false}}}",
                None,
            ),
            (
                AGE,
                "{\"general\": {\"sessionRetention\": {\"enabled\": true}}}",
                Some(30),
            ),
            (
                "../../settings.json cleanupPeriodDays",
                "{\"cleanupPeriodDays\": 7}",
                Some(30),
            ),
        ];
        for (setting, text, expected) in table {
            let folder = tempfile::tempdir().unwrap();
            let base = Utf8Path::from_path(folder.path()).unwrap();
            let home = Directory::open_or_create_private(&base.join("agent"), NoFaults::shared());
            let home = home.unwrap();
            home.create_dir_all("sessions").unwrap();
            home.replace("settings.json", text.as_bytes()).unwrap();
            let root = match setting.starts_with("..") {
                true => base.join("agent/sessions"),
                false => base.join("agent"),
            };
            let found = deletes_after_days(&description(setting), Some(&root));
            assert_eq!(found, expected, "{setting} {text}");
        }
        assert_eq!(deletes_after_days(&description(PERIOD), None), Some(30));
    }
}
