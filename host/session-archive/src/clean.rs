//! Redacts what an adapter says about a session before it is stored: its metadata, and the cursor it asks to keep.

use acreta_redact::Redactor;
use acreta_types::{Cursor, Session};

/// Redacts a session's ids, title, other attributes and directory. The path stays: it is needed to read the session,
/// and files whose path holds a secret are not read.
pub fn clean_session(session: &mut Session, redactor: &Redactor) {
    for id in [&mut session.id, &mut session.agent, &mut session.revision]
        .into_iter()
        .chain(&mut session.parent)
    {
        redactor.clean_id(id);
    }
    let attrs = session
        .attrs
        .0
        .iter_mut()
        .flat_map(|(name, value)| [name, value]);
    for text in attrs.chain(&mut session.project_dir) {
        redactor.clean(text);
    }
}

/// Returns the cursor that may be stored. The state is the adapter's own: it cannot be redacted, so that one with a
/// secret in it is dropped, and the next read starts at the beginning of the session.
pub fn clean_cursor(cursor: Cursor, redactor: &Redactor) -> Cursor {
    match redactor
        .find(&String::from_utf8_lossy(&cursor.state))
        .is_empty()
    {
        true => cursor,
        false => Cursor::default(),
    }
}
