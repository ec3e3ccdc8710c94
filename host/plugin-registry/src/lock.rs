//! `acreta.lock`: the exact installed plugins and their grants. Sorted and without times, so that the same plugins give
//! the same bytes; a project commits its own for frozen runs. A plugin on disk is used only if it matches the lock.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Faults, NoFaults};
use acreta_types::Role;
use camino::Utf8Path;
use semver::Version;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::capabilities::{Capabilities, LIMITS, LLM, READS};
use crate::error::Refused;
use crate::identity::{Digest, PluginId};
use crate::installed::Installed;
use crate::source::Source;
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, TomlSection, TomlText, role_of};

/// File name of a lock.
pub const LOCK: &str = "acreta.lock";

/// Locked plugins, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    pub plugins: BTreeMap<PluginId, Locked>,
}

/// One plugin as it was confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    pub version: Version,
    pub role: Role,
    /// Digest of the component.
    pub digest: Digest,
    pub source: Source,
    /// Digest that a tag resolved to: that of the manifest in the registry.
    pub resolved: Option<Digest>,
    /// Version of the role's WIT package.
    pub wit: String,
    /// The trusted key that signed it.
    pub signed_by: Option<String>,
    /// Requested capabilities.
    pub asked: Capabilities,
    /// Granted capabilities; a frozen run uses them as the grant.
    pub granted: Capabilities,
}

impl Lock {
    /// Reads a lock; a missing file means that nothing is locked.
    pub fn load(file: &Utf8Path) -> Result<Self, StateError> {
        Self::load_with(file, &NoFaults::shared())
    }

    pub(crate) fn load_with(file: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<Self, StateError> {
        let text = state::read(file, faults)?.unwrap_or_default();
        Ok(Self::parse(file, &text)?)
    }

    /// Parses the text of a lock; `path` is used in messages.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        let text = TomlText::parse(path, text)?;
        let top = text.section();
        top.only(&[PLUGIN])?;
        let mut plugins = BTreeMap::new();
        for section in top.sections(PLUGIN)? {
            let id = parsed(&section, "id", PluginId::new)?;
            if plugins.insert(id, locked(&section)?).is_some() {
                let hint = "a lock is maintained by `acreta plugin`; restore it, or install again";
                return Err(section.invalid("id", "it is locked twice", hint));
            }
        }
        Ok(Self { plugins })
    }

    /// Writes the lock, replacing the file.
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

    /// Returns the lock reduced to these plugins: the part that a project commits.
    pub fn only(&self, ids: &[PluginId]) -> Self {
        let mut lock = self.clone();
        lock.plugins.retain(|id, _| ids.contains(id));
        lock
    }

    /// Serialises the lock.
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

/// Checks that a plugin on disk is what was confirmed: same component, no new request.
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

fn locked(section: &TomlSection<'_>) -> Result<Locked, FileError> {
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

/// Parses a required text value.
fn parsed<T, E: ToString>(
    section: &TomlSection<'_>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, FileError> {
    parse(section.required_text(key)?).map_err(|error| {
        let hint = "a lock is maintained by `acreta plugin`; restore it, or install again";
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
