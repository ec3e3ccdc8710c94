//! Parses `case.toml` and checks that it has what its role needs.

use std::collections::BTreeMap;

use acreta_fs::is_relative_path;
use acreta_types::Role;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde_json::Value;

use crate::conformance::error::CaseError;

/// `case.toml` as written. Times and seeds are optional.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    pub(crate) what: String,
    pub(crate) role: Role,
    /// Input files of the plugin, relative to the case.
    pub(crate) input: Vec<Utf8PathBuf>,
    /// For an adapter: the name of the root of its files.
    pub(crate) root: Option<String>,
    /// For an extractor: the session of the trace.
    pub(crate) session: Option<Utf8PathBuf>,
    /// For an explorer: the folder with existing memory.
    pub(crate) memory: Option<Utf8PathBuf>,
    pub(crate) now_ms: Option<u64>,
    pub(crate) seed: Option<u64>,
    #[serde(default)]
    pub(crate) settings: BTreeMap<String, Value>,
}

impl CaseFile {
    pub(crate) fn parse(path: &Utf8Path, text: &str) -> Result<Self, CaseError> {
        let damaged = |line, message: String| CaseError::Damaged {
            path: path.to_owned(),
            line,
            message,
        };
        let file: Self = toml_edit::de::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            damaged(line_at(text, start), error.message().replace('\n', ", "))
        })?;
        file.check()
            .map_err(|(key, message)| damaged(line_of(text, key), format!("`{key}`: {message}")))?;
        Ok(file)
    }

    /// Returns the first key with an invalid value.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let what = self.what.trim();
        if what.is_empty() || what.contains('\n') || what.chars().any(acreta_text::is_hidden) {
            return Err(("what", "it is not one plain sentence".to_owned()));
        }
        let is_adapter = self.role == Role::Adapter;
        if self.input.is_empty() || (self.input.len() > 1 && !is_adapter) {
            let message = if is_adapter {
                "name at least one file"
            } else {
                "name exactly one file"
            };
            return Err(("input", message.to_owned()));
        }
        let session = self.session.iter().map(|path| ("session", path));
        let memory = self.memory.iter().map(|path| ("memory", path));
        let paths = self.input.iter().map(|path| ("input", path));
        for (key, path) in paths.chain(session).chain(memory) {
            if !is_relative_path(path) {
                let message =
                    "a path must be in the case's folder and must not contain `..`".to_owned();
                return Err((key, message));
            }
            if key == "input" && is_adapter && !path.starts_with(SESSIONS) {
                let message = format!("an adapter's files lie in the folder `{SESSIONS}`");
                return Err((key, message));
            }
        }
        for (key, is_set, role) in [
            ("root", self.root.is_some(), Role::Adapter),
            ("session", self.session.is_some(), Role::Extractor),
            ("memory", self.memory.is_some(), Role::Explorer),
        ] {
            if is_set && self.role != role {
                return Err((key, format!("it is for cases of role {role}")));
            }
        }
        if self.root.as_deref().is_some_and(|root| !is_plain(root)) {
            let message = "use small letters, digits, hyphens and underscores";
            return Err(("root", message.to_owned()));
        }
        if self.settings.values().any(Value::is_object) {
            let message = "a setting is a text, a number, true or false, or a list of those";
            return Err(("settings", message.to_owned()));
        }
        Ok(())
    }
}

/// The folder with an adapter's session files.
pub(crate) const SESSIONS: &str = "input";

/// Reports whether a text is a valid name of a case or a preopened folder.
pub(crate) fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

fn line_at(text: &str, start: usize) -> usize {
    acreta_text::head(text, start).matches('\n').count() + 1
}

/// Returns the number of the line that sets a key, or 1.
fn line_of(text: &str, key: &str) -> usize {
    let sets = |line: &str| {
        let line = line.trim_start().trim_start_matches('[');
        let rest = line.strip_prefix(key).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['=', ']', '.']))
    };
    text.lines().position(sets).map_or(1, |index| index + 1)
}
