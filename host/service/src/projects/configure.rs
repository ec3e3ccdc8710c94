//! The effective settings with their origins, and changing them: `config list|get|set|unset`.

use acreta_config::{
    Allowed, KEYS, KeyEntry, Kind as ValueKind, Origin, Value as ConfigValue, set as set_for_user,
    set_in_project, unset as unset_for_user, unset_in_project, variable_of,
};
use acreta_redact::Redactor;
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Context, Failure, Kind, process::settings::project_config, process::state, projects::registry,
};

#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    pub settings: Vec<Setting>,
    /// Settings without a value. `<…>` in a key stands for any one part.
    pub unset: Vec<UnsetSetting>,
    /// Settings in files and variables that are ignored.
    pub ignored: Vec<Ignored>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    pub key: String,
    pub value: Value,
    pub origin: String,
    /// The environment variable that sets it.
    pub variable: String,
    /// The value as TOML.
    #[serde(skip)]
    pub shown: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct UnsetSetting {
    pub key: String,
    pub variable: String,
    pub help: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Ignored {
    pub key: String,
    pub origin: String,
    pub reason: String,
}

/// Lists the effective settings of the current project.
pub fn list(context: &Context) -> Settings {
    let redactor = redactor();
    let settings = context.config.entries().into_iter().map(|entry| {
        let value = without_secrets(&entry.value, &redactor);
        Setting {
            shown: value.to_string(),
            value: serde_json::to_value(&value).unwrap_or_default(),
            origin: origin_text(&entry.origin),
            variable: variable_of(&entry.path),
            key: entry.path,
        }
    });
    let unset = KEYS.iter();
    let unset = unset.filter(|entry| context.config.get(entry.path).is_none());
    let unset = unset.map(|entry| UnsetSetting {
        key: entry.path.to_owned(),
        variable: variable_of(entry.path),
        help: entry.help.to_owned(),
    });
    let ignored = context.warnings.iter().map(|warning| Ignored {
        key: warning.key.clone(),
        origin: origin_text(&warning.origin),
        reason: redactor.redact(&warning.to_string()).text.into_owned(),
    });
    Settings {
        settings: settings.collect(),
        unset: unset.collect(),
        ignored: ignored.collect(),
    }
}

/// A variable may hold an address with a password in it (`state.url`).
fn without_secrets(value: &ConfigValue, redactor: &Redactor) -> ConfigValue {
    match value {
        ConfigValue::Text(text) => ConfigValue::Text(redactor.redact(text).text.into_owned()),
        ConfigValue::List(list) => {
            let list = list.iter().map(|value| without_secrets(value, redactor));
            ConfigValue::List(list.collect())
        }
        ConfigValue::Table(table) => {
            let named = |(name, value): (&String, &ConfigValue)| {
                (name.clone(), without_secrets(value, redactor))
            };
            ConfigValue::Table(table.iter().map(named).collect())
        }
        other => other.clone(),
    }
}

/// Values that are allowed in memory (`redact.allow`) are hidden here like all others.
fn redactor() -> Redactor {
    Redactor::new(&[]).expect("nothing is allowed")
}

/// Returns the value of one setting.
pub fn get(key: &str, context: &Context) -> Result<Setting, Failure> {
    let entry = context
        .config
        .entries()
        .into_iter()
        .find(|entry| entry.path == key);
    match (context.config.get(key), KeyEntry::of(key).is_some()) {
        (Some(value), _) => {
            let value = without_secrets(value, &redactor());
            Ok(Setting {
                key: key.to_owned(),
                variable: variable_of(key),
                shown: value.to_string(),
                value: serde_json::to_value(&value).unwrap_or_default(),
                origin: entry
                    .map(|entry| origin_text(&entry.origin))
                    .unwrap_or_default(),
            })
        }
        (None, true) => Err(Failure::new(Kind::Failure, format!("`{key}` is not set"))),
        (None, false) => Err(
            Failure::new(Kind::Usage, format!("unknown setting `{key}`"))
                .hint("`acreta config list` shows them all"),
        ),
    }
}

/// A setting to write.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSetting {
    #[schemars(length(min = 1, max = 200))]
    pub key: String,
    /// A number, a boolean, or one of the setting's allowed words.
    pub value: Value,
}

/// A setting that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SettingWritten")]
pub struct WrittenSetting {
    /// The file that now contains it.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    /// The value as TOML.
    pub value: String,
    /// What becomes of what is there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// Returns what a value of `memory.summaries` does to summaries that exist.
fn note(key: &str, value: &str) -> Option<&'static str> {
    match (key, value.trim_matches('"')) {
        ("memory.summaries", "local") => Some(
            "summaries that git tracks already stay tracked; `git rm -r -q --cached .acreta/memory/summaries .acreta/meta/summaries` takes them out of the next commit and leaves the files",
        ),
        ("memory.summaries", "shared") => {
            Some("summaries that git ignored until now become part of your next commit")
        }
        ("memory.summaries", "off") => Some("summaries that exist stay"),
        _ => None,
    }
}

