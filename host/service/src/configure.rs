//! The settings that hold, where each comes from, and changing them: what `config list|get|set` does.

use acreta_config::{KEYS, KeyEntry, Origin, set as set_for_user, set_in_project, variable_of};
use camino::Utf8PathBuf;
use serde::Serialize;
use serde_json::Value;

use crate::{Context, Failure, Kind, project_config};

#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    pub settings: Vec<Setting>,
    /// Settings without a value. `<…>` in a key stands for any one part.
    pub unset: Vec<UnsetSetting>,
    /// Settings of files and variables that do not count.
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

/// Lists the settings that hold in the project at hand.
pub fn list(context: &Context) -> Settings {
    let settings = context.config.entries().into_iter().map(|entry| Setting {
        value: serde_json::to_value(&entry.value).unwrap_or_default(),
        shown: entry.value.to_string(),
        origin: origin_text(&entry.origin),
        variable: variable_of(&entry.path),
        key: entry.path,
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
        reason: warning.to_string(),
    });
    Settings {
        settings: settings.collect(),
        unset: unset.collect(),
        ignored: ignored.collect(),
    }
}

/// The value of one setting.
pub fn get(key: &str, context: &Context) -> Result<Setting, Failure> {
    let entry = context
        .config
        .entries()
        .into_iter()
        .find(|entry| entry.path == key);
    match (context.config.get(key), KeyEntry::of(key).is_some()) {
        (Some(value), _) => Ok(Setting {
            key: key.to_owned(),
            variable: variable_of(key),
            value: serde_json::to_value(value).unwrap_or_default(),
            origin: entry
                .map(|entry| origin_text(&entry.origin))
                .unwrap_or_default(),
            shown: value.to_string(),
        }),
        (None, true) => Err(Failure::new(Kind::Failure, format!("`{key}` is not set"))),
        (None, false) => Err(
            Failure::new(Kind::Usage, format!("there is no setting `{key}`"))
                .hint("`acreta config list` shows them all"),
        ),
    }
}

/// A setting that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub file: Utf8PathBuf,
    /// The value as TOML.
    pub value: String,
}

/// Writes a setting to the user's file, or to the project's.
pub fn set(
    key: &str,
    value: &str,
    in_project: bool,
    context: &Context,
) -> Result<Written, Failure> {
    let (file, value) = match in_project {
        true => {
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
    Ok(Written {
        file,
        value: value.to_string(),
    })
}

fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built-in".to_owned(),
        Origin::File(path) => path.to_string(),
        Origin::Environment(name) => format!("${name}"),
        Origin::Flag => "flag".to_owned(),
    }
}
