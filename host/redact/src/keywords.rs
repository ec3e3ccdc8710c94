//! Finds where any keyword of any rule stands, whatever its case, in one pass over the text.
//!
//! Each place is looked up by its next three bytes in a table that fits the fastest cache. Unlike an
//! automaton's, these lookups do not wait for each other, which makes the pass twice as fast as one.
//! A keyword is looked up by those three of its bytes that are rarest in text. Where the table has an
//! entry, the next eight bytes are compared with those of each keyword at once.

/// Three bytes hash into so many bits.
const BITS: u32 = 15;

/// Candidates are gathered for so many places before they are looked at.
const CHUNK: usize = 512;

#[derive(Debug)]
pub(crate) struct Keywords {
    /// For the hash of three bytes whether a keyword may be there.
    filter: Box<[bool; 1 << BITS]>,
    /// And the bucket of those that may; 0 is none.
    table: Box<[u16; 1 << BITS]>,
    /// For each bucket the low bits that the fourth byte of a keyword may have.
    fourth: Vec<u32>,
    /// The keywords of each bucket, as a range of all.
    buckets: Vec<(usize, usize)>,
    keywords: Vec<Keyword>,
}

#[derive(Debug)]
struct Keyword {
    /// Its eight bytes from `anchor` on, folded, and which of them count.
    head: u64,
    mask: u64,
    /// Where its rarest bytes start.
    anchor: usize,
    text: Box<[u8]>,
    owner: Owner,
}

/// Who asked for a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A rule of the table.
    Rule(usize),
    /// A rule whose token may stand there backwards.
    Reversed(usize),
    /// Whoever undoes encodings.
    Encoding,
    /// Whoever reads hexadecimal dumps.
    Dump,
}

impl Keywords {
    /// `keywords` are in lower case, at least three bytes long, each with its owner.
    pub(crate) fn new(keywords: impl Iterator<Item = (String, Owner)>) -> Self {
        let mut table = Box::new([0_u16; 1 << BITS]);
        let mut buckets: Vec<Vec<Keyword>> = vec![Vec::new()];
        let mut fourth = vec![0_u32];
        for (text, owner) in keywords {
            let anchor = rarest(text.as_bytes());
            let bytes = &text.as_bytes()[anchor..];
            let place = &mut table[slot(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))];
            if *place == 0 {
                *place =
                    u16::try_from(buckets.len()).expect("the rules have fewer keywords than that");
                buckets.push(Vec::new());
                fourth.push(0);
            }
            fourth[usize::from(*place)] |= match bytes.get(3) {
                Some(byte) => 1 << (byte & 31),
                None => u32::MAX,
            };
            let mask = u64::MAX >> (64 - 8 * bytes.len().min(8));
            buckets[usize::from(*place)].push(Keyword {
                head: fold(head(bytes)) & mask,
                mask,
                anchor,
                text: text.as_bytes().into(),
                owner,
            });
        }
        let mut keywords = Vec::new();
        let ranges = buckets.into_iter().map(|bucket| {
            let start = keywords.len();
            keywords.extend(bucket);
            (start, keywords.len())
        });
        let mut filter = Box::new([false; 1 << BITS]);
        for (known, bucket) in filter.iter_mut().zip(table.iter()) {
            *known = *bucket != 0;
        }
        Self {
            filter,
            table,
            fourth,
            buckets: ranges.collect(),
            keywords,
        }
    }

    /// Calls `found` with each place where a keyword starts, its length and owner; nearly in order.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize, Owner)) {
        let mut candidates = [0_u16; CHUNK];
        let mut start = 0;
        while start + 3 <= text.len() {
            let end = (start + CHUNK + 4).min(text.len());
            let mut count = 0;
            // Without a branch: a candidate that is none is overwritten by the next.
            let chunk = &text[start..end];
            let mut offset = 0;
            while offset < CHUNK
                && let Some(bytes) = chunk[offset..].first_chunk()
            {
                let bytes = u64::from_le_bytes(*bytes);
                for step in 0..4 {
                    candidates[count % CHUNK] = (offset + step) as u16;
                    count += usize::from(self.filter[slot((bytes >> (8 * step)) as u32)]);
                }
                offset += 4;
            }
            for (step, bytes) in chunk[offset..]
                .windows(3)
                .enumerate()
                .take(CHUNK - offset.min(CHUNK))
            {
                let bytes = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
                candidates[count % CHUNK] = (offset + step) as u16;
                count += usize::from(self.filter[slot(bytes)]);
            }
            for offset in &candidates[..count] {
                self.compare(text, start + usize::from(*offset), &mut found);
            }
            start += CHUNK;
        }
    }

    fn compare(&self, text: &[u8], at: usize, found: &mut impl FnMut(usize, usize, Owner)) {
        let bytes = head(&text[at..]);
        let bucket = usize::from(self.table[slot(bytes as u32)]);
        if self.fourth[bucket] >> (bytes >> 24 & 31) & 1 == 0 {
            return;
        }
        let folded = fold(bytes);
        let (start, end) = self.buckets[bucket];
        for keyword in &self.keywords[start..end] {
            if folded & keyword.mask == keyword.head
                && let Some(start) = at.checked_sub(keyword.anchor)
                && let Some(candidate) = text.get(start..start + keyword.text.len())
                && candidate.eq_ignore_ascii_case(&keyword.text)
            {
                found(start, keyword.text.len(), keyword.owner);
            }
        }
    }
}

