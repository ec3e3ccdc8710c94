//! Finds where any keyword of any rule stands, whatever its case, in one pass over the text.
//!
//! Each place is looked up by its next three bytes in a table that fits the fastest cache. Unlike an
//! automaton's, these lookups do not wait for each other, which makes the pass twice as fast as one.
//! A keyword is looked up by those three of its bytes that are rarest in text. Where the table has an
//! entry, the next eight bytes are compared with those of each keyword at once.

/// Three bytes hash into so many bits, of which the first say where the keywords are.
const BITS: u32 = 17;
const PLACES: u32 = 15;

/// Candidates are gathered for so many places before they are looked at.
const CHUNK: usize = 512;

#[derive(Debug)]
pub(crate) struct Keywords {
    /// A bit for the hash of three bytes: whether a keyword may be there.
    filter: Box<[u64; 1 << (BITS - 6)]>,
    /// And the bucket of those that may; 0 is none.
    table: Box<[u16; 1 << PLACES]>,
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
    /// As above, where all that is near is to be decoded.
    Escaped,
    /// Whoever reads hexadecimal dumps.
    Dump,
    /// Whoever reads lists of numbers.
    Numbers,
    /// Whoever turns letters by thirteen.
    Rotated,
}

impl Keywords {
    /// `keywords` are in lower case, at least three bytes long, each with its owner.
    pub(crate) fn new(keywords: impl Iterator<Item = (String, Owner)>) -> Self {
        let mut table = Box::new([0_u16; 1 << PLACES]);
        let mut filter = Box::new([0_u64; 1 << (BITS - 6)]);
        let mut buckets: Vec<Vec<Keyword>> = vec![Vec::new()];
        let mut fourth = vec![0_u32];
        for (text, owner) in keywords {
            let anchor = rarest(text.as_bytes());
            let bytes = &text.as_bytes()[anchor..];
            let slot = slot(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) | FOLD as u32);
            filter[slot / 64] |= 1 << (slot % 64);
            let place = &mut table[slot >> (BITS - PLACES)];
            if *place == 0 {
                *place =
                    u16::try_from(buckets.len()).expect("the rules have fewer keywords than that");
                buckets.push(Vec::new());
                fourth.push(0);
            }
            fourth[usize::from(*place)] |= match bytes.get(3) {
                Some(byte) => 1 << ((byte | 0x20) & 31),
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
                let bytes = fold(u64::from_le_bytes(*bytes));
                for step in 0..4 {
                    candidates[count % CHUNK] = (offset + step) as u16;
                    count += self.may_be((bytes >> (8 * step)) as u32);
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
                count += self.may_be(bytes | FOLD as u32);
            }
            for offset in &candidates[..count] {
                self.compare(text, start + usize::from(*offset), &mut found);
            }
            start += CHUNK;
        }
    }

    /// 1 where a keyword may be, for the first three of folded bytes.
    #[inline(always)]
    fn may_be(&self, bytes: u32) -> usize {
        let slot = slot(bytes);
        (self.filter[slot / 64] >> (slot % 64) & 1) as usize
    }

    fn compare(&self, text: &[u8], at: usize, found: &mut impl FnMut(usize, usize, Owner)) {
        let folded = fold(head(&text[at..]));
        let bucket = usize::from(self.table[slot(folded as u32) >> (BITS - PLACES)]);
        if self.fourth[bucket] >> (folded >> 24 & 31) & 1 == 0 {
            return;
        }
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
    let common = |bytes: &[u8]| COMMON.chunks(3).any(|it| it == bytes);
    let windows = keyword.windows(3).enumerate();
    let weights = windows.map(|(at, bytes)| {
        let weight: u32 = bytes.iter().map(|byte| weight(*byte)).sum();
        (weight + 16 - 16 * u32::from(common(bytes)), at)
    });
    // Of equals the first.
    weights
        .fold(
            (0_u32, 0),
            |best, next| if next.0 > best.0 { next } else { best },
        )
        .1
}

/// Three letters that words and names are full of, as counted in sessions of agents.
#[rustfmt::skip]
const COMMON: &[u8] = b"\
    ablaceachackactaddageailainaliallalsampancandangansantapiapparcareargariarkaseashaskasoassataatcateatiatoattatuaud\
    aulautbacbasberblebracaccalcatccecclcenceschacheclaclicmdcodcomconcorcoucrecrictictocurdatdecdefdendesdevdindisdit\
    doceadeareateckecoectecuedaedeedieedefaeleelfembemeemoempemsenaencendensenteplequeraereeriernerserterveseespessest\
    etaeteetretsetueveeviexeexpfacfalfauferficgengetgingitgragreharhashechelhenherheshinhishoohouhubialiaticaiceideien\
    ierifiifyighignillimpincindineinfinginiinsintioniptireiscissistiteithitoityivekenkerkeykinlablasledletliclielinlis\
    litlleloaloglsemaimanmapmarmbemenmetminmismitmodmponamncenchnernesnewnexngsnidninnnenonnsentantentintontrockocsode\
    oinokeoleommoneonionsontookoolordoreoriorkortostoteounoutoveparpatperpheplapliponporposprepriproptiptsputracralran\
    ratrcerchrderearecredreeremrepreqresretrinripritrocrojrolrsirtiruerunrvischscrseasecselsensersessetsidsigsinsiosna\
    spaspossessistastestostrsubtamtartattchtedtertestexthethithothutictidtiftiotivtoktontootoptortottratretritrutrytte\
    ttoturtypuctuffultunruntureurlusevelvenvervicwinwitwor";

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
    bytes | FOLD
}

const FOLD: u64 = 0x2020_2020_2020_2020;

/// Where the filter has what is known of the first three of folded bytes.
#[inline(always)]
fn slot(folded: u32) -> usize {
    ((folded << 8).wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}
