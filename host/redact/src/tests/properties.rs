//! Properties for any text: it is accepted, ranges are valid, and a second pass finds nothing.

use proptest::prelude::*;

use super::encodings::ENCODINGS;
use super::{KEPT, key_blocks, redactor, surrounded, tokens};

/// Pieces of texts: secrets, encoded secrets, and harmless text.
fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = tokens().into_iter().map(|(_, token)| token).collect();
    pieces.extend(
        surrounded()
            .into_iter()
            .map(|(_, before, secret, after)| format!("{before}{secret}{after}")),
    );
    pieces.extend(key_blocks().into_iter().map(|(_, block)| block));
    pieces.extend(KEPT.iter().map(|text| (*text).to_owned()));
    let (_, token) = &tokens()[10];
    pieces.extend(ENCODINGS.iter().map(|(_, encode)| encode(token)));
    pieces.extend(super::contexts::lines());
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing(picks in prop::collection::vec((0_usize..1000, "[ \\n\"':=,;@/a-z]{0,6}"), 0..8)) {
        let redactor = redactor();
        let pieces = pieces();
        let text: String = picks.iter().map(|(pick, between)| format!("{}{between}", pieces[pick % pieces.len()])).collect();
        let once = redactor.redact(&text);
        let twice = redactor.redact(&once.text);
        prop_assert_eq!(&once.text, &twice.text);
        prop_assert!(twice.counts.is_empty());
        prop_assert!(redactor.find(&once.text).is_empty());
    }

    #[test]
    fn ranges_are_places_of_the_text(
        picks in prop::collection::vec((0_usize..1000, "[ äß→\\n\\\\\"':=,;@/a-z%&]{0,6}"), 0..6),
    ) {
        let pieces = pieces();
        let text: String = picks.iter().map(|(pick, between)| format!("{between}{}", pieces[pick % pieces.len()])).collect();
        let mut last = 0;
        for found in redactor().find(&text) {
            prop_assert!(found.range.start >= last && found.range.start < found.range.end);
            prop_assert!(text.get(found.range.clone()).is_some());
            last = found.range.end;
        }
        prop_assert!(last <= text.len());
    }

    #[test]
    fn an_encoded_token_is_found_where_it_stands(
        before in "[ äß→a-z\\n]{0,80}", after in "[ äß→a-z\\n]{0,80}", which in 0_usize..1000, how in 0_usize..1000,
    ) {
        let tokens = tokens();
        let (_, token) = &tokens[which % tokens.len()];
        let (name, encode) = ENCODINGS[how % ENCODINGS.len()];
        if name == "reversed" && token.starts_with("SK") {
            return Ok(());
        }
        let encoded = encode(token);
        let text = format!("{before}, \"{encoded}\", {after}");
        let place = before.len() + 3..before.len() + 3 + encoded.len();
        let found = redactor().find(&text);
        prop_assert!(!found.is_empty(), "{} as {}: {}", token, name, text);
        // Padding and text around the token may stay; nothing next to it is changed.
        for it in &found {
            prop_assert!(
                it.range.start >= place.start && it.range.end <= place.end,
                "{} as {}: {:?} of {:?} in {}", token, name, it, place, text
            );
        }
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,200}") {
        redactor().redact(&text);
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let once = redactor().redact(&text).text;
        prop_assert_eq!(&redactor().redact(&once).text, &once);
    }

    #[test]
    fn signs_of_encodings_are_taken(text in "[\\\\u0x%&#;\"'+=\\n\u{200b}\u{ad}\u{1b}\\[a-f0-9ghp_-]{0,200}") {
        let once = redactor().redact(&text).text;
        prop_assert_eq!(&redactor().redact(&once).text, &once);
    }
}

/// Each of these is recognised only by the one before it that was redacted: more of them than there are rounds.
#[test]
fn a_long_chain_of_secrets_is_gone_at_once() {
    let redactor = redactor();
    let chains = [
        format!(
            "{{\"DB_PASSWORD\":\"tide\\u0020Berth!9\",{}\"note\":1}}\n",
            "0Berth!9\",".repeat(30)
        ),
        format!(
            "{{\"env\":{{\"DB_PASSWORD\":\"{}",
            "tide\\u0MIIEowIBAAKCAQEAt1\nde3SSWORD\":\"".repeat(30)
        ),
    ];
    for chain in chains {
        let once = redactor.redact(&chain).text.into_owned();
        assert_eq!(redactor.redact(&once).text, once);
    }
}
