//! Searches archived sessions: `sessions search`. The index answers; before that, it takes in what is new.
//!
//! ```text
//! retry budget role:user since:2w          words, best session first; filters stand among them
//! "retry budget" queu* databse             a phrase, a beginning, a typing error
//! file:src/queue.rs tool:edit              only filters: newest first
//! ```

use acreta_search::{SessionIndex, SessionOrder, SessionQuery};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::index::{self, Unreadable};
use crate::find::ask::Question;
use crate::process::clock::{moment, now_ms};
use crate::recall::Vocabulary;
use crate::{Context, Failure, Kind, projects::scopes};

/// A search in sessions.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSearch {
    /// Words, `"phrases"`, `start*` and filters: `agent:`, `project:`, `branch:`, `file:`, `tool:`, `role:`, `since:`, `until:`.
    #[serde(rename = "q")]
    #[schemars(length(min = 1, max = 200))]
    pub text: String,
    #[schemars(length(min = 1, max = 64))]
    pub agent: Option<String>,
    /// A directory of the project.
    #[serde(skip)]
    pub project: Option<Utf8PathBuf>,
    #[schemars(length(min = 1, max = 40))]
    pub since: Option<String>,
    #[schemars(length(min = 1, max = 40))]
    pub until: Option<String>,
    /// Maximum number of hits.
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u64,
    /// Newest first; only hits with all words.
    #[serde(default)]
    pub newest: bool,
}

