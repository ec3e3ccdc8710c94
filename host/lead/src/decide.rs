//! What a session changes in memory, worked out on texts alone: gates, verdicts, and the plan of the run.

pub(crate) mod fold;
pub(crate) mod gates;
pub(crate) mod gone;
pub(crate) mod near;
pub(crate) mod plan;
pub(crate) mod precedence;
pub(crate) mod recall;
pub(crate) mod settle;
pub(crate) mod standing;
pub(crate) mod verdict;
