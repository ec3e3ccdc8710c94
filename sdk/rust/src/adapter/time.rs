//! Parses times such as `2026-01-02T03:04:05.678Z`, with or without an offset.
//!
//! Returns `None` for anything else and for times before 1970.

use crate::adapter::json::Value;

/// Numbers up to this are seconds, larger ones milliseconds: the year 5138 in seconds, 1973 in milliseconds.
const MOST_SECONDS: f64 = 1e11;

/// Parses a time in any form that agents write: text, or a number of seconds or milliseconds since 1970.
pub fn instant(value: Value<'_>) -> Option<u64> {
    match value {
        Value::Text(text) => milliseconds(text.raw),
        Value::Scalar(digits) => {
            let number: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
            let milliseconds = if number <= MOST_SECONDS {
                (number * 1000.0).round()
            } else {
                number.trunc()
            };
            // The cast saturates; text that is not a number was refused above.
            (milliseconds > 0.0 && milliseconds.is_finite()).then_some(milliseconds as u64)
        }
        _ => None,
    }
}

/// Milliseconds since 1970 UTC.
pub fn milliseconds(text: &[u8]) -> Option<u64> {
    let (date, rest) = text.split_at_checked(10)?;
    let [b'T' | b't' | b' ', rest @ ..] = rest else {
        return None;
    };
    let (clock, rest) = rest.split_at_checked(8)?;
    let days = days(date)?;
    let seconds = seconds(clock)?;
    let (fraction, zone) = fraction(rest)?;
    let total = (days * 86_400 + seconds - offset(zone)?) * 1000 + fraction;
    u64::try_from(total).ok()
}

/// Days from 1970-01-01 to `YYYY-MM-DD`, in the proleptic Gregorian calendar.
fn days(date: &[u8]) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else {
        return None;
    };
    let (year, month, day) = (
        digits(&[y1, y2, y3, y4])?,
        digits(&[m1, m2])?,
        digits(&[d1, d2])?,
    );
    if !(1..=12).contains(&month) || day < 1 || day > days_of_month(year, month) {
        return None;
    }
    // Years start in March here, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Parses `HH:MM:SS` as seconds of the day; a leap second counts as the second before it.
fn seconds(clock: &[u8]) -> Option<i64> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *clock else {
        return None;
    };
    let (hour, minute, second) = (digits(&[h1, h2])?, digits(&[m1, m2])?, digits(&[s1, s2])?);
    (hour < 24 && minute < 60 && second <= 60).then(|| (hour * 60 + minute) * 60 + second.min(59))
}

/// Parses a fraction of any length as milliseconds; returns the remaining text too.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.' | b',', rest @ ..] = text else {
        return Some((0, text));
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (fraction, zone) = rest.split_at(length);
    let mut milliseconds = 0;
    for place in 0..3 {
        milliseconds = milliseconds * 10
            + fraction
                .get(place)
                .map_or(0, |digit| i64::from(digit - b'0'));
    }
    (length > 0).then_some((milliseconds, zone))
}

/// Parses a zone as seconds ahead of UTC; a missing zone is UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, digits_of) = match zone {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match *digits_of {
        [h1, h2, b':', m1, m2] | [h1, h2, m1, m2] => (digits(&[h1, h2])?, digits(&[m1, m2])?),
        [h1, h2] => (digits(&[h1, h2])?, 0),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60)
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + i64::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::{instant, milliseconds};
    use crate::adapter::json::Scanner;

    #[test]
    fn times_are_read_from_any_value() {
        let table: &[(&str, Option<u64>)] = &[
            ("\"2026-01-17T06:05:27.522Z\"", Some(1_768_629_927_522)),
            ("1768629927", Some(1_768_629_927_000)),
            ("1768629927.522", Some(1_768_629_927_522)),
            ("1768629927522", Some(1_768_629_927_522)),
            ("1.5e9", Some(1_500_000_000_000)),
            ("0", None),
            ("-5", None),
            ("1e999", None),
            ("null", None),
            ("nan", None),
            ("{}", None),
        ];
        for (text, expected) in table {
            let value = Scanner::new(text.as_bytes()).value().unwrap();
            assert_eq!(instant(value), *expected, "{text}");
        }
    }

    #[test]
    fn times_are_read_or_refused() {
        let table: &[(&str, Option<u64>)] = &[
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1970-01-01T00:00:00.001Z", Some(1)),
            ("2000-02-29T12:00:00Z", Some(951_825_600_000)),
            ("2026-01-17T06:05:27.522Z", Some(1_768_629_927_522)),
            ("2026-01-17T06:05:27.5224999Z", Some(1_768_629_927_522)),
            ("2026-01-17T06:05:27.5Z", Some(1_768_629_927_500)),
            ("2026-01-17T08:05:27.522+02:00", Some(1_768_629_927_522)),
            ("2026-01-17T03:35:27.522-0230", Some(1_768_629_927_522)),
            ("2026-01-17T08:05:27+02", Some(1_768_629_927_000)),
            ("2026-01-17 06:05:27", Some(1_768_629_927_000)),
            ("2026-12-31T23:59:60Z", Some(1_798_761_599_000)),
            ("9999-12-31T23:59:59.999Z", Some(253_402_300_799_999)),
            ("1969-12-31T23:59:59Z", None),
            ("2026-02-29T00:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-01-01T24:00:00Z", None),
            ("2026-01-01T00:00:00.Z", None),
            ("2026-01-01T00:00:00+1:00", None),
            ("2026-01-01T00:00", None),
            ("2026-01-01", None),
            ("yesterday", None),
            ("", None),
            ("２０２６-01-01T00:00:00Z", None),
        ];
        for (text, expected) in table {
            assert_eq!(milliseconds(text.as_bytes()), *expected, "{text}");
        }
    }
}
