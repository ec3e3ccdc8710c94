//! `acreta memory purge`.

use acreta_service::remember::purge::{self, Purge, Purged};
use acreta_service::{Failure, Kind};

use crate::args::PurgeArguments;
use crate::context::Context;
use crate::output::{count, json, line, talk};

pub(super) fn purge(arguments: &PurgeArguments, context: &Context) -> Result<(), Failure> {
    let request = Purge {
        session: arguments.session.clone(),
        agent: arguments.agent.clone(),
        since: arguments.since.clone(),
        source: arguments.source.clone(),
        also_unseen: false,
        dry_run: !arguments.yes,
    };
    let purged = purge::purge(&request, context)?;
    if context.json {
        json(&purged);
    } else {
        print_purged(&purged);
    }
    match purged.is_empty() {
        true => Err(
            Failure::new(Kind::Missing, "nothing here is from that source")
                .hint("`acreta sessions list` shows the sessions with their ids"),
        ),
        false => Ok(()),
    }
}

pub(crate) fn print_purged(purged: &Purged) {
    let done = |what: &str| match purged.dry_run {
        true => format!("would be {what}"),
        false => what.to_owned(),
    };
    for scope in &purged.scopes {
        let report = &scope.report;
        let memories = [
            ("removed", &report.memories_removed),
            ("rewritten, others say it too", &report.memories_rewritten),
            ("kept, a person holds the text", &report.memories_kept),
        ];
        for (what, paths) in memories {
            for path in paths {
                let title = report.titles.get(path).map_or("", String::as_str);
                line(&format!("{}: {}: {title}", scope.scope, done(what)));
                line(&format!("    {path}"));
            }
        }
        let files = [
            ("trace", &report.traces_removed),
            ("run folder", &report.run_folders_removed),
        ];
        for (what, paths) in files {
            for path in paths {
                line(&format!(
                    "{}: {what} {}: {path}",
                    scope.scope,
                    done("removed")
                ));
            }
        }
        talk(&format!(
            "{}: {} of evidence {}",
            scope.scope,
            count(report.evidence_removed, "piece", "pieces"),
            done("removed")
        ));
    }
    for session in &purged.sessions {
        line(&format!("session {}: {session}", done("removed")));
    }
    if purged.pending_removed > 0 {
        talk(&format!(
            "{} {}",
            count(purged.pending_removed, "pending record", "pending records"),
            done("removed")
        ));
    }
    talk(&format!(
        "{} and {} {} with {}",
        count(purged.archives_removed, "archived copy", "archived copies"),
        count(purged.jobs_removed, "job", "jobs"),
        done("removed"),
        count(purged.sessions.len() as u64, "session", "sessions")
    ));
    for file in &purged.remaining {
        talk(&format!(
            "`{file}` is the agent's own file: acreta leaves it alone and does not read it again, except with `acreta run`"
        ));
    }
    if purged.dry_run {
        talk("nothing was changed: add `--yes` to do it");
    } else {
        talk("git history is not rewritten: what was committed before is still in it");
    }
}
