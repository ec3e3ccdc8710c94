//! The sandbox through its public door: what it loads, what a guest sees, and how each kind of abuse ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attacks;
mod loading;
mod support;
