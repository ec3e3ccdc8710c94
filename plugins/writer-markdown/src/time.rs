//! Formats times for files and names: UTC, whole seconds. A crate for dates would double the code of this plugin, and the
//! time to compile it.

use acreta_sdk::memory_writer::Failure;

/// The first second of the year 10000, which needs a digit more than names have.
const END: u64 = 253_402_300_800;

const SECONDS_PER_DAY: u64 = 86_400;

/// Seconds since 1970.
#[derive(Debug)]
pub(crate) struct UtcTime(u64);

impl UtcTime {
    /// Fails on a time outside of the calendar's range.
    pub(crate) fn new(milliseconds: u64) -> Result<Self, Failure> {
        let seconds = milliseconds / 1000;
        match seconds < END {
            true => Ok(Self(seconds)),
            false => Err(Failure {
                code: "invalid-time".to_owned(),
                message: format!("{milliseconds} ms since 1970 is no time"),
                retryable: false,
            }),
        }
    }

    /// `2026-02-20T10:11:12Z`
    pub(crate) fn iso(&self) -> String {
        format!("{}T{}Z", self.date(), self.time())
    }

    /// `2026-02-20`
    pub(crate) fn date(&self) -> String {
        let [year, month, day] = self.year_month_day();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `10:11:12`
    pub(crate) fn time(&self) -> String {
        let [hour, minute, second] = self.hour_minute_second();
        format!("{hour:02}:{minute:02}:{second:02}")
    }

    /// `20260220`
    pub(crate) fn compact_date(&self) -> String {
        let [year, month, day] = self.year_month_day();
        format!("{year:04}{month:02}{day:02}")
    }

    /// `20260220-101112`
    pub(crate) fn compact_date_and_time(&self) -> String {
        let [hour, minute, second] = self.hour_minute_second();
        format!("{}-{hour:02}{minute:02}{second:02}", self.compact_date())
    }

    /// The Gregorian date. A year starts in March here, so that the leap day is its last; an era is 400 years, after which
    /// the calendar repeats itself.
    fn year_month_day(&self) -> [u64; 3] {
        const DAYS_PER_ERA: u64 = 146_097;
        const FROM_MARCH_OF_YEAR_0_TO_1970: u64 = 719_468;
        let days = self.0 / SECONDS_PER_DAY + FROM_MARCH_OF_YEAR_0_TO_1970;
        let (era, day_of_era) = (days / DAYS_PER_ERA, days % DAYS_PER_ERA);
        let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Of five months from March or August on, 153 days.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        [year, month, day]
    }

    fn hour_minute_second(&self) -> [u64; 3] {
        let second = self.0 % SECONDS_PER_DAY;
        [second / 3600, second / 60 % 60, second % 60]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_utc_and_whole_seconds() {
        let moment = UtcTime::new(1_771_582_272_999).unwrap();
        assert_eq!(moment.iso(), "2026-02-20T10:11:12Z");
        assert_eq!(
            (moment.date(), moment.time()),
            ("2026-02-20".into(), "10:11:12".into())
        );
        assert_eq!(moment.compact_date(), "20260220");
        assert_eq!(moment.compact_date_and_time(), "20260220-101112");
        assert_eq!(UtcTime::new(0).unwrap().iso(), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn every_day_follows_the_one_before_it() {
        let mut expected = [1970, 1, 1];
        for seconds in (0..END).step_by(86_400) {
            assert_eq!(UtcTime(seconds).year_month_day(), expected);
            let [year, month, day] = &mut expected;
            let leap = *year % 4 == 0 && *year % 100 != 0 || *year % 400 == 0;
            let last = match *month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            *day += 1;
            if *day > last {
                (*day, *month) = (1, *month + 1);
            }
            if *month > 12 {
                (*month, *year) = (1, *year + 1);
            }
        }
        assert_eq!(expected, [10_000, 1, 1]);
    }

    #[test]
    fn a_time_beyond_the_calendar_is_refused() {
        for milliseconds in [253_402_300_800_000, i64::MAX as u64, u64::MAX] {
            assert_eq!(UtcTime::new(milliseconds).unwrap_err().code, "invalid-time");
        }
    }
}
