//! The lead through its door, with plain structs in the place of plugins: what it decides, what
//! people and maintenance do to memory, and what a failing disk leaves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod amend;
mod clones;
mod decisions;
mod disk;
mod extractors;
mod fakes;
mod maintain;
mod pending;
mod readings;
mod sequences;
mod spans;
mod steps;
