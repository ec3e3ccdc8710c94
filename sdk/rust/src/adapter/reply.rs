//! What a reply of a model says of itself: told once, with the first event of the reply, so that
//! nobody counts its tokens twice.

use crate::adapter::Attrs;

use crate::adapter::place::attr;

/// Model and tokens that wait for the first event of their reply.
#[derive(Debug, Default)]
pub struct Reply(Attrs);

impl Reply {
    /// `tokens` are those that went in, from a cache or not, and those that came out.
    pub fn new(model: Option<&str>, tokens: Option<(u64, u64)>) -> Self {
        let mut attrs = Attrs::new();
        attrs.extend(model.map(|model| attr("model", model)));
        if let Some((input, output)) = tokens {
            attrs.push(attr("input_tokens", input.to_string()));
            attrs.push(attr("output_tokens", output.to_string()));
        }
        Self(attrs)
    }

    /// What the first event carries; empty for every later one.
    pub fn take(&mut self) -> Attrs {
        std::mem::take(&mut self.0)
    }
}
