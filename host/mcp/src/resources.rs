//! Memories as resources: `acreta://memory/<id>`, listed in pages, read one at a time.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::backend::{Backend, Failure, Hit, PageRequest};
use crate::calls::is_memory_id;
use crate::cursor::ListKey;
use crate::quote::{cut, one_line};
use crate::render::{self, type_and_kind};

pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{PREFIX}{{id}}"), "memory")
        .with_title("A memory")
        .with_description("One memory whole, as quoted data, with who said it and when")
        .with_mime_type(MIME_TYPE)
}

/// Returns the resources of one page, and the cursor of the next.
pub(crate) fn page(
    backend: &dyn Backend,
    cursor: Option<&str>,
) -> Result<(Vec<Resource>, Option<String>), ListError> {
    let list = ListKey::of(&["resources"]);
    let offset = match cursor {
        Some(cursor) => list.offset(cursor).map_err(ListError::Cursor)?,
        None => 0,
    };
    let page = backend.list(PageRequest {
        offset,
        limit: PAGE,
    })?;
    let hits = &page.items[..page.items.len().min(PAGE)];
    let goes_on = page.more || page.items.len() > PAGE;
    // An empty page with a cursor would lead to endless paging.
    let next = (goes_on && !hits.is_empty()).then(|| list.cursor(offset + hits.len()));
    Ok((hits.iter().map(resource).collect(), next))
}

/// Returns the id that a URI names.
pub(crate) fn memory_id(uri: &str) -> Option<&str> {
    uri.strip_prefix(PREFIX).filter(|id| is_memory_id(id))
}

pub(crate) fn contents(
    backend: &dyn Backend,
    id: &str,
    uri: &str,
) -> Result<ResourceContents, Failure> {
    let memory = render::memory(&backend.get(id)?);
    Ok(ResourceContents::text(memory.text, uri).with_mime_type(MIME_TYPE))
}

/// Reason why a page could not be listed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListError {
    #[error("{0}")]
    Cursor(&'static str),
    #[error(transparent)]
    Backend(#[from] Failure),
}

const PREFIX: &str = "acreta://memory/";
const MIME_TYPE: &str = "text/plain";
const PAGE: usize = 50;
const TITLE_TOKENS: usize = 24;

fn resource(hit: &Hit) -> Resource {
    let id = one_line(&hit.id);
    let description = format!(
        "{}, {}, from {}, {}",
        type_and_kind(hit.memory_type, &one_line(&hit.kind)),
        hit.trust.name(),
        one_line(&hit.provenance.source),
        one_line(&hit.provenance.date)
    );
    Resource::new(format!("{PREFIX}{id}"), id)
        .with_title(cut(&one_line(&hit.title), TITLE_TOKENS).0)
        .with_description(description)
        .with_mime_type(MIME_TYPE)
}
