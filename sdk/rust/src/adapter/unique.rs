//! Unique event ids for agents whose own ids repeat: copies, redaction tools and hand-made files give several records
//! the same id.

use std::collections::HashMap;

use crate::adapter::calls::hash;
use crate::adapter::record_span::RecordSpan;

/// Number of times each id was seen, by its hash.
#[derive(Debug, Default)]
pub struct Unique(HashMap<u64, u32>);

impl Unique {
    /// Gives the events of a record ids that no earlier record has: its own id at the first occurrence. `otherwise`
    /// replaces the id of a record that has none.
    pub fn name(&mut self, place: &mut RecordSpan, otherwise: &str) {
        let own = match &*place.record {
            "" => otherwise,
            record => record,
        };
        let seen = self.0.entry(hash(own.as_bytes())).or_default();
        *seen += 1;
        place.id = Some(match *seen {
            1 => own.to_owned(),
            again => format!("{own}~{again}"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_records_have_the_same_id() {
        let mut unique = Unique::default();
        let table = [
            ("a", "0", "a"),
            ("a", "1", "a~2"),
            ("", "2", "2"),
            ("a", "3", "a~3"),
            ("2", "4", "2~2"),
        ];
        for (record, otherwise, expected) in table {
            let mut place = RecordSpan::new(record, 0, 0, None);
            unique.name(&mut place, otherwise);
            assert_eq!(place.event_id(), expected);
            assert_eq!(place.record, record);
        }
    }
}
