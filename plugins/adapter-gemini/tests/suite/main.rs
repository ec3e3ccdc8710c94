//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod changes;
mod conformance;
mod events;
mod sessions;
mod support;
mod traces;
