//! The parts of the benches that tests check: scoring an extractor against labelled sessions.

pub mod scoring;
