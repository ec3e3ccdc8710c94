//! The record of written changes, stored next to the backups: enough to restore every file. It is on disk before the
//! first file changes, so that an interrupted change can be undone too.

use acreta_fs::{Directory, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Agent, ReceiptError};

pub(crate) const RECEIPT: &str = "receipt.json";

const RECEIPT_BYTES: u64 = 4 * 1024 * 1024;

/// The files of one change, in the order they were written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    pub written: Vec<Written>,
    /// Folders that were created, the outer before the inner.
    pub made_folders: Vec<Utf8PathBuf>,
    /// Folder of the receipt and the backups.
    #[serde(skip)]
    pub folder: Utf8PathBuf,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    pub path: Utf8PathBuf,
    pub target: Utf8PathBuf,
    pub agents: Vec<Agent>,
    pub what: Vec<String>,
    /// `None` for a new file.
    pub before: Option<Before>,
    /// Digest of the written content.
    pub after: String,
    pub entries: Vec<AddedEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Before {
    pub digest: String,
    /// Name of the copy in the receipt's folder.
    pub backup: String,
}

/// One addition to a file, which can be found again after other changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum AddedEntry {
    /// A key of JSON, and the number of objects around it that were created for it.
    Key {
        at: Vec<String>,
        value: Value,
        made: usize,
    },
    /// An element of a JSON list, with the same number.
    Item {
        at: Vec<String>,
        value: Value,
        made: usize,
    },
    /// Lines at the end of a file.
    Text { text: String },
    /// The whole file.
    File,
}

impl Receipt {
    /// Reads the receipt in a folder of backups.
    pub fn read(folder: &Utf8Path) -> Result<Self, ReceiptError> {
        let directory = Directory::open(folder, NoFaults::shared())?;
        let bytes = directory.read(RECEIPT, RECEIPT_BYTES)?;
        let mut receipt: Receipt =
            serde_json::from_slice(&bytes).map_err(|cause| ReceiptError::Form {
                path: folder.join(RECEIPT),
                cause,
            })?;
        receipt.folder = folder.to_owned();
        Ok(receipt)
    }

    pub(crate) fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a receipt holds nothing but text");
        text + "\n"
    }
}

impl AddedEntry {
    pub(crate) fn key(at: &[String], value: &Value) -> Self {
        AddedEntry::Key {
            at: at.to_vec(),
            value: value.clone(),
            made: 0,
        }
    }

    pub(crate) fn item(at: &[String], value: &Value) -> Self {
        AddedEntry::Item {
            at: at.to_vec(),
            value: value.clone(),
            made: 0,
        }
    }

    pub(crate) fn text() -> Self {
        AddedEntry::Text {
            text: String::new(),
        }
    }

    /// Completes the entry with facts that are known only after adding it.
    pub(crate) fn sized(self, containers: usize, before: &str, after: &str) -> Self {
        match self {
            AddedEntry::Key { at, value, .. } => AddedEntry::Key {
                at,
                value,
                made: containers,
            },
            AddedEntry::Item { at, value, .. } => AddedEntry::Item {
                at,
                value,
                made: containers,
            },
            AddedEntry::Text { .. } => AddedEntry::Text {
                text: after.strip_prefix(before).unwrap_or(after).to_owned(),
            },
            AddedEntry::File => AddedEntry::File,
        }
    }
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    acreta_text::hex(&Sha256::digest(bytes))
}
