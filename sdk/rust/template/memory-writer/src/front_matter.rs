//! Renders a memory file: front matter with the keys of its type, in order, then heading and body. Values are YAML on
//! one line, strings always in double quotes.

use acreta_sdk::memory_writer::{Action, Candidate, Context, MemoryType, Summary};

use crate::time;

type Fields = Vec<(&'static str, String)>;

pub(crate) fn document(context: &Context, action: &Action, entry: &MemoryType) -> String {
    let (fields, title, body) = match (&action.candidate, &action.summary) {
        (Some(one), _) => (memory(context, action, one, entry), &one.title, &one.body),
        (None, Some(one)) => (summary(context, action, one), &one.title, &one.body),
        (None, None) => return String::new(),
    };
    let lines: String = fields
        .iter()
        .map(|(key, value)| format!("{key}: {value}\n"))
        .collect();
    let own = kept(action.current.as_deref().unwrap_or_default(), &fields);
    format!("---\n{lines}{own}---\n# {title}\n\n{}\n", body.trim())
}

/// Returns the front matter lines that a person added: keys that the type does not have.
fn kept(current: &str, fields: &Fields) -> String {
    let front = current.strip_prefix("---\n").unwrap_or_default();
    let front = front.split("\n---").next().unwrap_or_default();
    let mut is_own = false;
    let mut own = String::new();
    for line in front.lines() {
        if let Some((key, _)) = line.split_once(':').filter(|_| !line.starts_with([' ', '-', '#'])) {
            is_own = !fields.iter().any(|(known, _)| *known == key);
        }
        if is_own {
            own.push_str(line);
            own.push('\n');
        }
    }
    own
}

fn memory(context: &Context, action: &Action, one: &Candidate, entry: &MemoryType) -> Fields {
    let source = match &action.session {
        Some(session) => format!("{}/{}", session.agent, session.id),
        None => context.coding_agent.clone(),
    };
    let mut fields = vec![
        ("id", quoted(&action.memory_id)),
        ("title", quoted(&one.title)),
    ];
    if !entry.kinds.is_empty() {
        fields.push(("kind", quoted(&one.kind)));
    }
    fields.extend([
        ("created", time::iso(action.created_ms)),
        ("updated", time::iso(action.updated_ms)),
        ("source", quoted(&source)),
        ("confidence", format!("{:.2}", one.confidence)),
        ("tags", list(&one.tags)),
        ("related", list(&action.related)),
    ]);
    fields
}

fn summary(context: &Context, action: &Action, one: &Summary) -> Fields {
    let (date, clock) = time::date_and_clock(action.created_ms);
    vec![
        ("id", quoted(&action.memory_id)),
        ("title", quoted(&one.title)),
        ("description", quoted(&one.description)),
        ("date", date),
        ("time", quoted(&clock)),
        ("coding_agent", quoted(&context.coding_agent)),
        ("raw_trace_path", quoted(&context.raw_trace_path)),
        ("run_id", quoted(&context.run_id)),
        ("repo_name", quoted(&context.repo_name)),
        ("tags", list(&one.tags)),
        ("related", list(&action.related)),
        ("created", time::iso(action.created_ms)),
        ("updated", time::iso(action.updated_ms)),
    ]
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

/// Quotes a string and escapes everything that is not plainly printable.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '..='~' => quoted.push(letter),
            _ if letter.is_alphanumeric() => quoted.push(letter),
            _ => quoted.push_str(&format!("\\U{:08x}", u32::from(letter))),
        }
    }
    quoted.push('"');
    quoted
}
