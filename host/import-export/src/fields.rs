//! The fields of a JSON record, and times in the formats of various tools.

use std::ops::Range;

use serde_json::{Map, Value};

/// A JSON object and its range in the source.
pub(crate) struct JsonRecord {
    /// Keys in lower case; of two that differ in case, the first.
    pub(crate) fields: Map<String, Value>,
    pub(crate) range: Range<usize>,
    pub(crate) line: u64,
}

/// Parses a time in ISO 8601 or as seconds or milliseconds since 1970.
pub(crate) fn time_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return epoch_ms(number);
    }
    let spaced = text.replacen(' ', "T", 1);
    let timestamp = text
        .parse::<jiff::Timestamp>()
        .ok()
        .or_else(|| {
            let civil = spaced.parse::<jiff::civil::DateTime>().ok()?;
            Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
        })
        .or_else(|| {
            let date = text.parse::<jiff::civil::Date>().ok()?;
            Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
        })?;
    u64::try_from(timestamp.as_millisecond()).ok()
}

/// Converts a number to milliseconds since 1970. Numbers below 1e11 (the year 5138) are seconds, others milliseconds.
pub(crate) fn epoch_ms(number: f64) -> Option<u64> {
    const SECONDS: f64 = 1e11;
    if !number.is_finite() || number <= 0.0 || number >= SECONDS * 1_000.0 {
        None
    } else if number < SECONDS {
        Some((number * 1_000.0) as u64)
    } else {
        Some(number as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_however_they_are_spelled() {
        let cases = [
            ("2026-01-31T12:00:00Z", Some(1_769_860_800_000)),
            ("2026-01-31T13:00:00+01:00", Some(1_769_860_800_000)),
            ("2026-01-31 12:00:00", Some(1_769_860_800_000)),
            ("2026-01-31", Some(1_769_817_600_000)),
            ("1769860800", Some(1_769_860_800_000)),
            ("1769860800.5", Some(1_769_860_800_500)),
            ("1769860800000", Some(1_769_860_800_000)),
            ("yesterday", None),
            ("-5", None),
            ("NaN", None),
            ("1e300", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(time_ms(text), expected, "{text}");
        }
    }
}
