//! Cache of compiled plugins on disk.
//!
//! A `.cwasm` is native code: whoever chooses its bytes runs as this user, outside of every sandbox. Owner and mode of
//! the file say nothing about who chose them, because a cache may lie in a cloned repository or come out of the cache of
//! a CI. So each file ends with a MAC over the component's digest and the code, made with a key that no repository
//! holds ([`CodeKey`]), and nothing is loaded whose MAC is wrong: the component is compiled again.
//!
//! The file is opened once; what is verified through this handle is mapped through it as well, so that a file that is
//! put in its place meanwhile changes nothing. The bytes under the handle can be changed by this user only: the folder
//! and the file must belong to them and be writable by nobody else. The only module of this crate with `unsafe`.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

use acreta_fs::{Directory, FsError, NoFaults, random_secret};
use camino::{Utf8Path, Utf8PathBuf};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::compiler::{self, CompileError, MIN_KEY_BYTES, NATIVE_BYTES};

/// The key that compiled plugins are authenticated with.
#[derive(Clone, PartialEq, Eq)]
pub enum CodeKey {
    /// A file of the user's, outside of every repository. It is created at first use.
    File(Utf8PathBuf),
    /// The secret itself, of at least 32 bytes.
    Given(String),
    /// A random key that ends with the process: code of other processes is not loaded.
    Process,
}

/// The folder of compiled plugins for one engine.
pub(crate) struct CompileCache {
    folder: Directory,
    path: Utf8PathBuf,
    empty: Utf8PathBuf,
    /// Keyed, and fed nothing yet.
    mac: CodeMac,
}

/// Most machines have instructions for SHA-256, which make it three times as fast as SHA-512: every load waits for it.
type CodeMac = Hmac<Sha256>;

const TAG_BYTES: usize = 32;

