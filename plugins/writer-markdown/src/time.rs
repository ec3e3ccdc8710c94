//! Formats times for files and names: UTC, whole seconds. Patterns (`strftime`) would double the code of this plugin,
//! and the time to compile it.

use acreta_sdk::memory_writer::Failure;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

#[derive(Debug)]
pub(crate) struct UtcTime(DateTime);

impl UtcTime {
    /// Fails on a time outside of the calendar's range.
    pub(crate) fn new(milliseconds: u64) -> Result<Self, Failure> {
        i64::try_from(milliseconds)
            .ok()
            .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
            .map(|timestamp| Self(TimeZone::UTC.to_datetime(timestamp)))
            .ok_or_else(|| Failure {
                code: "invalid-time".to_owned(),
                message: format!("{milliseconds} ms since 1970 is no time"),
                retryable: false,
            })
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

    fn year_month_day(&self) -> [i16; 3] {
        [
            self.0.year(),
            i16::from(self.0.month()),
            i16::from(self.0.day()),
        ]
    }

    fn hour_minute_second(&self) -> [i8; 3] {
        [self.0.hour(), self.0.minute(), self.0.second()]
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
    fn a_time_beyond_the_calendar_is_refused() {
        for milliseconds in [253_402_300_800_000, i64::MAX as u64, u64::MAX] {
            assert_eq!(UtcTime::new(milliseconds).unwrap_err().code, "invalid-time");
        }
    }
}
