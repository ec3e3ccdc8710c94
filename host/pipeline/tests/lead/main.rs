//! The lead through its public API, with plain structs instead of plugins: its decisions, changes by people and
//! maintenance, and failing disks.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod amend;
mod clones;
mod decisions;
mod disk;
mod extractors;
mod fakes;
mod maintain;
mod meanwhile;
mod pending;
mod readings;
mod secrets;
mod sequences;
mod spans;
mod steps;
