//! Keys of wallets: hexadecimal keys under a name for accounts, Bitcoin's WIF, and key pairs as lists of bytes. Hashes
//! of transactions and blocks look the same, so a hexadecimal key needs its name.

use std::collections::HashSet;
use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::letters::entropy;
use crate::view::RangeSink;
use crate::work;

/// Maximum distance between a name and the end of its list of keys.
const REACH: usize = 2400;

/// Maximum length of a list of bytes in a text.
const LONGEST: usize = 480;

/// Number of bytes of a key pair: the seed and the public key.
const PAIR: usize = 64;

/// Finds the keys in the list after the name at `keyword`: `accounts: ["0x…"]`, `Private Keys` and lines under it.
pub(crate) fn listed(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let end = text.floor_char_boundary((keyword.end + REACH).min(text.len()));
    let rest = &text[keyword.end..end];
    work::did(rest.len());
    let is_array = text[keyword.clone()].eq_ignore_ascii_case("accounts");
    let list = rest.trim_start_matches(['"', '\'', '\\', ' ', ':', '=', 's', 'S']);
    let skipped = rest.len() - list.len();
    let list = match is_array {
        // Only the array itself: what follows is not its.
        true => list
            .strip_prefix('[')
            .and_then(|it| it.split(']').next())
            .unwrap_or(""),
        false => list,
    };
    let start = keyword.end + skipped + usize::from(is_array);
    let mut at = 0;
    // Between the keys are only signs, numbers of the lines, and line breaks.
    while let Some(next) = list[at..].find("0x") {
        let gap = &list[at..at + next];
        let is_gap = |it: char| it.is_ascii_digit() || " \t\r\n\\nr\"'`(),=-[".contains(it);
        let digits = &list.as_bytes()[at + next + 2..];
        let digits = digits.iter().take_while(|it| it.is_ascii_hexdigit());
        let length = digits.count();
        if !gap.chars().all(is_gap) || length != 64 {
            return;
        }
        let from = start + at + next;
        if entropy(&text[from + 2..from + 66]) >= 2.8 {
            found(from..from + 66);
        }
        at += next + 66;
    }
}

/// Reports whether a word is a Bitcoin key in the wallet import format, by its checksum.
pub(crate) fn is_wif(word: &[u8]) -> bool {
    let is_form = matches!(
        (word.len(), word.first()),
        (51, Some(b'5' | b'9')) | (52, Some(b'K' | b'L' | b'c'))
    );
    if !is_form {
        return false;
    }
    let Some(bytes) = base58(word) else {
        return false;
    };
    let Some((payload, sum)) = bytes.split_last_chunk::<4>() else {
        return false;
    };
    let hash = Sha256::digest(Sha256::digest(payload));
    matches!(payload, [0x80 | 0xef, ..]) && hash.starts_with(sum)
}

/// Decodes base58; `None` if a character is none of it.
fn base58(word: &[u8]) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    // Lowest byte first.
    let mut bytes: Vec<u8> = Vec::with_capacity(40);
    for byte in word {
        let mut carry = DIGITS.iter().position(|it| it == byte)?;
        for it in &mut bytes {
            carry += usize::from(*it) * 58;
            *it = (carry & 0xff) as u8;
            carry >>= 8;
        }
        while carry > 0 {
            bytes.push((carry & 0xff) as u8);
            carry >>= 8;
        }
    }
    bytes.reverse();
    Some(bytes)
}

/// Returns the range of a list of 64 bytes around `at` that is alone in its text or on its line: a key pair.
pub(crate) fn key_pair(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |it: &&u8| it.is_ascii_digit() || b", \n\r\t".contains(it);
    let back = bytes[..at].iter().rev().take(LONGEST).take_while(belongs);
    let start = at - back.count();
    let ahead = bytes[at..].iter().take(LONGEST).take_while(belongs);
    let end = at + ahead.count();
    if start == 0 || bytes[start - 1] != b'[' || bytes.get(end) != Some(&b']') {
        return None;
    }
    let before = text[..start - 1].trim_end_matches([' ', '\n']);
    let starts = before.is_empty()
        || text[..start - 1].ends_with('\n')
        || before.ends_with(['"', '\'', '`'])
        || before.ends_with("\\n")
        || before.ends_with("Output:");
    let after = text[end + 1..].trim_start_matches(' ');
    let ends = after.is_empty() || after.starts_with(['\n', '\r', '"', '\'', '`', '\\']);
    let numbers: Option<Vec<u8>> = text[start..end]
        .split(',')
        .map(|it| it.trim().parse().ok())
        .collect();
    let numbers = numbers.filter(|it| it.len() == PAIR)?;
    let distinct: HashSet<u8> = numbers.iter().copied().collect();
    let highest = numbers.iter().max()?;
    (starts && ends && distinct.len() >= 44 && *highest >= 200).then_some(start..end)
}
