//! Finds the keywords of all rules, ignoring case, in one pass over the text.
//!
//! Bytes are mapped to codes of six bits, which upper and lower case share. Every second position is looked up by the
//! codes of its next three bytes in a bit table that fits the L1 cache; unlike the steps of an automaton, these lookups
//! do not depend on each other. So each keyword is in the table twice, for either parity of its start, each time by its
//! rarest bytes. If the table has a bit, the bytes next to those three are compared, and then the keywords themselves.

use crate::common::Costs;

/// Positions are checked in blocks of this many bytes; with the pair before and the pair after, there are 32 lanes.
const BLOCK: usize = 60;
const LANES: usize = BLOCK / 2 + 2;

/// Number of hash bits for the codes of three bytes.
const BITS: u32 = 15;

#[derive(Debug)]
pub(crate) struct Keywords {
    /// By the codes of two bytes, a bit for each code of the third.
    filter: Box<[u64; 1 << 12]>,
    /// The bucket of three codes; 0 is empty.
    table: Box<[u16; 1 << BITS]>,
    buckets: Vec<Bucket>,
    members: Vec<Member>,
    keywords: Vec<(Box<[u8]>, Owner)>,
}

/// All keywords with the same three bytes at one slot of the table.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// Codes that may occur before and after these bytes.
    before: u64,
    after: u64,
    start: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
struct Member {
    /// The keyword's bytes from `anchor` on, up to eight, folded, and the mask of the valid ones.
    head: u64,
    mask: u64,
    anchor: u32,
    keyword: u32,
}

/// The component that registered a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A rule of the table.
    Rule(usize),
    /// A rule whose token may occur there reversed.
    Reversed(usize),
    /// The decoder of encodings.
    Encoding,
    /// The decoder of encodings, if everything near is to be decoded.
    Escaped,
    /// The decoder of hexadecimal dumps.
    Dump,
    /// The decoder of lists of numbers.
    Numbers,
    /// The decoder of ROT13.
    Rotated,
}

impl Keywords {
    /// `keywords` are in lower case, at least three bytes long, each with its owner.
    pub(crate) fn new(keywords: impl Iterator<Item = (String, Owner)>) -> Self {
        let costs = Costs::new(code);
        let mut filter = Box::new([0_u64; 1 << 12]);
        let mut table = Box::new([0_u16; 1 << BITS]);
        let nothing = Bucket {
            before: 0,
            after: 0,
            start: 0,
            end: 0,
        };
        let mut buckets = vec![nothing];
        // Members with their bucket, in the order of registration.
        let mut placed: Vec<(u16, Member)> = Vec::new();
        let keywords: Vec<(Box<[u8]>, Owner)> = keywords
            .map(|(text, owner)| (text.into_bytes().into(), owner))
            .collect();
        for (index, (text, _)) in keywords.iter().enumerate() {
            for parity in 0..2 {
                let anchor = rarest(text, parity, &costs);
                let bytes = &text[anchor..];
                let member = Member {
                    head: fold(head(bytes)) & mask(bytes),
                    mask: mask(bytes),
                    anchor: anchor as u32,
                    keyword: index as u32,
                };
                let pair = usize::from(code(bytes[0])) | usize::from(code(bytes[1])) << 6;
                let bit = |byte: Option<&u8>| byte.map_or(u64::MAX, |it| 1 << code(*it));
                let third = bit(bytes.get(2));
                filter[pair] |= third;
                let mut thirds = third;
                while thirds != 0 {
                    let third = thirds.trailing_zeros();
                    thirds &= thirds - 1;
                    let place = &mut table[slot(pair as u32 | third << 12)];
                    if *place == 0 {
                        *place = u16::try_from(buckets.len())
                            .expect("the rules have fewer keywords than that");
                        buckets.push(nothing);
                    }
                    let bucket = &mut buckets[usize::from(*place)];
                    bucket.after |= bit(bytes.get(3));
                    bucket.before |= bit(anchor.checked_sub(1).and_then(|it| text.get(it)));
                    bucket.end += 1;
                    placed.push((*place, member));
                }
            }
        }
        // `end` counted the members of a bucket; now it becomes the index of its next member.
        let mut start = 0;
        for bucket in &mut buckets {
            let count = std::mem::replace(&mut bucket.end, start);
            bucket.start = start;
            start += count;
        }
        let mut members = match placed.first() {
            Some((_, first)) => vec![*first; placed.len()],
            None => Vec::new(),
        };
        for (place, member) in placed {
            let bucket = &mut buckets[usize::from(place)];
            members[bucket.end as usize] = member;
            bucket.end += 1;
        }
        Self {
            filter,
            table,
            buckets,
            members,
            keywords,
        }
    }

