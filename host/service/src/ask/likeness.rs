//! Similarity of words: forms and synonyms count fully, related words in part, others not at all.

use std::collections::HashMap;
use std::sync::LazyLock;

use acreta_relate::TextWord;
use acreta_text::{beginning, is_unspaced, stem};

/// Synonyms count a little less than the word itself: they may mean something else here.
const SYNONYM: f64 = 0.9;

/// A word with the same beginning, or part of a longer word.
const ALIKE: f64 = 0.75;

/// A word of the same field.
const RELATED: f64 = 0.5;

/// Minimum length of a word that counts as part of a longer one.
const PART: usize = 4;

/// Returns how well `word` of a statement matches `asked`, 0 to 1.
pub(super) fn likeness(asked: &TextWord, word: &TextWord) -> f64 {
    if asked.text == word.text {
        return 1.0;
    }
    if asked.is_number || word.is_number {
        return if asked.meaning == word.meaning {
            1.0
        } else {
            0.0
        };
    }
    let whole = plain(asked, word);
    let in_parts = word.parts.iter().map(|part| plain(asked, part) * 0.95);
    let best = in_parts.fold(whole, f64::max);
    if asked.parts.is_empty() {
        return best;
    }
    let pieces = asked.parts.iter().map(|part| {
        let others = word.parts.iter().map(|other| plain(part, other));
        others.fold(plain(part, word), f64::max)
    });
    best.max(pieces.sum::<f64>() / asked.parts.len() as f64)
}

fn plain(asked: &TextWord, word: &TextWord) -> f64 {
    let (left, right) = (asked.text.as_str(), word.text.as_str());
    if asked.stem == word.stem {
        return 1.0;
    }
    if left.contains(is_unspaced) {
        return pairs_shared(left, right);
    }
    if asked.meaning == word.meaning {
        return SYNONYM;
    }
    let (short, long) = if left.len() < right.len() {
        (left, right)
    } else {
        (right, left)
    };
    let begins_alike = short.chars().count() >= 5 && beginning(left) == beginning(right);
    let is_part = short.len() >= PART && (long.starts_with(short) || long.ends_with(short));
    if begins_alike || is_part || is_one_error_away(left, right) {
        return ALIKE;
    }
    if fields(&asked.stem) & fields(&word.stem) != 0 {
        return RELATED;
    }
    0.0
}

/// Returns whether two longer words differ by one inserted, missing or wrong letter.
fn is_one_error_away(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().min(right.len()) < 6 || left.len().abs_diff(right.len()) > 1 {
        return false;
    }
    let same = left
        .iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count();
    let (left, right) = (&left[same..], &right[same..]);
    let skip =
        |text: &[u8], other: &[u8]| text.len() == other.len() + 1 && text.get(1..) == Some(other);
    skip(left, right) || skip(right, left) || left.get(1..) == right.get(1..)
}

/// For scripts without spaces: returns the share of neighbouring characters that the other text has.
fn pairs_shared(asked: &str, text: &str) -> f64 {
    let characters: Vec<char> = asked.chars().filter(|one| is_unspaced(*one)).collect();
    let pairs = characters
        .windows(2)
        .map(|pair| pair.iter().collect::<String>());
    let (shared, all) = pairs.fold((0, 0), |(shared, all), pair| {
        (shared + u32::from(text.contains(&pair)), all + 1)
    });
    if all == 0 {
        0.0
    } else {
        f64::from(shared) / f64::from(all)
    }
}

/// Returns the bits of the fields that a stem belongs to.
fn fields(stemmed: &str) -> u64 {
    static GROUPS: LazyLock<HashMap<String, u64>> = LazyLock::new(|| {
        let mut groups: HashMap<String, u64> = HashMap::new();
        for (at, group) in FIELDS.iter().enumerate() {
            for word in group.split_whitespace() {
                *groups.entry(stem(word).into_owned()).or_default() |= 1 << at;
            }
        }
        groups
    });
    GROUPS.get(stemmed).copied().unwrap_or_default()
}

const _: () = assert!(FIELDS.len() <= 64, "each field has a bit of its own");

/// Words of one field per line: a question with one of them may be answered with another.
const FIELDS: &[&str] = &[
    "speed fast slow latency performance quick delay duration throughput",
    "money price cost billing charge invoice payment amount currency cents",
    "owner own responsible maintain maintainer charge",
    "review approve approval reviewer approver sign-off",
    "ban forbid never avoid prohibited disallowed refuse",
    "allow permitted okay fine accept",
    "release ship deploy publish rollout tag cut launch",
    "schedule daily weekly nightly hourly cron every monday tuesday wednesday thursday friday",
    "store save keep persist live kept stored location located lives",
    "secret credential token password key vault",
    "test testing suite coverage spec assertion",
    "log logging trace telemetry monitor metric observability",
    "error failure exception crash bug fault fail broken break",
    "rollback revert undo restore",
    "time timezone utc clock timestamp date zone",
    "backup snapshot dump restore",
    "identifier id key uuid ulid",
    "limit cap maximum most quota budget bound",
    "retry attempt again backoff tries",
    "encode format serialise serialize encoding layout",
    "branch trunk main master",
    "merge squash rebase commit pull",
    "migration schema migrate",
    "delete remove drop purge clean erase retention",
    "upload send push submit transfer",
    "login auth authentication sign session authenticate",
    "language written write locale english german",
    "hosting host server machine runner box runs",
    "container docker image compose podman",
    "size large big bytes megabytes mb",
    "offline network connection internet",
    "mail email notification notify message alert",
    "documentation docs readme manual guide comment",
    "style indent indentation spaces tabs format formatting",
    "library dependency package crate module",
    "environment staging production local dev",
    "frontend ui interface screen",
    "backend server api",
    "flag toggle switch option feature",
    "parallel concurrent thread worker workers async",
    "unit integration end-to-end e2e",
    "memory ram heap",
    "customer user client tenant account",
    "crash hang freeze stuck deadlock",
    "permission role access rights",
    "ticket issue story",
    "pin lock fix exact",
    "name naming call named prefix",
];

#[cfg(test)]
mod tests {
    use super::*;
    use acreta_relate::text_words;

    #[test]
    fn words_stand_for_each_other_by_form_and_meaning() {
        let cases = [
            ("databases", "database", 0.95),
            ("folder", "directory", SYNONYM),
            ("budget", "retry_budget", 0.9),
            ("migration", "migrating", ALIKE),
            ("latency", "slow", RELATED),
            ("30", "31", 0.0),
            ("kafka", "redis", 0.0),
            ("東京", "東京都", 0.9),
        ];
        for (asked, word, least) in cases {
            let found = likeness(&text_words(asked)[0], &text_words(word)[0]);
            let expected = if least == 0.0 {
                found == 0.0
            } else {
                found >= least
            };
            assert!(expected, "{asked} {word}: {found}");
        }
    }
}
