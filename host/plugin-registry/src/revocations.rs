//! Components that must never run again, by digest. The list is a file of this machine: whoever revokes (a person, or an
//! index that a person named) adds to it, and every plugin is held against it without a network. Nothing but a person
//! takes an entry off: an index that no longer has one may have been changed by somebody else.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Faults;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::identity::Digest;
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, Problem};

/// One revoked component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// SHA-256 of the component, in hex.
    pub sha256: String,
    /// Id of the plugin, for a reader of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    pub reason: String,
    /// The index that it came from; none if a person revoked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// The list of this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revocations(BTreeMap<Digest, Revoked>);

#[derive(Serialize, Deserialize)]
struct RevocationFile {
    #[serde(default)]
    revoked: Vec<Revoked>,
}

impl Revocations {
    pub(crate) fn load(file: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<Self, StateError> {
        match state::read(file, faults)? {
            None => Ok(Self::default()),
            Some(text) => Ok(Self::parse(file, &text)?),
        }
    }

    /// Parses a list, or an index with one. An entry that cannot be read fails the whole: it may be the one that counts.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        let invalid = |message: String| FileError {
            path: path.to_owned(),
            line: 1,
            problem: Problem::Invalid {
                key: "revoked".to_owned(),
                message,
                hint: "it is JSON with a list `revoked` of `sha256` and `reason`".to_owned(),
            },
        };
        let file: RevocationFile =
            serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
        let mut revocations = Self::default();
        for revoked in file.revoked {
            let digest = Digest::from_hex(&revoked.sha256);
            let digest = digest.map_err(|error| invalid(error.to_string()))?;
            revocations.0.insert(digest, revoked);
        }
        Ok(revocations)
    }

    pub(crate) fn write(
        &self,
        file: &Utf8Path,
        faults: &Arc<dyn Faults>,
    ) -> Result<(), StateError> {
        let revoked = self.0.values().cloned().collect();
        let text = serde_json::to_string_pretty(&RevocationFile { revoked });
        let text = text.expect("plain texts are JSON") + "\n";
        Ok(state::write(file, text.as_bytes(), Readers::Owner, faults)?)
    }

    /// Returns why a component was revoked.
    pub fn reason(&self, digest: &Digest) -> Option<&str> {
        self.0.get(digest).map(|revoked| revoked.reason.as_str())
    }

    pub fn all(&self) -> impl Iterator<Item = &Revoked> {
        self.0.values()
    }

    /// Adds what is not revoked yet; returns that.
    pub fn add(&mut self, others: impl IntoIterator<Item = Revoked>) -> Vec<Revoked> {
        let mut added = Vec::new();
        for revoked in others {
            if let Ok(digest) = Digest::from_hex(&revoked.sha256)
                && !self.0.contains_key(&digest)
            {
                added.push(revoked.clone());
                self.0.insert(digest, revoked);
            }
        }
        added
    }

    /// Removes an entry; returns true if there was one.
    pub fn remove(&mut self, digest: &Digest) -> bool {
        self.0.remove(digest).is_some()
    }
}
