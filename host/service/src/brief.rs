//! What an agent should know when a session starts: the few memories that matter for a directory, and
//! what changed, in a few hundred tokens. Nothing when no memory clears the bar. Pure: memories and
//! changes in, text out.

mod cache;
mod render;
mod select;

pub(crate) use cache::BriefCache;
pub(crate) use render::statement;
pub use render::{Brief, Changes, brief};
pub use select::{Candidate, Standing};
