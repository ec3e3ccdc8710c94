//! The day's spending of all processes of one machine, in a file. A call's worst case is written before the call and
//! corrected afterwards: a crash in between leaves too much in the ledger, never too little.
//!
//! Each day has its own account, so after a clock jump the account of that day still applies and nothing is lost.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use acreta_fs::{Directory, FsError, LockError};
use acreta_types::with_causes;
use serde::{Deserialize, Serialize};

use crate::Money;
use crate::ledger::{
    Day, DayLedger, LedgerAnswer, LedgerEntry, LedgerError, SpentAmount, WorstCall,
};

/// The ledger of one machine.
pub struct FileLedger {
    directory: Directory,
    /// Threads of this process wait here, so that only one waits for the lock between processes.
    turn: Mutex<()>,
}

impl FileLedger {
    /// Opens the ledger in a directory, which all processes of a user share. Its file is readable only by its owner.
    pub fn new(directory: &Directory) -> Self {
        Self {
            directory: directory.private(),
            turn: Mutex::new(()),
        }
    }

    /// Changes the file, unless `change` returns an answer of its own.
    fn change<T>(&self, change: impl FnOnce(&mut Books) -> Result<T, T>) -> Result<T, LedgerError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self
            .directory
            .lock(LOCK, LOCK_WAIT)
            .map_err(|cause| LedgerError {
                is_passing: matches!(cause, LockError::Busy { .. }),
                ..failed(with_causes(&cause))
            })?;
        let mut books = self.read()?;
        let answer = match change(&mut books) {
            Ok(answer) => answer,
            Err(answer) => return Ok(answer),
        };
        let text = serde_json::to_string(&books).expect("plain numbers can be written as JSON");
        self.directory
            .replace(FILE, text.as_bytes())
            .map_err(|cause| failed(with_causes(&cause)))?;
        Ok(answer)
    }

    fn read(&self) -> Result<Books, LedgerError> {
        let text = match self.directory.read(FILE, MOST_BYTES) {
            Ok(text) => text,
            Err(FsError::NotFound { .. }) => return Ok(Books::default()),
            Err(cause) => return Err(failed(with_causes(&cause))),
        };
        let books: Result<Books, _> = serde_json::from_slice(&text);
        let path = self.directory.path().join(FILE);
        let restart = format!("remove `{path}` to restart the day's spending at zero");
        let unread = |cause: String, hint: String| LedgerError {
            hint: Some(hint),
            ..failed(format!("`{path}` cannot be read: {cause}"))
        };
        match books {
            Ok(books) if books.version == VERSION => Ok(books),
            Ok(books) => Err(unread(
                format!(
                    "it has version {}, this program knows {VERSION}",
                    books.version
                ),
                format!(
                    "a later version of acreta wrote it: `acreta self check` says how to update this one, or {restart}"
                ),
            )),
            Err(cause) => Err(unread(cause.to_string(), restart)),
        }
    }
}

impl DayLedger for FileLedger {
    fn reserve(&self, call: &WorstCall) -> Result<LedgerAnswer, LedgerError> {
        self.change(|books| {
            let account = books.account(call.day);
            let spent = account.get();
            if call.limits.refusal(spent, call.amount).is_some() {
                return Err(LedgerAnswer::Over { spent });
            }
            account.set(spent.plus(call.amount));
            Ok(LedgerAnswer::Reserved(LedgerEntry {
                day: call.day,
                amount: call.amount,
                number: 0,
            }))
        })
    }

    fn settle(&self, entry: &LedgerEntry, used: SpentAmount) -> Result<(), LedgerError> {
        self.change(|books| {
            let account = books.account(entry.day);
            account.set(account.get().minus(entry.amount).plus(used));
            Ok(())
        })
    }

    fn spent(&self, day: Day) -> Result<SpentAmount, LedgerError> {
        let mut books = self.read()?;
        Ok(books.account(day).get())
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

fn failed(message: String) -> LedgerError {
    LedgerError {
        message,
        hint: None,
        is_passing: false,
    }
}
