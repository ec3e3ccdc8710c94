//! The redactor's work grows with the text and no faster, and is a bounded number of bytes for each byte, whatever the
//! text is made of.

use proptest::prelude::*;

use super::redactor;
use crate::rulebook::RULEBOOK;
use crate::work::total;

/// Bytes that may be read for each byte of a text. Ordinary sessions need about two.
const MOST: u64 = 1500;

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
    let most = MOST * LENGTH as u64;
    match one <= most && four <= 5 * one {
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
    let keywords = RULEBOOK.rules.iter().flat_map(|rule| rule.keywords);
    let mut pieces: Vec<String> = keywords
        .flat_map(|keyword| ["", " ", "=", "\"", ": a "].map(|after| format!("{keyword}{after}")))
        .collect();
    // Every character, alone, in pairs and in escapes; runs of digits; nested encodings.
    for byte in b' '..=b'~' {
        let letter = char::from(byte);
        pieces.extend([
            letter.to_string(),
            format!("{letter}a"),
            format!("{letter}="),
            format!("{letter}\""),
            format!("\\{letter}"),
        ]);
    }
    pieces.extend(
        [
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

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
