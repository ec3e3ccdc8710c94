//! Parses the end of a usage limit from a program's message.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};

/// Returns the time at which a limit ends, in milliseconds since 1970, or `None` if the text names none. A time of day
/// without a zone is in the user's zone, at its next occurrence.
pub(super) fn retry_at_ms(said: &str, now_ms: u64, utc_offset_seconds: i32) -> Option<u64> {
    let text = said.to_lowercase().replace(['\u{202f}', '\u{a0}'], " ");
    let words = words(&text);
    let offset = match text.contains("utc") || text.contains("gmt") {
        true => 0,
        false => utc_offset_seconds,
    };
    let until = epoch(&words, now_ms)
        .or_else(|| duration(&words).map(|pause| now_ms.saturating_add(pause)))
        .or_else(|| date_and_time(&words, now_ms, offset));
    until.map(|until| until.min(now_ms.saturating_add(LONGEST_MS)))
}

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

/// No plan has a longer period.
const LONGEST_MS: u64 = 31 * DAY_MS;

/// Words that precede a duration or a time.
const BEFORE: [&str; 9] = [
    "in", "after", "again", "at", "until", "resets", "reset", "retry", "on",
];

/// Splits text into numbers and words: `10:05pm` is `10`, `:`, `05`, `pm`.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = |letter: char| {
            (
                letter.is_ascii_digit(),
                letter.is_alphabetic(),
                letter.is_whitespace(),
            )
        };
        let is_word = first.is_ascii_digit() || first.is_alphabetic() || first.is_whitespace();
        let end = match is_word {
            true => rest
                .find(|letter| kind(letter) != kind(first))
                .unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        if !first.is_whitespace() {
            words.push(word);
        }
        rest = after;
    }
    words
}

fn number(word: Option<&&str>) -> Option<u64> {
    word?.parse().ok()
}

/// Parses `usage limit reached|1794780000`, `resets_at: 1794780000`.
fn epoch(words: &[&str], now_ms: u64) -> Option<u64> {
    words.iter().find_map(|word| {
        let number: u64 = word.parse().ok()?;
        let ms = match word.len() {
            10 => number.checked_mul(SECOND_MS)?,
            13 => number,
            _ => return None,
        };
        (ms > now_ms.saturating_sub(DAY_MS)).then_some(ms)
    })
}

/// Parses `in 2 hours 5 minutes`, `retry-after: 30`, `after 12.5s`, `1h30m`. Rounds up to whole units.
fn duration(words: &[&str]) -> Option<u64> {
    for (index, word) in words.iter().enumerate() {
        if !BEFORE.contains(word) {
            continue;
        }
        let mut rest = &words[index + 1..];
        while let [
            ":" | "-" | "=" | "after" | "in" | "about" | "seconds",
            after @ ..,
        ] = rest
        {
            rest = after;
        }
        let is_header =
            words[..=index + 1.min(words.len() - index - 1)].contains(&"after") || *word == "after";
        if let Some(pause) = sum_of_units(rest, is_header) {
            return Some(pause);
        }
    }
    None
}

/// Sums consecutive `NUMBER UNIT` pairs.
fn sum_of_units(mut words: &[&str], bare_is_seconds: bool) -> Option<u64> {
    let mut sum: Option<u64> = None;
    loop {
        let Some(amount) = number(words.first()) else {
            return sum;
        };
        words = &words[1..];
        let mut amount = amount;
        if let [".", fraction, after @ ..] = words
            && fraction.parse::<u64>().is_ok()
        {
            amount = amount.saturating_add(1);
            words = after;
        }
        let unit = words.first().and_then(|unit| unit_ms(unit));
        match unit {
            Some(unit) => {
                sum = Some(sum.unwrap_or(0).saturating_add(amount.saturating_mul(unit)));
                words = &words[1..];
                while let ["," | "and", after @ ..] = words {
                    words = after;
                }
            }
            None if bare_is_seconds && sum.is_none() && words.first() != Some(&":") => {
                return Some(amount.saturating_mul(SECOND_MS));
            }
            None => return sum,
        }
    }
}

fn unit_ms(unit: &str) -> Option<u64> {
    Some(match unit {
        "ms" | "milliseconds" => 1,
        "s" | "sec" | "secs" | "second" | "seconds" => SECOND_MS,
        "m" | "min" | "mins" | "minute" | "minutes" => MINUTE_MS,
        "h" | "hr" | "hrs" | "hour" | "hours" => HOUR_MS,
        "d" | "day" | "days" => DAY_MS,
        "week" | "weeks" => 7 * DAY_MS,
        _ => return None,
    })
}

