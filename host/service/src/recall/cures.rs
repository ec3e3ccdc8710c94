//! Cures of failed commands from earlier sessions of a project: offered by the hook on failures, listed by `sessions
//! cures`.
//!
//! A cure is a command line that an agent ran here itself, returned as data. A lookup reads a few rows of the state
//! database and no session. `host/cures` defines cures, and a sync collects them.

use acreta_state::{Catalog, ProjectId, StoredCure};
use serde::Serialize;

use crate::{Context, Failure, projects::scopes};

/// Minimum number of successes; a single one may be a coincidence.
const CONVINCING: u64 = 2;

/// A cure of an earlier failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cure {
    /// The command line that failed.
    pub failed: String,
    /// The command lines that cured it, in order.
    pub commands: Vec<String>,
    /// `agent/id` of the latest session with this cure.
    pub session: String,
    pub at_ms: Option<u64>,
    /// Number of times these commands cured it.
    pub times: u64,
}

/// A known cure, offered or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownCure {
    #[serde(flatten)]
    pub cure: Cure,
    /// The cure is offered when the failure occurs again. Otherwise it has to work a second time first.
    pub is_offered: bool,
}

/// Looks up how earlier sessions of this project cured a failed command. `session` is the id of the session in which it
/// failed, whose own cures are left out; `output` is the output of the command.
pub fn cure_for(
    context: &Context,
    session: &str,
    command: &str,
    output: &str,
) -> Result<Option<Cure>, Failure> {
    let signatures = acreta_cures::signatures(command, output);
    if signatures.is_empty() {
        return Ok(None);
    }
    let Some((catalog, project)) = registered(context)? else {
        return Ok(None);
    };
    let tried = acreta_cures::command_key(command);
    let rows = catalog.cures_of(project, &signatures)?;
    let fitting = rows.into_iter().filter(|row| {
        let cure = &row.cure;
        let keys = cure
            .commands
            .iter()
            .map(|line| acreta_cures::command_key(line));
        row.session.id != session
            && cure
                .commands
                .iter()
                .all(|line| acreta_cures::may_be_offered(line))
            && acreta_cures::specifics_are_in(&cure.specifics, command, output)
            && keys.into_iter().all(|key| key != tried)
    });
    let known = grouped(fitting, |_| String::new());
    let offered = known.into_iter().filter(|known| known.is_offered);
    let best = offered.max_by_key(|known| (known.cure.times, known.cure.at_ms));
    Ok(best.map(|known| known.cure))
}

/// Lists the cures from the project's sessions, newest first.
pub fn list(context: &Context) -> Result<Vec<KnownCure>, Failure> {
    let Some((catalog, project)) = registered(context)? else {
        return Ok(Vec::new());
    };
    let rows = catalog.cures(project)?;
    Ok(grouped(rows, |row| {
        acreta_cures::command_key(&row.cure.failed)
    }))
}

fn registered(
    context: &Context,
) -> Result<Option<(impl std::ops::Deref<Target = Catalog>, ProjectId)>, Failure> {
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(None);
    };
    let project = catalog.project_at(&context.project)?;
    let project = project.filter(|project| project.registered);
    Ok(project.map(|project| (catalog, project.id)))
}

/// Groups rows with the same commands and the same `aim`, with session and time of the newest, which comes first.
fn grouped(
    rows: impl IntoIterator<Item = StoredCure>,
    aim: impl Fn(&StoredCure) -> String,
) -> Vec<KnownCure> {
    let mut groups: Vec<(String, KnownCure)> = Vec::new();
    for row in rows {
        let mut key = aim(&row);
        for line in &row.cure.commands {
            key.push('\n');
            key.push_str(&acreta_cures::command_key(line));
        }
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => {
                // The shortest form: without a change of folder or a filter of the output.
                let length = |commands: &[String]| commands.iter().map(String::len).sum::<usize>();
                if length(&row.cure.commands) < length(&known.cure.commands) {
                    known.cure.commands = row.cure.commands;
                    known.cure.failed = row.cure.failed;
                }
                known.cure.times += 1;
                known.is_offered |= row.cure.is_sure || known.cure.times >= CONVINCING;
            }
            None => {
                let known = KnownCure {
                    is_offered: row.cure.is_sure,
                    cure: Cure {
                        failed: row.cure.failed,
                        commands: row.cure.commands,
                        session: row.session.to_string(),
                        at_ms: row.cure.at_ms,
                        times: 1,
                    },
                };
                groups.push((key, known));
            }
        }
    }
    groups.into_iter().map(|(_, known)| known).collect()
}
