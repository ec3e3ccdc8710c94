//! Identifies the session of a document.

use acreta_sdk::adapter::{Failure, Session, attr, document, file_probe, path};

use crate::header::{Header, is_generated};
use crate::turns::Document;

/// Returns the session in a document; empty if it is not SpecStory's. One session is often saved under two names: its
/// id comes from the document, not from the name.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    if !is_generated(&file_probe::beginning(path)?) {
        return Ok(Vec::new());
    }
    let bytes = document::load(path)?;
    let mut document = Document::new(&bytes);
    let named = document.name();
    let headers: Vec<Header<'_>> = document.turns().iter().map(|turn| turn.header).collect();
    let times = || headers.iter().filter_map(|header| header.at_ms);
    let mut attrs = Vec::new();
    if let Some(named) = &named {
        attrs.push(attr("recorded_agent", named.agent));
    }
    // Newer documents have a time as their title, which is ignored.
    let title = document
        .title()
        .filter(|title| !title.starts_with(|first: char| first.is_ascii_digit()));
    attrs.extend(title.map(|title| attr("title", title)));
    let model = headers.iter().find_map(|header| header.model);
    attrs.extend(model.map(|model| attr("model", model)));
    if headers.is_empty() {
        attrs.push(attr("empty", "true"));
    }
    let started_ms = named.as_ref().and_then(|named| named.at_ms);
    Ok(vec![Session {
        id: named.map_or(path::stem(path), |named| named.id).to_owned(),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: None,
        parent: None,
        started_ms: started_ms.or_else(|| times().min()),
        updated_ms: times().max(),
        revision: document::revision(&bytes),
        attrs,
    }])
}
