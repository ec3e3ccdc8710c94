//! Trust in what others bring: `memory trust export|import|accept`. Another person's confirmation is a review here,
//! never a confirmation, and only after this user accepted them by name. Memory that came by git is untrusted until the
//! user accepts it.

pub use acreta_store::RepositoryPolicy;
use acreta_store::{Rung, Word, Words, as_line};
use serde::Serialize;

use crate::projects::scopes::MemoryScope;
use crate::remember::add::WriteScope;
use crate::{Context, Failure, Kind, remember::locked};

/// Maximum characters of a reviewer's name.
const NAME: usize = 100;

/// Returns this user's own confirmations, one JSON object per line.
pub fn export(scope: WriteScope, context: &Context) -> String {
    let words = Words::load(&MemoryScope::to_write(scope, context).layout);
    let own = words.iter().filter(|word| is_own(word));
    own.map(|word| format!("{}\n", as_line(word))).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Accepted {
    pub reviewer: String,
    /// Number of accepted confirmations.
    pub words: u64,
    /// Number of memories of this scope whose text is what the reviewer saw.
    pub reviewed: u64,
}

/// Accepts the confirmations in an export of another person.
pub fn import(
    exported: &str,
    reviewer: &str,
    scope: WriteScope,
    context: &Context,
) -> Result<Accepted, Failure> {
    let reviewer = checked(reviewer)?;
    // Reviews that they only accepted from others are not their own.
    let given = Words::parse(exported);
    let given: Vec<Word> = given.iter().filter(|word| is_own(word)).cloned().collect();
    let mut writable = locked::open(context, MemoryScope::to_write(scope, context).layout)?;
    writable.accept_review(reviewer, &given)?;
    let memories = writable.snapshot().iter();
    let reviewed = memories.filter(|memory| {
        let digest = memory.content_digest();
        let mut words = given.iter();
        words.any(|word| word.memory == memory.id && word.digest == digest)
    });
    Ok(Accepted {
        reviewer: reviewer.to_owned(),
        words: given.len() as u64,
        reviewed: reviewed.count() as u64,
    })
}

/// What the user accepted of a repository's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptedMemory {
    /// Number of memories that were not accepted before.
    pub memories: u64,
    /// What holds for memory that comes by git later.
    pub later: RepositoryPolicy,
}

/// Accepts the memory that came with the current project, or that was imported into a scope. `later` says what holds for what comes after it; `None` leaves
/// that as it is.
pub fn accept(
    later: Option<RepositoryPolicy>,
    scope: WriteScope,
    context: &Context,
) -> Result<AcceptedMemory, Failure> {
    let layout = MemoryScope::to_write(scope, context).layout;
    let mut writable = locked::open(context, layout)?;
    let memories = writable.accept_repository(later)?;
    Ok(AcceptedMemory {
        memories,
        later: writable.repository_policy(),
    })
}

/// Returns whether the exporting person confirmed it themselves.
fn is_own(word: &Word) -> bool {
    word.word == Rung::Confirmed && word.by.is_none()
}

fn checked(reviewer: &str) -> Result<&str, Failure> {
    let reviewer = reviewer.trim();
    let is_name = !reviewer.is_empty()
        && reviewer.chars().count() <= NAME
        && acreta_text::visible(reviewer) == reviewer;
    match is_name {
        true => Ok(reviewer),
        false => Err(Failure::new(
            Kind::Usage,
            format!("`--reviewer` takes a name of at most {NAME} plain characters"),
        )),
    }
}
