//! Asks adapters which sessions are in the changed files, and stores the answers. A file that cannot be read affects
//! only itself; the next sync asks again.

use std::sync::LazyLock;

use acreta_session_archive::clean_session;
use acreta_state::{Catalog, Discovery, Finding, Found as FoundSession, SessionChange};
use acreta_types::Session;
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::SyncError;
use crate::find::{ChangedFile, DiskState, job};
use crate::options::SyncOptions;
use crate::parallel;
use crate::report::SyncReport;
use crate::workshop::{Pass, Stage, SyncEnvironment, Watcher};

/// Number of files per transaction.
const CHUNK: usize = 256;

/// Reads every changed file and updates the catalog.
pub(crate) fn look(
    catalog: &Catalog,
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    pass: Pass,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    for (adapter, gone) in &found.gone {
        catalog.forget_files(adapter, gone, workshop.now_ms())?;
    }
    let is_of_pass = |file: &&ChangedFile| pass.has(&found.agents[file.agent].name);
    let total = found.changed.iter().filter(is_of_pass).count();
    watcher.begin(Stage::Look, total as u64);
    for (index, agent) in found.agents.iter().enumerate() {
        if !pass.has(&agent.name) {
            continue;
        }
        let files: Vec<&ChangedFile> = found
            .changed
            .iter()
            .filter(|file| file.agent == index)
            .collect();
        for chunk in files.chunks(CHUNK) {
            if watcher.is_interrupted() {
                report.interrupted = true;
                return Ok(());
            }
            let mut discoveries = ask(options, workshop, watcher, found, index, chunk);
            if watcher.is_interrupted() {
                // A plugin that was stopped says nothing about the file.
                discoveries.retain(|discovery| !matches!(discovery.finding, Finding::Failed(_)));
            }
            watcher.fault_point("looked");
            for discovery in &discoveries {
                if let Finding::Failed(message) = &discovery.finding {
                    report.problem(&agent.name, discovery.path.clone(), message.clone());
                }
            }
            let recorded = catalog.record(&agent.adapter, &discoveries, found.looked_ms)?;
            watcher.fault_point("recorded");
            for recorded in recorded {
                if matches!(recorded.change, SessionChange::New | SessionChange::Changed) {
                    report.discovered += 1;
                    report.agent(&recorded.session.agent).discovered += 1;
                }
            }
        }
    }
    Ok(())
}

fn ask(
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    index: usize,
    files: &[&ChangedFile],
) -> Vec<Discovery> {
    let agent = &found.agents[index];
    let preopens = agent.preopens();
    let adapter = LazyLock::new(|| workshop.adapter(&agent.adapter));
    parallel::map(options.workers, files, |file| {
        // An adapter takes milliseconds to say that.
        let asked = (!is_empty(file)).then(|| &*adapter);
        let finding = match asked {
            None => Finding::Nothing,
            Some(Ok(adapter)) => {
                let call = adapter.sessions(&job(workshop.now_ms()), &preopens, &file.guest_path);
                match call.result {
                    Ok(sessions) => sessions_of(sessions, file, options),
                    Err(error) => {
                        let message = error.to_string();
                        Finding::Failed(options.redactor.redact(&message).text.into_owned())
                    }
                }
            }
            Some(Err(message)) => Finding::Failed(message.clone()),
        };
        watcher.advance(Stage::Look, file.path.as_str());
        Discovery {
            path: file.path.clone(),
            stamp: file.stamp,
            finding,
        }
    })
}

/// Reports whether there is nothing in a file of lines. A database may be empty while its log is not.
fn is_empty(file: &ChangedFile) -> bool {
    file.stamp.bytes == 0 && matches!(file.path.extension(), Some("json" | "jsonl"))
}

fn sessions_of(sessions: Vec<Session>, file: &ChangedFile, options: &SyncOptions) -> Finding {
    let foreign =
        |session: &Session| !is_own(session, options) && !options.excluded.has_session(session);
    let clean = |mut session: Session| {
        clean_session(&mut session, &options.redactor);
        FoundSession {
            session,
            root: file.root.clone(),
        }
    };
    let sessions: Vec<FoundSession> = sessions.into_iter().filter(foreign).map(clean).collect();
    if sessions.is_empty() {
        Finding::Nothing
    } else {
        Finding::Sessions(sessions)
    }
}

/// Returns true if a session is acreta's own work: it ran in one of acreta's folders, or in that of a project.
fn is_own(session: &Session, options: &SyncOptions) -> bool {
    session.project_dir.as_ref().is_some_and(|directory| {
        let directory = Utf8Path::new(directory);
        // Agents record their directory with links resolved.
        let is_within = |own: &Utf8PathBuf| {
            directory.starts_with(own)
                || acreta_fs::canonical(own).is_ok_and(|own| directory.starts_with(own))
        };
        options.own_folders.iter().any(is_within)
            || directory
                .components()
                .any(|part| part.as_str() == ".acreta")
    })
}
