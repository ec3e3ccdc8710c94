//! A question about a codebase, with what memory says about it.

use std::time::SystemTime;

use crate::answer::request::{MemoryHints, Request};
use crate::answer::response::Command;

/// What is asked, and what memory says about it.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) command: Command,
    /// When it was asked.
    pub(crate) asked: SystemTime,
    pub(crate) request: &'a Request,
    pub(crate) hints: Option<&'a dyn MemoryHints>,
}
