//! The conformance suite: named checks that every plugin of a role passes, and the presentation of their results. A
//! plugin's own tests run it natively (`adapter::testing::conformance`), and `acreta plugin test` runs it on the
//! component in its sandbox.
//!
//! Independent of disk and sandbox: the caller passes a subject that stages files and makes calls. [`adapter`] is the
//! suite of adapters; the host has the suites of the other roles and uses the same table, outcomes and rows.

pub mod adapter;
mod check;
mod outcome;

pub use check::{Check, Counts, Verdict, write_rows};
pub use outcome::{CheckEntry, Outcome, Reason, ensure, failed, run_all};
