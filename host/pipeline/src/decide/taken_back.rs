//! What the person takes back within a session. They say "use tabs", the agent notes it; an hour later they say "no, spaces
//! after all", and the agent notes that with `replaces`, naming its first note. The first note goes, with a reason that
//! `runs show` tells. If the session was read in between, its memory is replaced by the later word.

use acreta_store::{Memory, Snapshot};

use crate::attribution::instructs;
use crate::decide::accepted::{AcceptedCandidate, note_id, replaced};
use crate::memory::planned::contributions_of;

/// A note that a later one of the session replaces.
#[derive(Debug, Clone)]
pub(crate) struct TakenBackNote {
    /// Candidate id of the later note.
    pub(crate) by: String,
    note: AcceptedCandidate,
}

/// Removes and returns the notes that a later, proven note of the same batch replaces.
pub(crate) fn take_back(kept: &mut Vec<AcceptedCandidate>) -> Vec<TakenBackNote> {
    let later: Vec<AcceptedCandidate> = kept
        .iter()
        .filter(|one| !one.untrusted && instructs(&one.candidate))
        .filter(|one| replaced(&one.candidate).is_some_and(is_note))
        .cloned()
        .collect();
    let mut taken_back = Vec::new();
    for later in later {
        let is_meant = |one: &AcceptedCandidate| {
            one.candidate.id != later.candidate.id
                && one.newest_ms <= later.newest_ms
                && note_id(&one.candidate) == replaced(&later.candidate)
        };
        if let Some(place) = kept.iter().position(is_meant) {
            taken_back.push(TakenBackNote {
                by: later.candidate.id,
                note: kept.remove(place),
            });
        }
    }
    taken_back
}

/// Reports whether an id is that of a note, not of a memory.
fn is_note(id: &str) -> bool {
    id.starts_with("p-")
}

impl TakenBackNote {
    pub(crate) fn candidate_id(&self) -> &str {
        &self.note.candidate.id
    }

    /// Returns the memory that an earlier reading of the session made of it.
    pub(crate) fn memory<'a>(&self, snapshot: &'a Snapshot) -> Option<&'a Memory> {
        let quotes = || self.note.citations.iter().map(|citation| &citation.quote);
        snapshot.iter().find(|memory| {
            !memory.is_archived()
                && contributions_of(memory).iter().any(|one| {
                    one.candidate.title == self.note.candidate.title
                        && quotes().eq(one.evidence.iter().map(|quoted| &quoted.quote))
                })
        })
    }
}
