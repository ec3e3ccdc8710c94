//! Scoring an extractor against labelled sessions.

mod agreement;
mod chance;
mod intervals;
mod label;
mod matching;
mod score;

pub use agreement::as_extracted;
pub use chance::Chance;
pub use intervals::{Interval, Intervals, intervals};
pub use label::{Citation, Extracted, Label, LabelItem, Passage, Proposal};
pub use score::{Rule, SessionScore, Totals, score, totals};