    /// Calls `found` with each position of a keyword, its length and owner; nearly in order.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize, Owner)) {
        let mut lanes = [0; LANES];
        let mut start = 0;
        while start < text.len() {
            match start.checked_sub(2).and_then(|it| text[it..].first_chunk()) {
                Some(block) => read(block, &mut lanes),
                None => read(&edge(text, start), &mut lanes),
            }
            // The bit of the first lane is the highest.
            let mut hits = 0_u32;
            for at in 1..LANES - 1 {
                let word = self.filter[usize::from(lanes[at] & 0xfff)];
                let is_set = word & 1 << (lanes[at + 1] & 63) != 0;
                hits = hits + hits + u32::from(is_set);
            }
            hits <<= 32 - BLOCK / 2;
            while hits != 0 {
                let first = hits.leading_zeros() as usize;
                hits ^= 1 << 31 >> first;
                let [before, pair, after] = [lanes[first], lanes[first + 1], lanes[first + 2]];
                let slot = slot(u32::from(pair) | u32::from(after & 63) << 12);
                let bucket = &self.buckets[usize::from(self.table[slot])];
                if bucket.before >> (before >> 6) & bucket.after >> (after >> 6) & 1 == 1 {
                    self.compare(text, start + 2 * first, bucket, &mut found);
                }
            }
            start += BLOCK;
        }
    }

    fn compare(
        &self,
        text: &[u8],
        at: usize,
        bucket: &Bucket,
        found: &mut impl FnMut(usize, usize, Owner),
    ) {
        let folded = fold(head(text.get(at..).unwrap_or_default()));
        for member in &self.members[bucket.start as usize..bucket.end as usize] {
            if folded & member.mask != member.head {
                continue;
            }
            let (keyword, owner) = &self.keywords[member.keyword as usize];
            if let Some(start) = at.checked_sub(member.anchor as usize)
                && let Some(candidate) = text.get(start..start + keyword.len())
                && candidate.eq_ignore_ascii_case(keyword)
            {
                found(start, keyword.len(), *owner);
            }
        }
    }
}

/// Returns the start of the bytes by which a keyword is searched for, given the parity of that position: three, or the
/// last two of a shorter one.
fn rarest(keyword: &[u8], parity: usize, costs: &Costs) -> usize {
    (parity..keyword.len() - 1)
        .step_by(2)
        .min_by_key(|at| costs.of(&keyword[*at..(at + 3).min(keyword.len())]))
        .unwrap_or(parity)
}

/// Computes the codes of pairs of bytes: of the block that starts two bytes after `bytes`, and a pair on either side.
#[inline(always)]
fn read(bytes: &[u8; BLOCK + 4], lanes: &mut [u16; LANES]) {
    let pairs = bytes.as_chunks().0;
    for (lane, pair) in lanes.iter_mut().zip(pairs) {
        let pair = u16::from_le_bytes(*pair);
        let codes = pair & 0x1f1f | pair >> 1 & 0x2020;
        *lane = codes & 0x3f | codes >> 2 & 0xfc0;
    }
}

/// Returns the bytes around a block at the start or the end of a text, padded with zeros.
#[cold]
fn edge(text: &[u8], start: usize) -> [u8; BLOCK + 4] {
    let mut bytes = [0; BLOCK + 4];
    let from = start.saturating_sub(2);
    let to = (start + BLOCK + 2).min(text.len());
    let lead = 2 + from - start;
    bytes[lead..lead + to - from].copy_from_slice(&text[from..to]);
    bytes
}

/// Returns the code of a byte.
fn code(byte: u8) -> u8 {
    byte & 0x1f | byte >> 1 & 0x20
}

/// Returns the first eight bytes, or as many as there are.
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

/// Returns the mask of the first eight bytes that exist.
fn mask(bytes: &[u8]) -> u64 {
    u64::MAX >> (64 - 8 * bytes.len().min(8))
}

/// Folds upper case to lower case; other bytes may collide.
fn fold(bytes: u64) -> u64 {
    bytes | FOLD
}

const FOLD: u64 = 0x2020_2020_2020_2020;

/// Returns the slot of three codes in the table.
fn slot(codes: u32) -> usize {
    (codes.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}
