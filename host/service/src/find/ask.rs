//! Answers a question from memory. Without a model it quotes the one or two passages nearest to the question, with how
//! sure it is that they answer; with one, every sentence of the answer names a given source. Pure: the caller finds
//! memories and talks to the model.

mod model;
mod passages;
mod sentences;

pub(crate) use model::{SCHEMA, check, prompt};
pub(crate) use passages::{Question, QuotedPassage};

/// A memory that may answer. Its text is untrusted: it is quoted, never obeyed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passage {
    pub(crate) title: String,
    pub(crate) body: String,
    /// Score of the search.
    pub(crate) score: f32,
    /// Similarity of meaning to the question, if a sentence model measured it.
    pub(crate) closeness: Option<f32>,
}

/// An answer and its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Empty if memory does not answer.
    pub(crate) text: String,
    /// Indexes of the passages it is based on; the text refers to the first one as [1].
    pub(crate) sources: Vec<usize>,
}

impl Answer {
    /// Appends a line and the numbers of its sources.
    pub(crate) fn add(&mut self, text: &str, sources: &[usize]) {
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
