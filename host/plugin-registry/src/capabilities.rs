//! Capabilities of a plugin beyond its role: folders to read, language models, higher limits. Manifests, grants and
//! locks use the same types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use acreta_types::{Limits, Role};
use toml_edit::{Array, InlineTable, Item, Value};

use crate::table::{FileError, TomlSection};

/// Purposes of model requests, as named in the contract.
pub const PURPOSES: &[&str] = &["extract", "summarise", "explore", "ask"];

/// A set of capabilities; empty by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Folders it may search for sessions: candidates by the name of the root.
    pub reads: BTreeMap<String, Vec<String>>,
    pub llm: Option<ModelBudget>,
    /// Limits above those of its role, by name.
    pub limits: BTreeMap<String, u64>,
}

/// Budget for language models in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelBudget {
    pub purposes: BTreeSet<String>,
    pub calls: u64,
    pub tokens: u64,
}

/// One requested capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Read {
        root: String,
        candidates: Vec<String>,
    },
    Models(ModelBudget),
    Limit {
        name: String,
        value: u64,
    },
}

/// A requested capability, its reason, and the command that grants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub what: Wanted,
    /// The plugin's own words.
    pub reason: String,
    pub command: String,
}

impl Capabilities {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if these capabilities include `wanted`.
    pub fn covers(&self, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Read { root, candidates } => self
                .reads
                .get(root)
                .is_some_and(|given| candidates.iter().all(|one| given.contains(one))),
            Wanted::Models(wanted) => self.llm.as_ref().is_some_and(|given| {
                wanted.purposes.is_subset(&given.purposes)
                    && wanted.calls <= given.calls
                    && wanted.tokens <= given.tokens
            }),
            Wanted::Limit { name, value } => {
                self.limits.get(name).is_some_and(|given| value <= given)
            }
        }
    }

    /// Adds a capability.
    pub fn add(&mut self, wanted: &Wanted) {
        match wanted {
            Wanted::Read { root, candidates } => {
                self.reads.insert(root.clone(), candidates.clone());
            }
            Wanted::Models(budget) => self.llm = Some(budget.clone()),
            Wanted::Limit { name, value } => {
                self.limits.insert(name.clone(), *value);
            }
        }
    }

    /// Returns `defaults`, raised where a higher limit was granted.
    pub fn limits(&self, mut defaults: Limits) -> Limits {
        for (name, value) in &self.limits {
            if let Some(limit) = limit_of(&mut defaults, name) {
                *limit = (*limit).max(*value);
            }
        }
        defaults
    }

    /// Reads `reads`, `llm` and `limits` of a table.
    pub(crate) fn read(section: &TomlSection<'_>) -> Result<Self, FileError> {
        let mut capabilities = Self::default();
        if let Some(reads) = section.section(READS)? {
            for root in reads.keys() {
                let candidates = reads.texts(root)?.unwrap_or_default();
                capabilities.reads.insert(root.to_owned(), candidates);
            }
        }
        if let Some(llm) = section.section(LLM)? {
            llm.only(&["purposes", "calls", "tokens"])?;
            capabilities.llm = Some(ModelBudget::read(&llm)?);
        }
        if let Some(limits) = section.section(LIMITS)? {
            for name in limits.keys() {
                check_limit(&limits, name)?;
                let value = limits.required_number(name)?;
                capabilities.limits.insert(name.to_owned(), value);
            }
        }
        Ok(capabilities)
    }

    /// Returns the keys and values that [`Capabilities::read`] reads; `None` for an empty part.
    pub(crate) fn items(&self) -> [(&'static str, Option<Item>); 3] {
        let text = |text: &String| Value::from(text.as_str());
        let reads: InlineTable = self
            .reads
            .iter()
            .map(|(root, candidates)| {
                let candidates: Array = candidates.iter().map(text).collect();
                (root.as_str(), candidates)
            })
            .collect();
        let llm = self.llm.as_ref().map(|budget| {
            let mut table = InlineTable::new();
            let purposes: Array = budget.purposes.iter().map(text).collect();
            table.insert("purposes", purposes.into());
            table.insert("calls", number(budget.calls));
            table.insert("tokens", number(budget.tokens));
            Item::Value(table.into())
        });
        let limits: InlineTable = self
            .limits
            .iter()
            .map(|(name, value)| (name.as_str(), number(*value)))
            .collect();
        let present = |table: InlineTable| (!table.is_empty()).then(|| Item::Value(table.into()));
        [
            (READS, present(reads)),
            (LLM, llm),
            (LIMITS, present(limits)),
        ]
    }
}