/// Where the three bytes of a keyword start that are rarest in text.
fn rarest(keyword: &[u8]) -> usize {
    let weight = |byte: u8| match byte {
        b'z' | b'q' | b'j' | b'~' | b'$' | b'@' | b'^' => 9_u32,
        b'x' | b'k' | b'w' | b'v' | b'=' | b'#' | b'%' => 7,
        b'0'..=b'9' | b'b' | b'h' | b'y' | b'_' | b'-' | b':' | b'/' | b'.' => 5,
        b'p' | b'f' | b'g' | b'm' | b'u' | b'd' | b'+' | b'&' | b'\\' => 4,
        b'c' | b'l' | b' ' | b'\'' | b'"' => 3,
        0x80.. => 8,
        _ => 1,
    };
    let common = |pair: &[u8]| COMMON.chunks(2).any(|it| it == pair);
    let windows = keyword.windows(3).enumerate();
    let weights = windows.map(|(at, bytes)| {
        let weight: u32 = bytes.iter().map(|byte| weight(*byte)).sum();
        let pairs = bytes.windows(2).filter(|pair| common(pair)).count();
        (weight + 8 - 4 * pairs as u32, at)
    });
    // Of equals the first.
    weights
        .fold(
            (0_u32, 0),
            |best, next| if next.0 > best.0 { next } else { best },
        )
        .1
}

/// Pairs of letters that words are full of.
const COMMON: &[u8] = b"thheinerananonrecostentiteatortoseischesdearallelirarromemassounionneveeaceeckeabacamasbeblbrcaclctdidoedelemetexfifogegihahihoidilimiritlaloldmompnanednoocolomopospapepoplrirsrtscshsisosutatrtsulunupurusutwiwonssemdtepr";

/// The first eight bytes, as far as there are so many.
fn head(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let mut bytes = [0; 8];
            bytes[..text.len()].copy_from_slice(text);
            u64::from_le_bytes(bytes)
        }
    }
}

/// Capitals as small letters; other bytes may fall together.
fn fold(bytes: u64) -> u64 {
    bytes | 0x2020_2020_2020_2020
}

/// Where the table has what is known of the first three bytes.
fn slot(bytes: u32) -> usize {
    let folded = (bytes | 0x0020_2020) << 8;
    (folded.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}
