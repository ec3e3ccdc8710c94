//! The redactor's work grows with the text and no faster, and is a bounded number of bytes for each byte, whatever the
//! text is made of.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::redactor;
use crate::rulebook::RULEBOOK;
use crate::work::total;

/// Bytes that may be read for each byte of a text, and of one without any keyword. Ordinary sessions need about two.
const MOST: u64 = 1500;
const PLAIN: u64 = 60;

/// Returns the number of bytes read for a text of about `length` bytes.
fn work(piece: &str, length: usize) -> u64 {
    let text = piece.repeat(length.div_ceil(piece.len()));
    total();
    redactor().find(&text);
    total()
}

#[track_caller]
fn is_linear(piece: &str) -> Result<(), String> {
    const LENGTH: usize = 8 * 1024;
    let (one, four) = (work(piece, LENGTH), work(piece, 4 * LENGTH));
    let most = if piece.len() <= 2 { PLAIN } else { MOST };
    // A part that reads far reads less of the shorter text.
    match one <= most * LENGTH as u64 && four <= 8 * one {
        true => Ok(()),
        false => Err(format!(
            "{piece:?}: {} bytes for each, {:.1} times the work for four times the text",
            one / LENGTH as u64,
            four as f64 / one as f64
        )),
    }
}

#[test]
fn work_is_linear_in_every_repetition() {
    // Runs of one character, pairs, runs of digits, nested encodings, many quotes, many names.
    let mut pieces: Vec<String> = "Aa0z=\"'\\%&-:,| ".chars().map(String::from).collect();
    pieces.extend(
        [
            "ab",
            "a=",
            "a\"",
            "=\"",
            "\\\"",
            "password ",
            "password=",
            "token\"",
            "Ab1",
            "0123456789abcdef",
            "YWFhYWFhYWFhYWFhYWFhYWFhYWFh",
            "WVdGaFlXRmhZV0ZoWVdGaA",
            "VjFkR2FGbFhSbWhaVjBab1dWZEdhQQ",
            "6161616161616161",
            "MFQWCYLBMFQWCYLB",
            "\\u0061",
            "\\\\u0061",
            "%2561",
            "&#97;",
            "&amp;#97;",
            "=3D",
            "a\u{200b}",
            "a\u{1b}[1m",
            "'+'",
            "kind: Secret data: {",
            "kind: Secret\n",
            "\"kty\":\"a\",",
            "cookie=a; ",
            "insert into values (",
            "$ cat .vault_pass\n",
            "\"command\":\"op read\" \"text\":\"",
            "password | secret | ",
            "password,token\n",
        ]
        .map(str::to_owned),
    );
    let slow: Vec<String> = pieces.iter().filter_map(|it| is_linear(it).err()).collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// Each maximises the work of one part of the redactor.
const OPENINGS: &[&str] = &[
    "secret_access_key=",
    "token=",
    "-eyJ",
    "eyJaaaaaaaaaaa.",
    "://a:b",
    "password=\"",
    "password is ",
    "--password \\\\\\\"",
    "discord",
    "Bearer a",
    "ghs_a_eyJ",
    "ghp_\n",
    "ghp_\" + \"",
    "_phg",
    "curl -u ",
    "mysql a a a ",
    "mongo a a a ",
    "machine a login b ",
    "kind: Secret\ndata:\n  a: b\n",
    "\"kty\":\"a\",",
    "Cookie: a=b; c=d; ",
    "$6$a$",
    "MIIEaAIBAA",
    "\\u0061",
    "\\\\\\\\u0061",
    "%2561",
    "&#97;",
    "a\u{200b}",
    "a\u{1b}[1m",
    "a\0",
    "'+'",
    "\"\n\"",
    "\\",
    "=\n",
    "YWFhYWFhYWFhYWFhYWFhYWFhYWFh/",
    "WVdGaFlXRmhZV0ZoWVdGaA",
    "6161616161616161",
    "credentials: a / b ",
    "密码是 ",
    "base64 password ",
    "INSERT INTO a VALUES ('token','",
    "cat .vault_pass\n",
    "\":cat .vault_pass ",
    "00000000  61 61  |aa|\n",
    "00000",
    "mnemonic: abc,",
    "| token ",
    "password,\n",
    "password  a\n",
    "connect('a',",
    "12. recovery ",
    ",107",
    "0x61,",
    "ghp_ | ",
    "cnffjbeq ",
];

/// A keyword that overlaps itself, or whose rule reads far, is tried at every place.
#[test]
fn work_is_bounded_for_every_keyword_in_a_row() {
    const LENGTH: usize = 1024;
    let keywords = RULEBOOK
        .rules
        .iter()
        .flat_map(|rule| rule.keywords)
        .copied();
    let pieces: BTreeSet<&str> = keywords.chain(OPENINGS.iter().copied()).collect();
    let slow: Vec<String> = pieces
        .into_iter()
        .map(|keyword| (work(keyword, LENGTH) / LENGTH as u64, keyword))
        .filter(|(work, _)| *work > MOST)
        .map(|(work, keyword)| format!("{keyword:?}: {work} bytes for each"))
        .collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn work_is_linear_in_repeated_words(
        picks in prop::collection::vec((any::<prop::sample::Index>(), "[ =:\"',;{\\[\\n\\\\a-cA0-1]{0,4}"), 1..5),
    ) {
        let keywords: Vec<&str> = RULEBOOK.rules.iter().flat_map(|rule| rule.keywords).copied().collect();
        let piece: String = picks
            .iter()
            .map(|(pick, between)| format!("{}{between}", pick.get(&keywords)))
            .collect();
        let linear = is_linear(&piece);
        prop_assert!(linear.is_ok(), "{}", linear.unwrap_err());
    }
}
