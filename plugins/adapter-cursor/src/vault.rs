//! The editor's database, as far as it may be read. Beside conversations it holds credentials, so
//! every statement stands here, and each names the keys it wants: composers, their bubbles, and
//! three items.

use std::collections::HashMap;

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::database::{Database, Value};

/// Where composers and bubbles stand, and their keys: `composerData:<composer>`,
/// `bubbleId:<composer>:<bubble>`.
const COMPOSERS: &str = "composerData:";
const BUBBLES: &str = "bubbleId:";

/// How many bubbles are read at once, and how large one may be: a page has to fit into memory. Most
/// are a few kilobytes, some a hundred.
pub(crate) const PAGE: usize = 16;
const BUBBLE_BYTES: i64 = 4 * 1024 * 1024;

/// Composers up to this size are looked into when they are listed.
const COMPOSER_BYTES: i64 = 24 * 1024 * 1024;

/// What is listed of a composer: the few fields that say what it is, as an object of their own. The
/// whole holds copies of files. What is no object is not looked into here.
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
    /// What a person typed in a folder.
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

/// A composer as it is listed.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) summary: Summary,
}

pub(crate) enum Summary {
    /// An object with the fields of a composer that say what it is.
    Fields(Vec<u8>),
    /// Something else, which has to be read to be known.
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
    /// None when the database is not the editor's.
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

    /// The composers that were not deleted, in pages.
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

    /// All of a composer; none when there is none or it was deleted.
    pub(crate) fn composer(&self, id: &str) -> Result<Option<Vec<u8>>, Failure> {
        if !self.has_composers {
            return Ok(None);
        }
        let key = Value::Text(format!("{COMPOSERS}{id}"));
        self.value("SELECT value FROM cursorDiskKV WHERE key = ?1", key)
    }

    /// Up to [`PAGE`] bubbles of a composer, by their ids. Those that are not there are left out.
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

    /// How many bubbles a composer has, whether they are in its conversation or not.
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

    /// One of the three items.
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

/// The keys that begin so: from this one to the next that does not.
fn range(beginning: &str) -> [Value; 2] {
    // A colon is the last character of every beginning, and a semicolon follows it.
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
