//! Which entries stand on the branch that the last one ends.
//!
//! A parent always stands before its children, so one walk back over the file finds the branch.
//! Kept are sixteen bytes of each entry and its place, nothing of what it says.

use std::collections::HashMap;

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::failure;
use acreta_sdk::adapter::json::Value;

/// The entries behind a cursor, in the order of the file.
#[derive(Default)]
pub(crate) struct Tree {
    entries: Vec<Entry>,
    /// Where each id stands, the last time it does.
    places: HashMap<u64, usize>,
}

/// An entry by the hashes of its id and its parent's. Entries of the first version and the header
/// have no place in a tree.
struct Entry {
    id: Option<u64>,
    parent: Option<u64>,
}

/// Which entries are told.
pub(crate) struct Branch {
    /// By their number in the file.
    is_told: Vec<bool>,
    /// How many entries other branches have.
    pub(crate) left: usize,
    /// The entry that the branch ends with.
    pub(crate) leaf: Option<u64>,
}

/// What the walk back looks for.
#[derive(Clone, Copy)]
enum Wanted {
    /// The nearest entry, whichever it is.
    Nearest,
    Entry(u64),
    /// Nothing: the branch begins here.
    Nothing,
    /// What stands before the cursor.
    Before,
}

impl Tree {
    /// Adds the next record of the file.
    pub(crate) fn add(&mut self, record: Value<'_>) {
        let key = |name: &str| record.text_of(name).map(|id| hash(id.raw));
        let is_header = record
            .text_of("type")
            .is_some_and(|kind| kind.is("session"));
        let id = key("id").filter(|_| !is_header);
        if let Some(id) = id {
            self.places.insert(id, self.entries.len());
        }
        let parent = key("parentId");
        self.entries.push(Entry { id, parent });
    }

    /// The branch that the last entry ends. `before` is the one that was told last; the cursor is
    /// refused when the branch does not go on from there.
    pub(crate) fn branch(&self, is_resumed: bool, before: Option<u64>) -> Result<Branch, Failure> {
        let mut is_told = vec![false; self.entries.len()];
        let mut wanted = Wanted::Nearest;
        let (mut left, mut leaf) = (0, None);
        for (number, entry) in self.entries.iter().enumerate().rev() {
            let Some(id) = entry.id else {
                is_told[number] = true;
                continue;
            };
            is_told[number] = match wanted {
                Wanted::Nearest => true,
                Wanted::Entry(wanted) => wanted == id,
                Wanted::Nothing | Wanted::Before => false,
            };
            if !is_told[number] {
                left += 1;
                continue;
            }
            leaf = leaf.or(Some(id));
            wanted = match entry.parent {
                None => Wanted::Nothing,
                Some(parent) if self.stands_before(parent, number) => Wanted::Entry(parent),
                Some(parent) if is_resumed && before == Some(parent) => Wanted::Before,
                Some(_) if is_resumed => return Err(another_branch()),
                // The parent was lost; most likely the entry before is its child.
                Some(_) => Wanted::Nearest,
            };
        }
        match wanted {
            Wanted::Nothing | Wanted::Entry(_) if is_resumed && before.is_some() => {
                Err(another_branch())
            }
            _ => Ok(Branch {
                is_told,
                left,
                leaf: leaf.or(before),
            }),
        }
    }

    fn stands_before(&self, id: u64, number: usize) -> bool {
        self.places.get(&id).is_some_and(|place| *place < number)
    }
}

impl Branch {
    /// Whether the entry with this number is told.
    pub(crate) fn holds(&self, number: usize) -> bool {
        self.is_told.get(number).copied().unwrap_or(false)
    }
}

fn another_branch() -> Failure {
    failure::invalid_cursor("the session went back to an earlier entry")
}
