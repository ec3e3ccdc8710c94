//! `grants.toml`: a person's permissions for plugins. A built-in plugin has what it asks for until a person revokes it;
//! any other has nothing until it is granted. A person is asked again only if a plugin asks for more than at the last
//! decision.
//!
//! People may edit the file: a change to one plugin leaves everything else unchanged, to the byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Faults, NoFaults};
use acreta_types::AdapterRoot;
use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use toml_edit::{Array, InlineTable, Item, value};

use crate::capabilities::{Capabilities, LIMITS, LLM, READS, Wanted, Wish};
use crate::manifest::Manifest;
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, TomlSection, TomlText};

mod edit;

pub(crate) use edit::edited;

/// Decision about one plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grant {
    pub granted: bool,
    /// Folders to read instead of those that the adapter would search, by the name of the root.
    pub roots: BTreeMap<String, Utf8PathBuf>,
    /// Projects that the sessions of an adapter may become memory of, by their roots. Built-in adapters need none.
    pub projects: Vec<Utf8PathBuf>,
    /// Granted capabilities; a person may grant less than it asked for.
    pub given: Capabilities,
    /// Requested capabilities at the time of the decision.
    pub asked: Capabilities,
    /// Time of the decision, in UTC.
    pub when: Option<String>,
}

/// All grants, by plugin id.
#[derive(Debug, Clone)]
pub struct Grants {
    file: Utf8PathBuf,
    faults: Arc<dyn Faults>,
    text: String,
    entries: BTreeMap<String, Grant>,
}

/// A plugin that lacks a grant for something it asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("plugin `{plugin}` is not granted {}", told(.missing))]
pub struct NotGranted {
    pub plugin: String,
    /// Empty if its grant was revoked and it asks for nothing.
    pub missing: Vec<Wish>,
}

impl NotGranted {
    /// Returns the command that grants it.
    pub fn hint(&self) -> String {
        let plugin = &self.plugin;
        format!("`acreta plugin grant {plugin}` shows its reasons and grants it")
    }
}

impl Grant {
    /// Grants everything that a plugin asks for, as of now.
    pub fn of(manifest: &Manifest, now_ms: u64) -> Self {
        Self {
            granted: true,
            roots: BTreeMap::new(),
            projects: Vec::new(),
            given: manifest.asks(),
            asked: manifest.asks(),
            when: time(now_ms),
        }
    }

    /// Returns true if a request was decided, either way.
    fn settles(&self, wanted: &Wanted) -> bool {
        let by_hand = match wanted {
            Wanted::Read { root, .. } => self.roots.contains_key(root),
            _ => false,
        };
        self.granted && (by_hand || self.given.covers(wanted) || self.asked.covers(wanted))
    }
}

impl Grants {
    /// Reads the grants; a missing file means that there are no decisions.
    pub fn load(file: &Utf8Path) -> Result<Self, StateError> {
        Self::load_with(file, NoFaults::shared())
    }

    /// Reads the grants through a file system with fault injection.
    pub fn load_with(file: &Utf8Path, faults: Arc<dyn Faults>) -> Result<Self, StateError> {
        let text = state::read(file, &faults)?.unwrap_or_default();
        Ok(Self {
            entries: parse(file, &text)?,
            file: file.to_owned(),
            faults,
            text,
        })
    }

    /// Returns the decision about a plugin; `None` if there is none.
    pub fn get(&self, plugin: &str) -> Option<&Grant> {
        self.entries.get(plugin)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Grant)> {
        self.entries.iter().map(|(id, grant)| (id.as_str(), grant))
    }

    /// Returns true if a plugin is granted anything: by decision, or by default if it is built in.
    pub fn is_granted(&self, plugin: &str, is_builtin: bool) -> bool {
        self.get(plugin).map_or(is_builtin, |grant| grant.granted)
    }

    /// Stores the decision about a plugin.
    pub fn set(&mut self, plugin: &str, grant: Grant) -> Result<(), StateError> {
        self.change(plugin, Some(&grant))
    }

