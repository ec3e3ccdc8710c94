//! `acreta hook session-start`.

use acreta_service::recall::SessionKey;
use acreta_service::{Failure, recall::lifecycle};
use camino::Utf8Path;

use super::HookInput;
use super::form::{HookFormat, shows_messages};
use crate::context::Context;
use crate::output::{json, raw};

/// Prints the brief for the session's directory and, at most once a day, how many items wait for the person. Prints
/// nothing if there is neither.
pub(super) fn print_brief(
    said: &HookInput,
    session: &SessionKey,
    form: HookFormat,
    context: &Context,
) -> Result<(), Failure> {
    let notes = match said.is_compacted() {
        true => lifecycle::waiting_notes(session, context)?,
        false => Vec::new(),
    };
    let brief = lifecycle::start(Utf8Path::new(&said.cwd), session, notes, context)?;
    let is_shown = shows_messages(Some(&session.agent)) && !context.json;
    let message = is_shown.then(|| lifecycle::reminder(context)).flatten();
    let message = message.as_deref();
    match brief {
        None => raw(&form.of_start("", message)),
        Some(brief) if context.json => json(&serde_json::json!({
            "text": brief.text,
            "memories": brief.lines.iter().map(|line| &line.id).collect::<Vec<_>>(),
            "lines": brief.lines,
            "left_out": brief.left_out,
            "tokens": brief.tokens,
        })),
        Some(brief) => raw(&form.of_start(&brief.text, message)),
    }
    Ok(())
}
