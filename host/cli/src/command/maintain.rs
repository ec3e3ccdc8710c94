//! `acreta maintain`.

use acreta_service::Failure;
use acreta_service::maintain::{self, Maintain, MaintainAction, MaintainReport};

use crate::args::MaintainArguments;
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;

pub(crate) fn run(arguments: &MaintainArguments, context: &Context) -> Result<(), Failure> {
    if let Some(run) = &arguments.undo {
        let report = maintain::undo(run, arguments.scope.into(), context)?;
        if context.json {
            json(&report);
            return Ok(());
        }
        for path in &report.restored {
            line(&format!("~ {path}"));
        }
        for path in &report.removed {
            line(&format!("- {path}"));
        }
        talk(&format!(
            "run {} is undone; the same is not done again",
            report.run_id
        ));
        return Ok(());
    }
    let request = Maintain {
        scope: arguments.scope.into(),
        since: arguments.since.clone(),
        dry_run: arguments.dry_run,
    };
    let progress = Terminal::new();
    let report = maintain::maintain(&request, context, &progress);
    progress.done();
    let report = report?;
    if context.json {
        json(&report);
    } else {
        print(&report);
    }
    Ok(())
}

fn print(report: &MaintainReport) {
    for record in &report.actions {
        let sign = match record.action {
            MaintainAction::Merge => "merged    ",
            MaintainAction::Supersede => "superseded",
            MaintainAction::Archive => "archived  ",
            MaintainAction::Propose => "proposed  ",
            MaintainAction::Relate => "related   ",
            MaintainAction::Stale => "stale     ",
            MaintainAction::Fresh => "fresh     ",
            MaintainAction::Verify => "verified  ",
        };
        let path = record.path.as_deref().unwrap_or(&record.memory_id);
        line(&format!("{sign} {path}  {}", record.reason));
    }
    for conflict in &report.conflicts {
        let (newer, older) = (&conflict.newer, &conflict.older);
        line(&format!(
            "conflict   \"{}\" ({}) contradicts the older \"{}\" ({})",
            newer.title, newer.id, older.title, older.id
        ));
    }
    crate::spending::tell_maintenance(&report.metrics.llm);
    if let Some(conflict) = report.conflicts.first() {
        talk(&format!(
            "decide what holds: `acreta memory archive {}` puts the older one away",
            conflict.older.id
        ));
    }
    if report.actions.is_empty() && report.conflicts.is_empty() {
        talk("everything is in order");
    }
    let counts = &report.counts;
    talk(&format!(
        "{}{} merged, {} superseded, {} archived, {} proposed, {} stale in {} ms; run {}",
        if report.dry_run {
            "dry run, nothing changed: "
        } else {
            ""
        },
        counts.merged,
        counts.superseded,
        counts.archived,
        counts.proposed,
        counts.stale,
        report.metrics.total_ms,
        report.run_id
    ));
    let changed = report.actions.len() as u64;
    if changed > 0 && !report.dry_run {
        talk(&format!(
            "{}; `acreta maintain --undo {}` takes it back",
            count(changed, "change", "changes"),
            report.run_id
        ));
    }
}
