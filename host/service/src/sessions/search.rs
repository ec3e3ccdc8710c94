//! Searches the text of sessions: `sessions search`. One session is open at a time, newest first, until enough is
//! found; a copy that cannot contain the text is skipped without parsing it.

use std::io::Read;

use acreta_catalog::KnownSession;
use acreta_sessions::RescueLimits;
use acreta_text::aligned_lowercase;
use camino::Utf8PathBuf;
use serde::Serialize;

use super::conversation::SessionOpener;
use super::{SessionListRequest, SessionMatch, fitting};
use crate::{Context, Failure, Kind};

/// A search for a text in sessions.
#[derive(Debug, Clone, Default)]
pub struct SessionSearch {
    /// Exact text to find, ignoring case.
    pub text: String,
    pub agent: Option<String>,
    /// A directory of the project.
    pub project: Option<Utf8PathBuf>,
    pub since: Option<String>,
    pub until: Option<String>,
    /// Maximum number of hits.
    pub limit: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionSearchResult {
    pub hits: Vec<SessionTextHit>,
    /// Number of sessions that were searched.
    pub searched: u64,
    /// Number of sessions that were not searched, because enough was found before.
    pub left: u64,
    /// Sessions that could not be read, and why.
    pub unreadable: Vec<Unreadable>,
}

/// An occurrence of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionTextHit {
    pub agent: String,
    pub session: String,
    pub title: Option<String>,
    pub project: Option<String>,
    pub event: String,
    pub role: String,
    pub kind: String,
    pub at_ms: Option<u64>,
    /// The text with some words around it, on one line.
    pub snippet: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    pub agent: String,
    pub session: String,
    pub cause: String,
}

/// Maximum number of hits of one session, so that others are found, too.
const HITS_OF_A_SESSION: u32 = 5;

/// Number of characters on either side of a hit.
const AROUND: usize = 80;

/// Finds a text in the matching sessions, newest first.
pub fn search(request: &SessionSearch, context: &Context) -> Result<SessionSearchResult, Failure> {
    if request.text.trim().is_empty() {
        return Err(Failure::new(Kind::Usage, "the search text is empty"));
    }
    let sessions = fitting(
        &SessionListRequest {
            agent: request.agent.clone(),
            project: request.project.clone(),
            since: request.since.clone(),
            until: request.until.clone(),
            recovered: true,
            ..SessionListRequest::default()
        },
        context,
    )?;
    let reader = SessionOpener::new(context)?;
    let word = longest_word(&request.text);
    let total = sessions.len() as u64;
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let mut found = SessionSearchResult {
        hits: Vec::new(),
        searched: 0,
        left: 0,
        unreadable: Vec::new(),
    };
    for candidate in sessions {
        if found.hits.len() >= limit {
            break;
        }
        found.searched += 1;
        let row = candidate.row();
        let hits = match may_have(&candidate, &word, &reader) {
            Ok(false) => continue,
            Ok(true) => hits(candidate, &request.text, &reader),
            Err(error) => Err(error),
        };
        match hits {
            Ok(hits) => found.hits.extend(hits),
            // Not archived yet: the next sync archives it.
            Err(failure) if failure.kind == Kind::Missing => {}
            Err(failure) => found.unreadable.push(Unreadable {
                agent: row.agent,
                session: row.id,
                cause: failure.to_string(),
            }),
        }
    }
    found.hits.truncate(limit);
    found.left = total - found.searched;
    Ok(found)
}

fn hits(
    candidate: SessionMatch,
    text: &str,
    reader: &SessionOpener<'_>,
) -> Result<Vec<SessionTextHit>, Failure> {
    let mut conversation = reader.open(candidate)?;
    let events = conversation.find(text, HITS_OF_A_SESSION)?;
    let session = &conversation.session;
    let hit = |event: acreta_model::Event| SessionTextHit {
        agent: session.agent.clone(),
        session: session.id.clone(),
        title: session.title.clone(),
        project: session.project.clone(),
        snippet: snippet(&event.text, text),
        event: event.id,
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms.or(session.updated_ms),
    };
    Ok(events.into_iter().map(hit).collect())
}

