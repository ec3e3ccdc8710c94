//! Passages of earlier sessions about a question that memory does not answer. They are cited and not taken for memory:
//! anybody may have said them, nobody checked them, and no model is given them.
//!
//! Only what people and agents said counts. Outputs of tools are where pages and programs speak, and they hold earlier
//! questions with their answers.

use std::cmp::Ordering;

use acreta_search::SessionQuery;
use acreta_types::Trust;
use schemars::JsonSchema;
use serde::Serialize;

use crate::find::ask::Question;
use crate::find::query::MemoryFilter;
use crate::process::clock;
use crate::projects::scopes;
use crate::sessions::{index, roots_at, vocabulary};
use crate::{Context, Failure};

/// Sessions that may be cited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CitedSessions {
    None,
    /// Those of the caller's project.
    #[default]
    Project,
    All,
}

/// What was said in an earlier session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "AskSession")]
pub struct SessionSource {
    /// Always `untrusted`.
    pub trust: Trust,
    pub agent: String,
    pub session: String,
    pub title: Option<String>,
    pub event: String,
    /// `user` or `assistant`.
    pub role: String,
    /// The day, `2026-01-31`; empty if nobody recorded it.
    pub date: String,
    /// Whole sentences, word for word.
    pub passage: String,
    /// Share of the question's words that the passage has, in percent, weighed by how rare they are.
    pub share: u8,
}

/// Maximum number of sessions that are cited.
const SHOWN: usize = 3;

/// Number of sessions whose passages are compared with the question, and of passages of each.
const SESSIONS: usize = 12;
const PASSAGES: usize = 4;

/// Minimum share of the question that a cited passage has.
const NEAR: f64 = 0.5;

/// Returns passages of the sessions that speak of a question, best first. Somebody who asks for certain memories gets none.
/// An error costs only the citations.
pub(crate) fn cited(
    question: &str,
    sessions: CitedSessions,
    wanted: &MemoryFilter,
    context: &Context,
) -> Vec<SessionSource> {
    let unfiltered = MemoryFilter {
        all_projects: wanted.all_projects,
        ..MemoryFilter::default()
    };
    if sessions == CitedSessions::None || *wanted != unfiltered {
        return Vec::new();
    }
    let is_everywhere = wanted.all_projects || sessions == CitedSessions::All;
    find(question, is_everywhere, context).unwrap_or_else(|error| {
        tracing::debug!(%error, "sessions were not searched for an answer");
        Vec::new()
    })
}

fn find(
    question: &str,
    is_everywhere: bool,
    context: &Context,
) -> Result<Vec<SessionSource>, Failure> {
    let asked = Question::new(question);
    // Without a state database, no session was ever seen.
    if asked.words().next().is_none() || scopes::catalog(context)?.is_none() {
        return Ok(Vec::new());
    }
    let projects = match is_everywhere {
        true => None,
        false => Some(roots_at(&context.project, context)?),
    };
    let index = index::open(context)?;
    index::refresh(&index, context)?;
    let failed = |error: acreta_search::SearchError| Failure::from_error(&error);
    let found = index.search(&SessionQuery {
        // A question is no query: a quote in it is no phrase that must be there.
        text: question.replace(['"', '*'], " "),
        projects,
        said_only: true,
        sessions: SESSIONS,
        passages: PASSAGES,
        ..SessionQuery::default()
    });
    let vocabulary = vocabulary(&index, &asked)?;
    let mut sources = Vec::new();
    for session in found.map_err(failed)? {
        let head = session.head;
        let passages = session.passages.into_iter().map(|passage| {
            let (quote, share) = asked.in_text(&passage.text, &vocabulary);
            (share, quote, passage)
        });
        // The first of equals is the one that the search found best.
        let best = passages.reduce(|best, next| match next.0.total_cmp(&best.0) {
            Ordering::Greater => next,
            _ => best,
        });
        let Some((share, quote, passage)) = best.filter(|(share, _, _)| *share >= NEAR) else {
            continue;
        };
        let at_ms = passage.at_ms.or(head.updated_ms);
        let date = at_ms.map(clock::shown).unwrap_or_default();
        sources.push((
            share,
            SessionSource {
                trust: Trust::Untrusted,
                agent: head.agent,
                session: head.id,
                title: head.title,
                event: passage.event,
                role: passage.role,
                date: date.get(..10).unwrap_or_default().to_owned(),
                passage: quote,
                share: (share * 100.0).round() as u8,
            },
        ));
    }
    sources.sort_by(|left, right| right.0.total_cmp(&left.0));
    sources.truncate(SHOWN);
    Ok(sources.into_iter().map(|(_, source)| source).collect())
}
