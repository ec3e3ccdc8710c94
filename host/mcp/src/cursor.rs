//! Cursors of pages. A cursor is opaque to clients and belongs to one list: with another query or other filters it is
//! refused instead of returning a page of something else.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_64;

/// Largest offset: deeper pages cost more to find than they are worth.
pub(crate) const DEEPEST: usize = 1_000;

/// Identifies a list, so that its cursors fit no other list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListKey(u64);

impl ListKey {
    /// Hashes everything that selects the contents of the list.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut text = String::new();
        for part in parts {
            // The length distinguishes ("ab", "c") from ("a", "bc").
            let _ = write!(text, "{}:{part}", part.len());
        }
        Self(xxh3_64(text.as_bytes()))
    }

    pub(crate) fn cursor(self, offset: usize) -> String {
        format!("{offset:x}-{:016x}", self.0)
    }

    /// Returns the offset of a cursor of this list.
    pub(crate) fn offset(self, cursor: &str) -> Result<usize, &'static str> {
        const UNKNOWN: &str =
            "`cursor` is not one that a page gave; leave it out to get the first page";
        let (offset, key) = cursor.split_once('-').ok_or(UNKNOWN)?;
        let offset = usize::from_str_radix(offset, 16).map_err(|_| UNKNOWN)?;
        let key = u64::from_str_radix(key, 16).map_err(|_| UNKNOWN)?;
        if key != self.0 {
            return Err(
                "`cursor` belongs to another query; give it with the same words and filters",
            );
        }
        if offset > DEEPEST {
            return Err("there are no pages after the first thousand; narrow the query");
        }
        Ok(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_fits_its_own_list_alone() {
        let list = ListKey::of(&["retry budget", "decision"]);
        assert_eq!(list.offset(&list.cursor(5)), Ok(5));
        assert_eq!(list.offset(&list.cursor(DEEPEST)), Ok(DEEPEST));
        let cases = [
            (list.cursor(DEEPEST + 1), "thousand"),
            (
                ListKey::of(&["retry", "budgetdecision"]).cursor(5),
                "another query",
            ),
            (String::new(), "not one"),
            ("5".to_owned(), "not one"),
            ("x-y".to_owned(), "not one"),
            ("-5-0".to_owned(), "not one"),
            (format!("{}-0", "f".repeat(40)), "not one"),
        ];
        for (cursor, why) in cases {
            let refused = list.offset(&cursor);
            assert!(
                refused.is_err_and(|reason| reason.contains(why)),
                "{cursor}: {refused:?}"
            );
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(ListKey::of(&["ab", "c"]), ListKey::of(&["a", "bc"]));
        assert_ne!(ListKey::of(&["a", ""]), ListKey::of(&["a"]));
    }
}
