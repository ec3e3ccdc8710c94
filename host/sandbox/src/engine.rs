//! The engine, its epoch clock, and the loading of components into callable plugins.

use std::borrow::Cow;
use std::sync::Arc;

use acreta_plugin_registry::{WIT_VERSION, host_interfaces, inspect};
use acreta_types::{Limits, PluginInfo, Role};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime_wasi::p2::bindings as wasi;

use crate::bindings::shared::acreta::host;
use crate::cache::{CodeKey, CompileCache, Loaded};
use crate::clock::SteppingClock;
use crate::compiler::engine;
use crate::filesystem::CountedFilesystem;
use crate::plugin::{LoadError, Plugin};
use crate::sockets::NoSockets;
use crate::state::{HostState, Settings};
use crate::ticker::Ticker;
use crate::traps::TrapLog;

#[derive(Clone, PartialEq, Eq)]
pub struct SandboxOptions {
    /// Folder of compiled plugins. Native code: private, and never inside a preopen.
    pub cache_dir: Utf8PathBuf,
    /// Compiled plugins are loaded only if they carry a MAC of this key.
    pub cache_key: CodeKey,
    /// The program that compiles components of strangers within limits, if this process is not to do it itself.
    pub compiler: Option<Utf8PathBuf>,
    /// Folder of database snapshots while a guest reads them.
    pub scratch_dir: Utf8PathBuf,
    /// Receives traps with their source lines; components are then compiled with debug information.
    pub traps: Option<TrapLog>,
}

/// A component that can be loaded. Its bytes are asked for only if it has to be compiled.
pub trait ComponentSource {
    /// Returns the SHA-256 of the bytes, in hex. Compiled code is found by it, so whoever gives it answers for it.
    fn digest(&self) -> Cow<'_, str>;

    fn bytes(&self) -> Cow<'_, [u8]>;

    /// Reports whether it is part of this program.
    fn is_own(&self) -> bool {
        false
    }
}

impl ComponentSource for [u8] {
    fn digest(&self) -> Cow<'_, str> {
        Cow::Owned(acreta_text::hex(&Sha256::digest(self)))
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self)
    }
}

/// Compiles and calls plugins.
pub struct Sandbox {
    engine: Engine,
    linkers: Vec<(Role, Linker<HostState>)>,
    cache: CompileCache,
    compiler: Option<Utf8PathBuf>,
    scratch: Utf8PathBuf,
    ticker: Arc<Ticker>,
    traps: Option<TrapLog>,
}

impl Sandbox {
    pub fn new(options: &SandboxOptions) -> Result<Self, LoadError> {
        let failed = |error: wasmtime::Error| LoadError::Engine {
            message: format!("{error:#}"),
        };
        let engine = engine(options.traps.is_some()).map_err(failed)?;
        let linkers = Role::ALL
            .into_iter()
            .map(|role| Ok((role, linker(&engine, role)?)))
            .collect::<wasmtime::Result<_>>()
            .map_err(failed)?;
        let cache = CompileCache::open(&options.cache_dir, &options.cache_key, &engine);
        let cache = cache.map_err(LoadError::Cache)?;
        Ok(Self {
            ticker: Arc::new(ticker(&engine)),
            engine,
            linkers,
            cache,
            compiler: options.compiler.clone(),
            scratch: options.scratch_dir.clone(),
            traps: options.traps.clone(),
        })
    }

    /// Reports whether the folders it was created with still exist.
    pub fn is_usable(&self) -> bool {
        self.cache.is_there()
    }

    /// Reports whether the component of a digest (SHA-256 in hex) comes from the cache. An estimate: a file that does
    /// not fit this version is compiled again.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.has(digest)
    }

    /// Loads a component from the cache, or inspects and compiles it, and links it.
    pub fn load(
        &self,
        id: &str,
        source: &(impl ComponentSource + ?Sized),
        limits: impl FnOnce(Role) -> Limits,
        settings: Settings,
    ) -> Result<Plugin, LoadError> {
        let digest = source.digest().into_owned();
        let cached = self.cache.cached(&self.engine, &digest);
        let cached = cached.and_then(|component| Some((role_of(&component)?, component)));
        let (role, component, loaded) = match cached {
            // It was inspected before it was compiled.
            Some((role, component)) => (role, component, Loaded::Cached),
            None => {
                let compiler = self.compiler.as_deref().filter(|_| !source.is_own());
                self.compile(id, &digest, &source.bytes(), compiler)?
            }
        };
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
                wit: WIT_VERSION.to_owned(),
                digest,
            }),
            instance,
            limits: limits(role),
            settings: Arc::new(settings),
            engine: self.engine.clone(),
            ticker: Arc::clone(&self.ticker),
            empty: self.cache.empty_directory().to_owned(),
            scratch: self.scratch.clone(),
            traps: self.traps.clone(),
            loaded,
        })
    }

    fn compile(
        &self,
        id: &str,
        digest: &str,
        bytes: &[u8],
        compiler: Option<&Utf8Path>,
    ) -> Result<(Role, Component, Loaded), LoadError> {
        let inspection = inspect(bytes).map_err(|cause| LoadError::Refused {
            plugin: id.to_owned(),
            cause,
        })?;
        let (component, loaded) = self
            .cache
            .compile(&self.engine, digest, bytes, compiler, self.traps.is_some())
            .map_err(|cause| LoadError::Compile {
                plugin: id.to_owned(),
                cause,
            })?;
        Ok((inspection.role, component, loaded))
    }
}

/// Returns the role that a component exports, in this host's version of the interface.
fn role_of(component: &Component) -> Option<Role> {
    Role::ALL.into_iter().find(|role| {
        let export = format!("acreta:{role}/{role}@{WIT_VERSION}");
        component.get_export_index(None, &export).is_some()
    })
}

/// Links a role's whole authority: WASI with an empty context, and the host interfaces of its contract.
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

/// Advances the engine's epoch while the engine exists.
fn ticker(engine: &Engine) -> Ticker {
    let engine = engine.weak();
    Ticker::new(move || {
        if let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
        }
    })
}
