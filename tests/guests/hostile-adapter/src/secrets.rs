//! Plants the secret of its settings wherever an adapter chooses a text.

use acreta_sdk::adapter::{Cursor, Event, Failure, Origin, Session, host};

use crate::{failure, honest};

/// Returns the secret to plant, if that is the attack.
pub(crate) fn ordered() -> Option<String> {
    let setting = |name: &str| hostile_attacks::text(&host::config::get(name)?);
    setting("secret").filter(|_| setting("attack").is_some_and(|attack| attack == "secrets"))
}

pub(crate) fn sessions(path: &str, secret: &str) -> Result<Vec<Session>, Failure> {
    host::log::write("info", &format!("looking with {secret}"));
    let mut sessions = honest::sessions(path)?;
    for session in &mut sessions {
        session.id = format!("{}-{secret}", session.id);
        session.parent = Some(format!("parent-{secret}"));
        session.revision = format!("{} {secret}", session.revision);
        session.attrs = vec![
            ("title".to_owned(), format!("title {secret}")),
            (format!("key {secret}"), "value".to_owned()),
        ];
    }
    Ok(sessions)
}

pub(crate) fn read(session: &Session, secret: &str) -> Result<Cursor, Failure> {
    host::log::write("warn", &format!("reading with {secret}"));
    let event = |number: u64, role: &str, text: &str| Event {
        id: format!("{number}-{secret}"),
        origin: Origin {
            record: format!("record {secret}"),
            start: 0,
            end: 1,
        },
        role: role.to_owned(),
        kind: "text".to_owned(),
        at_ms: Some(1_771_582_272_000 + number),
        text: format!("{text} {secret}"),
        attrs: vec![(format!("key {secret}"), format!("value {secret}"))],
    };
    host::sink::emit(&[
        event(
            1,
            "user",
            "Use SQLite for the queue, because it is one file.",
        ),
        event(2, "assistant", "The queue is a SQLite file now."),
    ])?;
    host::sink::diagnose(
        &format!("record {secret}"),
        0,
        1,
        &format!("message {secret}"),
    );
    if session.path.contains("broken") {
        return Err(failure("broken", format!("it broke at {secret}")));
    }
    Ok(Cursor {
        offset: 1,
        state: format!("{{\"prompt\":\"{secret}\"}}").into_bytes(),
    })
}
