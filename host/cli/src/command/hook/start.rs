//! `acreta hook session-start`.

use acreta_brief::{Changes, brief};
use acreta_git::GitRepository;
use acreta_service::Failure;
use acreta_service::clock::now_ms;
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
    let layout = context.layout(&context.project);
    if !layout.has_memory()? {
        raw(&form.of_brief(""));
        return Ok(());
    }
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    let mut known = Known::open(&layout, context)?;
    let repository = GitRepository::at(&context.project).ok();
    let head = repository.as_ref().and_then(GitRepository::head);
    let paths = changed(&known, repository.as_ref(), head.as_deref());
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
fn changed(known: &Known, repository: Option<&GitRepository>, head: Option<&str>) -> Vec<String> {
    let (Some(repository), Some(before), Some(head)) = (repository, known.head(), head) else {
        return Vec::new();
    };
    if before == head {
        return Vec::new();
    }
    let paths = repository.changed_between(before, head);
    let mut paths = paths.unwrap_or_default();
    paths.retain(|path| !path.starts_with(".acreta/"));
    paths
}
