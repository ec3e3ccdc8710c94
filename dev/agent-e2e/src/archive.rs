//! Searches acreta's archive of raw sessions for tickets.

use std::path::Path;

use crate::script::{SeenTicket, Ticket};

/// Returns the texts of all archived sessions of an agent.
pub(crate) fn texts(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = entries.filter_map(|entry| {
        let file = std::fs::File::open(entry.path()).ok()?;
        let bytes = zstd::decode_all(file).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    });
    texts.collect()
}

/// Returns the parts of a ticket that no archived session has: its prompt, the model's words, marks of its calls.
pub(crate) fn missing(archive: &[String], ticket: &Ticket, seen: &SeenTicket) -> Vec<String> {
    let mut wanted = vec![ticket.prompt.clone()];
    for answer in seen.answers.values() {
        wanted.push(answer.text.clone());
    }
    let has = |text: &String| {
        archive
            .iter()
            .any(|session| session.contains(text.as_str()))
    };
    let missing = wanted.iter().filter(|text| !has(text));
    missing
        .map(|text| format!("not archived: {text}"))
        .collect()
}
