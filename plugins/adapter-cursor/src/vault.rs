//! Limits access to the editor's database. It holds credentials beside conversations, so every SQL statement is here,
//! and each names its keys: composers, their bubbles, and three items.

use std::collections::HashMap;

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::database::{Database, Value};

/// Keys of composers and bubbles: `composerData:<composer>`, `bubbleId:<composer>:<bubble>`.
const COMPOSERS: &str = "composerData:";
const BUBBLES: &str = "bubbleId:";

/// Number of bubbles per page, and maximum size of one: a page has to fit into memory. Most are a few kilobytes, some a
/// hundred.
pub(crate) const PAGE: usize = 16;
const BUBBLE_BYTES: i64 = 4 * 1024 * 1024;

/// Composers up to this size are parsed when they are listed.
const COMPOSER_BYTES: i64 = 24 * 1024 * 1024;

/// Selects the few fields that describe a composer, as a separate object. The whole composer holds copies of files.
/// Values that are not objects are not parsed here.
const LIST: &str = "
    SELECT key, is_deleted,
           CASE json_type(text) WHEN 'object' THEN json_object(
               'name', json_extract(text, '$.name'),
               'createdAt', json_extract(text, '$.createdAt'),
               'lastUpdatedAt', json_extract(text, '$.lastUpdatedAt'),
               'createdOnBranch', json_extract(text, '$.createdOnBranch'),
               'modelConfig', json_extract(text, '$.modelConfig'),
               'workspaceIdentifier', json_extract(text, '$.workspaceIdentifier'),
               'subComposerIds', json_extract(text, '$.subComposerIds'),
               'headers', json_array_length(text, '$.fullConversationHeadersOnly'),
               'inline', json_array_length(text, '$.conversation')) END
    FROM (SELECT key, value IS NULL AS is_deleted,
                 CASE WHEN octet_length(value) <= ?3 THEN
                     CASE WHEN json_valid(CAST(value AS TEXT)) THEN CAST(value AS TEXT) END
                 END AS text
          FROM cursorDiskKV WHERE key >= ?1 AND key < ?2)";

/// The three items that may be read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item {
    /// The composers of a folder; in 2024 with their conversations.
    Composers,
    /// The chats of a folder.
    Chats,
    /// Prompts that a person typed in a folder.
    Prompts,
}

impl Item {
    fn key(self) -> &'static str {
        match self {
            Item::Composers => "composer.composerData",
            Item::Chats => "workbench.panel.aichat.view.aichat.chatdata",
            Item::Prompts => "aiService.prompts",
        }
    }
}

/// A composer in the list.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) summary: Summary,
}

pub(crate) enum Summary {
    /// An object with the descriptive fields of a composer.
    Fields(Vec<u8>),
    /// Another value, which has to be read to be identified.
    Unknown,
}

/// A bubble that is in the database.
pub(crate) enum Stored {
    Value(Vec<u8>),
    TooLarge,
}

/// The editor's database.
pub(crate) struct Vault {
    database: Database,
    has_composers: bool,
    has_items: bool,
}

impl Vault {
    /// Returns `None` if the database is not the editor's.
    pub(crate) fn of(database: Database) -> Result<Option<Self>, Failure> {
        let has_pairs = |table: &str| {
            let columns = database.columns(table)?;
            let has = |name: &&str| columns.iter().any(|column| column == name);
            Ok::<_, Failure>(["key", "value"].iter().all(has))
        };
        let (has_composers, has_items) = (has_pairs("cursorDiskKV")?, has_pairs("ItemTable")?);
        let vault = Self {
            database,
            has_composers,
            has_items,
        };
        Ok((has_composers || has_items).then_some(vault))
    }

    /// Lists the composers that were not deleted, in pages.
    pub(crate) fn composers(
        &self,
        mut visit: impl FnMut(Row) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.has_composers {
            return Ok(());
        }
        let [from, to] = range(COMPOSERS);
        let parameters = [from, to, Value::Integer(COMPOSER_BYTES)];
        self.database.each_row(LIST, &parameters, |row| {
            let [key, is_deleted, fields] = row else {
                return Ok(());
            };
            let key = key.text().unwrap_or_default();
            let id = key.strip_prefix(COMPOSERS).unwrap_or_default();
            if id.is_empty() || is_deleted.integer() == Some(1) {
                return Ok(());
            }
            let summary = bytes(fields).map_or(Summary::Unknown, Summary::Fields);
            let id = id.to_owned();
            visit(Row { id, summary })
        })
    }

    /// Returns a whole composer; `None` if it does not exist or was deleted.
    pub(crate) fn composer(&self, id: &str) -> Result<Option<Vec<u8>>, Failure> {
        if !self.has_composers {
            return Ok(None);
        }
        let key = Value::Text(format!("{COMPOSERS}{id}"));
        self.value("SELECT value FROM cursorDiskKV WHERE key = ?1", key)
    }

    /// Returns up to [`PAGE`] bubbles of a composer, by their ids. Missing ones are left out.
    pub(crate) fn bubbles(
        &self,
        composer: &str,
        ids: &[String],
    ) -> Result<HashMap<String, Stored>, Failure> {
        let marks = vec!["?"; ids.len()].join(", ");
        let statement = format!(
            "SELECT key, octet_length(value),
                    CASE WHEN octet_length(value) <= {BUBBLE_BYTES} THEN value END
             FROM cursorDiskKV WHERE key IN ({marks})"
        );
        let start = format!("{BUBBLES}{composer}:");
        let keys: Vec<_> = ids
            .iter()
            .map(|id| Value::Text(format!("{start}{id}")))
            .collect();
        let mut found = HashMap::new();
        self.database.each_row(&statement, &keys, |row| {
            if let [key, Value::Integer(_), value] = row
                && let Some(key) = key.text()
                && let Some(id) = key.strip_prefix(&start)
            {
                let stored = bytes(value).map_or(Stored::TooLarge, Stored::Value);
                found.insert(id.to_owned(), stored);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Counts the bubbles of a composer, in its conversation or not.
    pub(crate) fn count_bubbles(&self, composer: &str) -> Result<u64, Failure> {
        let statement = "SELECT count(*) FROM cursorDiskKV
                         WHERE key >= ?1 AND key < ?2 AND value IS NOT NULL";
        let range = range(&format!("{BUBBLES}{composer}:"));
        let rows = self.database.rows(statement, &range)?;
        let count = rows.first().and_then(|row| row.first()?.integer());
        Ok(count
            .and_then(|count| u64::try_from(count).ok())
            .unwrap_or(0))
    }

    /// Returns one of the three items.
    pub(crate) fn item(&self, item: Item) -> Result<Option<Vec<u8>>, Failure> {
        if !self.has_items {
            return Ok(None);
        }
        let key = Value::Text(item.key().to_owned());
        self.value("SELECT value FROM ItemTable WHERE key = ?1", key)
    }

    fn value(&self, statement: &str, key: Value) -> Result<Option<Vec<u8>>, Failure> {
        let rows = self.database.rows(statement, &[key])?;
        Ok(rows.first().and_then(|row| bytes(row.first()?)))
    }
}

/// Returns the range of keys with this prefix.
fn range(beginning: &str) -> [Value; 2] {
    // Every prefix ends with a colon, and a semicolon is the next character.
    let behind = format!("{};", beginning.trim_end_matches(':'));
    [Value::Text(beginning.to_owned()), Value::Text(behind)]
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Text(text) => Some(text.as_bytes().to_vec()),
        Value::Blob(bytes) => Some(bytes.clone()),
        _ => None,
    }
}
