//! One run over one session: [`session`] is the list of steps, and each step is a function in a file of its own.

pub(crate) mod ask;
pub(crate) mod commit;
pub(crate) mod explore;
pub(crate) mod history;
pub(crate) mod normalise;
pub(crate) mod options;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod share;
pub(crate) mod spans;
pub(crate) mod state;
pub(crate) mod steps;
pub(crate) mod trivial;
pub(crate) mod unwanted;
pub(crate) mod weigh;
