//! Adapters that are loaded at their first use: of many that could read a file, usually only the first few are needed,
//! and compiling one takes time.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use acreta_config::Config;
use acreta_pipeline::RunError;
use acreta_plugin_registry::Capabilities;
use acreta_sandbox::Sandbox;
use acreta_types::{
    Adapter, AdapterRoot, Call, Cursor, Description, Job, PluginError, PluginFault, PluginInfo,
    Preopen, Role, Session, SharedSink, Usage,
};
use camino::{Utf8Path, Utf8PathBuf};

use crate::learn::sync_options::place_of;
use crate::plugins::{
    PluginOrigin, PluginSource, adapter_ids, find, load, load_with, ungranted_adapters,
};
use crate::{Context, Failure, OnPreparing, Preparing, learn::foreign};

pub(crate) struct Deferred {
    info: PluginInfo,
    source: PluginSource,
    config: Config,
    sandbox: Arc<Sandbox>,
    preparing: OnPreparing,
    loaded: OnceLock<Result<Arc<dyn Adapter>, String>>,
}

impl Deferred {
    pub(crate) fn new(
        source: PluginSource,
        config: &Config,
        sandbox: &Arc<Sandbox>,
        preparing: &OnPreparing,
    ) -> Self {
        Self {
            info: PluginInfo {
                id: source.id.clone(),
                role: Role::Adapter,
                wit: String::new(),
                digest: source.digest.clone(),
            },
            source,
            config: config.clone(),
            sandbox: Arc::clone(sandbox),
            preparing: Arc::clone(preparing),
            loaded: OnceLock::new(),
        }
    }

    fn call<T>(&self, work: impl FnOnce(&dyn Adapter) -> Call<T>) -> Call<T> {
        let loaded = self.loaded.get_or_init(|| {
            if !self.sandbox.is_compiled(&self.source.digest) {
                (self.preparing)(Preparing {
                    what: "adapters",
                    done: 0,
                    total: None,
                });
            }
            let nothing = Capabilities::default();
            let adapter = load_with(&nothing, &self.config, &self.sandbox, &self.source)
                .and_then(|plugin| Ok(plugin.into_adapter()?));
            adapter.map_err(|error| error.to_string())
        });
        match loaded {
            Ok(adapter) => work(adapter.as_ref()),
            Err(message) => Call {
                result: Err(PluginError {
                    plugin: self.info.id.clone(),
                    role: Role::Adapter,
                    fault: PluginFault::Start {
                        message: message.clone(),
                    },
                }),
                usage: Usage::default(),
            },
        }
    }
}

impl Adapter for Deferred {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn describe(&self, job: &Job) -> Call<Description> {
        if let Some(description) = self.source.described() {
            return Call {
                result: Ok(description.clone()),
                usage: Usage::default(),
            };
        }
        self.call(|adapter| adapter.describe(job))
    }

    fn sessions(&self, job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        self.call(|adapter| adapter.sessions(job, roots, path))
    }

    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        self.call(|adapter| adapter.read(job, roots, session, from, sink))
    }
}

/// Returns all adapters that could know the file, the likely ones first. A built-in one is loaded when it is used;
/// problems of a person's own are reported before anything is done.
pub(crate) fn adapters(
    trace: &Utf8Path,
    agent: Option<&str>,
    context: &Context,
    sandbox: &Arc<Sandbox>,
) -> Result<Vec<Arc<dyn Adapter>>, Failure> {
    let config = &context.config;
    let mut sources = Vec::new();
    for id in adapter_ids(context)? {
        sources.push(find(context, &id)?);
    }
    let trace = acreta_fs::canonical(trace).unwrap_or_else(|_| trace.to_owned());
    // What is not a readable file is reported by the run.
    if trace.is_file()
        && let Ok(beginning) = beginning(&trace)
    {
        let format = FileFormat::of(&beginning);
        sources.retain(|source| match source.described() {
            _ if beginning.is_empty() => false,
            Some(description) if agent.is_none() => FileFormat::is_read(format, description),
            _ => true,
        });
    }
    if sources.is_empty() {
        return Err(unread(RunError::NoAdapter { path: trace }, context));
    }
    sources.sort_by_cached_key(|source| match (&source.origin, source.described()) {
        (PluginOrigin::File(_), _) => AdapterFit::Tried,
        (_, Some(description)) => fit(&description.roots, &trace, context),
        (_, None) => AdapterFit::Kind,
    });
    let mut adapters: Vec<Arc<dyn Adapter>> = Vec::new();
    for source in sources {
        adapters.push(match source.is_builtin() {
            true => Arc::new(Deferred::new(
                source,
                config,
                sandbox,
                &context.process.preparing,
            )),
            false => {
                let adapter = load(context, config, sandbox, &source)?.into_adapter()?;
                foreign::named(&source, adapter)
            }
        });
    }
    Ok(adapters)
}

