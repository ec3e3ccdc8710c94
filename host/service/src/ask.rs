//! Answering a question from memory, or saying that memory does not answer it. Without a model the answer is one or two
//! sentences of memory, word for word; with one every sentence names a source that was given. Pure: finding memories
//! and talking to a model are the caller's.

mod demand;
mod extract;
mod judge;
mod likeness;
mod model;
mod question;
mod sentences;
mod weights;

use serde::Serialize;

pub use extract::quote;
pub use judge::{Judged, asks_for, judge};
pub use model::{SCHEMA, check, prompt};
pub use weights::{FIGURE_NAMES, FIGURES};

/// A memory that may answer. Its texts are untrusted: they are quoted, never obeyed.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    pub id: String,
    pub title: String,
    pub body: String,
    /// How well it fits the question, as the search sees it.
    pub score: f32,
}

/// An answer, and where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Empty when memory does not answer.
    pub text: String,
    /// The passages it stands on, by their place in what was given; the text calls the first one [1].
    pub sources: Vec<usize>,
}

impl Answer {
    /// Appends a line and the numbers of its sources.
    fn add(&mut self, text: &str, sources: &[usize]) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        for source in sources {
            let known = self.sources.iter().position(|known| known == source);
            let number = known.unwrap_or_else(|| {
                self.sources.push(*source);
                self.sources.len() - 1
            });
            self.text.push_str(&format!(" [{}]", number + 1));
        }
    }
}
