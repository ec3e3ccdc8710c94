//! Today's model usage against the day's limits. A reader never waits for a run.

use acreta_fs::Directory;
use schemars::JsonSchema;
use serde::Serialize;

use crate::ledger::DayLedger;
use crate::settings::DayBudget;
use crate::{LlmError, Money, blocked};

/// One UTC day, of all processes that share its limits. A call in progress counts with its worst case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Spending {
    pub calls: u64,
    pub calls_limit: Option<u64>,
    pub tokens: u64,
    pub tokens_limit: Option<u64>,
    pub dollars: f64,
    pub dollars_limit: Option<f64>,
    /// Cost of the calls by price lists, as far as programs report it; a plan is not billed.
    pub list_dollars: f64,
    /// Providers that accept no calls for now.
    pub blocked: Vec<Blocked>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Blocked {
    pub provider: String,
    /// Milliseconds since 1970.
    pub until_ms: u64,
    pub reason: String,
}

impl Spending {
    /// Returns true if a limit of the day is reached.
    pub fn is_used_up(&self) -> bool {
        self.calls_limit.is_some_and(|most| self.calls >= most)
            || self.tokens_limit.is_some_and(|most| self.tokens >= most)
            || self.dollars_limit.is_some_and(|most| self.dollars >= most)
    }
}

/// Reads the spending of the day that contains `now_ms`. `limits` is the directory of [`crate::Stores`].
pub fn spending(
    ledger: &dyn DayLedger,
    limits: &Directory,
    budget: DayBudget,
    now_ms: u64,
) -> Result<Spending, LlmError> {
    let spent = ledger.spent(now_ms / DAY_MS)?;
    let blocked = blocked::current(limits, now_ms).into_iter();
    Ok(Spending {
        calls: spent.calls,
        calls_limit: budget.calls,
        tokens: spent.tokens,
        tokens_limit: budget.tokens,
        dollars: spent.cost.dollars(),
        dollars_limit: budget.cost.map(Money::dollars),
        list_dollars: spent.list_price.dollars(),
        blocked: blocked
            .map(|(provider, block)| Blocked {
                provider,
                until_ms: block.until_ms,
                reason: block.reason,
            })
            .collect(),
    })
}

/// Removes a provider's block: for a person who changed plan or login.
pub fn unblock(limits: &Directory, provider: &str) {
    blocked::clear(limits, provider);
}

pub(crate) const DAY_MS: u64 = 24 * 60 * 60 * 1000;
