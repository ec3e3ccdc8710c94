//! An unordered pair of memories.

use acreta_store::{Memory, digest};

/// Two memories, by id, the smaller first.
pub(crate) type MemoryPair = (String, String);

pub(crate) fn pair_of(left: &str, right: &str) -> MemoryPair {
    if left <= right {
        (left.to_owned(), right.to_owned())
    } else {
        (right.to_owned(), left.to_owned())
    }
}

/// Returns the mark for two memories about which a person said that both hold, for
/// [`dismissed`](acreta_store::StateFile::dismissed). It is valid for the texts that the person saw.
pub(crate) fn both_hold(one: &Memory, other: &Memory) -> String {
    let (first, second) = if one.id <= other.id {
        (one, other)
    } else {
        (other, one)
    };
    let side = |memory: &Memory| format!("{} {}", memory.id, memory.content_digest());
    digest(format!("both hold\n{}\n{}", side(first), side(second)))
}

/// Reports whether a person said that both hold.
pub(crate) fn is_settled(one: &Memory, other: &Memory) -> bool {
    let mark = both_hold(one, other);
    [one, other].iter().any(|memory| {
        let state = memory.state.as_ref();
        state.is_some_and(|state| state.dismissed.contains(&mark))
    })
}
