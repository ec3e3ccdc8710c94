//! Which agents' session folders acreta may read. Built-in adapters are granted the places they
//! ask for until somebody takes that back; any other adapter has nothing until it is granted.
//!
//! Kept outside of every project, readable by its owner only.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::ConfigError;
use crate::file::{self, Links};

const HEADER: &str = "# What adapters may read; kept by `acreta connect`.\n";
const GRANTED: &str = "granted";
const ROOTS: &str = "roots";

/// What was said about one adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Connection {
    pub granted: bool,
    /// Folders to read instead of those the adapter would look for, by the name of the root.
    pub roots: BTreeMap<String, Utf8PathBuf>,
}

/// The grants of adapters, by plugin id.
#[derive(Debug, Clone)]
pub struct Connections {
    file: Utf8PathBuf,
    entries: BTreeMap<String, Connection>,
}

impl Connections {
    /// Reads the grants; without a file nobody has said anything yet.
    pub fn load(file: &Utf8Path) -> Result<Self, ConfigError> {
        let mut entries = BTreeMap::new();
        if let Some(text) = file::read(file, Links::Followed)? {
            let document = file::parse(file, text)?;
            for (id, item) in document.as_table() {
                if let Some(table) = item.as_table_like() {
                    let granted = table.get(GRANTED).and_then(Item::as_bool).unwrap_or(false);
                    let roots = table.get(ROOTS).and_then(Item::as_table_like);
                    let roots = roots
                        .into_iter()
                        .flat_map(|roots| roots.iter())
                        .filter_map(|(name, path)| Some((name.to_owned(), path.as_str()?.into())))
                        .collect();
                    entries.insert(id.to_owned(), Connection { granted, roots });
                }
            }
        }
        Ok(Self {
            file: file.to_owned(),
            entries,
        })
    }

    /// What was said about an adapter; none when nothing was.
    pub fn get(&self, plugin: &str) -> Option<&Connection> {
        self.entries.get(plugin)
    }

    /// Whether an adapter may read: as said, else whether it is built in.
    pub fn is_granted(&self, plugin: &str, is_builtin: bool) -> bool {
        self.get(plugin)
            .map_or(is_builtin, |connection| connection.granted)
    }

    /// Writes down what holds for an adapter from now on.
    pub fn set(&mut self, plugin: &str, connection: Connection) -> Result<(), ConfigError> {
        let mut entries = self.entries.clone();
        entries.insert(plugin.to_owned(), connection);
        let mut document = DocumentMut::new();
        for (id, connection) in &entries {
            let mut table = Table::new();
            table.insert(GRANTED, value(connection.granted));
            if !connection.roots.is_empty() {
                let mut roots = toml_edit::InlineTable::new();
                for (name, path) in &connection.roots {
                    roots.insert(name, path.as_str().into());
                }
                table.insert(ROOTS, value(roots));
            }
            document.insert(id, Item::Table(table));
        }
        file::write(&self.file, &format!("{HEADER}\n{document}"), true)?;
        self.entries = entries;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_kept_and_nothing_else_is_granted() {
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8PathBuf::try_from(folder.path().join("grants.toml")).unwrap();
        let mut connections = Connections::load(&file).unwrap();
        assert!(connections.is_granted("adapter-claude", true));
        assert!(!connections.is_granted("adapter-mine", false));

        connections
            .set("adapter-claude", Connection::default())
            .unwrap();
        let mine = Connection {
            granted: true,
            roots: [("mine".to_owned(), "/srv/sessions".into())].into(),
        };
        connections.set("adapter-mine", mine.clone()).unwrap();

        let again = Connections::load(&file).unwrap();
        assert!(!again.is_granted("adapter-claude", true));
        assert!(again.is_granted("adapter-mine", false));
        assert_eq!(again.get("adapter-mine"), Some(&mine));
        assert_eq!(again.get("adapter-codex"), None);
    }
}
