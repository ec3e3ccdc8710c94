//! Which model reads, how models are opened, and what they may use.

pub mod choice;
pub mod opened;
pub(crate) mod shared_budget;
pub(crate) mod unsettled;
