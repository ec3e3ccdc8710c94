//! Texts: the redactor, and the sentences that a person typed.

use std::ops::Range;
use std::sync::LazyLock;

use acreta_redact::{Counts, Redactor, SeenSecrets};

use crate::input::text_of;

/// A token of a well-known form. Nobody was ever given it.
pub(crate) const TOKEN: &str = "ghp_Zk4Qw8Xv2Ln6Rt1Yp9Sd3Hf7Jb5Mc0Ga2Ve8";

/// First character of a message that is repeated.
const REPEAT: char = '\u{1}';

pub(crate) static REDACTOR: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(&[]).expect("no entries"));

/// Redacting twice changes nothing, ranges are places of the text, and a token is gone wherever it stands.
pub fn redactor(data: &[u8]) {
    let (at, data) = data.split_first().unwrap_or((&0, data));
    let text = text_of(data);
    redacted(&text);
    let at = text.floor_char_boundary(text.len() * usize::from(*at) / 255);
    let planted = format!("{} {TOKEN} {}", &text[..at], &text[at..]);
    let clean = redacted(&planted);
    assert!(!clean.contains(TOKEN), "{planted:?} became {clean:?}");
    let mut seen = SeenSecrets::default();
    for part in [&*planted, TOKEN, &text] {
        let clean = seen.redact(&REDACTOR, part, &mut Counts::default());
        assert!(!clean.contains(TOKEN), "{part:?} became {clean:?}");
    }
    let contents = REDACTOR.redact_contents(&planted, &mut Counts::default());
    assert!(
        !contents.contains(TOKEN),
        "{planted:?} became {contents:?} as the output of a command"
    );
    REDACTOR.reads_secret(&text);
}

fn redacted(text: &str) -> String {
    are_places(
        text,
        REDACTOR.find(text).into_iter().map(|found| found.range),
    );
    let once = REDACTOR.redact(text).text.into_owned();
    let twice = REDACTOR.redact(&once).text;
    assert_eq!(once, twice, "redacted again, from {text:?}");
    let left = REDACTOR.find(&once);
    assert!(left.is_empty(), "{left:?} in {once:?}, from {text:?}");
    once
}

/// Typed sentences are places of the message outside of what is foreign. A message is as long as its input says, or as
/// long as a message may be.
pub fn typed(data: &[u8]) {
    let mut text = text_of(data).into_owned();
    if let Some(piece) = text.strip_prefix(REPEAT).filter(|piece| !piece.is_empty()) {
        text = piece.repeat((64 * 1024_usize).div_ceil(piece.len()));
    }
    let foreign = acreta_text::foreign(&text);
    are_places(&text, foreign.iter().cloned());
    let typed = acreta_text::typed_sentences(&text);
    are_places(&text, typed.iter().cloned());
    for sentence in &typed {
        assert!(!text[sentence.clone()].trim().is_empty(), "{text:?}");
        let is_apart = |cut: &Range<usize>| cut.end <= sentence.start || sentence.end <= cut.start;
        assert!(
            foreign.iter().all(is_apart),
            "{sentence:?} in {foreign:?} of {text:?}"
        );
    }
    are_places(&text, acreta_text::sentences(&text).into_iter());
    acreta_text::slug(&text);
    let shown = acreta_text::visible(&text);
    assert!(!shown.contains(acreta_text::is_hidden), "{shown:?}");
}

/// Ranges are in order, do not overlap, are not empty, and end at characters.
fn are_places(text: &str, ranges: impl Iterator<Item = Range<usize>>) {
    let mut last = 0;
    for range in ranges {
        assert!(
            range.start >= last && range.start < range.end && text.get(range.clone()).is_some(),
            "{range:?} after {last} in {text:?}"
        );
        last = range.end;
    }
}
