//! Measures of a ranking: recall, hits, nDCG and reciprocal rank.

use std::collections::HashSet;
use std::hash::Hash;

use serde_json::{Value, json};

/// Measures of one question, or means of many.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measures {
    pub(crate) recall_5: f64,
    pub(crate) recall_10: f64,
    pub(crate) hit_1: f64,
    pub(crate) hit_5: f64,
    pub(crate) ndcg_10: f64,
    pub(crate) mrr: f64,
}

impl Measures {
    /// Measures one ranking, best first, against the expected results.
    pub(crate) fn of<T: Hash + Eq>(ranking: &[T], gold: &HashSet<T>) -> Self {
        let hits: Vec<f64> = ranking
            .iter()
            .map(|item| f64::from(u8::from(gold.contains(item))))
            .collect();
        let first = |count: usize| hits.iter().take(count).sum::<f64>();
        let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let gain: f64 = hits
            .iter()
            .take(10)
            .enumerate()
            .map(|(place, hit)| hit * discount(place))
            .sum();
        let ideal: f64 = (0..gold.len().min(10)).map(discount).sum();
        let found = hits.iter().position(|hit| *hit > 0.0);
        Self {
            recall_5: first(5) / gold.len() as f64,
            recall_10: first(10) / gold.len() as f64,
            hit_1: first(1).min(1.0),
            hit_5: first(5).min(1.0),
            ndcg_10: gain / ideal,
            mrr: found.map_or(0.0, |place| 1.0 / (place as f64 + 1.0)),
        }
    }

    pub(crate) fn mean(of: &[Measures]) -> Self {
        let count = of.len().max(1) as f64;
        let mean = |part: fn(&Measures) -> f64| of.iter().map(part).sum::<f64>() / count;
        Self {
            recall_5: mean(|one| one.recall_5),
            recall_10: mean(|one| one.recall_10),
            hit_1: mean(|one| one.hit_1),
            hit_5: mean(|one| one.hit_5),
            ndcg_10: mean(|one| one.ndcg_10),
            mrr: mean(|one| one.mrr),
        }
    }

    pub(crate) fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("recall@5", self.recall_5),
            ("recall@10", self.recall_10),
            ("hit@1", self.hit_1),
            ("hit@5", self.hit_5),
            ("ndcg@10", self.ndcg_10),
            ("mrr", self.mrr),
        ]
    }

    pub(crate) fn json(&self) -> Value {
        self.named()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!((value * 1e4).round() / 1e4)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_counted() {
        let gold: HashSet<u32> = [1, 2].into();
        let perfect = Measures::of(&[1, 2, 3], &gold);
        assert_eq!(
            (perfect.recall_5, perfect.ndcg_10, perfect.mrr),
            (1.0, 1.0, 1.0)
        );
        let late = Measures::of(&[3, 4, 5, 6, 7, 1], &gold);
        assert_eq!((late.recall_5, late.recall_10, late.hit_5), (0.0, 0.5, 0.0));
        assert!((late.mrr - 1.0 / 6.0).abs() < 1e-9);
        assert_eq!(Measures::of(&[], &gold).mrr, 0.0);
    }
}
