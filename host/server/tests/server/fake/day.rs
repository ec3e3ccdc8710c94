//! Days from milliseconds.

pub(crate) const DAY_MS: u64 = 86_400_000;

/// `2026-01-31`, in UTC.
pub(crate) fn day(ms: u64) -> String {
    // The calendar repeats every 146097 days; years begin in March, so that a leap day is the last.
    let days = (ms / DAY_MS) as i64 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + later)
}
