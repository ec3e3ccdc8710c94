//! Runs a case and records every call, the host's and the plugin's own.
//!
//! The clock and the seed are the case's. A caller may change the clock: no line of a recording contains the time, so
//! the recording changes only if the plugin reads the clock and uses it in its output. A memory-writer's `now_ms` is
//! part of its input and does not change.

mod calls;
mod recorder;

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use acreta_types::{Job, PluginError, SharedModels, SharedSearch};
use serde::Serialize;
use serde_json::Value;

use crate::conformance::case::Case;
use crate::conformance::error::CaseError;
use crate::conformance::plugin::Plugin;
use crate::conformance::ports::Refusing;
use crate::conformance::recorded::Recorded;
use crate::conformance::recording::{FORMAT, ReplaySource, Tape};
use crate::conformance::stage::{DRAFT, STAGED};
use recorder::{RecordedLog, RecordedModels};

pub(crate) use calls::root_of;

/// Settings for running a case.
pub struct Run<'a> {
    /// A folder for copies and drafts.
    pub scratch: &'a Directory,
    pub clock: Clock,
    /// Answers while recording; not used while replaying.
    pub outside: Outside,
}

/// The time that the plugin sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    OfCase,
    /// Milliseconds since 1970 UTC.
    At(u64),
}

/// Services outside of a case.
#[derive(Clone, Default)]
pub struct Outside {
    /// The models of a run; without them every request is refused as without a grant.
    pub models: Option<SharedModels>,
    /// Search over the case's memory; without it the memory is searched by shared words.
    pub search: Option<SharedSearch>,
}

impl<'a> Run<'a> {
    /// Uses the case's own clock and no outside services.
    pub fn new(scratch: &'a Directory) -> Self {
        Self {
            scratch,
            clock: Clock::OfCase,
            outside: Outside::default(),
        }
    }
}

/// Runs a case and returns the recording; [`Case::keep`] writes it to disk. The plugin has to be loaded with
/// [`Case::settings`].
pub fn record(case: &Case, plugin: &Plugin, run: &Run<'_>) -> Result<Recorded, CaseError> {
    let (lines, broke) = play(case, plugin, run, ReplaySource::Live)?;
    if let Some(cause) = broke {
        return Err(CaseError::Broke {
            folder: case.folder().to_owned(),
            cause: Box::new(cause),
        });
    }
    // Paths of this machine must not enter the recording.
    let scratch = run.scratch.path();
    let places = [
        case.folder().to_string(),
        format!("{scratch}/{STAGED}-"),
        format!("{scratch}/{DRAFT}-"),
    ];
    let names_one = |line: &String| places.iter().any(|place| line.contains(place));
    if let Some(index) = lines.iter().position(names_one) {
        return Err(CaseError::NamesMachine {
            folder: case.folder().to_owned(),
            line: index + 1,
        });
    }
    Ok(Recorded { lines })
}

/// The first line: everything that the rest depends on.
#[derive(Serialize)]
struct RecordingHeader<'a> {
    format: u32,
    role: &'static str,
    settings: &'a BTreeMap<String, Value>,
    /// SHA-256 of each input.
    inputs: BTreeMap<String, String>,
}

/// Returns all lines, and the first call that broke down.
pub(crate) fn play(
    case: &Case,
    plugin: &Plugin,
    run: &Run<'_>,
    source: ReplaySource,
) -> Result<(Vec<String>, Option<PluginError>), CaseError> {
    if case.role != plugin.role() {
        return Err(CaseError::WrongRole {
            folder: case.folder().to_owned(),
            case: case.role,
            plugin: plugin.info().id.clone(),
            role: plugin.role(),
        });
    }
    let tape = Arc::new(Tape::new(source));
    let inputs = case
        .input
        .digests(&case.directory)
        .map_err(|cause| case.fs(cause))?;
    tape.told(
        "case",
        RecordingHeader {
            format: FORMAT,
            role: case.role.name(),
            settings: &case.settings,
            inputs,
        },
    );
    let asks_models = matches!(plugin, Plugin::Extractor(_) | Plugin::Explorer(_));
    let job = Job {
        now_ms: match run.clock {
            Clock::OfCase => case.now_ms,
            Clock::At(now_ms) => now_ms,
        },
        seed: case.seed,
        log: Arc::new(RecordedLog(Arc::clone(&tape))),
        models: asks_models.then(|| {
            let inner = run.outside.models.clone();
            let inner = inner.unwrap_or_else(|| Arc::new(Refusing::default()));
            Arc::new(RecordedModels::new(Arc::clone(&tape), inner)) as SharedModels
        }),
    };
    calls::run(case, plugin, run, &job, &tape)?;
    Ok(tape.finish())
}
