//! Secrets out of what an agent says about a session, before anybody keeps it.

use std::borrow::Cow;

use acreta_model::Session;
use acreta_redact::{Counts, Redactor};

/// Redacts a session's title and its other attributes, and the directory it names.
pub fn clean_session(session: &mut Session, redactor: &Redactor) {
    let values = session.attrs.0.iter_mut().map(|(_, value)| value);
    for text in values.chain(&mut session.project_dir) {
        if let Cow::Owned(clean) = redactor.redact_into(text, &mut Counts::default()) {
            *text = clean;
        }
    }
}
