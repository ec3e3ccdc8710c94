//! Decides what a session changes in memory, from texts alone: gates, verdicts, and the plan of the run.

pub(crate) mod accepted;
pub(crate) mod cleaned;
pub(crate) mod contributor;
pub(crate) mod fold;
pub(crate) mod folded;
pub(crate) mod gates;
pub(crate) mod near;
pub(crate) mod open_ends;
pub(crate) mod opinions;
pub(crate) mod plan;
pub(crate) mod precedence;
pub(crate) mod recall;
pub(crate) mod remaining;
pub(crate) mod settle;
pub(crate) mod taken_back;
pub(crate) mod thresholds;
pub(crate) mod tombstones;
pub(crate) mod verdict;
