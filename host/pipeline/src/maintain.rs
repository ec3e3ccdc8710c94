//! Maintenance of memory: [`pass`] is the list of steps.

pub(crate) mod conflicts;
pub(crate) mod consolidate;
pub(crate) mod consult;
pub(crate) mod decay;
pub(crate) mod pair;
pub(crate) mod pass;
mod record;
pub(crate) mod references;
pub(crate) mod report;
pub(crate) mod state;
pub(crate) mod undo;
pub(crate) mod verify;
