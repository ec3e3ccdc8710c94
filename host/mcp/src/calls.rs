//! Calls the backend for a checked call and renders its result. Blocks; independent of the protocol.

use acreta_types::{Detail, MemoryType, ScopeMode};

use crate::arguments::Arguments;
use crate::backend::{
    ArchiveChange, Backend, DeltaRequest, ExploreRequest, Failure, FailureKind, Feedback,
    NewMemory, NewNote, Page, PageRequest, SearchRequest, SessionRequest, Verdict,
};
use crate::cursor::ListKey;
use crate::render::{self, HitPage, Rendered};
use crate::tools::{CONTEXT_BUDGET, SEARCH_LIMIT};

/// Calls a tool by its name in `tools.json`. `client` is the client's name for itself.
pub(crate) fn call(
    backend: &dyn Backend,
    tool: &str,
    arguments: &Arguments,
    client: Option<String>,
) -> Result<Rendered, Failure> {
    match tool {
        "memory_search" => search(
            backend,
            &search_request(arguments),
            arguments.optional_text("cursor"),
        ),
        "memory_get" => Ok(render::memory(&backend.get(&memory_id(arguments)?)?)),
        "memory_add" => {
            let memory = NewMemory {
                title: arguments.text("title"),
                body: arguments.text("body"),
                memory_type: memory_type(arguments),
                kind: arguments.optional_text("kind"),
                tags: arguments.texts("tags"),
                client,
            };
            Ok(render::added(&backend.add(&memory)?))
        }
        "memory_note" => {
            let note = NewNote {
                title: arguments.text("title"),
                kind: arguments.text("kind"),
                quotes: arguments.texts("quote"),
                about: arguments.optional_text("about"),
                files: arguments.texts("files"),
                replaces: arguments.optional_text("replaces"),
                client,
            };
            Ok(render::noted(&backend.note(&note)?))
        }
        "memory_archive" => {
            let change = if arguments.flag("restore") {
                ArchiveChange::Restore
            } else {
                ArchiveChange::Archive
            };
            Ok(render::changed(
                &backend.archive(&memory_id(arguments)?, change)?,
            ))
        }
        "memory_feedback" => {
            let feedback = Feedback {
                id: memory_id(arguments)?,
                verdict: verdict(arguments)?,
                client,
            };
            Ok(render::changed(&backend.feedback(&feedback)?))
        }
        "context_explore" => {
            let request = ExploreRequest {
                project: arguments.optional_text("project"),
                query: arguments.optional_text("query"),
                budget: arguments.number("budget").unwrap_or(CONTEXT_BUDGET),
                detail: detail(arguments),
            };
            Ok(render::report(backend.explore(&request)?))
        }
        "context_delta" => {
            let request = DeltaRequest {
                project: arguments.optional_text("project"),
                since: arguments.optional_text("since"),
                budget: CONTEXT_BUDGET,
                detail: detail(arguments),
            };
            Ok(render::report(backend.delta(&request)?))
        }
        "ask" => {
            let question = arguments.text("question");
            Ok(render::answer(&question, &backend.ask(&question)?))
        }
        "session_search" => {
            let query = arguments.text("query");
            let limit = arguments.number("limit").unwrap_or(SEARCH_LIMIT);
            let found = backend.find_in_sessions(&query, limit)?;
            Ok(render::sessions(&query, &found))
        }
        "session_read" => {
            let request = SessionRequest {
                id: arguments.text("id"),
                around: arguments.optional_text("around"),
                offset: arguments.number("offset").unwrap_or(0),
            };
            Ok(render::session(&backend.read_session(&request)?))
        }
        "session_forget" => Ok(render::forgotten(&backend.forget_session()?)),
        unknown => Err(Failure::new(
            FailureKind::Invalid,
            format!("no tool is called `{unknown}`"),
        )),
    }
}

/// Searches memory for a task and returns the first page.
pub(crate) fn recall(backend: &dyn Backend, task: String) -> Result<Rendered, Failure> {
    let request = SearchRequest {
        query: task,
        memory_type: None,
        kind: None,
        tag: None,
        agent: None,
        since: None,
        scope: None,
        // A prompt puts this before the agent unasked.
        is_grounded: true,
        page: PageRequest {
            offset: 0,
            limit: SEARCH_LIMIT,
        },
    };
    search(backend, &request, None)
}

/// Returns whether a text can be a memory id or the start of one.
pub(crate) fn is_memory_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 26 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the token budget of one page: 800 for up to five hits, 160 more for each further one.
fn page_tokens(limit: usize) -> usize {
    160 * limit.max(SEARCH_LIMIT)
}

fn search(
    backend: &dyn Backend,
    request: &SearchRequest,
    cursor: Option<String>,
) -> Result<Rendered, Failure> {
    let list = list_key(request);
    let offset = match &cursor {
        Some(cursor) => list
            .offset(cursor)
            .map_err(|reason| Failure::new(FailureKind::Invalid, reason))?,
        None => 0,
    };
    let mut request = request.clone();
    request.page.offset = offset;
    let Page { items, more } = backend.search(&request)?;
    let page = HitPage {
        hits: &items[..items.len().min(request.page.limit)],
        offset,
        more: more || items.len() > request.page.limit,
        list,
        budget: page_tokens(request.page.limit),
    };
    Ok(render::search(&request.query, &page))
}

fn search_request(arguments: &Arguments) -> SearchRequest {
    SearchRequest {
        query: arguments.text("query"),
        memory_type: memory_type(arguments),
        kind: arguments.optional_text("kind"),
        tag: arguments.optional_text("tag"),
        agent: arguments.optional_text("agent"),
        since: arguments.optional_text("since"),
        scope: scope(arguments),
        is_grounded: false,
        page: PageRequest {
            offset: 0,
            limit: arguments.number("limit").unwrap_or(SEARCH_LIMIT),
        },
    }
}

/// Returns a key of everything that selects hits; the page size is not part of it.
fn list_key(request: &SearchRequest) -> ListKey {
    let scope = request.scope.map(|scope| format!("{scope:?}"));
    let optional = |text: &Option<String>| match text {
        Some(text) => format!("={text}"),
        None => String::new(),
    };
    ListKey::of(&[
        "search",
        &request.query,
        request.memory_type.map_or("", MemoryType::name),
        &optional(&request.kind),
        &optional(&request.tag),
        &optional(&request.agent),
        &optional(&request.since),
        &optional(&scope),
    ])
}

fn memory_id(arguments: &Arguments) -> Result<String, Failure> {
    let id = arguments.text("id");
    if is_memory_id(&id) {
        return Ok(id);
    }
    let reason = "`id` is not the id of a memory: letters and digits, 26 of them or the first few";
    Err(Failure::new(FailureKind::Invalid, reason))
}

fn memory_type(arguments: &Arguments) -> Option<MemoryType> {
    MemoryType::from_name(&arguments.optional_text("type")?)
}

fn scope(arguments: &Arguments) -> Option<ScopeMode> {
    ScopeMode::from_name(&arguments.optional_text("scope")?)
}

fn detail(arguments: &Arguments) -> Detail {
    let name = arguments.optional_text("detail");
    name.and_then(|name| Detail::from_name(&name))
        .unwrap_or_default()
}

fn verdict(arguments: &Arguments) -> Result<Verdict, Failure> {
    match &*arguments.text("verdict") {
        "right" => Ok(Verdict::Right),
        "wrong" => Ok(Verdict::Wrong),
        "useful" => Ok(Verdict::Useful),
        _ => Err(Failure::new(FailureKind::Invalid, "`verdict` is missing")),
    }
}
