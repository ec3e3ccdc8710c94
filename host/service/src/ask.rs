//! Answering a question from memory. Without a model the answer is what memory says, word for word;
//! with one it is a few sentences, and every source they name is one that was given. Pure: finding
//! memories and talking to a model are the caller's.

mod extract;
mod model;

use serde::Serialize;

pub use extract::extract;
pub use model::{SCHEMA, check, prompt};

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
    /// Empty when memory does not say.
    pub text: String,
    /// The passages it stands on, by their place in what was given.
    pub sources: Vec<usize>,
}
