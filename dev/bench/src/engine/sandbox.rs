//! Costs of the sandbox: the Claude adapter inside it compared with the same code compiled natively, the time to load
//! and to start a plugin, and the memory of a run over a gigabyte.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acreta_sandbox::{CodeKey, Plugin, Sandbox, SandboxOptions, Settings};
use acreta_sdk::adapter as native;
use acreta_types::{
    Adapter, Cursor, Event, EventSink, Failure, Job, Limits, PluginLog, Preopen, Session,
};
use camino::Utf8PathBuf;

use crate::Outcome;
use crate::engine::corpus::Corpus;
use crate::engine::process::{Acreta, median, round};

const ROUNDS: usize = 5;
const LOADS: usize = 20;
const CORPUS_BYTES: u64 = 100_000_000;
const LARGE_BYTES: u64 = 1_000_000_000;

pub(crate) fn bench() -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let corpus = Corpus::claude()?;
    let trace = scratch
        .path()
        .join("11111111-2222-4333-8444-555555555555.jsonl");
    let bytes = corpus.write(&trace, CORPUS_BYTES)?;

    let mut native_times = Vec::new();
    let mut sandbox_times = Vec::new();
    let guest = Guest::load(scratch.path())?;
    let (mut native_counts, mut sandbox_counts) = (SinkCounts::default(), SinkCounts::default());
    for _ in 0..ROUNDS {
        let (elapsed, counts) = read_native(&trace)?;
        native_times.push(elapsed);
        native_counts = counts;
        let (elapsed, counts) = guest.read(scratch.path(), &trace)?;
        sandbox_times.push(elapsed);
        sandbox_counts = counts;
    }
    if native_counts != sandbox_counts {
        return Err(
            format!("the sandbox told {sandbox_counts:?}, native code {native_counts:?}").into(),
        );
    }
    let (native, sandboxed) = (median(&mut native_times), median(&mut sandbox_times));
    let ratio = sandboxed.as_secs_f64() / native.as_secs_f64();
    let instantiate = guest.instantiate();
    let cached_load = guest.cached_load()?;
    let peak = peak_of_a_run(scratch.path(), &corpus)?;

    let speed = |elapsed: Duration| bytes as f64 / 1e6 / elapsed.as_secs_f64();
    println!(
        "Claude adapter on {} MB of {}, median of {ROUNDS}",
        bytes / 1_000_000,
        corpus.source
    );
    println!(
        "  native      {:>8.1} ms  {:>6.0} MB/s  {} events",
        native.as_secs_f64() * 1e3,
        speed(native),
        native_counts.events
    );
    println!(
        "  sandboxed   {:>8.1} ms  {:>6.0} MB/s",
        sandboxed.as_secs_f64() * 1e3,
        speed(sandboxed)
    );
    println!("  sandboxed / native  {ratio:.2}");
    println!("Instantiate and call   {:>8} µs", instantiate.as_micros());
    println!("Load from the cache    {:>8} µs", cached_load.as_micros());
    println!(
        "First compile          {:>8} ms",
        guest.compiled.as_millis()
    );
    println!("Peak memory of `acreta run` on 1 GB  {peak:.0} MB");
    println!(
        "{}",
        serde_json::json!({
            "sandbox_over_native": round(ratio),
            "native_mb_s": speed(native).round(),
            "sandbox_mb_s": speed(sandboxed).round(),
            "instantiate_us": instantiate.as_micros() as u64,
            "cached_load_us": cached_load.as_micros() as u64,
            "compile_ms": guest.compiled.as_millis() as u64,
            "peak_rss_mb_1gb": peak.round(),
        })
    );
    Ok(())
}

/// Counts of a sink, for both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SinkCounts {
    events: u64,
    text_bytes: u64,
    diagnostics: u64,
}

impl native::Sink for SinkCounts {
    fn emit(&mut self, batch: Vec<native::Event>) -> Result<(), native::Failure> {
        self.events += batch.len() as u64;
        self.text_bytes += batch
            .iter()
            .map(|event| event.text.len() as u64)
            .sum::<u64>();
        Ok(())
    }

    fn diagnose(&mut self, _record: &str, _start: u64, _end: u64, _message: &str) {
        self.diagnostics += 1;
    }
}

impl EventSink for SinkCounts {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        self.events += batch.len() as u64;
        self.text_bytes += batch
            .iter()
            .map(|event| event.text.len() as u64)
            .sum::<u64>();
        Ok(())
    }

    fn diagnose(&mut self, _record: &str, _start: u64, _end: u64, _message: &str) {
        self.diagnostics += 1;
    }
}

