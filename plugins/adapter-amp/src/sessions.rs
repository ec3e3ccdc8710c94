//! Identifies the thread of a file. A file is Amp's by its beginning, never by its name; only then is the rest read.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Failure, Session, attr, document, file_probe, path};

use crate::{AGENT, MESSAGES};

/// Lists the sessions in a file: one, or none if the file is not Amp's.
pub(crate) fn sessions(file: &str) -> Result<Vec<Session>, Failure> {
    let head = file_probe::beginning(file)?;
    if !Outline::of(&head, MESSAGES).is_some_and(|outline| is_thread(&outline)) {
        return Ok(Vec::new());
    }
    let bytes = document::load(file)?;
    let outline = Outline::of(&bytes, MESSAGES);
    let session = outline.and_then(|outline| session(file, &bytes, &outline));
    Ok(session.into_iter().collect())
}

fn is_thread(outline: &Outline<'_>) -> bool {
    let has_id = outline.text("id").is_some_and(|id| id.starts_with("T-"));
    let number = |name| outline.field(name).and_then(Value::number).is_some();
    has_id && number("created") && (number("v") || outline.items.is_some())
}

fn session(file: &str, bytes: &[u8], outline: &Outline<'_>) -> Option<Session> {
    let items = outline.items.as_deref().unwrap_or_default();
    let started_ms = outline.field("created").and_then(instant);
    let mut last_first = items.iter().rev().map(|item| item.value);
    let updated_ms = last_first.clone().find_map(time);
    let model = last_first.find_map(|message| message.field("usage")?.text_of("model"));

    let initial = outline
        .field("env")
        .and_then(|place| place.field("initial"));
    let tree = initial.and_then(|initial| initial.field("trees")?.elements().first().copied());
    let platform = initial.and_then(|initial| initial.field("platform"));
    let address = tree.and_then(|tree| tree.text_of("uri")).map(Text::lossy);
    let branch = tree.and_then(|tree| tree.field("repository")?.text_of("ref"));
    let version = platform.and_then(|platform| platform.text_of("clientVersion"));
    let parent = outline.field("relationships").and_then(parent);

    let mut attrs = Vec::new();
    attrs.extend(parent.is_some().then(|| attr("relation", "fork")));
    attrs.extend(outline.text("title").map(|title| attr("title", title)));
    attrs.extend(branch.map(|branch| {
        let branch = branch.lossy();
        let name = branch.strip_prefix("refs/heads/").unwrap_or(&branch);
        attr("branch", name)
    }));
    attrs.extend(version.map(|version| attr("version", version.lossy())));
    attrs.extend(model.map(|model| attr("model", model.lossy())));
    if items.is_empty() && outline.fault.is_none() {
        attrs.push(attr("empty", "true"));
    }
    Some(Session {
        id: outline.text("id")?,
        agent: AGENT.to_owned(),
        path: file.to_owned(),
        project_dir: address.and_then(|address| path::of_address(&address)),
        parent,
        started_ms,
        updated_ms: updated_ms.or(started_ms),
        revision: document::revision(bytes),
        attrs,
    })
}

/// Returns the time at which a message was sent or answered.
pub(crate) fn time(message: Value<'_>) -> Option<u64> {
    let sent = message.field("meta").and_then(|meta| meta.field("sentAt"));
    let answered = || message.field("usage")?.field("timestamp");
    sent.or_else(answered).and_then(instant)
}

/// Returns the thread that was handed off to this one.
fn parent(relationships: Value<'_>) -> Option<String> {
    let relationships = relationships.elements();
    let parent = relationships
        .into_iter()
        .find(|other| other.text_of("role").is_some_and(|role| role.is("parent")))?;
    Some(parent.text_of("threadID")?.lossy().into_owned())
}
