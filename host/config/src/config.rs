//! Merges all layers. A later layer overrides an earlier one if its value is valid.

use std::collections::BTreeMap;

use acreta_types::Limits;
use camino::Utf8PathBuf;
use serde::Serialize;
use toml_edit::{Document, Item, TableLike};

use crate::environment::path_of;
use crate::file::{self, LinkPolicy};
use crate::keys::{KEYS, KeyEntry};
use crate::nearest::nearest_key;
use crate::{ConfigError, Environment, Origin, Problem, SetBy, Value, Warning};

/// The sources of settings, weakest first.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pub user_file: Option<Utf8PathBuf>,
    pub project_file: Option<Utf8PathBuf>,
    /// The user trusts the project. Its file may then set more keys, but not those that belong to the user alone.
    pub project_trusted: bool,
    /// The file named by `ACRETA_CONFIG`. It must exist.
    pub explicit_file: Option<Utf8PathBuf>,
    pub environment: Environment,
    /// Dotted paths with their values as text.
    pub flags: Vec<(String, String)>,
}

/// The effective value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingEntry {
    pub path: String,
    pub value: Value,
    pub origin: Origin,
}

/// The settings of one run.
#[derive(Debug, Clone)]
pub struct Config {
    values: BTreeMap<String, (Value, Origin)>,
}

impl Config {
    /// Reads all layers. A file of the user's that is not valid TOML is an error. A project's is ignored with a warning,
    /// like an invalid setting, and so is a link: whoever can commit must not be able to silence acreta.
    pub fn load(sources: &Sources) -> Result<(Self, Vec<Warning>), ConfigError> {
        let mut layers = Layers::default();
        if let Some(path) = &sources.user_file {
            layers.add_file(path, LinkPolicy::Followed, SetBy::User)?;
        }
        if let Some(path) = &sources.project_file {
            let author = match sources.project_trusted {
                true => SetBy::TrustedProject,
                false => SetBy::Project,
            };
            match layers.add_file(path, LinkPolicy::Refused, author) {
                // The project's whole folder is a link: no command works on that.
                Err(ConfigError::Fs(error)) if error.is_link() && !path.is_symlink() => {
                    return Err(error.into());
                }
                Err(error) => {
                    let reason = acreta_types::with_causes(&error);
                    let origin = Origin::File(path.clone());
                    layers.warn(origin, None, String::new(), Problem::Unreadable { reason });
                }
                Ok(_) => {}
            }
        }
        if let Some(path) = &sources.explicit_file
            && !layers.add_file(path, LinkPolicy::Followed, SetBy::User)?
        {
            // The user named this file, so its absence is an error that names it.
            acreta_fs::canonical(path)?;
        }
        for (variable, text) in &sources.environment {
            if let Some(path) = path_of(variable) {
                layers.add_text(&path, text, Origin::Environment(variable.clone()));
            }
        }
        for (path, text) in &sources.flags {
            layers.add_text(path, text, Origin::Flag);
        }
        Ok((
            Self {
                values: layers.values,
            },
            layers.warnings,
        ))
    }

    /// Returns the built-in settings only.
    pub fn builtin() -> Self {
        Self {
            values: Layers::default().values,
        }
    }

    pub fn get(&self, path: &str) -> Option<&Value> {
        self.values.get(path).map(|(value, _)| value)
    }

    pub fn origin(&self, path: &str) -> Option<&Origin> {
        self.values.get(path).map(|(_, origin)| origin)
    }

    /// Returns a text. Like all getters below, it returns the empty value for a key that is unknown or of another kind.
    pub fn text(&self, path: &str) -> &str {
        self.get(path).and_then(Value::as_text).unwrap_or_default()
    }

    pub fn integer(&self, path: &str) -> i64 {
        match self.get(path) {
            Some(Value::Integer(integer)) => *integer,
            _ => 0,
        }
    }

    pub fn float(&self, path: &str) -> f64 {
        match self.get(path) {
            Some(Value::Float(float)) => *float,
            _ => 0.0,
        }
    }

    pub fn boolean(&self, path: &str) -> bool {
        matches!(self.get(path), Some(Value::Boolean(true)))
    }

