//! Generates the tables of the token counter from the vocabulary of `bpe-openai` and the character classes of
//! `regex-syntax`: `merges.bin`, used in place, and `classes.rs`. The vocabulary embedded in that crate is ten times as
//! large and has to be decoded before the first use.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use regex_syntax::hir::{Class, HirKind};

/// Slots of the hash table (as a power of two); 200,000 merges fill three quarters of them.
const SLOT_BITS: u32 = 18;
/// Bits of a token in a slot: left, right and merged token take 54.
const TOKEN_BITS: u32 = 18;
/// Must equal the constant in `src/merge.rs`.
const HASH: u64 = 0x9E37_79B9_7F4A_7C15;

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write(&out.join("merges.bin"), &merges());
    write(&out.join("classes.rs"), classes().as_bytes());
    println!("cargo::rerun-if-changed=build.rs");
}

/// Encodes 256 tokens of single bytes (4 bytes each), then the slots (8 bytes each), little-endian. An empty slot is
/// zero.
fn merges() -> Vec<u8> {
    let vocabulary = &bpe_openai::o200k_base().bpe;
    let count = u32::try_from(vocabulary.num_tokens()).expect("o200k has 200,000 tokens");
    assert!(count < 1 << TOKEN_BITS, "{count} tokens need more bits");
    let mut bytes = [u32::MAX; 256];
    for token in 0..count {
        if let [byte] = vocabulary.token_bytes(token) {
            bytes[usize::from(*byte)] = token;
        }
    }
    assert!(!bytes.contains(&u32::MAX), "every byte is a token");

    let mut known = HashMap::new();
    let mut slots = vec![0_u64; 1 << SLOT_BITS];
    for token in 0..count {
        let text = vocabulary.token_bytes(token);
        if text.len() == 1 {
            continue;
        }
        let parts = merged(text.iter().map(|byte| bytes[usize::from(*byte)]), &known);
        let [left, right] = parts[..] else {
            panic!("token {token} is not made of two earlier ones");
        };
        known.insert((left, right), token);
        let key = u64::from(left) << TOKEN_BITS | u64::from(right);
        let mut slot = (key.wrapping_mul(HASH) >> (64 - SLOT_BITS)) as usize;
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = key << TOKEN_BITS | u64::from(token);
    }
    let bytes = bytes.iter().flat_map(|token| token.to_le_bytes());
    bytes
        .chain(slots.iter().flat_map(|slot| slot.to_le_bytes()))
        .collect()
}

/// Applies all known merges, lowest token first.
fn merged(parts: impl Iterator<Item = u32>, known: &HashMap<(u32, u32), u32>) -> Vec<u32> {
    let mut parts: Vec<u32> = parts.collect();
    loop {
        let pairs = parts.windows(2).enumerate();
        let next = pairs
            .filter_map(|(at, pair)| Some((*known.get(&(pair[0], pair[1]))?, at)))
            .min();
        let Some((token, at)) = next else {
            return parts;
        };
        parts.splice(at..at + 2, [token]);
    }
}

/// Returns sorted ranges of characters with their class; characters in no range are `Other`.
fn classes() -> String {
    let named = [
        ("Upper", r"[\p{Lu}\p{Lt}]"),
        ("Lower", r"\p{Ll}"),
        ("Caseless", r"[\p{Lm}\p{Lo}]"),
        ("Mark", r"\p{M}"),
        ("Number", r"\p{N}"),
        ("Space", r"\s"),
    ];
    let mut ranges = Vec::new();
    for (name, pattern) in named {
        let parsed = regex_syntax::parse(pattern).expect("the pattern is valid");
        let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
            panic!("`{pattern}` is a class of characters");
        };
        let class = class.ranges().iter();
        ranges.extend(class.map(|range| (range.start(), range.end(), name)));
    }
    ranges.sort_unstable();
    let rows: String = ranges
        .iter()
        .map(|(start, end, name)| format!("    ({start:?}, {end:?}, CharClass::{name}),\n"))
        .collect();
    format!("static RANGES: &[(char, char, CharClass)] = &[\n{rows}];\n")
}

#[expect(
    clippy::disallowed_methods,
    reason = "cargo runs a build script again when its output is lost"
)]
fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
}