/// Parses `try again at 10:05 PM`, `resets 3pm`, `resets Nov 20, 3pm`, `resets at 15:00`.
fn date_and_time(words: &[&str], now_ms: u64, offset: i32) -> Option<u64> {
    let start = words.iter().position(|word| BEFORE.contains(word))?;
    let words = &words[start..];
    let time = words.iter().enumerate().find_map(|(index, _)| {
        let hour = number(words.get(index))?;
        let (minute, next) = match words.get(index + 1) {
            Some(&":") => (number(words.get(index + 2))?, index + 3),
            _ => (0, index + 1),
        };
        let half = words.get(next).copied();
        let hour = match half {
            Some("am" | "a") if (1..=12).contains(&hour) => hour % 12,
            Some("pm" | "p") if (1..=12).contains(&hour) => hour % 12 + 12,
            // Without am or pm, only a time with minutes counts.
            _ if next == index + 3 && hour < 24 => hour,
            _ => return None,
        };
        (minute < 60).then_some((hour, minute))
    })?;
    let zone = TimeZone::fixed(Offset::from_seconds(offset).ok()?);
    let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
    let today = now.to_zoned(zone.clone()).date();
    let at = |date: Date| {
        let hour = i8::try_from(time.0).ok()?;
        let minute = i8::try_from(time.1).ok()?;
        let at = date.at(hour, minute, 0, 0).to_zoned(zone.clone()).ok()?;
        u64::try_from(at.timestamp().as_millisecond()).ok()
    };
    let is_later = |at: &u64| *at > now_ms;
    match month_and_day(words) {
        Some((month, day)) => {
            let in_year = |year: i16| Date::new(year, month, day).ok().and_then(at);
            in_year(today.year())
                .filter(is_later)
                .or_else(|| in_year(today.year() + 1))
        }
        None => at(today)
            .filter(is_later)
            .or_else(|| at(today.tomorrow().ok()?)),
    }
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

fn month_and_day(words: &[&str]) -> Option<(i8, i8)> {
    words.windows(2).find_map(|pair| {
        let month_of = |word: &str| {
            let start = word.get(..3)?;
            let index = MONTHS.iter().position(|month| *month == start)?;
            i8::try_from(index + 1).ok()
        };
        let of = |month: &str, day: &str| {
            let day: i8 = day.parse().ok()?;
            Some((month_of(month)?, (1..=31).contains(&day).then_some(day)?))
        };
        of(pair[0], pair[1]).or_else(|| of(pair[1], pair[0]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 20:30:00 UTC.
    const NOW: u64 = 1_794_774_600_000;

    #[test]
    fn the_end_of_a_limit_is_found() {
        let minutes = |minutes: u64| Some(NOW + minutes * MINUTE_MS);
        let hour = 3_600;
        let cases = [
            (
                "You\u{2019}ve hit your usage limit. Visit x to upgrade, or try again at 10:05 PM.",
                0,
                minutes(95),
            ),
            ("try again at 10:05 PM.", hour, minutes(35)),
            ("try again at 10:05\u{202f}PM.", hour, minutes(35)),
            (
                "You've hit your limit \u{b7} resets 3pm",
                0,
                minutes(18 * 60 + 30),
            ),
            (
                "You've hit your limit \u{b7} resets 3pm (Europe/Berlin)",
                hour,
                minutes(17 * 60 + 30),
            ),
            (
                "limit reached \u{2219} resets 9:30pm (UTC)",
                5 * hour,
                minutes(60),
            ),
            (
                "weekly limit \u{b7} resets Nov 17, 3pm",
                0,
                minutes(42 * 60 + 30),
            ),
            (
                "try again at Nov 17th, 2026 3:00 PM.",
                0,
                minutes(42 * 60 + 30),
            ),
            (
                "weekly limit, resets Jan 1, 12am",
                0,
                minutes((46 * 24 + 3) * 60 + 30).map(|_| NOW + LONGEST_MS),
            ),
            ("resets at 20:00", 0, minutes(23 * 60 + 30)),
            ("resets at 12am", 0, minutes(3 * 60 + 30)),
            ("Try again in 2 hours 5 minutes.", 0, minutes(125)),
            (
                "try again in 3 days, 1 hour and 2 minutes",
                0,
                minutes(3 * 1440 + 62),
            ),
            ("Your quota will reset after 1h30m0s.", 0, minutes(90)),
            ("Please retry in 12.4s.", 0, Some(NOW + 13_000)),
            ("429 / retry-after: 120", 0, minutes(2)),
            ("Retry-After 30", 0, Some(NOW + 30_000)),
            ("Claude AI usage limit reached|1794778200", 0, minutes(60)),
            ("resets_at 1794778200000", 0, minutes(60)),
            (
                "exceeded retry limit, last status: 429 Too Many Requests",
                0,
                None,
            ),
            ("Rate limit exceeded", 0, None),
            ("you used 100 of 100 requests", 0, None),
            ("", 0, None),
        ];
        for (said, offset, until) in cases {
            assert_eq!(retry_at_ms(said, NOW, offset), until, "{said}");
        }
    }
}
