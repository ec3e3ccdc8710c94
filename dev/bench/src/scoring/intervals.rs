//! Confidence of figures from a few sessions: 95 % intervals by resampling whole sessions.

use serde::Serialize;

use crate::scoring::Chance;
use crate::scoring::score::{SessionScore, totals};

/// The bounds of 95 % of the resampled figures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intervals {
    pub precision: Option<Interval>,
    pub weighted_recall: Option<Interval>,
    pub f1: Option<Interval>,
}

/// Bootstraps: repeatedly draws as many sessions as there are, with replacement.
pub fn intervals(scores: &[(String, SessionScore)], seed: u64) -> Intervals {
    let mut chance = Chance::new(seed);
    let (mut precision, mut recall, mut f1) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..DRAWS {
        let drawn: Vec<(String, SessionScore)> = (0..scores.len())
            .map(|_| scores[chance.below(scores.len())].clone())
            .collect();
        let totals = totals(&drawn);
        precision.extend(totals.precision_incl_negatives);
        recall.extend(totals.weighted_recall);
        f1.extend(totals.f1_incl_negatives);
    }
    Intervals {
        precision: interval(precision),
        weighted_recall: interval(recall),
        f1: interval(f1),
    }
}

const DRAWS: usize = 1_000;

fn interval(mut figures: Vec<f64>) -> Option<Interval> {
    figures.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (figures.len() as f64 * share) as usize;
        figures
            .get(index.min(figures.len().saturating_sub(1)))
            .copied()
    };
    Some(Interval {
        low: at(0.025)?,
        high: at(0.975)?,
    })
}
