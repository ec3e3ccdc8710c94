//! The adapter through its public door: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read where they are at hand.

#![cfg(test)]

mod chats;
mod conformance;
mod fixtures;
mod sessions;
mod steps;
mod support;
mod traces;
mod traps;
