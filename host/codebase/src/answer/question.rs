//! A question about a codebase with the hints that memory has for it.

use std::time::SystemTime;

use crate::answer::request::{MemoryHints, Request};
use crate::answer::response::Command;

/// A question and the hints that memory has for it.
#[derive(Clone, Copy)]
pub(crate) struct ContextQuestion<'a> {
    pub(crate) command: Command,
    /// Time at which it was asked.
    pub(crate) asked: SystemTime,
    pub(crate) request: &'a Request,
    pub(crate) hints: Option<&'a dyn MemoryHints>,
}
