//! State that one read passes to the next.

use std::collections::VecDeque;

use acreta_sdk::adapter::Tokens;
use acreta_sdk::adapter::calls::{hash, push_bounded};
use acreta_sdk::adapter::parts::Places;
use serde::{Deserialize, Serialize};

/// Number of models whose tokens are remembered.
const MODELS: usize = 8;

/// State that one read passes to the next.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Hashes of the last emitted texts that are often repeated.
    system: Option<u64>,
    thought: Option<u64>,
    call: Option<u64>,
    /// Hashes of models, with the tokens of each at the last end of the session.
    #[serde(default)]
    counted: VecDeque<(u64, Tokens)>,
    #[serde(default)]
    pub(crate) places: Places,
}

impl State {
    /// Reports whether the system prompt is another one than before: it is repeated with every prompt.
    pub(crate) fn is_new_system(&mut self, text: &str) -> bool {
        replace(&mut self.system, text)
    }

    /// Reports whether a thought is another one than the last.
    pub(crate) fn is_new_thought(&mut self, text: &str) -> bool {
        replace(&mut self.thought, text)
    }

    /// Reports whether a call of the model is another one than the last: one may give several messages.
    pub(crate) fn is_new_call(&mut self, id: &str) -> bool {
        replace(&mut self.call, id)
    }

    /// Returns the tokens of a model since the last end of the session. A session that was resumed counts on, or from zero.
    pub(crate) fn count_model(&mut self, model: &str, tokens: Tokens) -> Tokens {
        let model = hash(model.as_bytes());
        let place = self.counted.iter().position(|(known, _)| *known == model);
        let before = place.and_then(|place| self.counted.remove(place));
        push_bounded(&mut self.counted, (model, tokens), MODELS);
        match before {
            Some((_, before)) if before.input <= tokens.input => tokens.since(before),
            _ => tokens,
        }
    }
}

fn replace(kept: &mut Option<u64>, text: &str) -> bool {
    let new = Some(hash(text.as_bytes()));
    let is_new = *kept != new;
    *kept = new;
    is_new
}
