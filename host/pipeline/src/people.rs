//! Changes that a person or an agent asks for: a note, an amendment, a suggestion, a pending record, a
//! reviewer's decision, a purge, an import of an export.

pub(crate) mod amend;
mod batch;
mod between;
pub(crate) mod decision;
pub(crate) mod notes;
pub(crate) mod pending;
pub(crate) mod purge;
mod restore;
pub(crate) mod suggest;
