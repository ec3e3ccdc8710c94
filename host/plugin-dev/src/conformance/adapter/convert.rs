//! Converts the contract's records between `model` and the suite.

use acreta_sdk::conformance::adapter as suite;
use acreta_types::{Attrs, Cursor, Description, Diagnostic, Event, Failure, Session};

pub(super) fn description(description: Description) -> suite::Description {
    let roots = description.roots.into_iter();
    suite::Description {
        agent: description.agent,
        roots: roots
            .map(|root| suite::Root {
                name: root.name,
                candidates: root.candidates,
                patterns: root.patterns,
                reason: root.reason,
            })
            .collect(),
        attrs: description.attrs.0,
    }
}

pub(super) fn session(session: Session) -> suite::Session {
    suite::Session {
        id: session.id,
        agent: session.agent,
        path: session.path,
        project_dir: session.project_dir,
        parent: session.parent,
        started_ms: session.started_ms,
        updated_ms: session.updated_ms,
        revision: session.revision,
        attrs: session.attrs.0,
    }
}

/// Converts the session back to the form in which the adapter returned it.
pub(super) fn asked(session: &suite::Session) -> Session {
    let session = session.clone();
    Session {
        id: session.id,
        agent: session.agent,
        path: session.path,
        project_dir: session.project_dir,
        parent: session.parent,
        started_ms: session.started_ms,
        updated_ms: session.updated_ms,
        revision: session.revision,
        attrs: Attrs(session.attrs),
    }
}

pub(super) fn event(event: Event) -> suite::Event {
    suite::Event {
        id: event.id,
        origin: suite::Origin {
            record: event.origin.record,
            start: event.origin.start,
            end: event.origin.end,
        },
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text: event.text,
        attrs: event.attrs.0,
    }
}

pub(super) fn diagnostic(diagnostic: Diagnostic) -> suite::Diagnostic {
    suite::Diagnostic {
        record: diagnostic.record,
        start: diagnostic.start,
        end: diagnostic.end,
        message: diagnostic.message,
    }
}

pub(super) fn cursor(cursor: Cursor) -> suite::Cursor {
    suite::Cursor {
        offset: cursor.offset,
        state: cursor.state,
    }
}

pub(super) fn from_cursor(cursor: &suite::Cursor) -> Cursor {
    Cursor {
        offset: cursor.offset,
        state: cursor.state.clone(),
    }
}

pub(super) fn failure(failure: Failure) -> suite::Failure {
    suite::Failure {
        code: failure.code,
        message: failure.message,
        retryable: failure.retryable,
    }
}
