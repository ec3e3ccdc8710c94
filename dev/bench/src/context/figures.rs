//! Resource usage of a process, as counted by the system.

/// Returns the peak resident memory of this process, in MB; 0 if the system does not report it.
pub(crate) fn peak_mb() -> f64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return 0.0;
    };
    status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .and_then(|line| line.split_whitespace().nth(1))
        .and_then(|kibibytes| kibibytes.parse::<f64>().ok())
        .map_or(0.0, |kibibytes| (kibibytes * 1024.0 / 1e5).round() / 10.0)
}

/// Returns a ratio with two digits.
pub(crate) fn ratio(left: std::time::Duration, right: std::time::Duration) -> f64 {
    (left.as_secs_f64() / right.as_secs_f64().max(1e-9) * 100.0).round() / 100.0
}
