//! Durations and their percentiles.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Runs a closure and measures its time, in milliseconds.
pub(crate) fn timed<T, E>(action: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let started = Instant::now();
    let given = action()?;
    Ok((given, milliseconds(started.elapsed())))
}

/// Returns the median, the 95th and the 99th percentile, in milliseconds.
pub(crate) fn percentiles(mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied()
    };
    json!({"p50": at(50), "p95": at(95), "p99": at(99)})
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_sorted_times() {
        let times = (0..200).rev().map(f64::from).collect();
        assert_eq!(
            percentiles(times),
            json!({"p50": 100.0, "p95": 190.0, "p99": 198.0})
        );
        assert_eq!(percentiles(Vec::new())["p50"], Value::Null);
    }
}
