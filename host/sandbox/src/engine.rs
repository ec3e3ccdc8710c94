//! The engine, its clock, and the way from bytes to a plugin that can be called.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use acreta_model::{
    Adapter, Call, Explorer, Extractor, Failure, Job, Limits, MemoryWriter, PluginError,
    PluginFault, PluginInfo, Role, Usage,
};
use acreta_plugins::{Inspection, RefusedComponent, host_interfaces, inspect};
use camino::Utf8PathBuf;
use sha2::{Digest, Sha256};
use wasmtime::component::{HasSelf, InstancePre, Linker};
use wasmtime::{Config, Engine, OptLevel, Store, UpdateDeadline};
use wasmtime_wasi::p2::bindings as wasi;

use crate::bindings::shared::acreta::host;
use crate::cache::{CompileCache, CompileError};
use crate::clock::SteppingClock;
use crate::fault::fault;
use crate::filesystem::CountedFilesystem;
use crate::sockets::NoSockets;
use crate::state::{Directories, Folders, HostState, Ports};
use crate::ticker::Ticker;

/// A plugin's own settings: key to JSON text.
pub type Settings = BTreeMap<String, String>;

/// Stack of a guest. Threads that call plugins need more than this.
pub(crate) const STACK_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxOptions {
    /// Where compiled plugins are kept. Native code: private, and never inside a preopen.
    pub cache_dir: Utf8PathBuf,
    /// Where snapshots of databases lie while a guest reads them.
    pub scratch_dir: Utf8PathBuf,
}

/// Compiles and calls plugins.
pub struct Sandbox {
    engine: Engine,
    linkers: Vec<(Role, Linker<HostState>)>,
    cache: CompileCache,
    scratch: Utf8PathBuf,
    ticker: Arc<Ticker>,
}

/// Why a plugin could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("plugin `{plugin}` is refused: {cause}")]
    Refused {
        plugin: String,
        cause: RefusedComponent,
    },
    #[error("plugin `{plugin}` is a {found}, a {wanted} is needed")]
    OtherRole {
        plugin: String,
        found: Role,
        wanted: Role,
    },
    #[error("plugin `{plugin}` does not fit the {role} interface: {message}")]
    Mismatch {
        plugin: String,
        role: Role,
        message: String,
    },
    #[error("plugin `{plugin}` could not be compiled")]
    Compile {
        plugin: String,
        #[source]
        cause: CompileError,
    },
    #[error("the sandbox could not be prepared: {message}")]
    Engine { message: String },
}

impl LoadError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            LoadError::Refused { cause, .. } => Some(cause.hint()),
            LoadError::Mismatch { role, .. } => Some(format!(
                "rebuild it against the released WIT of acreta:{role}"
            )),
            _ => None,
        }
    }
}

/// Where the native code of a plugin came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    Cached,
    Compiled,
}

/// A compiled plugin, ready to be called any number of times.
pub struct Plugin {
    pub(crate) info: Arc<PluginInfo>,
    pub(crate) instance: InstancePre<HostState>,
    limits: Limits,
    settings: Arc<Settings>,
    engine: Engine,
    ticker: Arc<Ticker>,
    empty: Utf8PathBuf,
    scratch: Utf8PathBuf,
    loaded: Loaded,
    inspection: Inspection,
}

impl Sandbox {
    pub fn new(options: &SandboxOptions) -> Result<Self, LoadError> {
        let failed = |error: wasmtime::Error| LoadError::Engine {
            message: format!("{error:#}"),
        };
        let mut config = Config::new();
        config
            .epoch_interruption(true)
            .max_wasm_stack(STACK_BYTES)
            .cranelift_opt_level(OptLevel::Speed);
        let engine = Engine::new(&config).map_err(failed)?;
        let linkers = Role::ALL
            .into_iter()
            .map(|role| Ok((role, linker(&engine, role)?)))
            .collect::<wasmtime::Result<_>>()
            .map_err(failed)?;
        let cache =
            CompileCache::open(&options.cache_dir, &engine).map_err(|cause| LoadError::Engine {
                message: cause.to_string(),
            })?;
        Ok(Self {
            ticker: Arc::new(ticker(&engine)),
            engine,
            linkers,
            cache,
            scratch: options.scratch_dir.clone(),
        })
    }

    /// Whether the folders it was made with are still there.
    pub fn is_usable(&self) -> bool {
        self.cache.is_there()
    }

    /// Looks at a component, compiles it or takes it from the cache, and links it.
    /// Reports whether the component of a digest (SHA-256 in hex) comes from the cache. A guess: a file that does not fit
    /// this version is compiled again.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.has(digest)
    }

    pub fn load(
        &self,
        id: &str,
        bytes: &[u8],
        limits: impl FnOnce(Role) -> Limits,
        settings: Settings,
    ) -> Result<Plugin, LoadError> {
        let inspection = inspect(bytes).map_err(|cause| LoadError::Refused {
            plugin: id.to_owned(),
            cause,
        })?;
        let role = inspection.role;
        let digest = acreta_text::hex(&Sha256::digest(bytes));
        let (component, loaded) =
            self.cache
                .load(&self.engine, &digest, bytes)
                .map_err(|cause| LoadError::Compile {
                    plugin: id.to_owned(),
                    cause,
                })?;
        let linker = &self.linkers[role as usize].1;
        let instance = linker
            .instantiate_pre(&component)
            .map_err(|error| LoadError::Mismatch {
                plugin: id.to_owned(),
                role,
                message: format!("{error:#}"),
            })?;
        Ok(Plugin {
            info: Arc::new(PluginInfo {
                id: id.to_owned(),
                role,
                wit: inspection.wit.clone(),
                digest,
            }),
            instance,
            limits: limits(role),
            settings: Arc::new(settings),
            engine: self.engine.clone(),
            ticker: Arc::clone(&self.ticker),
            empty: self.cache.empty_directory().to_owned(),
            scratch: self.scratch.clone(),
            loaded,
            inspection,
        })
    }
}

