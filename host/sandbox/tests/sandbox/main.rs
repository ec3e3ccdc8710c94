//! Tests the sandbox through its public API: loading, the guest's view, and the outcome of each kind of abuse.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attacks;
mod loading;
mod support;
