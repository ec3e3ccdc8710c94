//! Splits a prompt into the sentences that the person typed and the text that they pasted.

use super::document::Habits;
use super::typed::typed;

/// A prompt, split into typed and pasted text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedPrompt {
    /// Sentences in their order.
    pub sentences: Vec<String>,
    /// Fenced blocks, logs, quotations, documents and whatever programs added.
    pub pasted: String,
}

impl TypedPrompt {
    /// Splits a prompt, without knowledge of the person's other prompts.
    pub fn of(text: &str) -> Self {
        let typed = typed(text, &Habits::default(), false);
        Self {
            sentences: typed.units.into_iter().map(|unit| unit.whole).collect(),
            pasted: typed.cut,
        }
    }
}