impl Plugin {
    pub fn info(&self) -> &PluginInfo {
        &self.info
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn loaded(&self) -> Loaded {
        self.loaded
    }

    pub fn inspection(&self) -> &Inspection {
        &self.inspection
    }

    pub fn into_adapter(self) -> Result<Arc<dyn Adapter>, LoadError> {
        Ok(Arc::new(crate::bridge::AdapterBridge::new(self)?))
    }

    pub fn into_extractor(self) -> Result<Arc<dyn Extractor>, LoadError> {
        Ok(Arc::new(crate::bridge::ExtractorBridge::new(self)?))
    }

    pub fn into_explorer(self) -> Result<Arc<dyn Explorer>, LoadError> {
        Ok(Arc::new(crate::bridge::ExplorerBridge::new(self)?))
    }

    pub fn into_memory_writer(self) -> Result<Arc<dyn MemoryWriter>, LoadError> {
        Ok(Arc::new(crate::bridge::MemoryWriterBridge::new(self)?))
    }

    pub(crate) fn expect_role(&self, wanted: Role) -> Result<(), LoadError> {
        if self.info.role == wanted {
            return Ok(());
        }
        Err(LoadError::OtherRole {
            plugin: self.info.id.clone(),
            found: self.info.role,
            wanted,
        })
    }

    pub(crate) fn mismatch(&self, error: &wasmtime::Error) -> LoadError {
        LoadError::Mismatch {
            plugin: self.info.id.clone(),
            role: self.info.role,
            message: format!("{error:#}"),
        }
    }

    pub(crate) fn error(&self, fault: PluginFault) -> PluginError {
        PluginError {
            plugin: self.info.id.clone(),
            role: self.info.role,
            fault,
        }
    }

    /// One call in a fresh store. Whatever happens inside, the host goes on.
    pub(crate) fn call<T>(
        &self,
        job: &Job,
        directories: Directories<'_>,
        ports: Ports,
        body: impl FnOnce(&mut Store<HostState>) -> wasmtime::Result<Result<T, Failure>>,
    ) -> Call<T> {
        let state = HostState::new(
            self.info.clone(),
            &self.limits,
            self.settings.clone(),
            job,
            Folders {
                empty: &self.empty,
                scratch: &self.scratch,
            },
            &directories,
            ports,
        );
        let state = match state {
            Ok(state) => state,
            Err(error) => {
                return Call {
                    result: Err(self.error(PluginFault::Start {
                        message: format!("{error:#}"),
                    })),
                    usage: Usage::default(),
                };
            }
        };
        let mut store = Store::new(&self.engine, state);
        store.limiter(|state| &mut state.meter);
        store.set_hostcall_fuel(self.limits.value_bytes as usize);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut context| {
            context.data_mut().meter.check_time()?;
            Ok(UpdateDeadline::Continue(1))
        });
        let beating = self.ticker.start();
        let outcome = catch_unwind(AssertUnwindSafe(|| body(&mut store)));
        drop(beating);
        let result = match outcome {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(failure))) => Err(self.error(PluginFault::Failed(failure))),
            Ok(Err(error)) => Err(self.error(fault(&error, store.data()))),
            Err(_) => Err(self.error(PluginFault::Trap {
                message: "the host failed while serving it".to_owned(),
            })),
        };
        Call {
            result,
            usage: store.data().usage(),
        }
    }
}

/// A role's whole authority: WASI with an empty context, and the host interfaces of its contract.
fn linker(engine: &Engine, role: Role) -> wasmtime::Result<Linker<HostState>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    linker.allow_shadowing(true);
    wasi::sync::filesystem::types::add_to_linker::<_, CountedFilesystem>(&mut linker, |s| s)?;
    wasi::filesystem::preopens::add_to_linker::<_, CountedFilesystem>(&mut linker, |s| s)?;
    wasi::sockets::tcp_create_socket::add_to_linker::<_, NoSockets>(&mut linker, |s| s)?;
    wasi::sync::sockets::udp_create_socket::add_to_linker::<_, NoSockets>(&mut linker, |s| s)?;
    wasi::sockets::ip_name_lookup::add_to_linker::<_, NoSockets>(&mut linker, |s| s)?;
    wasi::clocks::monotonic_clock::add_to_linker::<_, SteppingClock>(&mut linker, |s| s)?;
    linker.allow_shadowing(false);
    type Own = HasSelf<HostState>;
    for interface in host_interfaces(role) {
        match *interface {
            "log" => host::log::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "config" => host::config::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "registry" => host::registry::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "sink" => host::sink::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "sqlite" => host::sqlite::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "trace" => host::trace::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "llm" => host::llm::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            "search" => host::search::add_to_linker::<_, Own>(&mut linker, |s| s)?,
            other => return Err(wasmtime::format_err!("no host interface `{other}`")),
        }
    }
    Ok(linker)
}

/// Moves the engine's epoch on, as long as the engine is there.
fn ticker(engine: &Engine) -> Ticker {
    let engine = engine.weak();
    Ticker::new(move || {
        if let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
        }
    })
}
