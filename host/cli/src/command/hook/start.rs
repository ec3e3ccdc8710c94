//! `acreta hook session-start`.

use acreta_brief::{Changes, brief};
use acreta_service::Failure;
use acreta_service::clock::now_ms;
use acreta_sessions::Git;
use acreta_store::Layout;
use camino::Utf8Path;

use super::Said;
use super::form::Form;
use super::known::Known;
use crate::context::Context;
use crate::output::{json, raw};

/// Tokens of a brief, at the most.
const TOKENS: usize = 500;

/// Prints the brief for the directory of the session; nothing when there is nothing to tell.
pub(super) fn tell(said: &Said, form: Form, context: &Context) -> Result<(), Failure> {
    let layout = Layout::for_project(&context.project);
    if !layout.memory_root().is_dir() {
        raw(&form.of_brief(""));
        return Ok(());
    }
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    let mut known = Known::open(&layout, context)?;
    let head = Git::default().head(&context.project);
    let paths = changed(&known, head.as_deref(), context);
    let changes = Changes {
        last_session_ms: known.last_session_ms(),
        files: paths.len() as u64,
        paths,
    };
    let directory = Utf8Path::new(&said.cwd).strip_prefix(&context.project);
    let directory = directory.map_or("", Utf8Path::as_str);
    let candidates = known.candidates();
    let told = brief(&candidates, &changes, directory, now, TOKENS, &mut |line| {
        known.tokens(line)
    });
    known.note_session(now, head);
    let Some(brief) = told else {
        raw(&form.of_brief(""));
        return Ok(());
    };
    if context.json {
        json(&serde_json::json!({
            "text": brief.text,
            "memories": brief.ids,
            "tokens": brief.tokens,
        }));
    } else {
        raw(&form.of_brief(&brief.text));
    }
    Ok(())
}

/// What was committed since the last session here, by whomever; memory itself is told above.
fn changed(known: &Known, head: Option<&str>, context: &Context) -> Vec<String> {
    let Some(before) = known
        .head()
        .filter(|before| head.is_some_and(|head| head != *before))
    else {
        return Vec::new();
    };
    let paths = Git::default().changed_since(&context.project, before);
    let mut paths = paths.unwrap_or_default();
    paths.retain(|path| !path.starts_with(".acreta/"));
    paths
}
