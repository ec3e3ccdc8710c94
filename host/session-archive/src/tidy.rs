//! Normalises an adapter's events: known roles, plain kinds, texts and names of bounded size. Nothing is rejected here;
//! every change is reported.

use acreta_types::Event;

use crate::names::digest_name;

pub(crate) const ROLES: [&str; 4] = ["user", "assistant", "tool", "system"];

const ID_BYTES: usize = 256;
const ATTRS: usize = 64;
const ATTR_BYTES: usize = 64 * 1024;
const TRUNCATED: &str = "truncated_bytes";

/// Returns true if a time in milliseconds since 1970 is before the year 3000. Calendars end some hours before the year
/// 10000, and files have times like 9999-12-31 for "never".
pub fn is_plausible(at_ms: u64) -> bool {
    at_ms < 32_503_680_000_000
}

/// Repairs an event before redaction and calls `say` for every change.
pub(crate) fn mend(event: &mut Event, number: u64, mut say: impl FnMut(String)) -> &'static str {
    if event.id.is_empty() {
        event.id = format!("event-{number}");
        say("event without an id".to_owned());
    } else if event.id.len() > ID_BYTES {
        event.id = digest_name(&event.id);
        say(format!(
            "event id longer than {ID_BYTES} bytes, now `{}`",
            event.id
        ));
    }
    if event.origin.record.len() > ID_BYTES {
        shorten(&mut event.origin.record, ID_BYTES);
        say(format!(
            "record id of event `{}` cut to {ID_BYTES} bytes",
            event.id
        ));
    }
    if let Some(at) = event.at_ms.take_if(|at| !is_plausible(*at)) {
        say(format!(
            "event `{}` has the time {at} ms, ignored",
            event.id
        ));
    }
    if event.attrs.0.len() > ATTRS {
        event.attrs.0.truncate(ATTRS);
        say(format!("event `{}` keeps {ATTRS} of its attrs", event.id));
    }
    let plain = |kind: &str| {
        (1..=32).contains(&kind.len())
            && kind
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    if !plain(&event.kind) {
        let unknown = std::mem::replace(&mut event.kind, "note".to_owned());
        let unknown = acreta_text::head(&unknown, 64);
        say(format!(
            "event `{}` has kind `{unknown}`, taken as `note`",
            event.id
        ));
    }
    match role(&event.role) {
        Some(role) => role,
        None => {
            let unknown = std::mem::replace(&mut event.role, "system".to_owned());
            let unknown = acreta_text::head(&unknown, 64);
            say(format!(
                "event `{}` has role `{unknown}`, taken as `system`",
                event.id
            ));
            "system"
        }
    }
}

/// Returns the known role with this name.
pub(crate) fn role(name: &str) -> Option<&'static str> {
    ROLES.into_iter().find(|role| *role == name)
}

/// Truncates a redacted event and records in its attributes how much of its text was removed.
pub(crate) fn cut(event: &mut Event, text_bytes: usize) {
    for (key, value) in &mut event.attrs.0 {
        shorten(key, ID_BYTES);
        shorten(value, ATTR_BYTES);
    }
    let gone = shorten(&mut event.text, text_bytes);
    if gone > 0 {
        let before = event
            .attrs
            .get(TRUNCATED)
            .and_then(|bytes| bytes.parse::<u64>().ok());
        event.attrs.0.retain(|(key, _)| key != TRUNCATED);
        event.attrs.push(
            TRUNCATED,
            (gone as u64)
                .saturating_add(before.unwrap_or(0))
                .to_string(),
        );
    }
}

/// Truncates at a character boundary; returns the number of removed bytes.
fn shorten(text: &mut String, limit: usize) -> usize {
    let before = text.len();
    if before > limit {
        let kept = acreta_text::head(text, limit).len();
        text.truncate(kept);
        text.shrink_to_fit();
    }
    before - text.len()
}
