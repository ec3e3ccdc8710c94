//! Cache of compiled plugins on disk. A `.cwasm` is native code, so it is only read from a private folder of this user,
//! only under the name of its engine and component, and only after this crate wrote it there. The only module with
//! `unsafe`.

use std::hash::{DefaultHasher, Hash, Hasher};

use acreta_fs::{Directory, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

/// The folder of compiled plugins for one engine.
pub(crate) struct CompileCache {
    folder: Directory,
    path: Utf8PathBuf,
    empty: Utf8PathBuf,
}

/// Maximum size of native code that is read into memory.
const NATIVE_BYTES: u64 = 256 * 1024 * 1024;

/// Reason why a component could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("the compiler refused it: {message}")]
    Compiler { message: String },
    #[error("the cache of compiled plugins cannot be used")]
    Cache(#[from] FsError),
}

impl CompileCache {
    pub(crate) fn open(cache_dir: &Utf8Path, engine: &Engine) -> Result<Self, CompileError> {
        let cache = Directory::open_or_create_private(cache_dir, NoFaults::shared())?;
        let folder = Utf8PathBuf::from("plugins").join(engine_key(engine));
        cache.create_dir_all(&folder)?;
        cache.create_dir_all("empty")?;
        let folder = cache.subdirectory(&folder)?;
        Ok(Self {
            path: folder.path().to_owned(),
            folder,
            empty: cache.path().join("empty"),
        })
    }

    /// Reports whether its folders still exist.
    pub(crate) fn is_there(&self) -> bool {
        self.path.is_dir() && self.empty.is_dir()
    }

    /// Returns an empty directory.
    pub(crate) fn empty_directory(&self) -> &Utf8Path {
        &self.empty
    }

    /// Reports whether the cache has the native code of a component.
    pub(crate) fn has(&self, digest: &str) -> bool {
        self.path.join(file_name(digest)).is_file()
    }

    /// Compiles a component and keeps its native code.
    pub(crate) fn compile(
        &self,
        engine: &Engine,
        digest: &str,
        bytes: &[u8],
    ) -> Result<Component, CompileError> {
        let compiler = |error: wasmtime::Error| CompileError::Compiler {
            message: format!("{error:#}"),
        };
        let native = engine.precompile_component(bytes).map_err(compiler)?;
        if let Err(error) = self.folder.replace(file_name(digest), &native) {
            tracing::warn!(%error, "compiled plugin not kept; it will be compiled again");
        }
        match self.cached(engine, digest) {
            Some(component) => Ok(component),
            None => Component::new(engine, bytes).map_err(compiler),
        }
    }

    /// Returns a component that was compiled before.
    #[expect(
        unsafe_code,
        reason = "mapping native code is what a compile cache is for"
    )]
    pub(crate) fn cached(&self, engine: &Engine, digest: &str) -> Option<Component> {
        let name = file_name(digest);
        let path = self.path.join(&name);
        if !is_private(&self.path) || !path.is_file() {
            return None;
        }
        // SAFETY: the file is in a folder that only this user can write to (checked just above),
        // was written there whole by `compile` (synced, then renamed into place), is never changed in
        // place, and carries the engine's version and configuration, which wasmtime checks.
        let mapped = unsafe { Component::deserialize_file(engine, &path) };
        let loaded = mapped.or_else(|error| {
            // Some systems do not allow executable mappings of private files: then the code is loaded into memory.
            tracing::debug!(%path, "compiled plugin could not be mapped: {error:#}");
            let native = self.folder.read(&name, NATIVE_BYTES)?;
            // SAFETY: the bytes of the same file, see the comment above.
            unsafe { Component::deserialize(engine, native) }
        });
        match loaded {
            Ok(component) => Some(component),
            Err(error) => {
                tracing::warn!(%path, "compiled plugin could not be loaded: {error:#}");
                None
            }
        }
    }
}

fn file_name(digest: &str) -> String {
    format!("{digest}.cwasm")
}

/// Reports whether only this user can create files in the folder.
#[cfg(unix)]
fn is_private(folder: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    folder.symlink_metadata().is_ok_and(|metadata| {
        metadata.is_dir()
            && metadata.mode() & 0o022 == 0
            && metadata.uid() == rustix::process::geteuid().as_raw()
    })
}

/// On other systems the user's profile folder is private by default.
#[cfg(not(unix))]
fn is_private(folder: &Utf8Path) -> bool {
    folder.is_dir()
}

/// Changes with everything that makes native code unusable: wasmtime's version, its settings, the machine.
fn engine_key(engine: &Engine) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Source of a plugin's native code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    Cached,
    Compiled,
}
