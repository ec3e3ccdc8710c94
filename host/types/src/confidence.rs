//! Confidence of a memory that nobody accesses: one formula, for ranking and for fading.

/// Days without an access after which only the floor remains.
const FADES_IN_DAYS: f64 = 180.0;
const FLOOR: f64 = 0.1;

/// Returns base × max(0.1, 1 − days / 180). The stored confidence does not change.
pub fn effective_confidence(base: f64, days_since_access: f64) -> f64 {
    base * (1.0 - days_since_access / FADES_IN_DAYS).max(FLOOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arithmetic_is_the_documented_one() {
        let cases = [
            (0.8, 0.0, 0.8),
            (0.8, 90.0, 0.4),
            (0.8, 135.0, 0.2),
            (0.8, 180.0, 0.08),
            (1.0, 1000.0, 0.1),
        ];
        for (base, days, expected) in cases {
            let found = effective_confidence(base, days);
            assert!((found - expected).abs() < 1e-9, "{base} {days}: {found}");
        }
    }
}
