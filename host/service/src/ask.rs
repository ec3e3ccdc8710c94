//! Answers a question from memory, or reports that memory does not answer it. Without a model the answer is one or two
//! sentences of memory, word for word; with one, every sentence names a given source. Pure: the caller finds memories
//! and talks to the model.

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
pub use judge::{JudgedPassage, asks_for, judge};
pub use model::{SCHEMA, check, prompt};
pub use weights::{FIGURE_NAMES, FIGURES};

/// A memory that may answer. Its text is untrusted: it is quoted, never obeyed.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    pub id: String,
    pub title: String,
    pub body: String,
    /// Score of the search.
    pub score: f32,
}

/// An answer and its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Empty if memory does not answer.
    pub text: String,
    /// Indexes of the passages it is based on; the text refers to the first one as [1].
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