pub(crate) const READS: &str = "reads";
pub(crate) const LLM: &str = "llm";
pub(crate) const LIMITS: &str = "limits";

impl ModelBudget {
    /// Reads `purposes`, `calls` and `tokens` of a table.
    pub(crate) fn read(section: &TomlSection<'_>) -> Result<Self, FileError> {
        let purposes = section.required_texts("purposes")?;
        if let Some(unknown) = purposes
            .iter()
            .find(|purpose| !PURPOSES.contains(&purpose.as_str()))
        {
            let message = format!("unknown purpose `{}`", crate::identity::shown(unknown));
            let hint = format!("purposes are {}", PURPOSES.join(", "));
            return Err(section.invalid("purposes", message, hint));
        }
        Ok(Self {
            purposes: purposes.into_iter().collect(),
            calls: section.required_number("calls")?,
            tokens: section.required_number("tokens")?,
        })
    }
}

/// Returns true if the contract of a role includes language models.
pub(crate) fn may_ask_models(role: Role) -> bool {
    host_interfaces(role).contains(&"llm")
}

/// Returns the limit with this name; `None` if there is no such limit.
pub(crate) fn limit_of<'a>(limits: &'a mut Limits, name: &str) -> Option<&'a mut u64> {
    Some(match name {
        "memory_bytes" => &mut limits.memory_bytes,
        "wall_ms" => &mut limits.wall_ms,
        "handles" => &mut limits.handles,
        "table_elements" => &mut limits.table_elements,
        "value_bytes" => &mut limits.value_bytes,
        "emitted_bytes" => &mut limits.emitted_bytes,
        "log_bytes" => &mut limits.log_bytes,
        "draft_bytes" => &mut limits.draft_bytes,
        "draft_files" => &mut limits.draft_files,
        _ => return None,
    })
}

/// Names of all limits.
pub(crate) const LIMIT_NAMES: &[&str] = &[
    "memory_bytes",
    "wall_ms",
    "handles",
    "table_elements",
    "value_bytes",
    "emitted_bytes",
    "log_bytes",
    "draft_bytes",
    "draft_files",
];

/// Rejects a key that is not a limit.
pub(crate) fn check_limit(section: &TomlSection<'_>, name: &str) -> Result<(), FileError> {
    if LIMIT_NAMES.contains(&name) {
        return Ok(());
    }
    let hint = format!("limits are {}", LIMIT_NAMES.join(", "));
    Err(section.invalid(name, "unknown limit", hint))
}

/// Converts a number to TOML. Numbers that were read fit; a larger one is clamped, which means no limit in practice.
fn number(value: u64) -> Value {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}

/// Reads as "it asks to …".
impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Read { root, candidates } => {
                write!(formatter, "read {} ({root})", candidates.join(" or "))
            }
            Wanted::Models(budget) => {
                let purposes: Vec<&str> = budget.purposes.iter().map(String::as_str).collect();
                write!(
                    formatter,
                    "ask language models ({}): {} calls and {} tokens a run",
                    purposes.join(", "),
                    budget.calls,
                    budget.tokens
                )
            }
            Wanted::Limit { name, value } => write!(formatter, "use {value} of `{name}`"),
        }
    }
}

/// Returns the host interfaces of a role: all its authority besides its directories.
pub fn host_interfaces(role: Role) -> &'static [&'static str] {
    match role {
        Role::Adapter => &["log", "config", "sink", "sqlite"],
        Role::Extractor => &["log", "config", "registry", "trace", "llm"],
        Role::Explorer => &["log", "config", "registry", "search", "llm"],
        Role::MemoryWriter => &["log", "config", "registry"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_a_name_and_every_name_a_limit() {
        let mut limits = Limits::for_role(Role::Adapter);
        for name in LIMIT_NAMES {
            assert!(limit_of(&mut limits, name).is_some(), "{name}");
        }
        let fields = serde_json::to_value(&limits).unwrap();
        let mut fields: Vec<&str> = fields
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut names = LIMIT_NAMES.to_vec();
        fields.sort_unstable();
        names.sort_unstable();
        assert_eq!(fields, names);
    }

    #[test]
    fn a_granted_limit_raises_and_never_lowers() {
        let granted = Capabilities {
            limits: [
                ("memory_bytes".to_owned(), 1 << 30),
                ("handles".to_owned(), 1),
            ]
            .into(),
            ..Capabilities::default()
        };
        let defaults = Limits::for_role(Role::Adapter);
        let limits = granted.limits(defaults.clone());
        assert_eq!(limits.memory_bytes, 1 << 30);
        assert_eq!(limits.handles, defaults.handles);
    }
}
