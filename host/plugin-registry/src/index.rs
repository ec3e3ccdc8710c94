//! An index of plugins: one static JSON file that anybody can host, with the places of published versions and the
//! digests of revoked ones. It is a directory, not an authority: what it names is fetched, inspected and shown to a
//! person like anything else. Unknown keys are ignored, so that an index may gain some.

use camino::Utf8Path;
use semver::Version;
use serde::{Deserialize, Deserializer, de};

use crate::revocations::Revocations;
use crate::table::{FileError, Problem};

/// A parsed index.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub plugins: Vec<IndexedPlugin>,
    pub revocations: Revocations,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct IndexedPlugin {
    pub id: String,
    pub role: String,
    pub description: String,
    #[serde(default)]
    pub keywords: Vec<String>,
    #[serde(default)]
    pub license: Option<String>,
    #[serde(default)]
    pub homepage: Option<String>,
    /// Published versions, in any order.
    pub versions: Vec<IndexedVersion>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct IndexedVersion {
    #[serde(deserialize_with = "version")]
    pub version: Version,
    /// What `plugin install` takes: an address or a reference.
    pub source: String,
    /// SHA-256 of the component, in hex.
    pub sha256: String,
}

/// Maximum size of an index.
pub const INDEX_BYTES: u64 = 16 * 1024 * 1024;

impl Index {
    /// Parses an index; `path` is used in messages.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        struct IndexFile {
            plugins: Vec<IndexedPlugin>,
        }
        let file: IndexFile = serde_json::from_str(text).map_err(|error| FileError {
            path: path.to_owned(),
            line: error.line().max(1),
            problem: Problem::Syntax {
                message: format!("it is not an index of plugins: {error}"),
            },
        })?;
        Ok(Self {
            plugins: file.plugins,
            revocations: Revocations::parse(path, text)?,
        })
    }

    /// Returns the plugins that have all these words in id, role, description or keywords.
    pub fn search(&self, words: &[String]) -> Vec<&IndexedPlugin> {
        let has = |plugin: &IndexedPlugin, word: &String| {
            let word = word.to_lowercase();
            let texts = [&plugin.id, &plugin.role, &plugin.description];
            let mut texts = texts.into_iter().chain(&plugin.keywords);
            texts.any(|text| text.to_lowercase().contains(&word))
        };
        let plugins = self.plugins.iter();
        plugins
            .filter(|plugin| words.iter().all(|word| has(plugin, word)))
            .collect()
    }

    /// Returns the newest version of a plugin. A version before a release (`1.0.0-rc.1`) counts only if there is no other.
    pub fn newest(&self, id: &str) -> Option<&IndexedVersion> {
        self.plugins.iter().find(|plugin| plugin.id == id)?.newest()
    }
}

impl IndexedPlugin {
    pub fn newest(&self) -> Option<&IndexedVersion> {
        let rank = |one: &&IndexedVersion| (one.version.pre.is_empty(), one.version.clone());
        self.versions.iter().max_by_key(rank)
    }
}

fn version<'de, D: Deserializer<'de>>(text: D) -> Result<Version, D::Error> {
    Version::parse(&String::deserialize(text)?).map_err(de::Error::custom)
}
