//! Outcomes of checks, and the runner for a table of checks.

use super::{Check, Verdict};

/// One check in a role's table. `B` is the context of its checks.
pub struct CheckEntry<B: ?Sized, E> {
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
    /// A call of the plugin trapped, or panicked.
    Trapped {
        call: &'static str,
        found: String,
    },
    Skipped(String),
    /// A fault of the machine, not of the plugin.
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

/// Fails unless the condition holds.
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

/// Runs a table in order. Only a fault of the machine ends it early. A call that traps fails the first check that needs
/// it; the others that end in it count as not run. `shown` escapes a plugin's text for a terminal.
pub fn run_all<B: ?Sized, E>(
    table: &[CheckEntry<B, E>],
    bench: &B,
    shown: impl Fn(&str) -> String,
) -> Result<Vec<Check>, E> {
    let mut trapped = Vec::new();
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
                Err(Reason::Trapped { call, .. }) if trapped.contains(&call) => Verdict::Skipped {
                    reason: format!("not run: the plugin trapped in `{call}`"),
                },
                Err(Reason::Trapped { call, found }) => {
                    trapped.push(call);
                    Verdict::Failed {
                        expected: "a result, or a failure value".to_owned(),
                        found: shown(&found),
                        mend: entry.mend,
                    }
                }
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
