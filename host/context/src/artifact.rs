//! The artifact of a project: its tables, facts and graph, and how it is kept and brought up to date.

pub(crate) mod aside;
pub(crate) mod bytes;
pub(crate) mod churn;
pub(crate) mod facts;
pub(crate) mod finish;
pub(crate) mod format;
pub(crate) mod graph;
pub(crate) mod how;
pub(crate) mod sink;
pub(crate) mod store;
pub(crate) mod update;
pub(crate) mod words;
