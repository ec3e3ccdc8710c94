//! Quality of the reading of a session: by rules or by a model, complete or not. A weaker reading never replaces a
//! stronger one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ModelUsage;

/// Strength of the reader of a session.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ReadingStrength {
    /// No model answered.
    #[default]
    Rules,
    /// A model answered, at least in part.
    Model,
}

/// One reading of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    pub strength: ReadingStrength,
    /// `rules`, or the model as `provider/model`.
    pub reader: String,
    /// False if a model should have been asked and a request got no reply.
    pub complete: bool,
}

/// Reason why a reading fell short of the configured one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortfall {
    /// Stable code of the failure: `budget`, `rate-limited`, `logged-out`, …
    pub code: String,
    pub reason: String,
    /// The model that should have read, as `provider/model`.
    pub model: String,
    /// The earliest time at which asking again may help, in milliseconds since 1970 UTC.
    pub retry_at_ms: Option<u64>,
}

/// The reader of a reading without a model.
pub const RULES: &str = "rules";

impl ReadingStrength {
    pub fn name(self) -> &'static str {
        match self {
            ReadingStrength::Rules => "rules",
            ReadingStrength::Model => "model",
        }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self::by_rules()
    }
}

impl Reading {
    /// Returns a complete reading without a model. This is also assumed for readings of unknown quality.
    pub fn by_rules() -> Self {
        Self {
            strength: ReadingStrength::Rules,
            reader: RULES.to_owned(),
            complete: true,
        }
    }

    /// Returns the reading that the model `reader` produced with this `usage`, and the shortfall if there was one.
    pub fn with(reader: &str, usage: &ModelUsage) -> (Self, Option<Shortfall>) {
        // A failed call is charged tokens, too.
        let is_answered = usage.cached > 0 || usage.output_tokens > usage.assumed_output_tokens;
        let is_complete = usage.failed == 0 && usage.calls + usage.cached > 0;
        let mut reading = Self::by_rules();
        if is_complete || (usage.failed > 0 && is_answered) {
            reading.strength = ReadingStrength::Model;
            reader.clone_into(&mut reading.reader);
        }
        if usage.failed == 0 {
            return (reading, None);
        }
        reading.complete = false;
        let shortfall = Shortfall {
            code: usage.problem_code.clone().unwrap_or_default(),
            reason: usage.problem.clone().unwrap_or_default(),
            model: reader.to_owned(),
            retry_at_ms: usage.retry_at_ms,
        };
        (reading, Some(shortfall))
    }
}

/// Code of a limit of acreta's own that is used up.
const BUDGET: &str = "budget";

/// Code of a failure to record spending, for which no model was asked.
const NO_LEDGER: &str = "no-ledger";

/// Codes of failures that pass without a change of settings.
const PASSING: [&str; 8] = [
    BUDGET,
    NO_LEDGER,
    "rate-limited",
    "logged-out",
    "no-key",
    "timeout",
    "provider",
    // A model answers differently the next time.
    "invalid-reply",
];

impl Shortfall {
    /// Reports whether every other request to the same model would currently fail in the same way.
    pub fn concerns_all(&self) -> bool {
        match self.code.as_str() {
            "rate-limited" | "logged-out" | "no-key" => true,
            // A daily budget renews at a known time; the budget of a run ends with the run.
            BUDGET => self.retry_at_ms.is_some(),
            _ => false,
        }
    }

    /// Reports whether a limit of acreta's own is used up.
    pub fn is_of_budget(&self) -> bool {
        self.code == BUDGET
    }

    /// Reports whether no model was asked because its spending could not be recorded.
    pub fn is_unrecorded(&self) -> bool {
        self.code == NO_LEDGER
    }

    /// Reports whether a later reading of the session may be complete.
    pub fn may_pass(&self) -> bool {
        PASSING.contains(&self.code.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_as_good_as_the_answers_it_got() {
        let usage = |calls, cached, (output_tokens, assumed_output_tokens), failed| ModelUsage {
            calls,
            cached,
            output_tokens,
            assumed_output_tokens,
            failed,
            problem_code: (failed > 0).then(|| "budget".to_owned()),
            ..ModelUsage::default()
        };
        // Columns: calls, cached, tokens out and assumed among them, failed; strength, complete, falls short.
        let table = [
            ((3, 0, (90, 0), 0), ("model", true, false)),
            ((0, 2, (0, 0), 0), ("model", true, false)),
            ((3, 0, (60, 0), 1), ("model", false, true)),
            ((3, 0, (4060, 4000), 1), ("model", false, true)),
            ((0, 2, (0, 0), 1), ("model", false, true)),
            ((3, 0, (0, 0), 1), ("rules", false, true)),
            ((1, 0, (4000, 4000), 1), ("rules", false, true)),
            ((0, 0, (0, 0), 1), ("rules", false, true)),
            ((0, 0, (0, 0), 0), ("rules", true, false)),
        ];
        for ((calls, cached, tokens, failed), expected) in table {
            let (reading, short) = Reading::with("p/m", &usage(calls, cached, tokens, failed));
            let found = (reading.strength.name(), reading.complete, short.is_some());
            assert_eq!(found, expected, "{calls} {cached} {tokens:?} {failed}");
            let is_named = reading.reader == "p/m";
            assert_eq!(is_named, expected.0 == "model", "{reading:?}");
        }
    }

    #[test]
    fn what_passes_is_told_by_the_code() {
        for (code, expected) in [
            ("budget", true),
            ("no-ledger", true),
            ("rate-limited", true),
            ("logged-out", true),
            ("no-key", true),
            ("timeout", true),
            ("provider", true),
            ("invalid-reply", true),
            ("not-granted", false),
            ("too-large", false),
            ("", false),
        ] {
            let shortfall = Shortfall {
                code: code.to_owned(),
                reason: String::new(),
                model: String::new(),
                retry_at_ms: None,
            };
            assert_eq!(shortfall.may_pass(), expected, "{code}");
        }
    }
}