/// Writes a setting to the user's file, or to the project's.
pub fn set(
    key: &str,
    value: &str,
    in_project: bool,
    context: &Context,
) -> Result<WrittenSetting, Failure> {
    state::check_setting(key, value)?;
    let (file, value) = match in_project {
        true => {
            registry::refuse_bare(&context.project)?;
            let file = project_config(&context.project);
            let value = set_in_project(&file, key, value)?;
            (file, value)
        }
        false => {
            let file = context.home.config_file();
            let value = set_for_user(&file, key, value)?;
            (file, value)
        }
    };
    let value = value.to_string();
    let note = note(key, &value);
    Ok(WrittenSetting { file, value, note })
}

/// Removes a setting from the user's file, or from the project's. Returns the file.
pub fn unset(key: &str, in_project: bool, context: &Context) -> Result<Utf8PathBuf, Failure> {
    let (file, was_set) = match in_project {
        true => {
            let file = project_config(&context.project);
            let was_set = unset_in_project(&file, key)?;
            (file, was_set)
        }
        false => {
            let file = context.home.config_file();
            let was_set = unset_for_user(&file, key)?;
            (file, was_set)
        }
    };
    match was_set {
        true => Ok(file),
        false => Err(
            Failure::new(Kind::Missing, format!("`{key}` is not set in `{file}`"))
                .hint("`acreta config list --origin` shows where each value comes from"),
        ),
    }
}

/// All settings with everything that a form needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingsForm {
    /// Sorted by key.
    pub settings: Vec<SettingRow>,
    /// Sentences about settings in files and variables that are ignored.
    pub ignored: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingRow {
    pub key: String,
    pub help: String,
    /// Absent if nothing is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `built-in`, a file, or a variable; empty if nothing is set.
    pub origin: String,
    /// Allowed values; empty for any.
    pub choices: Vec<String>,
    /// [`set_plain`] can change it.
    pub plain: bool,
}

/// Lists every named setting, and those of families that are set.
pub fn form(context: &Context) -> SettingsForm {
    let entries = context.config.entries();
    let set = entries.iter().map(|entry| {
        let known = KeyEntry::of(&entry.path);
        SettingRow {
            key: entry.path.clone(),
            help: known.map_or("", |known| known.help).to_owned(),
            value: serde_json::to_value(&entry.value).ok(),
            origin: origin_text(&entry.origin),
            choices: known.map(choices).unwrap_or_default(),
            plain: known.is_some_and(is_plain),
        }
    });
    let unset = KEYS.iter();
    let unset = unset.filter(|known| context.config.get(known.path).is_none());
    let unset = unset
        .filter(|known| !known.path.contains('<'))
        .map(|known| SettingRow {
            key: known.path.to_owned(),
            help: known.help.to_owned(),
            value: None,
            origin: String::new(),
            choices: choices(known),
            plain: is_plain(known),
        });
    let mut settings: Vec<SettingRow> = set.chain(unset).collect();
    settings.sort_by(|left, right| left.key.cmp(&right.key));
    SettingsForm {
        settings,
        ignored: context.warnings.iter().map(ToString::to_string).collect(),
    }
}

/// Writes a number, a boolean or one of several words to the user's file. A setting that takes any text could name a
/// program, a URL or a folder; it can only be set on the command line, so that a page in a browser cannot.
pub fn set_plain(request: &NewSetting, context: &Context) -> Result<WrittenSetting, Failure> {
    let (key, value) = (request.key.as_str(), &request.value);
    let Some(known) = KeyEntry::of(key) else {
        let message = format!("unknown setting `{key}`");
        return Err(Failure::new(Kind::Usage, message).hint("`acreta config list` shows them all"));
    };
    let value = match value {
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => text.clone(),
        _ => String::new(),
    };
    if !is_plain(known) || value.is_empty() {
        let message = format!("`{key}` can be set on the command line only");
        return Err(
            Failure::new(Kind::Refused, message).hint(format!("`acreta config set {key} VALUE`"))
        );
    }
    set(key, &value, false, context)
}

fn is_plain(known: &KeyEntry) -> bool {
    match known.kind() {
        ValueKind::Integer | ValueKind::Float | ValueKind::Boolean => true,
        ValueKind::Text => matches!(known.allowed, Allowed::OneOf(_)),
        ValueKind::TextList | ValueKind::Any => false,
    }
}

fn choices(known: &KeyEntry) -> Vec<String> {
    match (known.kind(), known.allowed) {
        (ValueKind::Boolean, _) => vec!["true".to_owned(), "false".to_owned()],
        (_, Allowed::OneOf(words)) => words.iter().map(|&word| word.to_owned()).collect(),
        _ => Vec::new(),
    }
}

fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built-in".to_owned(),
        Origin::File(path) => path.to_string(),
        Origin::Environment(name) => format!("${name}"),
        Origin::Flag => "flag".to_owned(),
    }
}
