//! Formats times for files and names: UTC, whole seconds.

/// `2026-02-20T10:11:12Z`
pub(crate) fn iso(milliseconds: u64) -> String {
    let (date, clock) = date_and_clock(milliseconds);
    format!("{date}T{clock}Z")
}

/// `20260220`
pub(crate) fn compact(milliseconds: u64) -> String {
    date_and_clock(milliseconds).0.replace('-', "")
}

/// `20260220-101112`
pub(crate) fn compact_with_clock(milliseconds: u64) -> String {
    let (date, clock) = date_and_clock(milliseconds);
    format!("{}-{}", date.replace('-', ""), clock.replace(':', ""))
}

/// `2026-02-20` and `10:11:12`
pub(crate) fn date_and_clock(milliseconds: u64) -> (String, String) {
    let seconds = milliseconds / 1000;
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    (
        format!("{year:04}-{month:02}-{day:02}"),
        format!("{hour:02}:{minute:02}:{second:02}"),
    )
}

/// Converts days since 1970 to year, month and day in the Gregorian calendar. Years start in March here, so that the
/// leap day is the last of its year.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_utc_and_whole_seconds() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(1_771_582_272_999), "2026-02-20T10:11:12Z");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(compact_with_clock(1_771_582_272_999), "20260220-101112");
    }
}
