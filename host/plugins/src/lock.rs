//! `acreta.lock`: what is installed, exactly, and what it was given. Sorted and without times, so
//! that the same plugins give the same bytes; a project commits its own for frozen runs. What is on
//! disk counts only as far as it is what the lock says.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Faults, NoFaults};
use acreta_model::Role;
use camino::Utf8Path;
use semver::Version;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::capabilities::{Capabilities, LIMITS, LLM, READS};
use crate::error::Refused;
use crate::identity::{Digest, PluginId};
use crate::installed::Installed;
use crate::source::Source;
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, Section, Text, role_of};

/// The name of a lock's file.
pub const LOCK: &str = "acreta.lock";

/// What is locked, by plugin id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    pub plugins: BTreeMap<PluginId, Locked>,
}

/// One plugin as it was confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    pub version: Version,
    pub role: Role,
    /// Of the component.
    pub digest: Digest,
    pub source: Source,
    /// What a tag stood for: the digest of the manifest in the registry.
    pub resolved: Option<Digest>,
    /// Version of the role's WIT package.
    pub wit: String,
    /// The trusted key whose signature it had.
    pub signed_by: Option<String>,
    /// What it asked for.
    pub asked: Capabilities,
    /// What it was given; in a frozen run this is its grant.
    pub granted: Capabilities,
}

impl Lock {
    /// Reads a lock; without a file nothing is locked.
    pub fn load(file: &Utf8Path) -> Result<Self, StateError> {
        Self::load_with(file, &NoFaults::shared())
    }

    pub(crate) fn load_with(file: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<Self, StateError> {
        let text = state::read(file, faults)?.unwrap_or_default();
        Ok(Self::parse(file, &text)?)
    }

    /// Reads the text of a lock; `path` is where it lies, for messages.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        let text = Text::parse(path, text)?;
        let top = text.section();
        top.only(&[PLUGIN])?;
        let mut plugins = BTreeMap::new();
        for section in top.sections(PLUGIN)? {
            let id = parsed(&section, "id", PluginId::new)?;
            if plugins.insert(id, locked(&section)?).is_some() {
                let hint = "a lock is kept by `acreta plugin`; restore it, or install again";
                return Err(section.invalid("id", "it is locked twice", hint));
            }
        }
        Ok(Self { plugins })
    }

    /// Puts the lock in a file's place.
    pub fn write(&self, file: &Utf8Path) -> Result<(), StateError> {
        let text = self.to_text();
        let faults = NoFaults::shared();
        Ok(state::write(
            file,
            text.as_bytes(),
            Readers::Everybody,
            &faults,
        )?)
    }

    /// The same lock with these plugins alone: what a project commits.
    pub fn only(&self, ids: &[PluginId]) -> Self {
        let mut lock = self.clone();
        lock.plugins.retain(|id, _| ids.contains(id));
        lock
    }

    /// The lock as it is written.
    pub fn to_text(&self) -> String {
        let mut tables = ArrayOfTables::new();
        for (id, locked) in &self.plugins {
            tables.push(table(id, locked));
        }
        let mut document = DocumentMut::new();
        if !tables.is_empty() {
            document.insert(PLUGIN, Item::ArrayOfTables(tables));
        }
        format!("{HEADER}\n{document}")
    }
}

/// Whether what lies on disk is what was confirmed: same component, no new wish.
pub fn verify(lock: &Lock, installed: &Installed) -> Result<(), Refused> {
    let manifest = &installed.manifest;
    let plugin = manifest.id.clone();
    let Some(locked) = lock.plugins.get(&plugin) else {
        return Err(Refused::NotLocked { plugin });
    };
    if locked.digest != installed.digest {
        return Err(Refused::ChangedComponent {
            plugin,
            locked: locked.digest,
            found: installed.digest,
        });
    }
    let mut grown = manifest.wishes();
    grown.retain(|wish| !locked.asked.covers(&wish.what));
    if !grown.is_empty() {
        return Err(Refused::GrownWishes { plugin, grown });
    }
    if locked.role != manifest.role || locked.version != manifest.version {
        return Err(Refused::ChangedManifest { plugin });
    }
    Ok(())
}

const HEADER: &str = "# What is installed, exactly; kept by `acreta plugin`.\n";
const PLUGIN: &str = "plugin";
const GRANTED: &str = "granted";
const ASKED: &str = "asked";

fn locked(section: &Section<'_>) -> Result<Locked, FileError> {
    section.only(&[
        "id",
        "version",
        "role",
        "sha256",
        "source",
        "resolved",
        "wit",
        "signed_by",
        ASKED,
        GRANTED,
    ])?;
    let capabilities = |key: &str| match section.section(key)? {
        None => Ok(Capabilities::default()),
        Some(section) => {
            section.only(&[READS, LLM, LIMITS])?;
            Capabilities::read(&section)
        }
    };
    let resolved = match section.text("resolved")? {
        None => None,
        Some(_) => Some(parsed(section, "resolved", str::parse::<Digest>)?),
    };
    Ok(Locked {
        version: parsed(section, "version", Version::parse)?,
        role: role_of(section, "role")?,
        digest: parsed(section, "sha256", Digest::from_hex)?,
        source: parsed(section, "source", Source::parse)?,
        resolved,
        wit: section.required_text("wit")?.to_owned(),
        signed_by: section.text("signed_by")?.map(str::to_owned),
        asked: capabilities(ASKED)?,
        granted: capabilities(GRANTED)?,
    })
}

/// A required text that is something else by nature.
fn parsed<T, E: ToString>(
    section: &Section<'_>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, FileError> {
    parse(section.required_text(key)?).map_err(|error| {
        let hint = "a lock is kept by `acreta plugin`; restore it, or install again";
        section.invalid(key, error.to_string(), hint)
    })
}

fn table(id: &PluginId, locked: &Locked) -> Table {
    let mut table = Table::new();
    let texts = [
        ("id", Some(id.to_string())),
        ("version", Some(locked.version.to_string())),
        ("role", Some(locked.role.to_string())),
        ("sha256", Some(locked.digest.hex())),
        ("source", Some(locked.source.to_string())),
        ("resolved", locked.resolved.map(|digest| digest.to_string())),
        ("wit", Some(locked.wit.clone())),
        ("signed_by", locked.signed_by.clone()),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            table.insert(key, value(text));
        }
    }
    for (key, capabilities) in [(ASKED, &locked.asked), (GRANTED, &locked.granted)] {
        let mut own = Table::new();
        for (key, item) in capabilities.items() {
            if let Some(item) = item {
                own.insert(key, item);
            }
        }
        if !own.is_empty() {
            table.insert(key, Item::Table(own));
        }
    }
    table
}
