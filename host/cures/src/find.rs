//! Finds the commands that cured a failure: those that the agent ran between the failure and the next success of the
//! failed command, or that command in a corrected form.

use acreta_types::CureRecord;

use crate::change::{includes, is_corrected};
use crate::commands::{is_look, is_of_the_moment, is_search, names_file, provides, puts_in_shape};
use crate::safety::may_be_offered;
use crate::signature::{Causes, specifics};
use crate::steps::{CommandEnd, CommandRun, SessionStep};
use crate::wording::{is_of_environment, is_of_form};

/// Steps and time after which a success is no longer related to a failure.
const REACH: usize = 40;
const REACH_MS: u64 = 30 * 60 * 1000;
/// Number of commands after a failure among which a corrected one counts.
const NEAR: usize = 8;
/// Maximum number of commands of one cure.
const MOST_COMMANDS: usize = 2;

pub(crate) fn cures(steps: &[SessionStep]) -> Vec<CureRecord> {
    let found = (0..steps.len()).filter_map(|at| match &steps[at] {
        SessionStep::Command(ran) => cure_of(ran, &steps[at + 1..]),
        _ => None,
    });
    found.collect()
}

fn cure_of(failed: &CommandRun, later: &[SessionStep]) -> Option<CureRecord> {
    let CommandEnd::Failed { causes, signatures } = &failed.end else {
        return None;
    };
    if signatures.is_empty() || is_search(&failed.line) || failed.line.has_document {
        return None;
    }
    let mut between = SinceFailure::default();
    let mut commands = 0;
    for step in later.iter().take(REACH) {
        let ran = match step {
            // The person may have cured it.
            SessionStep::Person => return None,
            SessionStep::Changed => {
                between.is_changed = true;
                continue;
            }
            SessionStep::Command(ran) => ran,
        };
        if is_too_late(failed, ran) {
            return None;
        }
        commands += 1;
        match &ran.end {
            CommandEnd::Failed {
                signatures: again, ..
            } => {
                // The later failure gets the cure, if there is one.
                if again == signatures && ran.line.work() == failed.line.work() {
                    return None;
                }
                between.is_changed |= is_of_the_moment(&ran.line);
            }
            CommandEnd::Unfinished => {}
            CommandEnd::Unclear => between.is_changed |= !is_look(&ran.line),
            CommandEnd::Good if includes(&ran.line, &failed.line) => {
                let chosen = between.chosen(ran, failed, causes)?;
                return found(
                    failed,
                    signatures,
                    causes,
                    &chosen,
                    true_cause(&chosen, failed, causes),
                );
            }
            CommandEnd::Good => {
                let is_near = commands <= NEAR && !between.is_changed;
                if is_near && is_corrected(&failed.line, &ran.line, causes) {
                    return found(failed, signatures, causes, &[ran], true);
                }
                between.add(ran);
            }
        }
    }
    None
}

fn is_too_late(failed: &CommandRun, ran: &CommandRun) -> bool {
    let times = failed.at_ms.zip(ran.at_ms);
    times.is_some_and(|(before, after)| after.saturating_sub(before) > REACH_MS)
}

/// Actions since a failure.
#[derive(Default)]
struct SinceFailure<'a> {
    /// Something was changed by hand or in an unknown way.
    is_changed: bool,
    commands: Vec<&'a CommandRun>,
}

impl<'a> SinceFailure<'a> {
    fn add(&mut self, ran: &'a CommandRun) {
        if is_of_the_moment(&ran.line) {
            self.is_changed = true;
        } else if !is_look(&ran.line)
            && !self
                .commands
                .iter()
                .any(|one| one.line.work() == ran.line.work())
        {
            self.commands.push(ran);
        }
    }

    /// Returns the commands that cured the failure, if nothing else can have done it.
    fn chosen(
        mut self,
        success: &'a CommandRun,
        failed: &CommandRun,
        causes: &Causes,
    ) -> Option<Vec<&'a CommandRun>> {
        // Commands before it in the same line.
        if success.line.work().len() > failed.line.work().len() {
            self.is_changed |= is_of_the_moment(&success.line);
            self.commands.push(success);
        }
        let telling: Vec<&CommandRun> = (self.commands.iter().copied())
            .filter(|ran| is_known_cure(ran, failed, causes))
            .collect();
        let chosen = match self.is_changed {
            // Edits do not install a missing dependency; they may do anything else.
            true if is_of_environment(&causes.raw) => telling,
            true => return None,
            false if telling.is_empty() => self.commands,
            false => telling,
        };
        (1..=MOST_COMMANDS)
            .contains(&chosen.len())
            .then_some(chosen)
    }
}

/// Reports whether a command is of a kind that is known to cure such a failure.
fn is_known_cure(ran: &CommandRun, failed: &CommandRun, causes: &Causes) -> bool {
    let mut work = ran.line.work();
    if includes(&ran.line, &failed.line) {
        work.truncate(work.len() - failed.line.work().len());
    }
    (is_of_environment(&causes.raw) && provides(&work))
        || (is_of_form(&causes.raw) && puts_in_shape(&work) && !names_file(&work))
}

fn true_cause(chosen: &[&CommandRun], failed: &CommandRun, causes: &Causes) -> bool {
    chosen.iter().all(|ran| is_known_cure(ran, failed, causes))
}

fn found(
    failed: &CommandRun,
    signatures: &[String],
    causes: &Causes,
    chosen: &[&CommandRun],
    is_sure: bool,
) -> Option<CureRecord> {
    if !chosen
        .iter()
        .all(|ran| may_be_offered(&ran.text, &ran.line))
    {
        return None;
    }
    let mut needed = Vec::new();
    for ran in chosen {
        needed.extend(specifics(&ran.line, &failed.line, causes));
    }
    needed.sort_unstable();
    needed.dedup();
    Some(CureRecord {
        signatures: signatures.to_vec(),
        failed: failed.text.clone(),
        commands: chosen
            .iter()
            .map(|ran| in_same_folder(&failed.text, &ran.text).to_owned())
            .collect(),
        specifics: needed,
        is_sure,
        event_id: failed.event_id.clone(),
        at_ms: chosen.last().and_then(|ran| ran.at_ms),
    })
}

/// Removes the initial change of folder that the failed line also has: whoever meets the failure again is already in
/// that folder.
fn in_same_folder<'a>(failed: &str, cure: &'a str) -> &'a str {
    let end = failed.find("&& ").filter(|_| failed.starts_with("cd "));
    let folder = end.map_or("", |end| &failed[..end + 3]);
    cure.strip_prefix(folder).unwrap_or(cure)
}
