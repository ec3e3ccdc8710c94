//! Queries acreta for its offers at one moment of a session. Only this file of the bench does.

use acreta_service::recall::cures::cure_for;
use acreta_service::recall::{self, PromptRequest, SessionKey, refresh};
use serde::Serialize;

use crate::Outcome;
use crate::replay::learner::Learner;
use crate::replay::series::ReplaySession;

/// One thing that was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Offer {
    /// Unique in the session: a memory's id, or the commands of a cure.
    pub(crate) id: String,
    pub(crate) text: String,
}

/// Returns the memories that are recalled at a prompt. Updates the index first, as happens in the background of a
/// session.
pub(crate) fn for_prompt(
    prompt: &str,
    session: &ReplaySession,
    learner: &Learner,
) -> Outcome<Vec<Offer>> {
    let context = &learner.context;
    let request = PromptRequest {
        session: SessionKey::new(&session.agent, &session.id),
        prompt: prompt.to_owned(),
    };
    refresh(context).map_err(|failure| failure.to_string())?;
    let told = recall::prompt(&request, context).map_err(|failure| failure.to_string())?;
    // A line for each memory below the heading.
    let lines = told.text.lines().skip(1);
    Ok(told
        .memories
        .into_iter()
        .zip(lines)
        .map(|(id, line)| Offer {
            id,
            text: line.to_owned(),
        })
        .collect())
}

/// Returns the cure that is offered after a failure.
pub(crate) fn for_failure(
    command: &str,
    output: &str,
    session: &ReplaySession,
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
