//! The port for the day's spending of all processes that share a budget. A call's worst case is reserved before the call
//! and replaced by its usage afterwards.
//!
//! A ledger only keeps count: whoever asks it gives the limits and decides what a refusal means. If it cannot be reached,
//! the call is not made.

use std::time::Duration;

use crate::{Code, DayBudget, LlmError, Money};

/// Calls, tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpentAmount {
    pub calls: u64,
    pub tokens: u64,
    pub cost: Money,
    /// By the provider's price list, for calls that are not billed.
    pub list_price: Money,
}

/// A UTC day, counted from 1970-01-01.
pub type Day = u64;

/// A call that is about to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorstCall {
    pub day: Day,
    pub amount: SpentAmount,
    pub limits: DayBudget,
    /// The longest time the call can take. A reservation that is older may be given back: its process died.
    pub longest: Duration,
}

/// Result of [`DayLedger::reserve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerAnswer {
    Reserved(LedgerEntry),
    /// Nothing was reserved: `spent`, which includes reservations, and the call exceed a limit.
    Over {
        spent: SpentAmount,
    },
}

/// A reservation in a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerEntry {
    pub day: Day,
    pub amount: SpentAmount,
    /// The ledger's own number for it.
    pub number: i64,
}

/// Spending by day. Calls may come from several threads.
pub trait DayLedger: Send + Sync {
    /// Takes the worst case of a call from what is left of the day's limits. The change is durable when this returns.
    fn reserve(&self, call: &WorstCall) -> Result<LedgerAnswer, LedgerError>;

    /// Replaces a reservation with what the call used: nothing if it was not made.
    fn settle(&self, entry: &LedgerEntry, used: SpentAmount) -> Result<(), LedgerError>;

    /// Returns the amount spent or reserved on a day.
    fn spent(&self, day: Day) -> Result<SpentAmount, LedgerError>;
}

/// A ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct LedgerError {
    /// Contains no secrets.
    pub message: String,
    pub hint: Option<String>,
    /// True if the same request may succeed later.
    pub is_passing: bool,
}

impl SpentAmount {
    pub(crate) fn plus(self, other: SpentAmount) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            cost: self.cost.plus(other.cost),
            list_price: self.list_price.plus(other.list_price),
        }
    }

    pub(crate) fn minus(self, other: SpentAmount) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            cost: self.cost.minus(other.cost),
            list_price: self.list_price.minus(other.list_price),
        }
    }
}

impl DayBudget {
    /// Returns why a call does not fit after `spent`; `None` if it fits.
    pub(crate) fn refusal(&self, spent: SpentAmount, call: SpentAmount) -> Option<String> {
        let after = spent.plus(call);
        if let Some(calls) = self.calls.filter(|most| after.calls > *most) {
            return Some(format!("the day's budget of {calls} calls is used up"));
        }
        if let Some(tokens) = self.tokens.filter(|most| after.tokens > *most) {
            return Some(format!(
                "the day's budget is {tokens} tokens, {} are spent or reserved, and this call could take {}",
                spent.tokens, call.tokens
            ));
        }
        let cost = self.cost.filter(|most| after.cost > *most)?;
        Some(format!(
            "the day's budget is {cost}, {} are spent or reserved, and this call could take {}",
            spent.cost, call.cost
        ))
    }
}

impl From<LedgerError> for LlmError {
    fn from(error: LedgerError) -> Self {
        let mut made = LlmError::new(
            Code::NoLedger,
            "the day's spending cannot be recorded, so the model is not asked",
        )
        .because(error.message);
        if let Some(hint) = error.hint {
            made = made.hint(hint);
        }
        match error.is_passing {
            true => made.retryable(),
            false => made,
        }
    }
}
