//! Results of tools, in both shapes.

use acreta_sdk::adapter::author::{Author, Wrapping};
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{RecordSpan, shorten};

/// Marks around text that Kiro writes in a person's name.
pub(crate) const WRAPPING: Wrapping = Wrapping {
    wrappers: &[("--- CONTEXT ENTRY BEGIN ---", Author::Injected("context"))],
    inserts: &[],
};

/// The result of a tool as text, and whether it reports a failure.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) failed: bool,
}

impl Answer {
    /// Adds a plain text.
    pub(crate) fn text(&mut self, text: Text<'_>, place: &mut RecordSpan) {
        let text = place.decode(text).into_owned();
        self.add(&text);
    }

    /// Adds a value: for a command its output, else the value itself.
    pub(crate) fn json(&mut self, value: Value<'_>, place: &mut RecordSpan) {
        let printed = |name: &str| value.text_of(name);
        if let (None, None) = (printed("stdout"), printed("stderr")) {
            let text = match value {
                Value::Text(text) => place.decode(text).into_owned(),
                other => place.lossy(compact(other.raw())),
            };
            self.add(&text);
        }
        for name in ["stdout", "stderr"] {
            if let Some(text) = printed(name) {
                self.text(text, place);
            }
        }
        // `exit status: 0` in one version, `0` in another.
        let status = printed("exit_status").map(Text::lossy).unwrap_or_default();
        let number = status.rsplit(|digit: char| !digit.is_ascii_digit()).next();
        self.failed |= number.is_some_and(|number| number.bytes().any(|digit| digit != b'0'));
    }

    /// Adds a placeholder for content other than text.
    pub(crate) fn thing(&mut self, kind: &str) {
        self.add(&format!("[{}]", shorten(kind)));
    }

    fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }
}
