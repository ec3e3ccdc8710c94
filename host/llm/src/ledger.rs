//! Daily spending of all processes together. A call's worst case is written before the call and corrected afterwards: a
//! crash in between leaves too much in the ledger, never too little.
//!
//! Each day has its own account, so after a clock jump the account of that day still applies and nothing is lost.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use acreta_fs::{Directory, FsError, LockError};
use acreta_model::with_causes;
use serde::{Deserialize, Serialize};

use crate::settings::DayBudget;
use crate::{Code, LlmError, Money};

/// Calls, tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SpentAmount {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    pub(crate) cost: Money,
    /// By the provider's price list, for calls that are not billed.
    pub(crate) list_price: Money,
}

/// A UTC day, counted from 1970-01-01.
pub(crate) type Day = u64;

pub(crate) struct Ledger {
    directory: Directory,
    budget: DayBudget,
    /// Threads of this process wait here, so that only one waits for the lock between processes.
    turn: Mutex<()>,
}

/// Reason why nothing was reserved.
pub(crate) enum ReservationDenied {
    /// The run's budget would be exceeded.
    Over(String),
    /// The day's budget would be exceeded.
    OverDay(String),
    /// The ledger cannot be written, so nothing is spent.
    Books(LlmError),
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

impl Ledger {
    pub(crate) fn new(directory: &Directory, budget: DayBudget) -> Self {
        Self {
            directory: directory.private(),
            budget,
            turn: Mutex::new(()),
        }
    }

    pub(crate) fn budget(&self) -> DayBudget {
        self.budget
    }

    /// Takes `amount` from the day's remaining budget. The change is on disk when this returns.
    pub(crate) fn reserve(&self, day: Day, amount: SpentAmount) -> Result<(), ReservationDenied> {
        self.change(|books| {
            let spent = books.account(day);
            let after = spent.get().plus(amount);
            if let Some(calls) = self.budget.calls.filter(|most| after.calls > *most) {
                return Err(ReservationDenied::OverDay(format!(
                    "the day's budget of {calls} calls is used up"
                )));
            }
            if let Some(tokens) = self.budget.tokens.filter(|most| after.tokens > *most) {
                return Err(ReservationDenied::OverDay(format!(
                    "the day's budget is {tokens} tokens, {} are spent or reserved, and this call could take {}",
                    spent.tokens, amount.tokens
                )));
            }
            if let Some(cost) = self.budget.cost.filter(|most| after.cost > *most) {
                return Err(ReservationDenied::OverDay(format!(
                    "the day's budget is {cost}, {} are spent or reserved, and this call could take {}",
                    spent.get().cost, amount.cost
                )));
            }
            spent.set(after);
            Ok(())
        })
    }

    /// Replaces a call's reservation with its actual usage.
    pub(crate) fn settle(
        &self,
        day: Day,
        reserved: SpentAmount,
        taken: SpentAmount,
    ) -> Result<(), ReservationDenied> {
        self.change(|books| {
            let spent = books.account(day);
            spent.set(spent.get().minus(reserved).plus(taken));
            Ok(())
        })
    }

    /// Returns the amount spent or reserved on a day.
    pub(crate) fn spent(&self, day: Day) -> Result<SpentAmount, LlmError> {
        let mut books = self.read()?;
        Ok(books.account(day).get())
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Books) -> Result<(), ReservationDenied>,
    ) -> Result<(), ReservationDenied> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self
            .directory
            .lock(LOCK, LOCK_WAIT)
            .map_err(|cause| match &cause {
                LockError::Busy { .. } => {
                    ReservationDenied::Books(unkept(with_causes(&cause)).retryable())
                }
                LockError::Fs(_) => ReservationDenied::Books(unkept(with_causes(&cause))),
            })?;
        let mut books = self.read().map_err(ReservationDenied::Books)?;
        change(&mut books)?;
        let text = serde_json::to_string(&books).expect("plain numbers can be written as JSON");
        self.directory
            .replace(FILE, text.as_bytes())
            .map_err(|cause| ReservationDenied::Books(unkept(with_causes(&cause))))
    }

    fn read(&self) -> Result<Books, LlmError> {
        let text = match self.directory.read(FILE, MOST_BYTES) {
            Ok(text) => text,
            Err(FsError::NotFound { .. }) => return Ok(Books::default()),
            Err(cause) => return Err(unkept(with_causes(&cause))),
        };
        let books: Result<Books, _> = serde_json::from_slice(&text);
        books
            .map_err(|cause| cause.to_string())
            .and_then(|books| match books.version {
                VERSION => Ok(books),
                other => Err(format!(
                    "it has version {other}, this program knows {VERSION}"
                )),
            })
            .map_err(|cause| {
                let path = self.directory.path().join(FILE);
                unkept(format!("`{path}` cannot be read: {cause}")).hint(format!(
                    "remove `{path}` to restart the day's spending at zero"
                ))
            })
    }
}

#[derive(Serialize, Deserialize)]
struct Books {
    version: u32,
    /// Ordered by last use, so that the current day is never dropped as the oldest.
    days: Vec<DayAccount>,
}

#[derive(Clone, Serialize, Deserialize)]
struct DayAccount {
    day: Day,
    /// Missing in files of earlier versions, as is the last field.
    #[serde(default)]
    calls: u64,
    tokens: u64,
    picodollars: u64,
    #[serde(default)]
    list_picodollars: u64,
}

impl Books {
    fn account(&mut self, day: Day) -> &mut DayAccount {
        let known = self.days.iter().position(|account| account.day == day);
        let account = match known {
            Some(index) => self.days.remove(index),
            None => DayAccount {
                day,
                calls: 0,
                tokens: 0,
                picodollars: 0,
                list_picodollars: 0,
            },
        };
        let surplus = (self.days.len() + 1).saturating_sub(DAYS);
        self.days.drain(..surplus);
        self.days.push(account);
        self.days.last_mut().expect("one was pushed right above")
    }
}

impl Default for Books {
    fn default() -> Self {
        Self {
            version: VERSION,
            days: Vec::new(),
        }
    }
}

impl DayAccount {
    fn get(&self) -> SpentAmount {
        SpentAmount {
            calls: self.calls,
            tokens: self.tokens,
            cost: Money::from_picodollars(self.picodollars),
            list_price: Money::from_picodollars(self.list_picodollars),
        }
    }

    fn set(&mut self, amount: SpentAmount) {
        self.calls = amount.calls;
        self.tokens = amount.tokens;
        self.picodollars = amount.cost.picodollars();
        self.list_picodollars = amount.list_price.picodollars();
    }
}

const FILE: &str = "spending.json";
const LOCK: &str = "spending.lock";
const LOCK_WAIT: Duration = Duration::from_secs(10);
const MOST_BYTES: u64 = 1024 * 1024;
const VERSION: u32 = 1;
const DAYS: usize = 400;

fn unkept(cause: String) -> LlmError {
    LlmError::new(
        Code::Budget,
        "the day's spending cannot be recorded, so nothing is spent",
    )
    .because(cause)
}
