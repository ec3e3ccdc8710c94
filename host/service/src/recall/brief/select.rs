//! Selects the memories for a brief, in order and with reasons: conventions and preferences of the person, pitfalls of
//! the files ahead, decisions, then the rest. Statements of tools only, faded and stale memories stay out.

use acreta_types::{MemoryType, effective_confidence};
use serde::{Deserialize, Serialize};

use crate::recall::brief::ahead::{Ahead, AheadWords};

/// A memory that a brief may contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefCandidate {
    pub id: String,
    /// Short form of the id; empty in caches of an earlier version.
    #[serde(default)]
    pub short_id: String,
    pub memory_type: MemoryType,
    /// Kind of a learning; empty for a decision.
    pub kind: String,
    pub title: String,
    /// Text without its heading.
    pub body: String,
    pub confidence: f64,
    pub standing: BriefTrust,
    pub updated_ms: i64,
    /// Time when it was last asked for, if it was.
    pub asked_ms: Option<i64>,
    /// Files and folders that it names.
    pub names: Vec<String>,
}

/// Trust in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BriefTrust {
    /// The user confirmed it.
    Confirmed,
    /// A reviewer whom the user accepts confirmed it.
    Reviewed,
    /// A person or the agent said it.
    Grounded,
    /// Supported by a tool only, stale, or superseded.
    Doubtful,
}

impl BriefTrust {
    fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Reviewed => "reviewed",
            Self::Grounded => "grounded",
            Self::Doubtful => "doubtful",
        }
    }
}

/// The part of a brief that a memory belongs to, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BriefPart {
    /// The person's ways of working, for any task.
    Convention,
    /// Pitfalls of the files ahead.
    Pitfall,
    Decision,
    Other,
}

/// A memory that was selected.
pub(crate) struct Chosen<'a> {
    pub(crate) candidate: &'a BriefCandidate,
    pub(crate) part: BriefPart,
    pub(crate) weight: f64,
    /// Reason why it was selected.
    pub(crate) reason: String,
}

/// Minimum weight of a memory in a brief.
const BAR: f64 = 0.3;

/// Factor for a memory that is relevant to the work ahead.
const TOUCHED: f64 = 1.6;

const DAY_MS: f64 = 86_400_000.0;

/// Returns the selected memories, in the order of the brief.
pub(crate) fn choose<'a>(
    candidates: &'a [BriefCandidate],
    ahead: &Ahead,
    now_ms: i64,
) -> Vec<Chosen<'a>> {
    let outlook = AheadWords::new(ahead);
    let mut chosen: Vec<Chosen<'a>> = candidates
        .iter()
        .filter_map(|candidate| {
            let touched = outlook.touched(&candidate.names, &candidate.title);
            let factor = if touched.is_some() { TOUCHED } else { 1.0 };
            let weight = candidate.weight(now_ms)? * factor;
            (weight >= BAR).then(|| Chosen {
                part: candidate.part(touched.is_some()),
                reason: candidate.reason(touched.as_deref(), ahead),
                weight,
                candidate,
            })
        })
        .collect();
    chosen.sort_by(|left, right| {
        let order = left.part.cmp(&right.part);
        let order = order.then(right.weight.total_cmp(&left.weight));
        order.then(left.candidate.id.cmp(&right.candidate.id))
    });
    chosen
}

impl BriefCandidate {
    /// Returns `decision`, `summary`, or the kind of a learning.
    pub(crate) fn kind_name(&self) -> &str {
        match self.memory_type {
            MemoryType::Decision => "decision",
            MemoryType::Summary => "summary",
            MemoryType::Learning => self.kind.as_str(),
        }
    }

    pub(crate) fn is_new(&self, ahead: &Ahead) -> bool {
        ahead
            .last_session_ms
            .is_some_and(|last| self.updated_ms > last)
    }

    fn part(&self, is_touched: bool) -> BriefPart {
        match (self.memory_type, self.kind.as_str()) {
            (MemoryType::Learning, "preference" | "convention") => BriefPart::Convention,
            (MemoryType::Learning, "pitfall" | "friction") if is_touched => BriefPart::Pitfall,
            (MemoryType::Decision, _) => BriefPart::Decision,
            _ => BriefPart::Other,
        }
    }

    fn reason(&self, touched: Option<&str>, ahead: &Ahead) -> String {
        let mut reason = format!("{} {}", self.standing.name(), self.kind_name());
        for more in touched
            .into_iter()
            .chain(self.is_new(ahead).then_some("new since the last session"))
        {
            reason.push_str("; ");
            reason.push_str(more);
        }
        reason
    }

    /// Returns the weight of a memory on its own; `None` if it is never used.
    fn weight(&self, now_ms: i64) -> Option<f64> {
        let standing = match self.standing {
            BriefTrust::Confirmed => 1.3,
            BriefTrust::Reviewed => 1.15,
            BriefTrust::Grounded => 1.0,
            BriefTrust::Doubtful => return None,
        };
        let last = self.asked_ms.unwrap_or(0).max(self.updated_ms);
        let days = (now_ms.saturating_sub(last).max(0)) as f64 / DAY_MS;
        // A rule that nobody asked about for half a year is less certain, but not removed: maintenance archives.
        let faded = effective_confidence(self.confidence, days);
        let sure = (self.confidence + faded) / 2.0;
        Some(sure * standing * self.kind_weight()?)
    }

    /// Returns the weight of a kind: rules for working matter from the first minute, explanations can be looked up.
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
