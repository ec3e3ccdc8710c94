//! Two memories, whatever their order.

/// Two memories, by id, the smaller first.
pub(crate) type Pair = (String, String);

pub(crate) fn pair_of(left: &str, right: &str) -> Pair {
    if left <= right {
        (left.to_owned(), right.to_owned())
    } else {
        (right.to_owned(), left.to_owned())
    }
}
