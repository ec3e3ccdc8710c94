//! The artifact of a project: its tables, facts and graph, and how it is stored and updated.

pub(crate) mod aside;
pub(crate) mod bytes;
pub(crate) mod churn;
pub(crate) mod detection;
pub(crate) mod facts;
pub(crate) mod finish;
pub(crate) mod format;
pub(crate) mod graph;
pub(crate) mod sink;
pub(crate) mod store;
pub(crate) mod update;
pub(crate) mod words;
