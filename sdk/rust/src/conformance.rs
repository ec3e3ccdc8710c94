//! The conformance suite: named checks that every plugin of a role passes, and how their results are
//! shown. One implementation for two users: a plugin's own tests run it natively
//! (`adapter::testing::conformance`), and `acreta plugin test` runs it on the component in its sandbox.
//!
//! Knows neither disk nor sandbox: whoever runs a suite hands in a subject that stages files and
//! makes calls. [`adapter`] is the suite of adapters; the host has those of the other roles and uses
//! the same table, outcomes and rows.

pub mod adapter;
mod check;
mod outcome;

pub use check::{Check, Counts, Verdict, write_rows};
pub use outcome::{Entry, Outcome, Reason, ensure, failed, run_all};
