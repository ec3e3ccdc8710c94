//! Keys and hashes without a prefix: recognised by their form and their surroundings.

use std::ops::Range;

use crate::blobs::base64;
use crate::letters::alternates;
use crate::wallets::is_wif;

/// Returns a key without prefix whose first run of digits is `run`, and the id of its rule.
pub(crate) fn by_form(text: &str, run: Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let digits = &bytes[run.clone()];
    let before = run.start.checked_sub(1).map(|at| bytes[at]);
    // Discord: a number in base64, a time, a signature, which is the run.
    if (27..=45).contains(&digits.len()) && before == Some(b'.') {
        let from = text.floor_char_boundary(run.start.saturating_sub(40));
        let head = &text[from..run.start - 1];
        let length: usize = head
            .chars()
            .rev()
            .take_while(|it| it.is_ascii_alphanumeric() || "._-".contains(*it))
            .map(char::len_utf8)
            .sum();
        let head = &head[head.len() - length..];
        if let Some((id, time)) = head.rsplit_once('.')
            && (23..=28).contains(&id.len())
            && (5..=7).contains(&time.len())
            && base64(id.as_bytes()).iter().all(u8::is_ascii_digit)
        {
            return Some((run.start - 1 - head.len()..run.end, "discord-token"));
        }
    }
    // Airtable: `pat`, fourteen characters, a point and 64 hexadecimal digits.
    if digits.len() == 64 && before == Some(b'.') && run.start >= 18 {
        let head = &bytes[run.start - 18..run.start - 1];
        if head.starts_with(b"pat") && head.iter().all(u8::is_ascii_alphanumeric) {
            return Some((run.start - 18..run.end, "airtable-token"));
        }
    }
    // Azure: 64 bytes in base64. A SHA-512 in a lock file is labelled.
    let is_checksum = before == Some(b'-') || text[..run.start].ends_with("sha512");
    if digits.len() == 86
        && text[run.end..].starts_with("==")
        && !is_checksum
        && !digits.starts_with(b"sha512-")
        && alternates(&text[run.clone()])
    {
        return Some((run.start..run.end + 2, "azure-storage-key"));
    }
    if is_wif(digits) {
        return Some((run, "wallet-key"));
    }
    if let Some(found) = of_groups(text, &run) {
        return Some(found);
    }
    hash(text, &run)
}

/// Keys in groups of letters and digits: of products and disks.
fn of_groups(text: &str, run: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let word = &text[run.clone()];
    if !matches!(word.len(), 29 | 55) || !word.is_ascii() || !word.contains('-') {
        return None;
    }
    let groups: Vec<&str> = word.split('-').collect();
    let of = |count: usize, length: usize| {
        groups.len() == count && groups.iter().all(|it| it.len() == length)
    };
    if of(8, 6) && word.bytes().all(|it| it.is_ascii_digit() || it == b'-') {
        return Some((run.clone(), "recovery-key"));
    }
    let has = |it: &&&str| {
        it.bytes().any(|it| it.is_ascii_digit()) && it.bytes().any(|it| it.is_ascii_uppercase())
    };
    let is_key = (of(5, 5) || of(6, 4))
        && !word.bytes().any(|it| it.is_ascii_lowercase())
        && groups.iter().filter(has).count() >= 3;
    is_key.then(|| (run.clone(), "product-key"))
}

/// Password hashes that are recognised by their surroundings.
fn hash(text: &str, run: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let word = &text[run.clone()];
    let before = &text[..run.start];
    let hex = |text: &str| text.bytes().all(|it| it.is_ascii_hexdigit());
    let is_hash = match word.len() {
        // Windows: `user:1001:LM:NT:::`, and answers to a challenge `user::DOMAIN:challenge:answer:`.
        32 if hex(word) && before.ends_with(':') => {
            let part = before[..before.len() - 1]
                .rsplit(':')
                .next()
                .unwrap_or_default();
            matches!(part.len(), 16 | 32) && hex(part)
        }
        // PostgreSQL: `'md5…'`.
        35 => word.starts_with("md5") && hex(&word[3..]) && before.ends_with(['\'', '"', '|', ' ']),
        // MySQL: `'*…'`.
        40 => hex(word) && before.ends_with('*') && !word.bytes().any(|it| it.is_ascii_lowercase()),
        _ => false,
    };
    is_hash.then(|| (run.clone(), "password-hash"))
}
