//! Figures reported by a pilot and by `gain`: shares, reductions and latencies.

use std::time::Duration;

use serde::Serialize;

/// Latency percentiles in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p95: f64,
    /// Number of answers measured.
    pub answers: u64,
}

impl Latency {
    /// Returns `None` if nothing was measured.
    pub(crate) fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort_unstable();
        let at = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1);
            let micros = times.get(rank - 1)?.as_micros();
            Some(micros as f64 / 1000.0)
        };
        Some(Self {
            p50: at(50)?,
            p95: at(95)?,
            answers: times.len() as u64,
        })
    }
}

/// Latencies of answers from a usable artifact, separately for unchanged and changed projects.
#[derive(Debug, Default)]
pub(crate) struct Latencies {
    hits: Vec<Duration>,
    deltas: Vec<Duration>,
    ratios: f64,
    counted: u64,
}

impl Latencies {
    /// Adds an answer; `changed` is the number of changed files and of all files.
    pub(crate) fn add(&mut self, changed: Option<(u64, u64)>, took: Option<Duration>) {
        let (changed, files) = changed.unwrap_or_default();
        if files > 0 {
            self.ratios += changed as f64 / files as f64;
            self.counted += 1;
        }
        let times = match changed {
            0 => &mut self.hits,
            _ => &mut self.deltas,
        };
        times.extend(took);
    }

    pub(crate) fn hit(&self) -> Option<Latency> {
        Latency::of(self.hits.clone())
    }

    pub(crate) fn delta(&self) -> Option<Latency> {
        Latency::of(self.deltas.clone())
    }

    pub(crate) fn changed_ratio(&self) -> f64 {
        let mean = self.ratios / self.counted.max(1) as f64;
        (mean * 1e6).round() / 1e6
    }
}

/// Returns the tokens saved as a share of those without acreta; negative if acreta cost more.
pub(crate) fn reduction(served: u64, without: u64) -> f64 {
    match without {
        0 => 0.0,
        without => rounded(1.0 - served as f64 / without as f64),
    }
}

/// Returns `part / whole`, rounded to three digits.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    rounded(part as f64 / whole.max(1) as f64)
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times in milliseconds, and the expected p50 and p95.
    type PercentileCase = (&'static [u64], Option<(f64, f64)>);

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let table: [PercentileCase; 4] = [
            (&[], None),
            (&[7], Some((7.0, 7.0))),
            (&[4, 1, 3, 2], Some((2.0, 4.0))),
            (
                &[
                    20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                ],
                Some((10.0, 19.0)),
            ),
        ];
        for (times, expected) in table {
            let times = times.iter().copied().map(Duration::from_millis).collect();
            let found = Latency::of(times).map(|found| (found.p50, found.p95));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn nothing_saved_is_nothing_and_a_loss_is_negative() {
        assert_eq!(reduction(0, 0), 0.0);
        assert_eq!(reduction(10, 40), 0.75);
        assert_eq!(reduction(60, 40), -0.5);
        assert_eq!(share(19, 20), 0.95);
        assert_eq!(share(0, 0), 0.0);
    }
}
