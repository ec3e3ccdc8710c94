//! Model and token counts of a model's reply: attached only to the first event of the reply, so that tokens are not
//! counted twice.

use crate::adapter::Attrs;

use crate::adapter::record_span::attr;

/// Model and tokens that wait for the first event of their reply.
#[derive(Debug, Default)]
pub struct Reply(Attrs);

impl Reply {
    /// `tokens` are input tokens, cached or not, and output tokens.
    pub fn new(model: Option<&str>, tokens: Option<(u64, u64)>) -> Self {
        let mut attrs = Attrs::new();
        attrs.extend(model.map(|model| attr("model", model)));
        if let Some((input, output)) = tokens {
            attrs.push(attr("input_tokens", input.to_string()));
            attrs.push(attr("output_tokens", output.to_string()));
        }
        Self(attrs)
    }

    /// Returns the attributes for the first event; empty for every later one.
    pub fn take(&mut self) -> Attrs {
        std::mem::take(&mut self.0)
    }
}
