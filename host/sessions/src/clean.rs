//! Redacts an agent's metadata of a session before it is stored.

use std::borrow::Cow;

use acreta_model::Session;
use acreta_redact::{Counts, Redactor};

/// Redacts a session's title, its other attributes, and its directory.
pub fn clean_session(session: &mut Session, redactor: &Redactor) {
    let values = session.attrs.0.iter_mut().map(|(_, value)| value);
    for text in values.chain(&mut session.project_dir) {
        if let Cow::Owned(clean) = redactor.redact_into(text, &mut Counts::default()) {
            *text = clean;
        }
    }
}
