//! Which memories clear the bar, in which order, and why: conventions and preferences of the person, pitfalls of what is
//! about to be touched, decisions, then the rest. What only a tool said, what faded, and what is stale stays out.

use acreta_model::{MemoryType, effective_confidence};
use serde::{Deserialize, Serialize};

use crate::brief::ahead::{Ahead, Outlook};

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

impl Standing {
    fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Reviewed => "reviewed",
            Self::Grounded => "grounded",
            Self::Doubtful => "doubtful",
        }
    }
}

/// The part of a brief that a memory belongs to, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// How the person wants work to be done, whatever it is.
    Convention,
    /// Traps in what is about to be touched.
    Pitfall,
    Decision,
    Other,
}

/// A memory that clears the bar.
pub(crate) struct Chosen<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) part: Part,
    pub(crate) weight: f64,
    /// Why it is told.
    pub(crate) reason: String,
}

/// What a memory must weigh to be told.
const BAR: f64 = 0.3;

/// A memory that bears on what lies ahead weighs that much more.
const TOUCHED: f64 = 1.6;

const DAY_MS: f64 = 86_400_000.0;

/// The memories that clear the bar, in the order in which they are told.
pub(crate) fn choose<'a>(
    candidates: &'a [Candidate],
    ahead: &Ahead,
    now_ms: i64,
) -> Vec<Chosen<'a>> {
    let outlook = Outlook::new(ahead);
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

impl Candidate {
    /// `decision`, `summary`, or the kind of a learning.
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

    fn part(&self, is_touched: bool) -> Part {
        match (self.memory_type, self.kind.as_str()) {
            (MemoryType::Learning, "preference" | "convention") => Part::Convention,
            (MemoryType::Learning, "pitfall" | "friction") if is_touched => Part::Pitfall,
            (MemoryType::Decision, _) => Part::Decision,
            _ => Part::Other,
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

    /// The weight of a memory by itself; `None` for one that is never told.
    fn weight(&self, now_ms: i64) -> Option<f64> {
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
        Some(sure * standing * self.kind_weight()?)
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
