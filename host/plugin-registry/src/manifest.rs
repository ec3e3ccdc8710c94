//! `plugin.toml`: identity of a plugin and its requests, each with a reason. An unknown key is an error with file and
//! line. This module only checks the form; other modules decide what may be requested.

use std::collections::{BTreeMap, BTreeSet};

use acreta_types::{AdapterRoot, Description, Limits, Role};
use camino::Utf8Path;
use semver::Version;
use serde_json::Value as Json;
use toml_edit::{DocumentMut, Item, Value, value};

use crate::capabilities::{
    Capabilities, ModelBudget, Wanted, Wish, check_limit, limit_of, may_ask_models,
};
use crate::identity::{Digest, PluginId, shown};
use crate::table::{FileError, TomlSection, TomlText, role_of};

/// File name of a manifest.
pub const MANIFEST: &str = "plugin.toml";

/// A parsed manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub id: PluginId,
    pub version: Version,
    pub role: Role,
    /// File name of the component, in the same folder.
    pub component: String,
    /// Digest of the component. Optional in a source tree.
    pub digest: Option<Digest>,
    pub description: String,
    /// People or organisations, as free text.
    pub authors: Vec<String>,
    /// SPDX expression.
    pub license: Option<String>,
    /// Address of its source code.
    pub source: Option<String>,
    pub homepage: Option<String>,
    /// Folders that an adapter asks for. Without patterns, those of its own description apply.
    pub roots: Vec<AdapterRoot>,
    pub llm: Option<ModelRequest>,
    pub limits: BTreeMap<String, LimitRequest>,
    /// Its settings: `plugin.<id>.settings.<key>`.
    pub config: BTreeMap<String, Setting>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRequest {
    pub budget: ModelBudget,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitRequest {
    pub value: u64,
    pub reason: String,
}

/// One of a plugin's own settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub kind: SettingKind,
    pub default: Option<Json>,
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    Text,
    Integer,
    Float,
    Boolean,
    TextList,
}

impl Manifest {
    /// Parses a manifest; `path` is used in messages.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        let text = TomlText::parse(path, text)?;
        let top = text.section();
        top.only(&[
            "id",
            "version",
            "role",
            "component",
            "digest",
            "description",
            "authors",
            "license",
            "source",
            "homepage",
            "roots",
            "llm",
            "limits",
            "config",
        ])?;
        let role = role_of(&top, "role")?;
        Ok(Self {
            id: id(&top)?,
            version: version(&top)?,
            role,
            component: component(&top)?,
            digest: digest(&top)?,
            description: top.sentence("description")?,
            authors: top.texts("authors")?.unwrap_or_default(),
            license: optional(&top, "license")?,
            source: optional(&top, "source")?,
            homepage: optional(&top, "homepage")?,
            roots: roots(&top, role)?,
            llm: llm(&top, role)?,
            limits: limits(&top)?,
            config: config(&top)?,
        })
    }

    /// Returns the standard metadata that it defines, by section name.
    pub fn metadata(&self) -> BTreeMap<&'static str, String> {
        let authors = (!self.authors.is_empty()).then(|| self.authors.join(", "));
        let pairs = [
            ("authors", authors),
            ("description", Some(self.description.clone())),
            ("homepage", self.homepage.clone()),
            ("licenses", self.license.clone()),
            ("source", self.source.clone()),
            ("version", Some(self.version.to_string())),
        ];
        let pairs = pairs.into_iter();
        pairs
            .filter_map(|(name, text)| Some((name, text?)))
            .collect()
    }

    /// Returns the keys in which two manifests of the same plugin differ. File name and digest of the component are not
    /// among them: inside a component and in an installed copy they are others.
    pub fn differing(&self, other: &Self) -> Vec<&'static str> {
        let pairs = [
            ("id", self.id == other.id),
            ("version", self.version == other.version),
            ("role", self.role == other.role),
            ("description", self.description == other.description),
            ("authors", self.authors == other.authors),
            ("license", self.license == other.license),
            ("source", self.source == other.source),
            ("homepage", self.homepage == other.homepage),
            ("roots", self.roots == other.roots),
            ("llm", self.llm == other.llm),
            ("limits", self.limits == other.limits),
            ("config", self.config == other.config),
        ];
        let pairs = pairs.into_iter();
        pairs
            .filter(|(_, is_same)| !is_same)
            .map(|(key, _)| key)
            .collect()
    }

    /// Returns all its requests with reasons. A limit within those of its role needs no request.
    pub fn wishes(&self) -> Vec<Wish> {
        let wish = |what: Wanted, reason: &str| Wish {
            what,
            reason: reason.to_owned(),
            command: format!("acreta plugin grant {}", self.id),
        };
        let mut wishes: Vec<Wish> = self
            .roots
            .iter()
            .map(|root| {
                let what = Wanted::Read {
                    root: root.name.clone(),
                    candidates: root.candidates.clone(),
                };
                wish(what, &root.reason)
            })
            .collect();
        if let Some(llm) = &self.llm {
            wishes.push(wish(Wanted::Models(llm.budget.clone()), &llm.reason));
        }
        let mut defaults = Limits::for_role(self.role);
        for (name, limit) in &self.limits {
            let default = limit_of(&mut defaults, name).map_or(0, |default| *default);
            if limit.value > default {
                let what = Wanted::Limit {
                    name: name.clone(),
                    value: limit.value,
                };
                wishes.push(wish(what, &limit.reason));
            }
        }
        wishes
    }

    /// Returns all its requests without the reasons.
    pub fn asks(&self) -> Capabilities {
        let mut asks = Capabilities::default();
        for wish in self.wishes() {
            asks.add(&wish.what);
        }
        asks
    }

    /// Returns the differences between an adapter's own description at run time and its manifest.
    pub fn differences(&self, description: &Description) -> Vec<String> {
        let mut differences = Vec::new();
        for described in &description.roots {
            let name = &described.name;
            match self.roots.iter().find(|root| root.name == *name) {
                None => differences.push(format!(
                    "it describes a root `{name}` that {MANIFEST} does not ask for"
                )),
                Some(root) if root.candidates != described.candidates => differences.push(format!(
                    "it looks for root `{name}` in {}, {MANIFEST} asks for {}",
                    described.candidates.join(", "),
                    root.candidates.join(", ")
                )),
                Some(root) if !root.patterns.is_empty() && root.patterns != described.patterns => {
                    differences.push(format!(
                        "the patterns of root `{name}` are not those of {MANIFEST}"
                    ));
                }
                Some(_) => {}
            }
        }
        for root in &self.roots {
            if !description
                .roots
                .iter()
                .any(|described| described.name == root.name)
            {
                differences.push(format!(
                    "{MANIFEST} asks for a root `{}` that it does not describe",
                    root.name
                ));
            }
        }
        differences
    }
}