/// Converts an error of a run. If no adapter knew the file, those that were not asked because nobody granted them
/// anything are named: the ones whose folder the file is in, or else the ones that read files of its kind. None of them is
/// run to find out.
pub(crate) fn unread(error: RunError, context: &Context) -> Failure {
    let trace = match &error {
        RunError::NoAdapter { path } => Some(path.clone()),
        _ => None,
    };
    let is_unknown = trace.is_some() || matches!(error, RunError::UnknownAgent { .. });
    let failure = Failure::from(error);
    if !is_unknown {
        return failure;
    }
    let fit = |roots: &[AdapterRoot]| match &trace {
        Some(trace) => {
            let trace = acreta_fs::canonical(trace).unwrap_or_else(|_| trace.clone());
            fit(roots, &trace, context)
        }
        None => AdapterFit::Nothing,
    };
    let ungranted = ungranted_adapters(context).into_iter();
    let ungranted: Vec<_> = ungranted.map(|(id, roots)| (id, fit(&roots))).collect();
    let best = ungranted.iter().map(|(_, fit)| *fit).min();
    let best = ungranted.into_iter().filter(|(_, fit)| Some(*fit) == best);
    best.fold(failure, |failure, (id, fit)| {
        let why = match fit {
            AdapterFit::Place => "asks for the folder of this file",
            AdapterFit::Tried | AdapterFit::Kind => "asks for files of this kind",
            AdapterFit::Nothing => "is installed",
        };
        failure.hint(format!(
            "the adapter `{id}` {why} and was not asked: `acreta plugin grant {id}` shows its reasons and grants it"
        ))
    })
}

fn beginning(path: &Utf8Path) -> std::io::Result<Vec<u8>> {
    const BYTES: u64 = 64 * 1024;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Format of a file. Built-in adapters of other formats are not asked, because asking means compiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileFormat {
    Json,
    Database,
    Compressed,
    Text,
}

impl FileFormat {
    /// Returns `None` for bytes that no built-in adapter reads.
    fn of(beginning: &[u8]) -> Option<Self> {
        let has = |part: &[u8]| beginning.windows(part.len()).any(|window| window == part);
        let text = beginning.strip_prefix("\u{feff}".as_bytes());
        let text = text.unwrap_or(beginning).trim_ascii_start();
        if beginning.starts_with(b"SQLite format 3\0") {
            Some(FileFormat::Database)
        } else if beginning.starts_with(b"\x28\xb5\x2f\xfd") {
            Some(FileFormat::Compressed)
        // The first lines may be damaged.
        } else if text.starts_with(b"{") || text.starts_with(b"[") || has(b"\n{\"") {
            Some(FileFormat::Json)
        } else {
            (!text.is_empty() && !has(b"\0")).then_some(FileFormat::Text)
        }
    }

    fn is_read(format: Option<Self>, description: &Description) -> bool {
        let of_pattern = |pattern: &String| match Utf8Path::new(pattern).extension() {
            Some("json" | "jsonl") => FileFormat::Json,
            Some("zst") => FileFormat::Compressed,
            Some("md" | "txt") => FileFormat::Text,
            _ => FileFormat::Database,
        };
        let roots = &description.roots;
        let mut patterns = roots.iter().flat_map(|root| &root.patterns);
        format.is_some_and(|format| {
            roots.is_empty() || patterns.any(|pattern| of_pattern(pattern) == format)
        })
    }
}

/// Match between a file and an adapter, best first. This only determines the order: each is asked until one accepts the
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AdapterFit {
    /// The person named the adapter for this process.
    Tried,
    /// The file is where the agent stores its sessions.
    Place,
    /// The file has the extension of the agent's sessions, or these have no common one.
    Kind,
    Nothing,
}

fn fit(roots: &[AdapterRoot], trace: &Utf8Path, context: &Context) -> AdapterFit {
    let places = roots.iter().flat_map(|root| &root.candidates);
    let mut places = places.filter_map(|candidate| place_of(context, candidate));
    let is_below = |place: Utf8PathBuf| {
        acreta_fs::canonical(&place).is_ok_and(|place| trace.starts_with(place))
    };
    // A frozen run asks in the same order everywhere.
    if !context.is_frozen() && places.any(is_below) {
        return AdapterFit::Place;
    }
    let mut patterns = roots.iter().flat_map(|root| &root.patterns);
    let is_alike = |pattern: &String| Utf8Path::new(pattern).extension() == trace.extension();
    match roots.is_empty() || patterns.any(is_alike) {
        true => AdapterFit::Kind,
        false => AdapterFit::Nothing,
    }
}
