//! The figures of a series, and the totals.

use std::time::Duration;

use serde_json::json;

use crate::replay::judging::Judgements;

#[derive(Debug, Clone, Default)]
pub(crate) struct ReplayFigures {
    pub(crate) sessions: u64,
    pub(crate) prompts: u64,
    /// Memories that were offered on prompts.
    pub(crate) offers: u64,
    pub(crate) failures: u64,
    /// Failures whose signature an earlier session had.
    pub(crate) repeated: u64,
    /// Failures whose signature the session had before.
    pub(crate) again_in_session: u64,
    /// Repeated failures for which a cure was offered.
    pub(crate) cures: u64,
    pub(crate) tokens: u64,
    /// Sessions in which nothing was offered.
    pub(crate) without_offer: u64,
    /// Duration of each lookup of a cure.
    pub(crate) lookups: Vec<Duration>,
}

impl ReplayFigures {
    pub(crate) const HEAD: &str = "series                           sessions  prompts  offers  failures  repeated  cured  again  tokens/session  no offer";

    pub(crate) fn row(&self, name: &str) -> String {
        let name: String = name.chars().take(32).collect();
        format!(
            "{name:<32} {:>8} {:>8} {:>7} {:>9} {:>9} {:>6} {:>6} {:>15.1} {:>9}",
            self.sessions,
            self.prompts,
            self.offers,
            self.failures,
            self.repeated,
            self.cures,
            self.again_in_session,
            self.tokens_per_session(),
            self.without_offer,
        )
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.prompts += other.prompts;
        self.offers += other.offers;
        self.failures += other.failures;
        self.repeated += other.repeated;
        self.again_in_session += other.again_in_session;
        self.cures += other.cures;
        self.tokens += other.tokens;
        self.without_offer += other.without_offer;
        self.lookups.extend(&other.lookups);
    }

    /// Returns the 95th percentile of lookups of a cure.
    pub(crate) fn lookup_p95(&self) -> Duration {
        let mut lookups = self.lookups.clone();
        lookups.sort_unstable();
        let at = lookups.len() * 95 / 100;
        lookups
            .get(at)
            .or(lookups.last())
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn json(&self, judgements: Option<&Judgements>) -> String {
        json!({
            "bench": "replay",
            "sessions": self.sessions,
            "prompts": self.prompts,
            "offers": self.offers,
            "failures": self.failures,
            "repeated_failures": self.repeated,
            "repeated_in_session": self.again_in_session,
            "cures_offered": self.cures,
            "cured_share": share(self.cures, self.repeated),
            "tokens_per_session": self.tokens_per_session(),
            "sessions_without_offer": self.without_offer,
            "lookup_p95_ms": self.lookup_p95().as_secs_f64() * 1000.0,
            "judged": judgements,
        })
        .to_string()
    }

    fn tokens_per_session(&self) -> f64 {
        share(self.tokens, self.sessions).unwrap_or(0.0)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
