//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod damage;
mod fixtures;
mod sessions;
mod steps;
mod support;
mod traces;
