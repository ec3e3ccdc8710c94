//! Costs of the same adapter in each language: its size, its first compile, loading it from the cache, starting it, and
//! reading a session with it. `languages SESSION FILE.wasm…`

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acreta_sandbox::{CodeKey, Sandbox, SandboxOptions, Settings};
use acreta_types::{Cursor, Event, EventSink, Failure, Limits, Preopen};
use camino::Utf8PathBuf;

use crate::Outcome;
use crate::engine::process::{median, round};
use crate::engine::sandbox::job;

/// Repetitions of each measurement.
const ROUNDS: usize = 11;

/// The session is repeated until it has this many bytes.
const SESSION_BYTES: usize = 1_000_000;

/// Counts an adapter's events.
#[derive(Default)]
struct EventCounter(u64);

impl EventSink for EventCounter {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        self.0 += batch.len() as u64;
        Ok(())
    }

    fn diagnose(&mut self, _record: &str, _start: u64, _end: u64, _message: &str) {}
}

pub(crate) fn bench(session: &str, components: &[&str]) -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let folder = scratch.path().join("sessions");
    std::fs::create_dir_all(&folder)?;
    let bytes = long_session(&std::fs::read_to_string(session)?, &folder.join("s.jsonl"))?;
    println!(
        "{:<12}{:>10}{:>14}{:>12}{:>14}{:>14}{:>10}",
        "", "MB", "compile ms", "load ms", "start+call ms", "read MB/s", "events"
    );
    let mut figures = serde_json::Map::new();
    for file in components {
        let name = Path::new(file).file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let line = measure(Path::new(file), scratch.path(), &name, bytes)?;
        println!(
            "{name:<12}{:>10.2}{:>14.0}{:>12.2}{:>14.3}{:>14.1}{:>10}",
            line.megabytes,
            line.compile_ms,
            line.load_ms,
            line.start_ms,
            line.read_mb_s,
            line.events
        );
        for (key, value) in [
            ("mb", line.megabytes),
            ("compile_ms", line.compile_ms),
            ("load_ms", line.load_ms),
            ("start_ms", line.start_ms),
            ("read_mb_s", line.read_mb_s),
        ] {
            figures.insert(format!("{name}_{key}"), round(value).into());
        }
    }
    println!("{}", serde_json::Value::Object(figures));
    Ok(())
}

struct LanguageFigures {
    megabytes: f64,
    compile_ms: f64,
    load_ms: f64,
    start_ms: f64,
    read_mb_s: f64,
    events: u64,
}

fn measure(file: &Path, scratch: &Path, name: &str, bytes: usize) -> Outcome<LanguageFigures> {
    let component = std::fs::read(file)?;
    let place = |what: &str| Utf8PathBuf::try_from(scratch.join(format!("{what}-{name}")));
    let sandbox = Sandbox::new(&SandboxOptions {
        cache_dir: place("cache")?,
        cache_key: CodeKey::Process,
        compiler: None,
        traps: None,
        scratch_dir: place("scratch")?,
    })?;
    let load = || sandbox.load(name, &component[..], Limits::for_role, Settings::new());
    let start = Instant::now();
    let adapter = load()?.into_adapter()?;
    let compiled = start.elapsed();
    let mut loads = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        load()?;
        loads.push(start.elapsed());
    }
    let mut starts = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        adapter.describe(&job()).result?;
        starts.push(start.elapsed());
    }
    let roots = [Preopen {
        host: Utf8PathBuf::try_from(scratch.join("sessions"))?,
        guest: "/sessions".to_owned(),
    }];
    let sessions = adapter
        .sessions(&job(), &roots, "/sessions/s.jsonl")
        .result?;
    let session = sessions.first().ok_or("it knows no session in the file")?;
    let (mut reads, mut events) = (Vec::new(), 0);
    for _ in 0..3 {
        let told = Arc::new(Mutex::new(EventCounter::default()));
        let start = Instant::now();
        adapter
            .read(&job(), &roots, session, &Cursor::default(), told.clone())
            .result?;
        reads.push(start.elapsed());
        events = told.lock().map_err(|_| "the sink was left broken")?.0;
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(LanguageFigures {
        megabytes: component.len() as f64 / 1e6,
        compile_ms: ms(compiled),
        load_ms: ms(median(&mut loads)),
        start_ms: ms(median(&mut starts)),
        read_mb_s: bytes as f64 / 1e6 / median(&mut reads).as_secs_f64(),
        events,
    })
}

/// The first line identifies the session; the others are repeated.
fn long_session(text: &str, file: &Path) -> Outcome<usize> {
    let (first, rest) = text.split_once('\n').ok_or("the session has one line")?;
    let mut long = format!("{first}\n");
    while long.len() < SESSION_BYTES {
        long.push_str(rest);
    }
    #[expect(clippy::disallowed_methods, reason = "a scratch file of the bench")]
    std::fs::write(file, &long)?;
    Ok(long.len())
}
