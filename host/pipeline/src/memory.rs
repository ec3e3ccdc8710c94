//! Memory opened for writing: the holder of the lock, the plan of one change, and its commit.

pub(crate) mod files;
pub(crate) mod former;
pub(crate) mod ids;
pub(crate) mod planned;
pub(crate) mod speakers;
pub(crate) mod workspace;
pub(crate) mod writable;
pub(crate) mod write;
