//! Examines the project on disk: walks, stats and compares files and folders, and decides which are never opened.

pub(crate) mod changes;
pub(crate) mod compare;
pub(crate) mod content;
pub(crate) mod examine;
pub(crate) mod journal;
pub(crate) mod look;
pub(crate) mod node;
pub(crate) mod repository;
pub(crate) mod rules;
pub(crate) mod sensitive;
pub(crate) mod tree;
pub(crate) mod walk;
