//! Ranking factors from age, confidence and use of a memory. Missing metadata is not penalised.

use acreta_types::effective_confidence;

use crate::query::Access;
use crate::weights::{
    ACCESS, ACCESS_FULL, CONFIDENCE, CONFIDENCE_UNSTATED, HELPED, RECENCY, RECENCY_HALF_LIFE_DAYS,
    STALE, SUMMARY, SUPERSEDED,
};

/// Factors of a score. Recency, confidence and use raise it slightly above 1; `helped` is below 1 for memories that
/// people rejected, `standing` for those with reduced validity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RankFactors {
    pub(crate) recency: f32,
    pub(crate) confidence: f32,
    pub(crate) access: f32,
    pub(crate) helped: f32,
    pub(crate) standing: f32,
}

/// Properties of a memory that lower its rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RankPenalties {
    /// A summary, although the question does not ask what happened.
    pub(crate) is_unwanted_summary: bool,
    pub(crate) is_stale: bool,
    pub(crate) is_superseded: bool,
}

impl RankPenalties {
    fn factor(self) -> f32 {
        let factor = |is: bool, factor: f32| if is { factor } else { 1.0 };
        factor(self.is_unwanted_summary, SUMMARY)
            * factor(self.is_stale, STALE)
            * factor(self.is_superseded, SUPERSEDED)
    }
}

impl RankFactors {
    pub(crate) fn new(
        now_ms: i64,
        updated_ms: Option<i64>,
        confidence: Option<f32>,
        access: Option<&Access>,
        standing: RankPenalties,
    ) -> Self {
        let helped = access.map_or(0.0, |access| access.helped.clamp(-1.0, 1.0));
        let access = access.filter(|access| access.count > 0);
        let days = |time_ms: i64| (now_ms.saturating_sub(time_ms).max(0) as f32) / 86_400_000.0;
        let age = updated_ms.map(days);
        let unused = match (age, access.map(|access| days(access.last_ms))) {
            (Some(age), Some(access)) => age.min(access),
            (Some(days), None) | (None, Some(days)) => days,
            (None, None) => 0.0,
        };
        let base = confidence.unwrap_or(CONFIDENCE_UNSTATED).clamp(0.0, 1.0);
        let effective = effective_confidence(f64::from(base), f64::from(unused)) as f32;
        let uses = access.map_or(0.0, |access| access.count as f32);
        let used = ((1.0 + uses).ln() / (1.0 + ACCESS_FULL).ln()).min(1.0);
        let recent = age.map_or(0.0, |age| 0.5f32.powf(age / RECENCY_HALF_LIFE_DAYS));
        Self {
            recency: 1.0 + RECENCY * recent,
            confidence: 1.0 + CONFIDENCE * effective,
            access: 1.0 + ACCESS * used,
            helped: 1.0 + HELPED * helped,
            standing: standing.factor(),
        }
    }

    pub(crate) fn product(self) -> f32 {
        self.recency * self.confidence * self.access * self.helped * self.standing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 86_400_000;

    const HOLDS: RankPenalties = RankPenalties {
        is_unwanted_summary: false,
        is_stale: false,
        is_superseded: false,
    };

    #[test]
    fn newer_surer_and_more_used_weigh_more() {
        let now = 1_000 * DAY_MS;
        let of = |age: i64, confidence: f32, access: Option<Access>| {
            RankFactors::new(
                now,
                Some(now - age * DAY_MS),
                Some(confidence),
                access.as_ref(),
                HOLDS,
            )
            .product()
        };
        let access = |count, days_ago: i64| {
            Some(Access {
                count,
                last_ms: now - days_ago * DAY_MS,
                helped: 0.0,
            })
        };
        assert!(of(0, 0.8, None) > of(100, 0.8, None));
        assert!(of(10, 0.9, None) > of(10, 0.5, None));
        assert!(of(10, 0.8, access(5, 10)) > of(10, 0.8, access(1, 10)));
        assert!(of(170, 0.8, access(1, 1)) > of(170, 0.8, access(1, 160)));
        let offered = |helped| {
            Some(Access {
                helped,
                ..Access::default()
            })
        };
        assert!(of(10, 0.8, offered(0.5)) > of(10, 0.8, None));
        assert!(of(10, 0.8, offered(-0.5)) < of(10, 0.8, None));
        assert!(of(10, 0.8, offered(1.0)) <= of(10, 0.8, None) * (1.0 + HELPED) + 1e-6);
    }

    #[test]
    fn confidence_fades_to_a_tenth_and_no_further() {
        let now = 1_000 * DAY_MS;
        let confidence = |days: i64| {
            let updated = Some(now - days * DAY_MS);
            (RankFactors::new(now, updated, Some(1.0), None, HOLDS).confidence - 1.0) / CONFIDENCE
        };
        for (days, expected) in [(0, 1.0), (90, 0.5), (162, 0.1), (900, 0.1), (-5, 1.0)] {
            assert!((confidence(days) - expected).abs() < 1e-3, "{days}");
        }
    }
}
