//! `acreta memory purge`.

use acreta_service::Failure;
use acreta_service::purge::{self, Purge, Purged};

use crate::args::PurgeArguments;
use crate::context::Context;
use crate::output::{count, json, line, talk};

pub(super) fn purge(arguments: &PurgeArguments, context: &Context) -> Result<(), Failure> {
    let request = Purge {
        session: arguments.session.clone(),
        agent: arguments.agent.clone(),
        since: arguments.since.clone(),
        source: arguments.source.clone(),
        dry_run: !arguments.yes,
    };
    let purged = purge::purge(&request, context)?;
    if context.json {
        json(&purged);
    } else {
        print(&purged);
    }
    Ok(())
}

fn print(purged: &Purged) {
    for scope in &purged.scopes {
        let report = &scope.report;
        let rows = [
            ("removed", &report.memories_removed),
            ("rewritten, others say it too", &report.memories_rewritten),
            ("kept, a person holds the text", &report.memories_kept),
            ("trace removed", &report.traces_removed),
            ("run folder removed", &report.run_folders_removed),
        ];
        for (what, paths) in rows {
            for path in paths {
                line(&format!("{}: {what}: {path}", scope.scope));
            }
        }
        talk(&format!(
            "{}: {} of evidence removed",
            scope.scope,
            count(report.evidence_removed, "piece", "pieces")
        ));
    }
    for session in &purged.sessions {
        line(&format!("session {session}"));
    }
    talk(&format!(
        "{} and {} removed with {}",
        count(purged.archives_removed, "archived copy", "archived copies"),
        count(purged.jobs_removed, "job", "jobs"),
        count(purged.sessions.len() as u64, "session", "sessions")
    ));
    if purged.dry_run {
        talk("nothing was changed: add `--yes` to do it");
    } else {
        talk("git history is not rewritten: what was committed before is still in it");
    }
}
