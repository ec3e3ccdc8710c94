//! Finds the entries on the branch that ends with the last entry.
//!
//! A parent always precedes its children, so one walk back over the file finds the branch. Each entry costs sixteen
//! bytes and its index; its content is not held.

use std::collections::HashMap;

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::failure;
use acreta_sdk::adapter::json::Value;

/// The entries after a cursor, in the order of the file.
#[derive(Default)]
pub(crate) struct Tree {
    entries: Vec<Entry>,
    /// Index of the last occurrence of each id.
    places: HashMap<u64, usize>,
}

/// An entry by the hashes of its id and its parent's. Entries of the first version and the header are not part of the
/// tree.
struct Entry {
    id: Option<u64>,
    parent: Option<u64>,
}

/// The entries to emit.
pub(crate) struct Branch {
    /// By their number in the file.
    is_told: Vec<bool>,
    /// Number of entries on other branches.
    pub(crate) left: usize,
    /// The last entry of the branch.
    pub(crate) leaf: Option<u64>,
}

/// Target of the walk back.
#[derive(Clone, Copy)]
enum Wanted {
    /// The nearest entry of any kind.
    Nearest,
    Entry(u64),
    /// None: the branch begins here.
    Nothing,
    /// An entry before the cursor.
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

    /// Returns the branch that ends with the last entry. `before` is the last emitted entry; the cursor is refused if
    /// the branch does not continue from there.
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
                // The parent is missing; most likely the entry before is its child.
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
    /// Reports whether the entry with this number is emitted.
    pub(crate) fn holds(&self, number: usize) -> bool {
        self.is_told.get(number).copied().unwrap_or(false)
    }
}

fn another_branch() -> Failure {
    failure::invalid_cursor("the session went back to an earlier entry")
}