impl Setting {
    /// Returns true if a value has this setting's kind.
    pub fn accepts(&self, value: &Json) -> bool {
        self.kind.accepts(value)
    }
}

impl SettingKind {
    const ALL: [SettingKind; 5] = [
        SettingKind::Text,
        SettingKind::Integer,
        SettingKind::Float,
        SettingKind::Boolean,
        SettingKind::TextList,
    ];

    /// Returns its name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            SettingKind::Text => "text",
            SettingKind::Integer => "integer",
            SettingKind::Float => "float",
            SettingKind::Boolean => "boolean",
            SettingKind::TextList => "text-list",
        }
    }

    fn accepts(self, value: &Json) -> bool {
        match self {
            SettingKind::Text => value.is_string(),
            SettingKind::Integer => value.is_i64(),
            SettingKind::Float => value.is_number(),
            SettingKind::Boolean => value.is_boolean(),
            SettingKind::TextList => value
                .as_array()
                .is_some_and(|values| values.iter().all(Json::is_string)),
        }
    }
}

/// Returns a manifest's text with another component and digest; everything else stays, including comments.
pub(crate) fn with_component(text: &str, component: &str, digest: &Digest) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    for (key, text) in [
        ("component", component.to_owned()),
        ("digest", digest.to_string()),
    ] {
        match document.get_mut(key) {
            Some(Item::Value(old)) => {
                let decor = old.decor().clone();
                *old = text.into();
                *old.decor_mut() = decor;
            }
            _ => {
                document.insert(key, value(text));
            }
        }
    }
    Some(document.to_string())
}

fn id(top: &TomlSection<'_>) -> Result<PluginId, FileError> {
    let text = top.required_text("id")?;
    PluginId::new(text).map_err(|error| top.invalid("id", error.to_string(), error.hint()))
}

fn version(top: &TomlSection<'_>) -> Result<Version, FileError> {
    let text = top.required_text("version")?;
    Version::parse(text).map_err(|error| {
        let message = format!("`{}` is not a version: {error}", shown(text));
        top.invalid("version", message, "write it as MAJOR.MINOR.PATCH")
    })
}

fn component(top: &TomlSection<'_>) -> Result<String, FileError> {
    let text = top.required_text("component")?;
    let is_name = acreta_fs::is_relative_path(text.into())
        && !text.contains(['/', '\\'])
        && !text.chars().any(acreta_text::is_hidden)
        && text.ends_with(".wasm");
    if !is_name {
        let message = format!("`{}` is not a component file name", shown(text));
        let hint = format!("name a `.wasm` file beside {MANIFEST}");
        return Err(top.invalid("component", message, hint));
    }
    Ok(text.to_owned())
}

fn digest(top: &TomlSection<'_>) -> Result<Option<Digest>, FileError> {
    let text = top.text("digest")?;
    let digest = text.map(str::parse).transpose();
    digest.map_err(|error: crate::InvalidDigest| {
        let hint = "write it as `sha256:` and the 64 hex digits that `sha256sum` prints";
        top.invalid("digest", error.to_string(), hint)
    })
}

fn optional(top: &TomlSection<'_>, key: &str) -> Result<Option<String>, FileError> {
    match top.text(key)? {
        Some(_) => top.sentence(key).map(Some),
        None => Ok(None),
    }
}

