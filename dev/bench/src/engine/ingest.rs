//! Normalise, redact and archive, as in a sync and a run, without deciding anything: every session file through its
//! adapter in the sandbox into a trace, and the raw file into the archive.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acreta_fs::{Directory, NoFaults};
use acreta_redact::Redactor;
use acreta_sandbox::{CodeKey, Sandbox, SandboxOptions, Settings};
use acreta_session_archive::{RawArchive, RescueAs, RescueLimits, TraceArchive, TraceLimits};
use acreta_types::{Adapter, Cursor, Limits, Preopen, SharedSink};
use camino::Utf8PathBuf;

use crate::Outcome;
use crate::engine::corpus::{all_files, corpus_folder};
use crate::engine::process::median;
use crate::engine::sandbox::{component, job};

const THREADS: usize = 2;
const ROUNDS: usize = 3;

/// Agents with one text file per session, which have nearly all of the bytes.
const AGENTS: [&str; 4] = ["claude", "codex", "copilot", "pi"];

pub(crate) struct Ingested {
    pub(crate) source: String,
    pub(crate) native_mb_s: f64,
    pub(crate) mb_s: f64,
    pub(crate) over_native: f64,
}

pub(crate) fn measure(scratch: &Path) -> Outcome<Ingested> {
    fs::create_dir_all(scratch)?;
    let folder = corpus_folder();
    let mut work = Vec::new();
    for agent in AGENTS {
        for file in all_files(&folder.join(agent))? {
            work.push((agent, file));
        }
    }
    let bytes: u64 = work
        .iter()
        .filter_map(|(_, file)| Some(fs::metadata(file).ok()?.len()))
        .sum();
    let ingest = Ingest::new(scratch)?;
    let (mut native, mut ours) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        native.push(timed(&work, |(_, file)| parse(file))?);
        let target = scratch.join(format!("round-{round}"));
        let target = IngestTarget::new(&target)?;
        ours.push(timed(&work, |(agent, file)| {
            ingest.one(agent, file, &target)
        })?);
    }
    let (native, ours) = (median(&mut native), median(&mut ours));
    let megabytes = bytes as f64 / 1e6;
    Ok(Ingested {
        source: format!("{} files, {megabytes:.1} MB, {THREADS} threads", work.len()),
        native_mb_s: megabytes / native.as_secs_f64(),
        mb_s: megabytes / ours.as_secs_f64(),
        over_native: ours.as_secs_f64() / native.as_secs_f64(),
    })
}

/// Measures all of the work with a few threads.
fn timed<T: Sync>(work: &[T], one: impl Fn(&T) -> Result<(), String> + Sync) -> Outcome<Duration> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let worker = || {
                while let Some(thing) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(message) = one(thing)
                        && let Ok(mut failed) = failed.lock()
                    {
                        *failed = Some(message);
                    }
                }
            };
            let _started = std::thread::Builder::new()
                .stack_size(8 << 20)
                .spawn_scoped(scope, worker);
        }
    });
    let elapsed = started.elapsed();
    match failed.into_inner() {
        Ok(None) => Ok(elapsed),
        Ok(Some(message)) => Err(message.into()),
        Err(error) => Err(error.to_string().into()),
    }
}

/// Does the minimum work of any reader of these files.
fn parse(file: &PathBuf) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let mut values = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        values += usize::from(serde_json::from_slice::<serde_json::Value>(line).is_ok());
    }
    std::hint::black_box(values);
    Ok(())
}

struct IngestTarget {
    traces: TraceArchive,
    raw: RawArchive,
}

impl IngestTarget {
    fn new(folder: &Path) -> Outcome<Self> {
        let folder = Utf8PathBuf::try_from(folder.to_owned())?;
        let open = |name: &str| Directory::open_or_create(&folder.join(name), NoFaults::shared());
        Ok(Self {
            traces: TraceArchive::new(&open("traces")?),
            raw: RawArchive::new(&open("raw")?),
        })
    }
}

struct Ingest {
    adapters: HashMap<&'static str, Arc<dyn Adapter>>,
    redactor: Arc<Redactor>,
}

impl Ingest {
    fn new(scratch: &Path) -> Outcome<Self> {
        let scratch = Utf8PathBuf::try_from(scratch.to_owned())?;
        let sandbox = Sandbox::new(&SandboxOptions {
            cache_dir: scratch.join("cache"),
            cache_key: CodeKey::Process,
            compiler: None,
            traps: None,
            scratch_dir: scratch.join("scratch"),
        })?;
        let mut adapters = HashMap::new();
        for agent in AGENTS {
            let id = format!("adapter-{agent}");
            let bytes = fs::read(component(&id)?)?;
            let plugin = sandbox.load(&id, &bytes[..], Limits::for_role, Settings::new())?;
            adapters.insert(agent, plugin.into_adapter()?);
        }
        Ok(Self {
            adapters,
            redactor: Arc::new(Redactor::new(&[])?),
        })
    }

    fn one(&self, agent: &str, file: &Path, target: &IngestTarget) -> Result<(), String> {
        let told = |error: &dyn std::error::Error| error.to_string();
        let adapter = &self.adapters[agent];
        let file = Utf8PathBuf::try_from(file.to_owned()).map_err(|error| told(&error))?;
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
            return Ok(());
        };
        let roots = [Preopen {
            host: folder.to_owned(),
            guest: "/trace".to_owned(),
        }];
        let path = format!("/trace/{name}");
        let sessions = adapter.sessions(&job(), &roots, &path).result;
        let Some(session) = sessions.map_err(|error| told(&error))?.into_iter().next() else {
            return Ok(());
        };
        let rescue = RescueAs::Raw(&self.redactor);
        target
            .raw
            .store(agent, &file, rescue, &RescueLimits::default())
            .map_err(|error| told(&error))?;
        // Two files may hold states of one session; here each is a separate trace.
        let writer = target
            .traces
            .write(
                agent,
                name,
                Arc::clone(&self.redactor),
                TraceLimits::default(),
            )
            .map_err(|error| told(&error))?;
        let writer = Arc::new(Mutex::new(writer));
        let sink: SharedSink = writer.clone();
        let read = adapter.read(&job(), &roots, &session, &Cursor::default(), sink);
        read.result.map_err(|error| told(&error))?;
        let writer = Arc::try_unwrap(writer).map_err(|_| "the trace is still held".to_owned())?;
        let writer = writer.into_inner().map_err(|error| error.to_string())?;
        let trace = writer.finish().map_err(|error| told(&error))?;
        trace.keep().map_err(|error| told(&error))?;
        Ok(())
    }
}