/// Returns whether the archived copy contains the word anywhere. A session without a copy may contain it.
fn may_have(
    candidate: &SessionMatch,
    word: &str,
    reader: &SessionOpener<'_>,
) -> Result<bool, Failure> {
    let SessionMatch::Known(known, _) = candidate else {
        return Ok(true);
    };
    match &known.archive {
        Some(_) if !word.is_empty() => copy_has(known, word, reader),
        _ => Ok(true),
    }
}

fn copy_has(known: &KnownSession, word: &str, reader: &SessionOpener<'_>) -> Result<bool, Failure> {
    let Some(archive) = &known.archive else {
        return Ok(true);
    };
    let limits = RescueLimits::default();
    let agent = &known.session.agent;
    let mut copy = reader
        .options
        .open_archive()?
        .open(agent, &archive.digest, &limits)?;
    let word = memchr::memmem::Finder::new(word);
    let mut buffer = vec![0; 256 * 1024];
    let mut held = 0;
    loop {
        let read = copy.read(&mut buffer[held..]).map_err(|cause| {
            let mut failure =
                Failure::saying(format!("the archived copy of {} is damaged", known.key()));
            failure.causes.push(cause.to_string());
            failure
        })?;
        if read == 0 {
            return Ok(false);
        }
        let end = held + read;
        buffer[held..end].make_ascii_lowercase();
        if word.find(&buffer[..end]).is_some() {
            return Ok(true);
        }
        // A word may begin in this chunk and end in the next.
        let keep = word.needle().len().saturating_sub(1).min(end);
        buffer.copy_within(end - keep..end, 0);
        held = keep;
    }
}

/// Returns the longest run of ASCII letters and digits, in lower case. It is the same in any encoding of the text;
/// spaces, quotation marks and other letters may be escaped.
fn longest_word(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let longest = words.max_by_key(|word| word.len());
    let longest = longest.unwrap_or_default().to_ascii_lowercase();
    longest.chars().take(1024).collect()
}

/// Returns the words around the first occurrence of `wanted`, on one line.
fn snippet(text: &str, wanted: &str) -> String {
    let at = position(text, wanted).unwrap_or(0);
    let before = text[..at].char_indices().rev().nth(AROUND - 1);
    let start = before.map_or(0, |(index, _)| index);
    let length = AROUND * 2 + wanted.chars().count();
    let rest = &text[start..];
    let end = rest.char_indices().nth(length).map(|(index, _)| index);
    let words: Vec<&str> = rest[..end.unwrap_or(rest.len())]
        .split_whitespace()
        .collect();
    format!(
        "{}{}{}",
        if start > 0 { "…" } else { "" },
        words.join(" "),
        if end.is_some() { "…" } else { "" }
    )
}

/// Returns the byte position of `wanted`, ignoring case.
fn position(text: &str, wanted: &str) -> Option<usize> {
    aligned_lowercase(text).find(&aligned_lowercase(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_has_the_hit_on_one_line() {
        let long = format!(
            "{}the Needle\n  stands {}",
            "word ".repeat(40),
            "here ".repeat(60)
        );
        let shown = snippet(&long, "needle");
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert!(shown.contains("the Needle stands here"), "{shown}");
        assert!(
            !shown.contains('\n') && shown.chars().count() < 200,
            "{shown}"
        );
        assert_eq!(snippet("short", "short"), "short");
        // With letters whose lower case is longer, the position is lost, but not the snippet.
        assert_eq!(snippet("İ needle", "needle"), "İ needle");
    }

    #[test]
    fn the_longest_word_is_what_every_encoding_has() {
        let table = [
            ("retry budget", "budget"),
            ("say \"Timeout\"", "timeout"),
            ("ключ", ""),
            ("naïveté", "vet"),
        ];
        for (text, expected) in table {
            assert_eq!(longest_word(text), expected, "{text}");
        }
    }
}
