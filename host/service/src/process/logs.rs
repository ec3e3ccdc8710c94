//! The log: the last lines written by all processes of this user, and all events of one request, run or job: `logs`.

use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_state::{Catalog, EventFilter, EventIdKind};
use acreta_telemetry::Row;
use camino::{Utf8Path, Utf8PathBuf};

use crate::learn::runs::EventRow;
use crate::process::events::JOB;
use crate::{Context, Failure, Kind, projects::scopes};

/// Folder of logs in acreta's folder, and the log that every process writes.
pub const LOGS: &str = "logs";
pub const LOG: &str = "acreta.log";

/// Maximum size of a log whose lines are removed; purging a session fails on a larger one.
const PURGED_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum wait for a process that rotates the log.
const ROTATION_WAIT: Duration = Duration::from_secs(5);

/// Maximum bytes that are read for the last lines of a log.
const LOG_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum number of ids that are listed if a prefix is ambiguous.
const NAMED_IDS: u64 = 5;

/// Prefix of the id of a daemon's job; the id of its request follows, then a number.
const DAEMON_JOB: &str = "job-";

/// The subject of a query, by id or unique prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    Request(String),
    Run(String),
    Job(String),
}

/// Returns the path of the log of all processes.
pub fn path(context: &Context) -> Utf8PathBuf {
    context.home.folder().join(LOGS).join(LOG)
}

/// Returns the last lines of a log, and their end position in the file.
pub fn tail(path: &Utf8Path, lines: usize) -> Result<(Vec<String>, u64), Failure> {
    let (text, end) = read_from(path, None)?;
    let all: Vec<&str> = text.lines().collect();
    let last = &all[all.len().saturating_sub(lines)..];
    Ok((last.iter().map(|line| (*line).to_owned()).collect(), end))
}

/// Returns whole lines after a position of a log, and their end position. A rotated log is read from the beginning of
/// the new file.
pub fn lines_after(path: &Utf8Path, place: u64) -> Result<(Vec<String>, u64), Failure> {
    let (text, end) = read_from(path, Some(place))?;
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let lines = text[..whole].lines().map(str::to_owned).collect();
    Ok((lines, end - (text.len() - whole) as u64))
}

/// Removes every line from the logs that contains one of these ids. No process rotates the log meanwhile.
pub fn forget_in_logs(context: &Context, ids: &[String]) -> Result<(), Failure> {
    let folder = context.home.folder().join(LOGS);
    if ids.is_empty() || !folder.is_dir() {
        return Ok(());
    }
    let directory = Directory::open(&folder, NoFaults::shared())?.private();
    let lock = acreta_telemetry::rotation_lock(LOG);
    let _no_rotation = directory.lock(&lock, ROTATION_WAIT)?;
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        if !name.starts_with(LOG) || name == lock {
            continue;
        }
        let bytes = directory.read(name, PURGED_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_kept = |line: &&str| !ids.iter().any(|id| line.contains(id.as_str()));
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        if kept != text {
            directory.replace(name, kept.as_bytes())?;
        }
    }
    Ok(())
}

/// Returns every event of a request, run or job, oldest first.
pub fn about(about: &About, context: &Context) -> Result<Vec<EventRow>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let mut rows = match about {
        About::Request(id) => of_request(&catalog, one(&catalog, EventIdKind::Request, id)?)?,
        About::Run(id) => {
            let run_id = Some(one(&catalog, EventIdKind::Run, id)?);
            events(&catalog, run_id, None, None)?
        }
        About::Job(id) => {
            let id = one(&catalog, EventIdKind::Job, id)?;
            let mut rows = events(&catalog, None, None, Some(id.clone()))?;
            // A job of the daemon is a separate process, which works for the same request.
            if let Some(request) = request_of(&id) {
                rows.extend(of_request(&catalog, request)?);
            }
            rows
        }
    };
    rows.sort_by_key(|row| row.seq);
    rows.dedup_by_key(|row| row.seq);
    Ok(rows)
}

/// Formats an event as a log line.
pub fn line(row: &EventRow) -> String {
    let mut fields = row.fields.clone();
    let job = fields.remove(JOB);
    let row = Row {
        at_ms: row.at_ms,
        level: row.level,
        kind: row.kind,
        name: row.name.clone(),
        run_id: row.run_id.clone(),
        request_id: row.request_id.clone(),
        job_id: job.and_then(|job| job.as_str().map(str::to_owned)),
        project: row.project.clone(),
        fields,
    };
    acreta_telemetry::line(&row).trim_end().to_owned()
}

fn of_request(catalog: &Catalog, request: String) -> Result<Vec<EventRow>, Failure> {
    events(catalog, None, Some(request), None)
}

fn events(
    catalog: &Catalog,
    run_id: Option<String>,
    request_id: Option<String>,
    job_id: Option<String>,
) -> Result<Vec<EventRow>, Failure> {
    let events = catalog.events(&EventFilter {
        run_id,
        request_id,
        job_id,
        ..EventFilter::default()
    })?;
    Ok(events.into_iter().map(EventRow::from).collect())
}

/// Returns `r-1` of `job-r-1-7`.
fn request_of(job: &str) -> Option<String> {
    let (request, _number) = job.strip_prefix(DAEMON_JOB)?.rsplit_once('-')?;
    Some(request.to_owned())
}

/// Returns the only id with this prefix.
fn one(catalog: &Catalog, kind: EventIdKind, prefix: &str) -> Result<String, Failure> {
    let what = match kind {
        EventIdKind::Run => "run",
        EventIdKind::Request => "request",
        EventIdKind::Job => "job",
    };
    let mut ids = catalog.event_ids(kind, prefix, NAMED_IDS)?;
    // A complete id is exact, even if it is a prefix of others.
    if ids.len() == 1 || ids.first().is_some_and(|id| id == prefix) {
        return Ok(ids.swap_remove(0));
    }
    if ids.is_empty() {
        let message = format!("no events of {what} `{prefix}`");
        let hint = "events are kept for 30 days, the newest 50,000 of them";
        return Err(Failure::new(Kind::Missing, message).hint(hint));
    }
    let message = format!("`{prefix}` matches several {what}s: {}", ids.join(", "));
    Err(Failure::new(Kind::Usage, message))
}

/// Returns the text of a log from a position on, or its last megabytes, and its length. A position after the end
/// belongs to a rotated file.
fn read_from(path: &Utf8Path, place: Option<u64>) -> Result<(String, u64), Failure> {
    let failed = |error: std::io::Error| {
        let message = format!("`{path}` cannot be read: {error}");
        Failure::new(Kind::Missing, message).hint("the first sync or `acreta up` starts it")
    };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let start = match place {
        Some(place) if place <= size => place,
        Some(_) => 0,
        None => size.saturating_sub(LOG_BYTES),
    };
    file.seek(SeekFrom::Start(start)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LOG_BYTES)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let end = start + bytes.len() as u64;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemons_job_names_its_request() {
        for (job, request) in [
            ("job-1a1e390c2da-3-2", Some("1a1e390c2da-3")),
            ("job-my-own.id-17", Some("my-own.id")),
            ("01JQUEUE", None),
            ("job-", None),
        ] {
            assert_eq!(request_of(job).as_deref(), request, "{job}");
        }
    }
}
