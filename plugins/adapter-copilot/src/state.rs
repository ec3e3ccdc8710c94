//! State that one read passes to the next.

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::parts::Places;
use serde::{Deserialize, Serialize};

/// State that one read passes to the next.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Hashes of the last emitted texts that are often repeated.
    system: Option<u64>,
    thought: Option<u64>,
    call: Option<u64>,
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
}

fn replace(kept: &mut Option<u64>, text: &str) -> bool {
    let new = Some(hash(text.as_bytes()));
    let is_new = *kept != new;
    *kept = new;
    is_new
}