    /// Deletes the decision about a plugin.
    pub fn forget(&mut self, plugin: &str) -> Result<(), StateError> {
        self.change(plugin, None)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn change(&mut self, plugin: &str, grant: Option<&Grant>) -> Result<(), StateError> {
        // The file may have changed since it was read.
        let text = state::read(&self.file, &self.faults)?.unwrap_or_default();
        let entries = parse(&self.file, &text)?;
        let text = edited(&self.file, &text, plugin, entries.get(plugin), grant)?;
        let entries = parse(&self.file, &text)?;
        state::write(&self.file, text.as_bytes(), Readers::Owner, &self.faults)?;
        (self.text, self.entries) = (text, entries);
        Ok(())
    }
}

/// Returns the undecided requests of a plugin.
pub fn missing(manifest: &Manifest, grants: &Grants) -> Vec<Wish> {
    let grant = grants.get(manifest.id.as_str());
    let mut wishes = manifest.wishes();
    wishes.retain(|wish| !grant.is_some_and(|grant| grant.settles(&wish.what)));
    wishes
}

/// Rejects a plugin that has an undecided request, or whose grant was revoked.
pub fn require(manifest: &Manifest, grants: &Grants) -> Result<(), NotGranted> {
    let missing = missing(manifest, grants);
    let revoked = grants
        .get(manifest.id.as_str())
        .is_some_and(|grant| !grant.granted);
    if missing.is_empty() && !revoked {
        return Ok(());
    }
    Err(NotGranted {
        plugin: manifest.id.to_string(),
        missing,
    })
}

/// Returns a plugin's granted roots, with the granted candidates.
pub fn granted_roots(manifest: &Manifest, grants: &Grants) -> Vec<AdapterRoot> {
    let Some(grant) = grants
        .get(manifest.id.as_str())
        .filter(|grant| grant.granted)
    else {
        return Vec::new();
    };
    let granted = |root: &AdapterRoot| {
        let given = grant.given.reads.get(&root.name);
        let by_hand = grant.roots.contains_key(&root.name);
        let mut candidates = root.candidates.clone();
        candidates.retain(|one| given.is_some_and(|given| given.contains(one)));
        (by_hand || !candidates.is_empty()).then(|| AdapterRoot {
            candidates,
            ..root.clone()
        })
    };
    manifest.roots.iter().filter_map(granted).collect()
}

const GRANTED: &str = "granted";
const WHEN: &str = "when";
const ROOTS: &str = "roots";
const PROJECTS: &str = "projects";
const ASKED: &str = "asked";

fn parse(file: &Utf8Path, text: &str) -> Result<BTreeMap<String, Grant>, FileError> {
    let text = TomlText::parse(file, text)?;
    let top = text.section();
    let mut entries = BTreeMap::new();
    for id in top.keys() {
        if let Some(section) = top.section(id)? {
            entries.insert(id.to_owned(), grant(&section)?);
        }
    }
    Ok(entries)
}

fn grant(section: &TomlSection<'_>) -> Result<Grant, FileError> {
    section.only(&[GRANTED, WHEN, ROOTS, PROJECTS, READS, LLM, LIMITS, ASKED])?;
    let mut roots = BTreeMap::new();
    if let Some(table) = section.section(ROOTS)? {
        for name in table.keys() {
            roots.insert(name.to_owned(), table.required_text(name)?.into());
        }
    }
    let asked = match section.section(ASKED)? {
        None => Capabilities::default(),
        Some(asked) => {
            asked.only(&[READS, LLM, LIMITS])?;
            Capabilities::read(&asked)?
        }
    };
    let projects = section.texts(PROJECTS)?.unwrap_or_default();
    Ok(Grant {
        granted: section.boolean(GRANTED)?.unwrap_or(false),
        roots,
        projects: projects.into_iter().map(Utf8PathBuf::from).collect(),
        given: Capabilities::read(section)?,
        asked,
        when: section.text(WHEN)?.map(str::to_owned),
    })
}

/// Returns the keys of a grant with their values, except `asked`; `None` for an empty value.
fn items(grant: &Grant) -> Vec<(&'static str, Option<Item>)> {
    let roots: InlineTable = grant
        .roots
        .iter()
        .map(|(name, path)| (name.as_str(), path.as_str()))
        .collect();
    let projects: Array = grant.projects.iter().map(|root| root.as_str()).collect();
    let mut items = vec![
        (GRANTED, Some(value(grant.granted))),
        (WHEN, grant.when.as_deref().map(value)),
        (ROOTS, (!roots.is_empty()).then(|| value(roots))),
        (PROJECTS, (!projects.is_empty()).then(|| value(projects))),
    ];
    items.extend(grant.given.items());
    items
}

fn time(now_ms: u64) -> Option<String> {
    let time = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn told(missing: &[Wish]) -> String {
    let wishes: Vec<String> = missing
        .iter()
        .map(|wish| format!("to {} (“{}”)", wish.what, wish.reason))
        .collect();
    if wishes.is_empty() {
        "anything any more".to_owned()
    } else {
        wishes.join(", nor ")
    }
}
