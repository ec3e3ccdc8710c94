//! Recall during a session: the few memories that are relevant to a prompt, to a file that is about to be edited, or to
//! a failed command, or nothing. Each is offered to a session once and counted. The caller never waits: the index is
//! used as it is, no lock is waited for, no plugin is run.

pub mod brief;
pub mod cures;
pub mod hook_log;
pub mod lifecycle;
pub mod offers;
pub mod told;

mod edit;
mod failure;
mod gate;
mod prompt;
mod shelf;
mod statement;

pub use acreta_state::SessionKey;
pub use edit::{EditRequest, edit};
pub use failure::{FailureRequest, failure};
pub(crate) use gate::Vocabulary;
pub use prompt::{PromptRequest, prompt};

use acreta_store::Memory;

use crate::recall::brief::BriefCache;
use crate::recall::offers::Offers;
use crate::{Context, Failure};
pub(crate) use shelf::{Shelf, ShelfQuery};

/// A text for an agent in the middle of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recalled {
    /// Empty if there is nothing to offer.
    pub text: String,
    /// Ids of the memories in it, in order.
    pub memories: Vec<String>,
    /// An estimate that is never too low.
    pub tokens: usize,
    /// The index should be compared with the files, which takes longer than a hook may.
    pub needs_refresh: bool,
}

/// Brings what hooks read instead of memory up to date, for those that have no time for it: the memories of briefs, and the
/// indexes.
pub fn refresh(context: &Context) -> Result<(), Failure> {
    BriefCache::refresh(&context.layout(&context.project), context)?;
    shelf::refresh(context)
}

/// Offers the first memories that fit; records each before it is returned.
fn offer(
    heading: &str,
    moment: &str,
    memories: Vec<(usize, Memory)>,
    offers: &Offers<'_>,
    shelf: &Shelf,
    nothing: Recalled,
) -> Result<Recalled, Failure> {
    if memories.is_empty() {
        return Ok(nothing);
    }
    let mut memories = memories;
    memories.truncate(2 * statement::MOST);
    let short = shelf.short_ids(&memories)?;
    let lines = memories.iter();
    let lines = lines.map(|(_, memory)| statement::line(memory, &short));
    let (mut lines, _) = statement::fitting(heading, lines.collect());
    let ids: Vec<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    let new = offers.note(moment, &ids)?;
    lines.retain(|line| new.contains(&line.id));
    if lines.is_empty() {
        return Ok(nothing);
    }
    let (lines, tokens) = statement::fitting(heading, lines);
    Ok(Recalled {
        text: statement::text(heading, &lines),
        memories: lines.into_iter().map(|line| line.id).collect(),
        tokens,
        ..nothing
    })
}
