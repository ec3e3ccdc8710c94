//! Tests through the public API: events in, cures out.

mod collecting;
mod hostile;
mod signatures;

use acreta_types::{Attrs, CureRecord, Event, Origin};

use crate::Collector;

/// One step of a session.
#[derive(Debug, Clone, Copy)]
enum ScriptStep<'a> {
    /// A command that worked, with its output.
    Ok(&'a str, &'a str),
    /// A command that failed, with its output.
    Bad(&'a str, &'a str),
    /// The person's words.
    Person(&'a str),
    /// A call of a tool other than a shell.
    Tool(&'a str),
}

fn events(session: &[ScriptStep<'_>]) -> Vec<Event> {
    let mut events = Vec::new();
    for (at, said) in session.iter().enumerate() {
        let call = format!("call-{at}");
        let time = Some(1_000_000 + at as u64 * 1_000);
        let mut tell = |role: &str, kind: &str, text: &str, attrs: &[(&str, &str)]| {
            let pairs = attrs.iter();
            let pairs = pairs.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            events.push(Event {
                id: format!("{kind}-{at}"),
                origin: Origin::default(),
                role: role.to_owned(),
                kind: kind.to_owned(),
                at_ms: time,
                text: text.to_owned(),
                attrs: Attrs(pairs.collect()),
            });
        };
        let input = |line: &str| serde_json::json!({ "command": line }).to_string();
        match said {
            ScriptStep::Ok(line, output) => {
                tell(
                    "assistant",
                    "tool-call",
                    &input(line),
                    &[("tool", "Bash"), ("call_id", &call)],
                );
                tell("tool", "tool-result", output, &[("call_id", &call)]);
            }
            ScriptStep::Bad(line, output) => {
                tell(
                    "assistant",
                    "tool-call",
                    &input(line),
                    &[("tool", "Bash"), ("call_id", &call)],
                );
                tell(
                    "tool",
                    "tool-result",
                    output,
                    &[("call_id", &call), ("is_error", "true")],
                );
            }
            ScriptStep::Person(text) => tell("user", "text", text, &[]),
            ScriptStep::Tool(name) => {
                tell(
                    "assistant",
                    "tool-call",
                    "{}",
                    &[("tool", name), ("call_id", &call)],
                );
                tell("tool", "tool-result", "done", &[("call_id", &call)]);
            }
        }
    }
    events
}

fn collected(events: &[Event]) -> Vec<CureRecord> {
    let mut collector = Collector::default();
    for event in events {
        collector.take(event);
    }
    collector.finish()
}

fn cures(session: &[ScriptStep<'_>]) -> Vec<CureRecord> {
    collected(&events(session))
}

/// Returns the commands of each cure, and whether it is sure.
fn commands(session: &[ScriptStep<'_>]) -> Vec<(Vec<String>, bool)> {
    let cures = cures(session).into_iter();
    cures.map(|cure| (cure.commands, cure.is_sure)).collect()
}
