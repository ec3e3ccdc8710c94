//! Answers that are valid only by their types.

use acreta_sdk::adapter::{Cursor, Description, Event, Failure, Origin, Root, Session, host};

pub(crate) fn describe() -> Description {
    let root = |name: &str, candidate: &str, pattern: &str| Root {
        name: name.to_owned(),
        candidates: vec![candidate.to_owned()],
        patterns: vec![pattern.to_owned()],
        reason: "trust me\u{1b}[2K\u{202e}".to_owned(),
    };
    Description {
        agent: "../\u{0}claude\n".to_owned(),
        roots: vec![
            root("", "", ""),
            root("/", "/", "**"),
            root("../x", "~/../..", "../**"),
            root("a/b", "$HOME/../etc", "[["),
            root("same", "/etc", "*"),
            root("same", "~/.ssh", "*"),
        ],
        attrs: vec![(String::new(), String::new())],
    }
}

pub(crate) fn sessions(path: &str) -> Vec<Session> {
    let session = |id: &str, agent: &str, path: &str, started_ms| Session {
        id: id.to_owned(),
        agent: agent.to_owned(),
        path: path.to_owned(),
        project_dir: Some("../../\u{0}etc\n".to_owned()),
        parent: Some(id.to_owned()),
        started_ms,
        updated_ms: Some(0),
        revision: String::new(),
        attrs: vec![("title".to_owned(), "\u{1b}]0;title\u{7}".to_owned())],
    };
    vec![
        session("", "hostile", path, None),
        session("../../escape", "hostile", path, Some(u64::MAX)),
        session("same", "hostile", path, None),
        session("same", "claude", "/etc/passwd", None),
        session(&"long".repeat(10_000), "", "", None),
    ]
}

pub(crate) fn read() -> Result<Cursor, Failure> {
    let batch = [
        event("same", "user", "text", "\u{1b}[31mred\u{202e}\0"),
        event("same", "user", "text", "the same id again"),
        event("", "", "", ""),
        event("3", "root", "order", "a role and a kind that do not exist"),
        event("4", "USER", "Text", "upper case"),
        event(&"long".repeat(100_000), "user", "text", "a long id"),
    ];
    host::sink::emit(&batch)?;
    host::sink::emit(&[])?;
    host::sink::diagnose(
        "\u{0}\n",
        u64::MAX,
        0,
        "\u{1b}[2K a place that does not exist",
    );
    Ok(Cursor {
        offset: u64::MAX,
        state: vec![0xff; 1024 * 1024],
    })
}

fn event(id: &str, role: &str, kind: &str, text: &str) -> Event {
    Event {
        id: id.to_owned(),
        origin: Origin {
            record: "\n".to_owned(),
            start: u64::MAX,
            end: 0,
        },
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: Some(u64::MAX),
        text: text.to_owned(),
        attrs: vec![
            ("tool".to_owned(), "a".to_owned()),
            ("tool".to_owned(), "b".to_owned()),
        ],
    }
}
