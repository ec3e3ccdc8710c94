//! How a check ends, and how a table of checks is run.

use super::{Check, Verdict};

/// A row of a role's table. `B` is what its checks have at hand.
pub struct Entry<B: ?Sized, E> {
    pub name: &'static str,
    pub promise: &'static str,
    pub mend: &'static str,
    pub run: fn(&B) -> Outcome<E>,
}

/// A finding of a check that passes, or the reason why it fails.
pub type Outcome<E> = Result<String, Reason<E>>;

#[derive(Debug)]
pub enum Reason<E> {
    Failed {
        expected: String,
        found: String,
    },
    Skipped(String),
    /// The fault of the machine, not of the plugin.
    Host(E),
}

impl<E> From<E> for Reason<E> {
    fn from(error: E) -> Self {
        Reason::Host(error)
    }
}

pub fn failed<E>(expected: impl Into<String>, found: impl Into<String>) -> Reason<E> {
    Reason::Failed {
        expected: expected.into(),
        found: found.into(),
    }
}

/// Fails unless something holds.
pub fn ensure<E>(
    holds: bool,
    expected: &str,
    found: impl FnOnce() -> String,
) -> Result<(), Reason<E>> {
    if holds {
        Ok(())
    } else {
        Err(failed(expected, found()))
    }
}

/// Runs a table in its order. Only a fault of the machine ends it early. `shown` makes what a plugin
/// said fit for a terminal.
pub fn run_all<B: ?Sized, E>(
    table: &[Entry<B, E>],
    bench: &B,
    shown: impl Fn(&str) -> String,
) -> Result<Vec<Check>, E> {
    table
        .iter()
        .map(|entry| {
            let verdict = match (entry.run)(bench) {
                Ok(found) => Verdict::Passed {
                    found: shown(&found),
                },
                Err(Reason::Failed { expected, found }) => Verdict::Failed {
                    expected: shown(&expected),
                    found: shown(&found),
                    mend: entry.mend,
                },
                Err(Reason::Skipped(reason)) => Verdict::Skipped {
                    reason: shown(&reason),
                },
                Err(Reason::Host(error)) => return Err(error),
            };
            Ok(Check {
                name: entry.name,
                promise: entry.promise,
                verdict,
            })
        })
        .collect()
}
