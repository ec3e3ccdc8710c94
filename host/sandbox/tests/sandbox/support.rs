//! A sandbox in a scratch folder, components, and an adapter with one granted root.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use acreta_plugin_build::{GuestBuild, workspace_root};
use acreta_sandbox::{CodeKey, LoadError, Plugin, Sandbox, SandboxOptions, Settings};
use acreta_types::{
    Adapter, Call, Cursor, Event, EventSink, Failure, Job, Limits, PluginLog, Preopen, Session,
    locked,
};
use camino::Utf8PathBuf;
use tempfile::TempDir;

pub(crate) struct SandboxFolder {
    folder: TempDir,
}

impl SandboxFolder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Self { folder };
        for name in ["root", "scratch", "outside"] {
            std::fs::create_dir(place.path(name)).unwrap();
        }
        place.write("root/attack.jsonl", "{\"hostile\": true}\n");
        place.write("outside/victim.txt", "nobody may read or change this");
        place
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        let folder = self.folder.path().canonicalize().unwrap();
        Utf8PathBuf::try_from(folder.join(relative)).unwrap()
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        self.write_bytes(relative, text.as_bytes());
    }

    pub(crate) fn write_bytes(&self, relative: &str, bytes: &[u8]) {
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(self.path(relative), bytes).unwrap();
    }

    /// All tests share compiled code, unless they use their own cache.
    pub(crate) fn sandbox(&self, own_cache: bool) -> Sandbox {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox-cache");
        let cache_dir = match own_cache {
            true => self.path("cache"),
            false => Utf8PathBuf::try_from(shared).unwrap(),
        };
        let scratch_dir = self.path("scratch");
        let cache_key = CodeKey::File(cache_dir.with_extension("key"));
        Sandbox::new(&SandboxOptions {
            cache_dir,
            cache_key,
            compiler: None,
            traps: None,
            scratch_dir,
        })
        .unwrap()
    }

    /// Returns the folder that an adapter may read.
    pub(crate) fn roots(&self) -> [Preopen; 1] {
        [Preopen {
            host: self.path("root"),
            guest: "/hostile".to_owned(),
        }]
    }

    /// Returns every file except those of the sandbox itself, with its content.
    pub(crate) fn tree(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        for folder in ["root", "outside"] {
            for entry in std::fs::read_dir(self.path(folder)).unwrap() {
                let path = entry.unwrap().path();
                files.push((path.clone(), std::fs::read(path).unwrap()));
            }
        }
        files.sort();
        files
    }
}

/// Returns a component of `tests/guests`, built into the folder that the integration tests use.
pub(crate) fn guest(package: &str) -> Vec<u8> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let build = GuestBuild::quick(workspace_root(), target.join("guests"));
    let path = build
        .build(package)
        .unwrap_or_else(|error| panic!("{error}"));
    std::fs::read(path).unwrap()
}

/// Returns the components that were compiled for the first release of the contract, by name.
pub(crate) fn released() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![workspace_root().join("tests/released")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "wasm") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                found.push((name, std::fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn load(sandbox: &Sandbox, bytes: &[u8]) -> Result<Plugin, LoadError> {
    sandbox.load("mine", bytes, Limits::for_role, Settings::new())
}

/// Returns the hostile adapter with an order, and with the test's limits.
pub(crate) fn hostile(
    sandbox: &Sandbox,
    bytes: &[u8],
    settings: &[(&str, &str)],
    limit: impl Fn(&mut Limits),
) -> Arc<dyn Adapter> {
    let settings: Settings = settings
        .iter()
        .map(|(key, value)| ((*key).to_owned(), format!("{value:?}")))
        .collect();
    let limits = |role| {
        let mut limits = Limits::for_role(role);
        limit(&mut limits);
        limits
    };
    let plugin = sandbox
        .load("hostile-adapter", bytes, limits, settings)
        .unwrap();
    plugin.into_adapter().unwrap()
}

/// Collects emitted events.
#[derive(Default)]
struct EventCollector(Vec<Event>);

impl EventSink for EventCollector {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        self.0.extend(batch);
        Ok(())
    }

    fn diagnose(&mut self, _record: &str, _start: u64, _end: u64, _message: &str) {}
}

struct Silence;

impl PluginLog for Silence {
    fn write(&self, _plugin: &str, _level: &str, _message: &str) {}
}

pub(crate) fn job() -> Job {
    Job {
        now_ms: 1_780_000_000_000,
        seed: 7,
        log: Arc::new(Silence),
        models: None,
    }
}

/// Reads the session of the granted root, and returns the call and its events.
pub(crate) fn read(adapter: &dyn Adapter, place: &SandboxFolder) -> (Call<Cursor>, Vec<Event>) {
    let session = Session {
        id: "attack".to_owned(),
        agent: "hostile".to_owned(),
        path: "/hostile/attack.jsonl".to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: "1".to_owned(),
        attrs: acreta_types::Attrs::default(),
    };
    let told = Arc::new(Mutex::new(EventCollector::default()));
    let sink = Arc::clone(&told);
    let call = adapter.read(&job(), &place.roots(), &session, &Cursor::default(), sink);
    let events = std::mem::take(&mut locked(&told).0);
    (call, events)
}
