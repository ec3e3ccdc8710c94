//! What acreta offers at one moment of a session: the one place where the bench asks for it.

use acreta_service::cures::cure_for;
use acreta_service::search::{Search, search};
use serde::Serialize;

use crate::Outcome;
use crate::replay::learner::Learner;
use crate::replay::series::Recorded;

/// One thing that was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Offer {
    /// Tells it from others of the session: a memory's id, or the commands of a cure.
    pub(crate) id: String,
    pub(crate) text: String,
}

/// Hits that a prompt may get, and the least score of one.
const MOST: usize = 3;
const LEAST_SCORE: f32 = 6.0;

/// Stands in for recall on a prompt: the best hits of a search.
pub(crate) fn for_prompt(
    prompt: &str,
    _session: &Recorded,
    learner: &Learner,
) -> Outcome<Vec<Offer>> {
    let text: String = prompt
        .chars()
        .take(400)
        .filter(|one| !"\"*".contains(*one))
        .collect();
    let request = Search {
        text,
        limit: MOST,
        ..Search::default()
    };
    let found = search(&request, &learner.context).map_err(|failure| failure.to_string())?;
    let hits = found
        .hits
        .into_iter()
        .filter(|hit| hit.score >= LEAST_SCORE);
    Ok(hits
        .map(|hit| Offer {
            text: format!("{}: {}", hit.title, hit.snippet),
            id: hit.id,
        })
        .collect())
}

/// The cure that is offered after a failure.
pub(crate) fn for_failure(
    command: &str,
    output: &str,
    session: &Recorded,
    learner: &Learner,
) -> Outcome<Option<Offer>> {
    let cure = cure_for(&learner.context, &session.id, command, output);
    let cure = cure.map_err(|failure| failure.to_string())?;
    Ok(cure.map(|cure| {
        let commands = cure.commands.join("\n");
        Offer {
            text: format!(
                "after `{}` failed: {commands} ({} times, {})",
                cure.failed, cure.times, cure.session
            ),
            id: commands,
        }
    }))
}
