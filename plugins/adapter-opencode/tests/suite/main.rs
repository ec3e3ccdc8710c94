//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real formats, databases as SQL; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod damage;
mod databases;
mod events;
mod sessions;
mod stores;
mod support;
mod traces;
