//! Scoring an extractor against labelled sessions.

mod label;
mod matching;
mod score;

pub use label::{Extracted, Item, Label, Proposal};
pub use score::{SessionScore, Totals, score, totals};
