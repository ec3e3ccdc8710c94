//! Formats times for files and names: UTC, whole seconds.

use acreta_sdk::memory_writer::Failure;
use jiff::Timestamp;

#[derive(Debug)]
pub(crate) struct UtcTime(Timestamp);

impl UtcTime {
    /// Fails on a time outside of the calendar's range.
    pub(crate) fn new(milliseconds: u64) -> Result<Self, Failure> {
        i64::try_from(milliseconds)
            .ok()
            .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
            .map(Self)
            .ok_or_else(|| Failure {
                code: "invalid-time".to_owned(),
                message: format!("{milliseconds} ms since 1970 is no time"),
                retryable: false,
            })
    }

    /// `2026-02-20T10:11:12Z`
    pub(crate) fn iso(&self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ")
    }

    /// `2026-02-20`
    pub(crate) fn date(&self) -> String {
        self.format("%Y-%m-%d")
    }

    /// `10:11:12`
    pub(crate) fn time(&self) -> String {
        self.format("%H:%M:%S")
    }

    /// `20260220`
    pub(crate) fn compact_date(&self) -> String {
        self.format("%Y%m%d")
    }

    /// `20260220-101112`
    pub(crate) fn compact_date_and_time(&self) -> String {
        self.format("%Y%m%d-%H%M%S")
    }

    fn format(&self, pattern: &str) -> String {
        self.0.strftime(pattern).to_string()
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