    pub fn text_list(&self, path: &str) -> Vec<String> {
        match self.get(path) {
            Some(Value::List(values)) => values
                .iter()
                .filter_map(Value::as_text)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns `defaults`, overridden by the limits configured for one plugin.
    pub fn limits(&self, plugin: &str, defaults: Limits) -> Limits {
        let limit =
            |name: &str, default: u64| match self.get(&format!("plugin.{plugin}.limits.{name}")) {
                Some(Value::Integer(integer)) => u64::try_from(*integer).unwrap_or(default),
                _ => default,
            };
        Limits {
            memory_bytes: limit("memory_bytes", defaults.memory_bytes),
            wall_ms: limit("wall_ms", defaults.wall_ms),
            handles: limit("handles", defaults.handles),
            table_elements: limit("table_elements", defaults.table_elements),
            value_bytes: limit("value_bytes", defaults.value_bytes),
            emitted_bytes: limit("emitted_bytes", defaults.emitted_bytes),
            log_bytes: limit("log_bytes", defaults.log_bytes),
            draft_bytes: limit("draft_bytes", defaults.draft_bytes),
            draft_files: limit("draft_files", defaults.draft_files),
        }
    }

    /// Returns a plugin's own settings, by key.
    pub fn settings(&self, plugin: &str) -> BTreeMap<String, Value> {
        let prefix = format!("plugin.{plugin}.settings.");
        self.values
            .range(prefix.clone()..)
            .map_while(|(path, (value, _))| {
                Some((path.strip_prefix(&prefix)?.to_owned(), value.clone()))
            })
            .collect()
    }

    /// Returns the prompt files that replace a plugin's own prompts, by name.
    pub fn prompts(&self, plugin: &str) -> BTreeMap<String, String> {
        let prefix = format!("plugin.{plugin}.prompts.");
        let values = self.values.range(prefix.clone()..);
        values
            .map_while(|(path, (value, _))| {
                let name = path.strip_prefix(&prefix)?;
                match value {
                    Value::Text(file) => Some((name.to_owned(), file.clone())),
                    _ => None,
                }
            })
            .collect()
    }

    /// Returns one text that covers every setting that affects which plugins are loaded and how. Configurations with
    /// equal texts can share loaded plugins.
    pub fn plugin_settings(&self) -> String {
        let entries = self.entries().into_iter();
        let own = entries
            .filter(|entry| entry.path.starts_with("plugin") || entry.path.starts_with("llm."));
        own.map(|entry| format!("{}={:?}\n", entry.path, entry.value))
            .collect()
    }

    /// Returns all settings that have a value, sorted by path.
    pub fn entries(&self) -> Vec<SettingEntry> {
        self.values
            .iter()
            .map(|(path, (value, origin))| SettingEntry {
                path: path.clone(),
                value: value.clone(),
                origin: origin.clone(),
            })
            .collect()
    }
}

struct Layers {
    values: BTreeMap<String, (Value, Origin)>,
    warnings: Vec<Warning>,
}

impl Default for Layers {
    fn default() -> Self {
        let builtin = |entry: &KeyEntry| {
            Some((
                entry.path.to_owned(),
                (entry.default.value()?, Origin::Builtin),
            ))
        };
        Self {
            values: KEYS.iter().filter_map(builtin).collect(),
            warnings: Vec::new(),
        }
    }
}

/// A file while it is added to the layers.
struct FileLayer {
    path: Utf8PathBuf,
    document: Document<String>,
    author: SetBy,
}

impl Layers {
    /// Returns whether the file existed.
    fn add_file(
        &mut self,
        path: &Utf8PathBuf,
        links: LinkPolicy,
        author: SetBy,
    ) -> Result<bool, ConfigError> {
        let Some(text) = file::read(path, links)? else {
            return Ok(false);
        };
        let layer = FileLayer {
            path: path.clone(),
            document: file::parse(path, text)?,
            author,
        };
        self.add_table(&layer, "", layer.document.as_table());
        Ok(true)
    }

    fn add_table(&mut self, layer: &FileLayer, prefix: &str, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            let path = if prefix.is_empty() {
                name.to_owned()
            } else {
                format!("{prefix}.{name}")
            };
            let span = table
                .key(name)
                .and_then(toml_edit::Key::span)
                .or(item.span());
            let line = span.map(|span| file::place(layer.document.raw(), span).0);
            self.add_item(layer, path, item, line);
        }
    }

    fn add_item(&mut self, layer: &FileLayer, path: String, item: &Item, line: Option<usize>) {
        let origin = Origin::File(layer.path.clone());
        if let Some(entry) = KeyEntry::of(&path) {
            let (needed, reason) = entry.set_by();
            let problem = match Value::of_item(item) {
                _ if layer.author < needed => Problem::NotAllowed { needed, reason },
                _ if layer.author < SetBy::User && names_secret(&path) => Problem::Secret,
                None => return,
                Some(value) => match value.clone().checked(entry) {
                    Some(value) => {
                        self.values.insert(path, (value, origin));
                        return;
                    }
                    None => wrong(entry, &value),
                },
            };
            self.warn(origin, line, path, problem);
        } else if let Some(table) =
            (item.as_table_like()).filter(|table| !table.is_empty() || KeyEntry::is_table(&path))
        {
            self.add_table(layer, &path, table);
        } else {
            let problem = if names_secret(&path) {
                Problem::Secret
            } else {
                Problem::Unknown {
                    nearest: nearest_key(&path),
                }
            };
            self.warn(origin, line, path, problem);
        }
    }

    fn add_text(&mut self, path: &str, text: &str, origin: Origin) {
        let Some(entry) = KeyEntry::of(path) else {
            let nearest = nearest_key(path);
            return self.warn(origin, None, path.to_owned(), Problem::Unknown { nearest });
        };
        let value = Value::of_text(entry, text);
        match value.clone().checked(entry) {
            Some(value) => {
                self.values.insert(path.to_owned(), (value, origin));
            }
            None => self.warn(origin, None, path.to_owned(), wrong(entry, &value)),
        }
    }

    fn warn(&mut self, origin: Origin, line: Option<usize>, key: String, problem: Problem) {
        self.warnings.push(Warning {
            origin,
            line,
            key,
            problem,
        });
    }
}

fn wrong(entry: &KeyEntry, value: &Value) -> Problem {
    Problem::WrongValue {
        expected: entry.expected(),
        found: value.short(),
    }
}

/// Returns whether the last part of a key names a secret, which must not be in a file.
fn names_secret(path: &str) -> bool {
    let name = path
        .rsplit('.')
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase()
        .replace('-', "_");
    ["api_key", "apikey", "password", "secret"]
        .iter()
        .any(|word| name.contains(word))
        || name == "token"
        || name.ends_with("_token")
}
