//! `acreta maintain`.

use acreta_service::Failure;
use acreta_service::remember::maintain::{
    self, Maintain, MaintainAction, MaintainRecord, MaintainReport,
};

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
            "run {} is undone; the same changes are not made again",
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
        let path = record.path.as_deref().unwrap_or(&record.memory_id);
        line(&format!(
            "{} {}",
            what(record.action, report.dry_run),
            record.title
        ));
        line(&format!("    {path}: {}", record.reason));
    }
    for conflict in &report.conflicts {
        let (newer, older) = (&conflict.newer, &conflict.older);
        line(&format!(
            "conflict   \"{}\" ({}) contradicts the older \"{}\" ({})",
            newer.title, newer.id, older.title, older.id
        ));
    }
    crate::spending::tell_maintenance(&report.metrics.llm);
    if !report.conflicts.is_empty() {
        talk("decide with `acreta review`");
    }
    let counts = counts(&report.actions);
    let counts = match (counts.is_empty(), report.dry_run) {
        (true, _) if report.conflicts.is_empty() => "everything is in order".to_owned(),
        (true, _) => "nothing to change".to_owned(),
        (false, true) => format!("dry run, nothing changed; would be: {counts}"),
        (false, false) => counts,
    };
    talk(&format!(
        "{counts} in {} ms; run {}",
        report.metrics.total_ms, report.run_id
    ));
    let changed = report.actions.len() as u64;
    if changed > 0 && !report.dry_run {
        talk(&format!(
            "{}; `acreta maintain --undo {}` undoes it",
            count(changed, "change", "changes"),
            report.run_id
        ));
    }
}

/// The actions in the order in which they are counted, with their participle.
const ACTIONS: [(MaintainAction, &str); 8] = [
    (MaintainAction::Merge, "merged"),
    (MaintainAction::Supersede, "superseded"),
    (MaintainAction::Archive, "archived"),
    (MaintainAction::Propose, "proposed"),
    (MaintainAction::Relate, "related"),
    (MaintainAction::Stale, "marked stale"),
    (MaintainAction::Fresh, "no longer stale"),
    (MaintainAction::Verify, "verified"),
];

/// Describes an action as done or, in a dry run, as planned.
fn what(action: MaintainAction, dry_run: bool) -> String {
    let done = ACTIONS.iter().find(|(known, _)| *known == action);
    let done = done.map_or("changed", |(_, done)| done);
    match dry_run {
        true => format!("would be {done}:"),
        false => format!("{done}:"),
    }
}

/// Counts each action; the sum is the number of lines.
fn counts(actions: &[MaintainRecord]) -> String {
    let each = ACTIONS.iter().filter_map(|(action, done)| {
        let records = actions.iter().filter(|record| record.action == *action);
        match records.count() {
            0 => None,
            number => Some(format!("{number} {done}")),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}