fn page_size() -> u64 {
    50
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SessionsFound")]
pub struct SessionSearchResult {
    /// Hits of the best session first.
    pub hits: Vec<SessionTextHit>,
    /// Number of sessions that were searched.
    pub searched: u64,
    /// Number of sessions that are not indexed yet.
    pub left: u64,
    /// Number of older sessions whose text is left out of the index, since it is full (`sessions.index_mb`).
    pub left_out: u64,
    /// Sessions that could not be read, and why.
    pub unreadable: Vec<Unreadable>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SessionHit")]
pub struct SessionTextHit {
    pub agent: String,
    pub session: String,
    pub title: Option<String>,
    pub project: Option<String>,
    pub event: String,
    pub role: String,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub at_ms: Option<u64>,
    /// The words with some around them, on one line.
    pub snippet: String,
    /// The characters of the snippet that were looked for, from and to.
    pub marks: Vec<(usize, usize)>,
}

/// Maximum number of hits of one session, so that others are found, too.
const HITS_OF_A_SESSION: usize = 3;

/// Maximum number of sessions that are looked for.
const SESSIONS: usize = 200;

/// Finds passages in the sessions that match.
pub fn search(request: &SessionSearch, context: &Context) -> Result<SessionSearchResult, Failure> {
    let query = query(request, context)?;
    let index = index::open(context)?;
    let state = index::refresh(&index, context)?;
    let found = index.search(&query);
    let found = found.map_err(|error| Failure::from_error(&error))?;
    let mut hits = Vec::new();
    for session in found {
        let head = session.head;
        hits.extend(session.passages.into_iter().map(|passage| {
            let (snippet, marks) = on_one_line(&passage.snippet.text, &passage.snippet.marks);
            SessionTextHit {
                agent: head.agent.clone(),
                session: head.id.clone(),
                title: head.title.clone(),
                project: head.project.clone(),
                event: passage.event,
                role: passage.role,
                kind: passage.kind,
                tool: passage.tool,
                at_ms: passage.at_ms.or(head.updated_ms),
                snippet,
                marks,
            }
        }));
    }
    hits.truncate(usize::try_from(request.limit).unwrap_or(usize::MAX));
    Ok(SessionSearchResult {
        hits,
        searched: state.indexed,
        left: state.waiting,
        left_out: state.left_out,
        unreadable: state.unreadable,
    })
}

/// Takes the filters out of the text.
fn query(request: &SessionSearch, context: &Context) -> Result<SessionQuery, Failure> {
    let mut query = SessionQuery {
        agent: request.agent.clone(),
        sessions: usize::try_from(request.limit).map_or(SESSIONS, |limit| limit.min(SESSIONS)),
        passages: HITS_OF_A_SESSION,
        order: match request.newest {
            true => SessionOrder::Newest,
            false => SessionOrder::Best,
        },
        ..SessionQuery::default()
    };
    if let Some(directory) = &request.project {
        query.projects = Some(roots_at(directory, context)?);
    }
    let (mut since, mut until) = (request.since.clone(), request.until.clone());
    let mut words = Vec::new();
    let mut is_phrase = false;
    for word in request.text.split_whitespace() {
        let filter = word
            .split_once(':')
            .filter(|(_, value)| !is_phrase && !value.is_empty());
        is_phrase ^= word.matches('"').count() % 2 == 1;
        let value = |(_, value): (&str, &str)| Some(value.to_owned());
        match filter.map(|(name, _)| name) {
            Some("agent") if request.agent.is_none() => query.agent = filter.and_then(value),
            Some("branch") => query.branch = filter.and_then(value),
            Some("file") => query.file = filter.and_then(value),
            Some("tool") => query.tool = filter.and_then(value),
            Some("role") => query.role = filter.and_then(value),
            Some("since") => since = filter.and_then(value),
            Some("until") => until = filter.and_then(value),
            Some("project") => {
                let name = filter.and_then(value).unwrap_or_default();
                let mut named = roots_named(&name, context)?;
                // A word of the text narrows what the caller may see, and never widens it.
                if let Some(allowed) = &query.projects {
                    named.retain(|root| allowed.contains(root));
                }
                query.projects = Some(named);
            }
            _ => words.push(word),
        }
    }
    let now = now_ms();
    let time = |text: Option<String>| text.map(|text| moment(&text, now)).transpose();
    (query.since_ms, query.until_ms) = (time(since)?, time(until)?);
    query.text = words.join(" ");
    let is_filtered = query.file.is_some() || query.tool.is_some() || query.branch.is_some();
    let is_empty = !query.text.contains(char::is_alphanumeric);
    if is_empty && !is_filtered && query.role.is_none() {
        return Err(Failure::new(Kind::Usage, "the search text is empty"));
    }
    Ok(query)
}

/// Returns the main checkout of a directory's project, if it has one.
pub(crate) fn roots_at(directory: &Utf8Path, context: &Context) -> Result<Vec<String>, Failure> {
    let project = scopes::open_catalog(context)?.project_at(directory)?;
    Ok(project
        .into_iter()
        .map(|project| project.root.into_string())
        .collect())
}

/// Returns the main checkouts whose path contains a name.
fn roots_named(name: &str, context: &Context) -> Result<Vec<String>, Failure> {
    let name = name.to_lowercase();
    let roots = super::roots(context)?.into_iter();
    let roots = roots.map(|(_, root)| root.into_string());
    Ok(roots
        .filter(|root| root.to_lowercase().contains(&name))
        .collect())
}

/// Counts in how many passages each word of a question is.
pub(crate) fn vocabulary(index: &SessionIndex, asked: &Question) -> Result<Vocabulary, Failure> {
    let (memories, frequencies) =
        (index.frequencies(asked.words())).map_err(|error| Failure::from_error(&error))?;
    Ok(Vocabulary {
        memories,
        frequencies,
    })
}

/// Returns a text on one line, and its marks, in characters.
fn on_one_line(text: &str, marks: &[std::ops::Range<usize>]) -> (String, Vec<(usize, usize)>) {
    let mut line = String::new();
    let mut length = 0;
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut is_space = true;
    for one in text.chars() {
        places.extend(std::iter::repeat_n(length, one.len_utf8()));
        let space = one.is_whitespace();
        if !(space && is_space) {
            line.push(if space { ' ' } else { one });
            length += 1;
        }
        is_space = space;
    }
    places.push(length);
    let marks = marks
        .iter()
        .map(|mark| (places[mark.start], places[mark.end]));
    (line.trim_end().to_owned(), marks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_on_one_line_and_its_marks_move_along() {
        let text = "the\n\n  Größe  stands\there ";
        let mark = text.find("Größe").unwrap()..text.find("  stands").unwrap();
        let (line, marks) = on_one_line(text, &[mark]);
        assert_eq!(line, "the Größe stands here");
        let marked: String = line
            .chars()
            .skip(marks[0].0)
            .take(marks[0].1 - marks[0].0)
            .collect();
        assert_eq!(marked, "Größe");
    }
}
