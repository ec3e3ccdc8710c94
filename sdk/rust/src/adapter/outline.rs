//! Documents that are one object with one long list, like most sessions that an agent rewrites as a whole.
//!
//! Reads as far as the document is valid: elements before a fault are found, and the fault is reported.

use crate::adapter::document::{self, Item};
use crate::adapter::json::{Scanner, Value};

/// An optional prefix of the text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A document that was located but not decoded.
#[derive(Debug)]
pub struct Outline<'a> {
    /// The fields other than the list.
    fields: Vec<(Vec<u8>, Value<'a>)>,
    /// The valid elements of the list; `None` if there is no list.
    pub items: Option<Vec<Item<'a>>>,
    /// Offset and reason of the first fault; `None` if the document is whole.
    pub fault: Option<(u64, &'static str)>,
}

impl<'a> Outline<'a> {
    /// Parses the document in `bytes`, whose list is the field `list`. Returns `None` if it does not begin as an
    /// object.
    pub fn of(bytes: &'a [u8], list: &str) -> Option<Self> {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let base = (bytes.len() - text.len()) as u64;
        let mut scanner = Scanner::new(text);
        if scanner.peek() != Some(b'{') {
            return None;
        }
        let mut fields = Vec::new();
        let mut items = None;
        let scanned = scanner.each_field(|scanner, key| {
            if key == list.as_bytes() && scanner.peek() == Some(b'[') {
                let (found, read) = document::items(scanner, base);
                items = Some(found);
                return read;
            }
            fields.push((key.to_owned(), scanner.value()?));
            Ok(())
        });
        let at = base + scanner.position() as u64;
        Some(Self {
            fields,
            items,
            fault: scanned.err().map(|fault| (at, document::cause(fault))),
        })
    }

    /// Returns the value of a field other than the list.
    pub fn field(&self, name: &str) -> Option<Value<'a>> {
        let mut fields = self.fields.iter().rev();
        fields
            .find(|(key, _)| key == name.as_bytes())
            .map(|(_, value)| *value)
    }

    /// Returns the text of such a field.
    pub fn text(&self, name: &str) -> Option<String> {
        let text = self.field(name)?.text()?;
        Some(text.lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document, the offsets of its elements, and whether it is whole.
    type OutlineCase = (&'static [u8], Option<&'static [u64]>, bool);

    #[test]
    fn a_document_is_read_as_far_as_it_goes() {
        let table: [OutlineCase; 7] = [
            (br#"{"list":[{"n":1}, {"n":2}]}"#, Some(&[9, 18]), true),
            (b"\xef\xbb\xbf {\"list\":[1]}", Some(&[13]), true),
            (br#"{"list":[{"n":1},{"n"#, Some(&[9]), false),
            (br#"{"list":[{"n":1}"#, Some(&[9]), false),
            (br#"{"list":[{"n":1};]}"#, Some(&[9]), false),
            (br#"{"list":3}"#, None, true),
            (br#"{"id":"#, None, false),
        ];
        for (bytes, expected, is_whole) in table {
            let outline = Outline::of(bytes, "list").expect("begins as an object");
            let starts = outline.items.map(|items| {
                let starts = items.iter().map(|item| item.start);
                starts.collect::<Vec<_>>()
            });
            assert_eq!(starts.as_deref(), expected, "{bytes:?}");
            assert_eq!(outline.fault.is_none(), is_whole, "{bytes:?}");
        }
        assert!(Outline::of(b"[1]", "list").is_none());
        assert!(Outline::of(b"", "list").is_none());
    }

    #[test]
    fn the_last_of_several_fields_counts() {
        let bytes = br#"{"id":"a","list":[],"id":"b"}"#;
        let outline = Outline::of(bytes, "list").expect("begins as an object");
        assert_eq!(outline.text("id").as_deref(), Some("b"));
        assert_eq!(outline.text("list"), None);
    }
}
