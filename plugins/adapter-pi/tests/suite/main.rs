//! The adapter through its public door: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read where they are at hand.

#![cfg(test)]

mod conformance;
mod fixtures;
mod growth;
mod sessions;
mod support;
mod traces;
