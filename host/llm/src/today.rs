//! The day's spending as a person sees it, read from the ledger without opening any model.

use acreta_fs::Directory;

use crate::ledger::Ledger;
use crate::settings::DayBudget;
use crate::{LlmError, Money};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Spent or reserved on one day of UTC, by all processes together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpentToday {
    pub tokens: u64,
    pub cost: Money,
}

/// The spending of the day of `now_ms`, from the folder of the ledger.
pub fn spent_today(directory: &Directory, now_ms: u64) -> Result<SpentToday, LlmError> {
    let ledger = Ledger::new(directory, DayBudget::default());
    let spent = ledger.spent(now_ms / DAY_MS)?;
    Ok(SpentToday {
        tokens: spent.tokens,
        cost: spent.cost,
    })
}
