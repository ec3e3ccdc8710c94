//! The brief for an agent at the start of a session: the few memories that matter for what lies ahead, why each of them
//! is told, and how many are not, in a few hundred tokens. Nothing when no memory clears the bar. Choosing and rendering
//! are pure; `cache` and `given` keep what briefs are made from and what was told.

mod ahead;
mod cache;
mod given;
mod render;
mod select;

pub use ahead::Ahead;
pub(crate) use cache::BriefCache;
pub use given::GivenBrief;
pub(crate) use given::{GivenBriefs, forget};
pub(crate) use render::statement;
pub use render::{Brief, BriefLine, LeftOut, brief};
pub use select::{Candidate, Standing};
