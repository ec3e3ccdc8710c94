//! The only place that reads the clock and randomness, and the parser of times written by a person.

use std::hash::{BuildHasher, RandomState};

use crate::{Failure, Kind};

/// Returns the current time at the system's resolution.
#[expect(
    clippy::disallowed_methods,
    reason = "the binary is where the clock is read"
)]
pub fn now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// Returns milliseconds since 1970.
pub fn now_ms() -> u64 {
    now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}

/// Returns the current offset of the system's time zone from UTC.
pub(crate) fn utc_offset_seconds() -> i32 {
    jiff::Zoned::now().offset().seconds()
}

pub fn seed() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Parses a date, a time, or an age: `2026-01-31`, `2026-01-31T12:00:00Z`, `7d`.
pub fn moment(text: &str, now_ms: u64) -> Result<u64, Failure> {
    if let Some(length) = length_ms(text) {
        return Ok(now_ms.saturating_sub(length));
    }
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(u64::try_from(time.as_millisecond()).unwrap_or(0));
    }
    let date = text.parse::<jiff::civil::Date>().ok();
    let midnight = date.and_then(|date| date.to_zoned(jiff::tz::TimeZone::UTC).ok());
    match midnight {
        Some(time) => Ok(u64::try_from(time.timestamp().as_millisecond()).unwrap_or(0)),
        None => Err(wrong(text)),
    }
}

/// Parses a duration: `7d`, `12h`, `30m`, `2w`.
pub fn window(text: &str) -> Result<u64, Failure> {
    length_ms(text).ok_or_else(|| wrong(text))
}

fn length_ms(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let seconds: u64 = match unit {
        "w" => 7 * 86_400,
        "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        "s" => 1,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(seconds * 1_000)
}

fn wrong(text: &str) -> Failure {
    Failure::new(Kind::Usage, format!("`{text}` is not a time"))
        .hint("write a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a length (7d, 12h, 30m)")
}

/// Formats a time for a person, in UTC.
pub fn shown(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map(|time| time.strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}

/// Formats the time of day, in UTC.
pub fn shown_time(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map(|time| time.strftime("%H:%M:%S").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let now = 1_800_000_000_000;
        let table = [
            ("7d", now - 7 * 86_400_000),
            ("30m", now - 1_800_000),
            ("2026-01-31", 1_769_817_600_000),
            ("2026-01-31T12:00:00Z", 1_769_860_800_000),
            ("2026-01-31T12:00:00+02:00", 1_769_853_600_000),
        ];
        for (text, expected) in table {
            assert_eq!(moment(text, now).ok(), Some(expected), "{text}");
        }
        for text in ["", "d", "yesterday", "7 d", "-7d", "2026-13-01", "é"] {
            assert!(moment(text, now).is_err(), "{text}");
        }
    }
}