fn read_native(trace: &Path) -> Outcome<(Duration, SinkCounts)> {
    let path = trace.to_string_lossy();
    let sessions =
        adapter_claude::sessions(&path, File::open(trace)?).map_err(|failure| failure.message)?;
    let session = sessions
        .into_iter()
        .next()
        .ok_or("no session in the corpus")?;
    let mut counts = SinkCounts::default();
    let start = Instant::now();
    let from = native::Cursor {
        offset: 0,
        state: Vec::new(),
    };
    adapter_claude::read(&session, File::open(trace)?, &from, &mut counts)
        .map_err(|failure| failure.message)?;
    Ok((start.elapsed(), counts))
}

struct Guest {
    sandbox: Sandbox,
    bytes: Vec<u8>,
    adapter: Arc<dyn Adapter>,
    compiled: Duration,
}

impl Guest {
    fn load(scratch: &Path) -> Outcome<Self> {
        let bytes = std::fs::read(component("adapter-claude")?)?;
        let cache_dir = Utf8PathBuf::try_from(scratch.join("cache"))?;
        let scratch_dir = cache_dir.join("scratch");
        let sandbox = Sandbox::new(&SandboxOptions {
            cache_dir,
            cache_key: CodeKey::Process,
            compiler: None,
            traps: None,
            scratch_dir,
        })?;
        let start = Instant::now();
        let plugin = plugin(&sandbox, &bytes)?;
        let compiled = start.elapsed();
        Ok(Self {
            adapter: plugin.into_adapter()?,
            sandbox,
            bytes,
            compiled,
        })
    }

    fn read(&self, folder: &Path, trace: &Path) -> Outcome<(Duration, SinkCounts)> {
        let roots = [Preopen {
            host: Utf8PathBuf::try_from(folder.to_owned())?,
            guest: "/trace".to_owned(),
        }];
        let path = format!(
            "/trace/{}",
            trace.file_name().unwrap_or_default().to_string_lossy()
        );
        let sessions = self.adapter.sessions(&job(), &roots, &path).result?;
        let session: Session = sessions
            .into_iter()
            .next()
            .ok_or("no session in the corpus")?;
        let counts = Arc::new(Mutex::new(SinkCounts::default()));
        let start = Instant::now();
        self.adapter
            .read(&job(), &roots, &session, &Cursor::default(), counts.clone())
            .result?;
        let elapsed = start.elapsed();
        let counts = *counts.lock().map_err(|_| "the sink was left broken")?;
        Ok((elapsed, counts))
    }

    /// Measures a fresh store, an instance, and the smallest call.
    fn instantiate(&self) -> Duration {
        let mut times: Vec<Duration> = (0..LOADS * 5)
            .map(|_| {
                let start = Instant::now();
                let _ = self.adapter.describe(&job());
                start.elapsed()
            })
            .collect();
        median(&mut times)
    }

    fn cached_load(&self) -> Outcome<Duration> {
        let mut times = Vec::new();
        for _ in 0..LOADS {
            let start = Instant::now();
            plugin(&self.sandbox, &self.bytes)?;
            times.push(start.elapsed());
        }
        Ok(median(&mut times))
    }
}

fn plugin(sandbox: &Sandbox, bytes: &[u8]) -> Outcome<Plugin> {
    Ok(sandbox.load("adapter-claude", bytes, Limits::for_role, Settings::new())?)
}

/// Builds a plugin if necessary.
pub(crate) fn component(id: &str) -> Outcome<PathBuf> {
    let root = acreta_plugin_build::workspace_root();
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = root.join(target).join("guests");
    Ok(acreta_plugin_build::GuestBuild::new(&root, target).build(id)?)
}

/// Measures the peak memory of `acreta run` on a generated gigabyte.
fn peak_of_a_run(scratch: &Path, corpus: &Corpus) -> Outcome<f64> {
    let trace = scratch.join("22222222-2222-4333-8444-555555555555.jsonl");
    corpus.write(&trace, LARGE_BYTES)?;
    let project = scratch.join("project");
    std::fs::create_dir_all(project.join(".git"))?;
    let acreta = Acreta::new(&scratch.join("home"))?;
    let trace = trace.to_string_lossy();
    Ok(acreta.watched(&project, &["run", &trace])?.peak_mb)
}

struct Quiet;

impl PluginLog for Quiet {
    fn write(&self, _plugin: &str, _level: &str, _message: &str) {}
}

pub(crate) fn job() -> Job {
    Job {
        now_ms: 0,
        seed: 0,
        log: Arc::new(Quiet),
        models: None,
    }
}
