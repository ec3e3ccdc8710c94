//! The brief for an agent at the start of a session: the few memories that matter for the work ahead, the reason for
//! each, and how many were left out, in a few hundred tokens. Empty if no memory is important enough. Selecting and
//! rendering are pure; `cache` and `given` store the inputs of briefs and the briefs that were given.

mod ahead;
mod cache;
mod given;
mod render;
mod select;

pub use ahead::Ahead;
pub(crate) use cache::BriefCache;
pub use given::GivenBrief;
pub(crate) use given::{GivenBriefs, forget};
pub use render::{Brief, BriefLine, LeftOut, brief};
pub(crate) use render::{enclosed, statement};
pub use select::{BriefCandidate, BriefTrust};
