//! Sessions that wait for a model: which readings are repeated, when, and in which order. Nothing is retried before its
//! time, and nothing after the first failed attempt of a sync.

use acreta_pipeline::RunReport;
use acreta_state::{Catalog, NewReading, ProjectId, RereadFilter};
use acreta_types::{Reading, ReadingStrength, Shortfall};

use crate::error::SyncError;
use crate::options::SyncOptions;
use crate::workshop::{Scope, SyncEnvironment};

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// First wait after a failure without a retry time, doubled with each attempt up to a day.
const FIRST_WAIT_MS: u64 = 15 * MINUTE_MS;

/// Wait for a person to log in or to set a key. A retry costs nothing.
const PERSON_WAIT_MS: u64 = 5 * MINUTE_MS;

/// Returns when a session with `attempts` earlier incomplete readings may be read again.
pub fn retry_at_ms(shortfall: &Shortfall, attempts: u32, now_ms: u64) -> u64 {
    let wait = match shortfall.code.as_str() {
        "logged-out" | "no-key" => PERSON_WAIT_MS,
        // Budgets are per UTC day.
        "budget" => DAY_MS - now_ms % DAY_MS,
        _ => FIRST_WAIT_MS
            .saturating_mul(1 << attempts.min(20))
            .min(DAY_MS),
    };
    match shortfall.retry_at_ms {
        Some(at) if at > now_ms => at,
        _ => now_ms.saturating_add(wait),
    }
}

/// Converts the reading of a run for the catalog. `attempts` is the number of earlier incomplete readings.
pub(crate) fn reading_of(
    report: &RunReport,
    revision: &str,
    attempts: u32,
    now_ms: u64,
) -> NewReading {
    let Some(read) = &report.reading else {
        // The session is empty, or memory has a later state: reading it again gives nothing.
        return NewReading {
            revision: revision.to_owned(),
            reading: Reading::by_rules(),
            could_ask: true,
            run_id: report.run_id.clone(),
            waits: None,
            yields: false,
        };
    };
    let stays = read.yields_to.as_ref();
    // A complete reading by a model ends the wait.
    let is_read =
        stays.is_some_and(|stays| stays.complete && stays.strength == ReadingStrength::Model);
    let shortfall = read.shortfall.as_ref().filter(|_| !is_read);
    NewReading {
        revision: revision.to_owned(),
        reading: stays.unwrap_or(&read.reading).clone(),
        could_ask: read.could_ask || is_read,
        run_id: report.run_id.clone(),
        waits: shortfall
            .filter(|short| short.may_pass())
            .map(|short| (short.clone(), retry_at_ms(short, attempts, now_ms))),
        yields: stays.is_some() && !is_read && shortfall.is_none(),
    }
}

/// Returns the sessions that a sync may read again: those of registered projects whose sessions a model reads. `None`
/// if there is no such project.
pub(crate) fn rereads(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
) -> Result<Option<RereadFilter>, SyncError> {
    let selection = &options.selection;
    let mut filter = RereadFilter {
        projects: Vec::new(),
        agent: selection.agent.clone(),
        since_ms: selection.since_ms,
        until_ms: selection.until_ms,
        except: Vec::new(),
        catch_up: options.catch_up,
        here: true,
    };
    for project in catalog.projects()? {
        let scope = if project.root == options.global {
            Scope::Global
        } else {
            Scope::Project(project.root.clone())
        };
        if project.registered && project.root.is_dir() && workshop.has_model(&scope) {
            filter.projects.push(project.id);
        }
    }
    Ok((!filter.projects.is_empty()).then_some(filter))
}

/// Returns true if a session is due to be read again. Loads settings only if there may be one.
pub(crate) fn is_due(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
) -> Result<bool, SyncError> {
    let registered: Vec<ProjectId> = catalog
        .projects()?
        .into_iter()
        .filter(|project| project.registered && project.root.is_dir())
        .map(|project| project.id)
        .collect();
    let any = RereadFilter {
        projects: registered,
        catch_up: options.catch_up,
        here: true,
        ..RereadFilter::default()
    };
    let now_ms = workshop.now_ms();
    if catalog.next_reread(&any, now_ms)?.is_none() {
        return Ok(false);
    }
    let Some(filter) = rereads(catalog, options, workshop)? else {
        return Ok(false);
    };
    Ok(catalog.next_reread(&filter, now_ms)?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_its_own_patience() {
        const NOW: u64 = 1_900_000_000_000;
        let to_midnight = DAY_MS - NOW % DAY_MS;
        let table = [
            ("rate-limited", Some(NOW + 5), 0, 5),
            ("rate-limited", Some(NOW - 5), 0, FIRST_WAIT_MS),
            ("rate-limited", None, 0, FIRST_WAIT_MS),
            ("timeout", None, 2, 4 * FIRST_WAIT_MS),
            ("provider", None, 63, DAY_MS),
            ("logged-out", None, 9, PERSON_WAIT_MS),
            ("no-key", None, 0, PERSON_WAIT_MS),
            ("budget", None, 3, to_midnight),
            ("budget", Some(NOW + 7), 3, 7),
        ];
        for (code, given, attempts, expected) in table {
            let shortfall = Shortfall {
                code: code.to_owned(),
                reason: String::new(),
                model: String::new(),
                retry_at_ms: given,
            };
            let found = retry_at_ms(&shortfall, attempts, NOW) - NOW;
            assert_eq!(found, expected, "{code} after {attempts}");
        }
    }
}