fn roots(top: &TomlSection<'_>, role: Role) -> Result<Vec<AdapterRoot>, FileError> {
    let sections = top.sections("roots")?;
    if !sections.is_empty() && role != Role::Adapter {
        let message = format!("a plugin of role {role} cannot get folders");
        return Err(top.invalid("roots", message, "leave `roots` out"));
    }
    let mut names = BTreeSet::new();
    let mut roots = Vec::new();
    for section in sections {
        section.only(&["name", "candidates", "patterns", "reason"])?;
        let name = section.required_text("name")?;
        if !is_plain(name) {
            let message = format!("`{}` is not a valid root name", shown(name));
            let hint = "use lower-case letters, digits, hyphens and underscores";
            return Err(section.invalid("name", message, hint));
        }
        if !names.insert(name) {
            let message = format!("duplicate root `{name}`");
            return Err(section.invalid("name", message, "give each root a unique name"));
        }
        let patterns = section.texts("patterns")?.unwrap_or_default();
        if let Some(pattern) = patterns.iter().find(|pattern| !is_pattern(pattern)) {
            let message = format!("`{}` is not a valid pattern", shown(pattern));
            let hint = "a pattern is relative to the root, such as `**/*.jsonl`";
            return Err(section.invalid("patterns", message, hint));
        }
        roots.push(AdapterRoot {
            name: name.to_owned(),
            candidates: section.required_texts("candidates")?,
            patterns,
            reason: section.sentence("reason")?,
        });
    }
    Ok(roots)
}

fn is_pattern(pattern: &str) -> bool {
    !pattern.is_empty()
        && !pattern.starts_with('/')
        && !pattern.contains('\0')
        && pattern.split('/').all(|part| part != "..")
}

fn llm(top: &TomlSection<'_>, role: Role) -> Result<Option<ModelRequest>, FileError> {
    let Some(section) = top.section("llm")? else {
        return Ok(None);
    };
    if !may_ask_models(role) {
        let message = format!("a plugin of role {role} cannot get language models");
        return Err(top.invalid("llm", message, "leave `llm` out"));
    }
    section.only(&["purposes", "calls", "tokens", "reason"])?;
    Ok(Some(ModelRequest {
        budget: ModelBudget::read(&section)?,
        reason: section.sentence("reason")?,
    }))
}

fn limits(top: &TomlSection<'_>) -> Result<BTreeMap<String, LimitRequest>, FileError> {
    let mut limits = BTreeMap::new();
    let Some(section) = top.section("limits")? else {
        return Ok(limits);
    };
    for name in section.keys() {
        check_limit(&section, name)?;
        let Some(limit) = section.section(name)? else {
            continue;
        };
        limit.only(&["value", "reason"])?;
        let value = limit.required_number("value")?;
        if value > MOST {
            return Err(limit.invalid("value", "it is more than 1e15", "ask for less"));
        }
        let reason = limit.sentence("reason")?;
        limits.insert(name.to_owned(), LimitRequest { value, reason });
    }
    Ok(limits)
}

/// Maximum value of a limit in settings.
const MOST: u64 = 1_000_000_000_000_000;

fn config(top: &TomlSection<'_>) -> Result<BTreeMap<String, Setting>, FileError> {
    let mut config = BTreeMap::new();
    let Some(section) = top.section("config")? else {
        return Ok(config);
    };
    for key in section.keys() {
        if !is_plain(key) {
            let hint = "use lower-case letters, digits, hyphens and underscores";
            return Err(section.invalid(key, "not a valid setting name", hint));
        }
        let Some(setting) = section.section(key)? else {
            continue;
        };
        setting.only(&["type", "default", "description"])?;
        let name = setting.required_text("type")?;
        let kind = SettingKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| {
            let message = format!("unknown type `{}`", shown(name));
            let hint = format!(
                "types are {}",
                SettingKind::ALL.map(SettingKind::name).join(", ")
            );
            setting.invalid("type", message, hint)
        })?;
        let default = setting
            .item("default")
            .map(|item| json(item).unwrap_or(Json::Null));
        if let Some(default) = &default
            && !kind.accepts(default)
        {
            let message = format!("it is not of the type `{}`", kind.name());
            return Err(setting.invalid(
                "default",
                message,
                "give a default of that type, or none",
            ));
        }
        let description = setting.sentence("description")?;
        config.insert(
            key.to_owned(),
            Setting {
                kind,
                default,
                description,
            },
        );
    }
    Ok(config)
}

/// Converts a plain TOML value to JSON; `None` if settings do not allow it.
fn json(item: &Item) -> Option<Json> {
    fn of(value: &Value) -> Option<Json> {
        Some(match value {
            Value::String(text) => text.value().as_str().into(),
            Value::Integer(integer) => (*integer.value()).into(),
            Value::Float(float) => serde_json::Number::from_f64(*float.value())?.into(),
            Value::Boolean(boolean) => (*boolean.value()).into(),
            Value::Array(values) => Json::Array(values.iter().map(of).collect::<Option<_>>()?),
            Value::Datetime(_) | Value::InlineTable(_) => return None,
        })
    }
    of(item.as_value()?)
}

/// Returns true for a valid name of a preopened folder or a setting.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}
