//! Which memories clear the bar, and in which order. What tells an agent how to work comes first;
//! what only a tool said, what faded, and what is stale stays out.

use acreta_model::{MemoryType, effective_confidence};
use serde::{Deserialize, Serialize};

/// A memory that may be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub id: String,
    /// The short form of the id; what an earlier version kept has none.
    #[serde(default)]
    pub short_id: String,
    pub memory_type: MemoryType,
    /// The kind of a learning; empty for a decision.
    pub kind: String,
    pub title: String,
    /// Without its heading.
    pub body: String,
    pub confidence: f64,
    pub standing: Standing,
    pub updated_ms: i64,
    /// When it was last asked for, if it was.
    pub asked_ms: Option<i64>,
    /// Files and folders that it names.
    pub names: Vec<String>,
}

/// How far a memory is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The user said that it is right.
    Confirmed,
    /// A reviewer whom the user accepts did.
    Reviewed,
    /// Somebody said it.
    Grounded,
    /// Only a tool said it, it is stale, or something else took its place.
    Doubtful,
}

/// What a memory must weigh to be told.
const BAR: f64 = 0.3;

/// A memory that names something in the directory weighs that much more.
const NEAR: f64 = 1.6;

const DAY_MS: f64 = 86_400_000.0;

impl Candidate {
    /// What it weighs for a directory of the project (empty for its root); `None` under the bar.
    pub(crate) fn weight(&self, directory: &str, now_ms: i64) -> Option<f64> {
        let standing = match self.standing {
            Standing::Confirmed => 1.3,
            Standing::Reviewed => 1.15,
            Standing::Grounded => 1.0,
            Standing::Doubtful => return None,
        };
        let last = self.asked_ms.unwrap_or(0).max(self.updated_ms);
        let days = (now_ms.saturating_sub(last).max(0)) as f64 / DAY_MS;
        // A rule nobody asked about for half a year is less sure, not gone: maintenance archives.
        let faded = effective_confidence(self.confidence, days);
        let sure = (self.confidence + faded) / 2.0;
        let weight = sure * standing * self.kind_weight()?;
        let is_near = !directory.is_empty()
            && self.names.iter().any(|name| {
                let within = |long: &str, short: &str| {
                    long.strip_prefix(short)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                within(name, directory) || within(directory, name)
            });
        let weight = if is_near { weight * NEAR } else { weight };
        (weight >= BAR).then_some(weight)
    }

    /// What tells how to work matters from the first minute; what explains can be looked up.
    fn kind_weight(&self) -> Option<f64> {
        match (self.memory_type, self.kind.as_str()) {
            (MemoryType::Decision, _) => Some(0.8),
            (MemoryType::Learning, "preference" | "convention") => Some(1.0),
            (MemoryType::Learning, "pitfall") => Some(0.9),
            (MemoryType::Learning, "procedure") => Some(0.75),
            (MemoryType::Learning, _) => Some(0.5),
            _ => None,
        }
    }
}