impl CompileCache {
    pub(crate) fn open(
        cache_dir: &Utf8Path,
        key: &CodeKey,
        engine: &Engine,
    ) -> Result<Self, CompileError> {
        let cache = Directory::open_or_create_private(cache_dir, NoFaults::shared())?;
        let folder = Utf8PathBuf::from("plugins").join(engine_fingerprint(engine));
        cache.create_dir_all(&folder)?;
        cache.create_dir_all("empty")?;
        let folder = cache.subdirectory(&folder)?;
        Ok(Self {
            path: folder.path().to_owned(),
            folder,
            empty: cache.path().join("empty"),
            mac: key.mac()?,
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

    /// Reports whether the cache has a file for a component. Its MAC is checked when it is loaded.
    pub(crate) fn has(&self, digest: &str) -> bool {
        self.path.join(file_name(digest)).is_file()
    }

    /// Compiles a component and keeps its native code; `has_lines` is what the engine was created with. If another
    /// process is compiling it, waits and takes its result.
    pub(crate) fn compile(
        &self,
        engine: &Engine,
        digest: &str,
        bytes: &[u8],
        compiler: Option<&Utf8Path>,
        has_lines: bool,
    ) -> Result<(Component, Loaded), CompileError> {
        let lock_name = format!("{digest}.lock");
        let lock = self.folder.lock(&lock_name, compiler::CLOCK);
        let compiled = match lock.is_ok().then(|| self.cached(engine, digest)).flatten() {
            Some(component) => Ok((component, Loaded::Cached)),
            None => {
                let component = self.compile_now(engine, digest, bytes, compiler, has_lines);
                component.map(|component| (component, Loaded::Compiled))
            }
        };
        if lock.is_ok() {
            let _ = self.folder.remove_file(&lock_name);
        }
        compiled
    }

    #[expect(unsafe_code, reason = "native code that was compiled just now")]
    fn compile_now(
        &self,
        engine: &Engine,
        digest: &str,
        bytes: &[u8],
        compiler: Option<&Utf8Path>,
        has_lines: bool,
    ) -> Result<Component, CompileError> {
        let refused = |error: wasmtime::Error| CompileError::Compiler {
            message: format!("{error:#}"),
        };
        let mut native = match compiler {
            Some(program) => compiler::compile(program, bytes, has_lines)?,
            None => engine.precompile_component(bytes).map_err(refused)?,
        };
        let mut mac = self.mac_for(digest);
        mac.update(&native);
        native.extend_from_slice(&mac.finalize().into_bytes());
        // A file that lies there keeps its permissions when it is replaced.
        let _ = self.folder.remove_file(file_name(digest));
        if let Err(error) = self.folder.replace(file_name(digest), &native) {
            tracing::warn!(%error, "compiled plugin not kept; it will be compiled again");
        }
        if let Some(component) = self.cached(engine, digest) {
            return Ok(component);
        }
        native.truncate(native.len() - TAG_BYTES);
        // SAFETY: the bytes come from this engine, or from another process of this program over a pipe, and never lay
        // where somebody else could change them.
        unsafe { Component::deserialize(engine, native) }.map_err(refused)
    }

    /// Returns a component that was compiled before.
    pub(crate) fn cached(&self, engine: &Engine, digest: &str) -> Option<Component> {
        let name = file_name(digest);
        let path = self.path.join(&name);
        if !is_private(&path.parent()?.symlink_metadata().ok()?) {
            return None;
        }
        let file = match self.folder.open_reader(&name) {
            Ok(reader) => reader.into_file(),
            Err(error) if error.is_not_found() => return None,
            Err(error) => {
                tracing::warn!(%error, "compiled plugin could not be opened");
                return None;
            }
        };
        match self.load(engine, digest, file) {
            Ok(Some(component)) => Some(component),
            Ok(None) => {
                tracing::info!(%path, "compiled plugin carries no MAC of this user; compiling it again");
                None
            }
            Err(error) => {
                tracing::warn!(%path, "compiled plugin could not be loaded: {error:#}");
                None
            }
        }
    }

    /// Verifies a file and loads it; `None` if its MAC is wrong.
    #[expect(
        unsafe_code,
        reason = "mapping native code is what a compile cache is for"
    )]
    fn load(
        &self,
        engine: &Engine,
        digest: &str,
        mut file: File,
    ) -> wasmtime::Result<Option<Component>> {
        let metadata = file.metadata()?;
        let code_bytes = metadata.len().checked_sub(TAG_BYTES as u64);
        let Some(code_bytes) = code_bytes.filter(|bytes| *bytes <= NATIVE_BYTES) else {
            return Ok(None);
        };
        if !is_private(&metadata) || !self.verify(digest, code_bytes, &mut file)? {
            return Ok(None);
        }
        if let Some(same_file) = path_of(&file) {
            // SAFETY: the path names the file that is open here, whose bytes were verified just above. This user alone
            // can write to it, and `compile` never changes a file in place.
            match unsafe { Component::deserialize_file(engine, same_file) } {
                Ok(component) => return Ok(Some(component)),
                // Some systems do not allow executable mappings of private files: then the code is read into memory.
                Err(error) => tracing::debug!("compiled plugin could not be mapped: {error:#}"),
            }
        }
        let mut native = Vec::with_capacity(metadata.len() as usize);
        io::Seek::rewind(&mut file)?;
        file.take(metadata.len()).read_to_end(&mut native)?;
        if native.len() as u64 != metadata.len()
            || !self.verify(digest, code_bytes, &mut native.as_slice())?
        {
            return Ok(None);
        }
        native.truncate(code_bytes as usize);
        // SAFETY: the very bytes that were verified.
        unsafe { Component::deserialize(engine, native) }.map(Some)
    }

    /// Reports whether code of this length is followed by its MAC.
    fn verify(&self, digest: &str, code_bytes: u64, source: &mut impl Read) -> io::Result<bool> {
        let mut mac = self.mac_for(digest);
        let mut left = code_bytes;
        let mut piece = vec![0; 128 * 1024];
        while left > 0 {
            let wanted = left.min(piece.len() as u64) as usize;
            source.read_exact(&mut piece[..wanted])?;
            mac.update(&piece[..wanted]);
            left -= wanted as u64;
        }
        let mut tag = [0; TAG_BYTES];
        source.read_exact(&mut tag)?;
        Ok(mac.verify_slice(&tag).is_ok())
    }

    /// Starts the MAC of a component's code. The digest has a fixed length, so no code can continue another digest.
    fn mac_for(&self, digest: &str) -> CodeMac {
        let mut mac = self.mac.clone();
        mac.update(digest.as_bytes());
        mac
    }
}

impl CodeKey {
    fn mac(&self) -> Result<CodeMac, CompileError> {
        let secret = match self {
            Self::Given(secret) if secret.len() < MIN_KEY_BYTES => {
                return Err(CompileError::ShortKey);
            }
            Self::Given(secret) => secret.clone().into_bytes(),
            Self::File(path) => match kept_secret(path) {
                Ok(secret) => secret.into_bytes(),
                Err(error) => {
                    tracing::warn!(%error, "no key for compiled plugins; they are compiled at every start");
                    random_secret()?.into_bytes()
                }
            },
            Self::Process => random_secret()?.into_bytes(),
        };
        // A MAC takes keys of any length.
        CodeMac::new_from_slice(&secret).map_err(|_| CompileError::ShortKey)
    }
}

fn kept_secret(path: &Utf8Path) -> Result<String, FsError> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    let folder = Directory::open_or_create_private(folder, NoFaults::shared())?;
    folder.secret(path.file_name().unwrap_or_default())
}

fn file_name(digest: &str) -> String {
    format!("{digest}.cwasm")
}

/// Returns a path that opens the very file that is open, if the system has one.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> Option<String> {
    use std::os::fd::AsRawFd;
    Some(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(not(target_os = "linux"))]
fn path_of(_: &File) -> Option<String> {
    None
}

/// Reports whether only this user can change a file or folder.
#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
    !metadata.is_symlink() && is_own && metadata.mode() & 0o022 == 0
}

/// On other systems the user's profile folder is private by default.
#[cfg(not(unix))]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    !metadata.is_symlink()
}

/// Changes with everything that makes native code unusable: wasmtime's version, its settings, the machine.
fn engine_fingerprint(engine: &Engine) -> String {
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
