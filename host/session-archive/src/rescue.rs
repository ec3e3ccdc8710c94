//! The raw archive: sessions as their agents wrote them, redacted, compressed and deduplicated, so that nothing is lost
//! when an agent deletes its files. A file under its final name is complete and on disk. With shared storage, each content
//! is also there once it was published, for other machines.

mod content;
mod error;
mod outbox;
mod packed;
mod pieces;

use std::io::{self, Read};
use std::sync::Arc;

use acreta_fs::{Directory, Entry, EntryKind, FsError, NoFaults, Scratch, scratch};
use acreta_redact::{Counts, Redactor};
use camino::{Utf8Path, Utf8PathBuf};

use crate::names::safe_name;
use crate::objects::{ObjectError, ObjectStore};
use content::RescuedContent;
use packed::Packer;
use pieces::RedactionPieces;

pub use error::RescueError;
pub use outbox::WaitingUpload;
pub use packed::ArchivedReader;

/// `<agent>/<sha256>.zst` below one directory, readable only by its owner. The digest is that of the redacted content,
/// so equal content is stored once, whatever its name.
#[derive(Debug, Clone)]
pub struct RawArchive {
    directory: Directory,
    /// Storage that other machines read.
    shared: Option<Arc<dyn ObjectStore>>,
}

/// Content of an archived file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArchiveKind {
    /// The agent's own record.
    Raw,
    /// The trace of a session without its own file, because it is in a database.
    Trace,
}

/// Content to archive.
#[derive(Debug, Clone, Copy)]
pub enum RescueAs<'a> {
    /// An agent's own record; it is redacted on the way.
    Raw(&'a Redactor),
    /// A trace, which is already redacted.
    Trace,
}

/// Source of the content.
#[derive(Debug)]
pub struct RescueSource<'a, R> {
    /// Path for messages.
    pub path: &'a Utf8Path,
    pub reader: R,
    /// Number of bytes to read, fewer being an error; if `None`, all.
    pub bytes: Option<u64>,
}

/// Size limits of reading and writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RescueLimits {
    /// Size of one session, decompressed.
    pub content_bytes: u64,
    /// Maximum compression ratio of content that is not small.
    pub ratio: u64,
    /// Content up to this size is small: its compression ratio is not checked.
    pub unsuspicious_bytes: u64,
}

impl Default for RescueLimits {
    fn default() -> Self {
        Self {
            content_bytes: 4 << 30,
            ratio: 1_000,
            unsuspicious_bytes: 256 << 20,
        }
    }
}

/// Result of archiving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContent {
    /// SHA-256 of the redacted content, in lower-case hex.
    pub digest: String,
    pub kind: ArchiveKind,
    /// Size of the content, decompressed, before redaction.
    pub raw_bytes: u64,
    /// Size of the archived file.
    pub archived_bytes: u64,
    pub redactions: Counts,
    /// True if the same content was already archived.
    pub was_there: bool,
}

/// A file of the archive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Archived {
    /// Folder name of the agent; see [`crate::TraceArchive::relative_path`].
    pub agent: String,
    pub digest: String,
    pub kind: ArchiveKind,
    pub archived_bytes: u64,
}

impl RawArchive {
    pub fn new(directory: &Directory) -> Self {
        Self {
            directory: directory.private(),
            shared: None,
        }
    }

    /// Adds storage that other machines read. Contents that are missing here are read from there.
    pub fn shared_in(self, store: Option<Arc<dyn ObjectStore>>) -> Self {
        Self {
            shared: store,
            ..self
        }
    }

    /// Archives the file `source` in its current state; data appended meanwhile is left out.
    pub fn store(
        &self,
        agent: &str,
        source: &Utf8Path,
        rescue: RescueAs<'_>,
        limits: &RescueLimits,
    ) -> Result<StoredContent, RescueError> {
        let (Some(folder), Some(name)) = (source.parent(), source.file_name()) else {
            return Err(RescueError::Fs(FsError::NotRegular {
                path: source.to_owned(),
                kind: EntryKind::Directory,
            }));
        };
        let folder = match folder.as_str() {
            "" => Utf8Path::new("."),
            _ => folder,
        };
        let reader = Directory::open(folder, NoFaults::shared())?.open_reader(name)?;
        let source = RescueSource {
            path: source,
            bytes: Some(reader.size()),
            reader,
        };
        self.store_source(agent, source, rescue, limits)
    }

    /// Like [`Self::store`], with a source that is already open.
    pub fn store_source<R: Read>(
        &self,
        agent: &str,
        source: RescueSource<'_, R>,
        rescue: RescueAs<'_>,
        limits: &RescueLimits,
    ) -> Result<StoredContent, RescueError> {
        let path = source.path;
        let mut content = RescuedContent::new(source, limits)?;
        let agent = safe_name(agent);
        self.directory.create_dir_all(&agent)?;
        let folder = self.directory.subdirectory(&agent)?;
        // The directory is private to this call, and nothing in it counts as a session.
        let workplace = scratch(&folder, WORKPLACE)?;
        let pending = workplace.directory().pending(CONTENT)?;
        let mut packer = Packer::new(pending, path)?;

        let kind = rescue.kind();
        let mut raw_bytes = 0;
        let mut redactions = Counts::default();
        match rescue {
            RescueAs::Raw(redactor) => {
                let mut pieces = RedactionPieces::new(redactor);
                let mut sink = |text: &str| packer.write(text.as_bytes());
                for_each_chunk(path, &mut content, |bytes| {
                    raw_bytes += bytes.len() as u64;
                    pieces.push(bytes, &mut sink)
                })?;
                redactions = pieces.finish(&mut sink)?;
            }
            RescueAs::Trace => for_each_chunk(path, &mut content, |bytes| {
                raw_bytes += bytes.len() as u64;
                packer.write(bytes)
            })?,
        }

        let (digest, pending) = packer.finish()?;
        let name = file_name(&digest, kind);
        let was_there = folder.exists(&name)?;
        if !was_there {
            pending.commit()?;
            let made = workplace.path().file_name().unwrap_or_default();
            folder.rename(acreta_fs::join(made, CONTENT), &name)?;
            folder.sync_directory(".")?;
        }
        // Also if it was there: a process may have died before it was marked.
        let file = name.clone();
        outbox::mark(&self.directory, &WaitingUpload { agent, file })?;
        Ok(StoredContent {
            archived_bytes: folder.metadata(&name)?.bytes,
            digest,
            kind,
            raw_bytes,
            redactions,
            was_there,
        })
    }

    /// Opens an archived content, decompressed. Reading it to the end fails if it does not match its digest.
    pub fn open(
        &self,
        agent: &str,
        digest: &str,
        limits: &RescueLimits,
    ) -> Result<ArchivedReader, RescueError> {
        let Some(relative) = self.find(agent, digest)?.into_iter().next() else {
            return self.fetch(agent, digest, limits);
        };
        let reader = self.directory.open_reader(&relative)?;
        let path = self.directory.path().join(relative);
        ArchivedReader::new(path, reader, digest, limits)
    }

    /// Fetches a content that another machine archived.
    fn fetch(
        &self,
        agent: &str,
        digest: &str,
        limits: &RescueLimits,
    ) -> Result<ArchivedReader, RescueError> {
        let missing = || RescueError::Missing {
            agent: agent.to_owned(),
            digest: digest.to_owned(),
        };
        let store = self.shared.as_ref().ok_or_else(missing)?;
        let folder: Scratch = scratch(&self.directory, WORKPLACE)?;
        for kind in [ArchiveKind::Raw, ArchiveKind::Trace] {
            let file = file_name(digest, kind);
            let name = format!("{}/{file}", safe_name(agent));
            match store.get(&name, folder.directory(), CONTENT) {
                Ok(()) => {
                    let reader = folder.directory().open_reader(CONTENT)?;
                    let path = Utf8PathBuf::from(format!("{}/{name}", store.address()));
                    return Ok(ArchivedReader::new(path, reader, digest, limits)?.fetched(folder));
                }
                Err(ObjectError::Missing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(missing())
    }

    /// Returns true if the content is archived on this machine.
    pub fn contains(&self, agent: &str, digest: &str) -> Result<bool, RescueError> {
        Ok(!self.find(agent, digest)?.is_empty())
    }

    /// Removes a content; it is gone from this machine's disk when this returns, and from shared storage when it was
    /// published. Returns true if it existed.
    pub fn remove(&self, agent: &str, digest: &str) -> Result<bool, RescueError> {
        let found = self.find(agent, digest)?;
        let folder = safe_name(agent);
        for relative in &found {
            outbox::mark(
                &self.directory,
                &WaitingUpload {
                    agent: folder.clone(),
                    file: relative.file_name().unwrap_or_default().to_owned(),
                },
            )?;
            self.directory.remove_file(relative)?;
        }
        if !found.is_empty() {
            self.directory.sync_directory(folder)?;
        }
        Ok(!found.is_empty())
    }

    /// Returns the contents whose state in shared storage differs, as far as this machine knows: all of them for an
    /// address that is new. Empty without shared storage.
    pub fn waiting(&self) -> Result<Vec<WaitingUpload>, RescueError> {
        let Some(store) = &self.shared else {
            return Ok(Vec::new());
        };
        if !outbox::exists(&self.directory, store.address())? {
            let archived = self.list()?.into_iter().map(|archived| WaitingUpload {
                file: file_name(&archived.digest, archived.kind),
                agent: archived.agent,
            });
            outbox::create(&self.directory, store.address(), archived)?;
        }
        Ok(outbox::waiting(&self.directory, store.address())?)
    }

    /// Brings a content into shared storage or, if it was removed here, out of it.
    pub fn publish(&self, upload: &WaitingUpload) -> Result<(), RescueError> {
        let Some(store) = &self.shared else {
            return Ok(());
        };
        let name = format!("{}/{}", upload.agent, upload.file);
        match self.directory.exists(&name)? {
            true => {
                let folder = self.directory.subdirectory(&upload.agent)?;
                store.put(&name, &folder, &upload.file)?;
            }
            false => store.delete(&name)?,
        }
        Ok(outbox::unmark(&self.directory, store.address(), upload)?)
    }

    /// Returns all archived files, by agent and digest.
    pub fn list(&self) -> Result<Vec<Archived>, RescueError> {
        let mut archived = Vec::new();
        for entry in self.entries()? {
            let name = entry.path.file_name().unwrap_or_default();
            if let (EntryKind::File, Some((digest, kind))) =
                (entry.metadata.kind, parse_file_name(name))
            {
                let agent = entry.path.parent().unwrap_or(Utf8Path::new(""));
                archived.push(Archived {
                    agent: agent.to_string(),
                    digest: digest.to_owned(),
                    kind,
                    archived_bytes: entry.metadata.bytes,
                });
            }
        }
        archived.sort();
        Ok(archived)
    }

    /// Removes files that processes left when they died while storing, and returns their number. No other process may
    /// be storing meanwhile.
    pub fn sweep(&self) -> Result<u64, RescueError> {
        let mut swept = 0;
        for entry in self.entries()? {
            let name = entry.path.file_name().unwrap_or_default();
            if entry.metadata.kind == EntryKind::Directory && name.starts_with(WORKPLACE) {
                self.directory.remove_dir_all(&entry.path)?;
                swept += 1;
            }
        }
        Ok(swept)
    }

    /// Returns the entries of all agents' folders.
    fn entries(&self) -> Result<Vec<Entry>, RescueError> {
        let mut entries = Vec::new();
        for folder in self.directory.list(".", ENTRIES)? {
            let is_agent = !folder.path.as_str().starts_with('.');
            if folder.metadata.kind == EntryKind::Directory && is_agent {
                entries.extend(self.directory.list(&folder.path, ENTRIES)?);
            }
        }
        Ok(entries)
    }

    /// Returns the paths of a content: none, one or, if it is both a file and a trace, two.
    fn find(&self, agent: &str, digest: &str) -> Result<Vec<Utf8PathBuf>, RescueError> {
        if !is_digest(digest) {
            return Err(RescueError::NotADigest {
                digest: digest.to_owned(),
            });
        }
        let mut found = Vec::new();
        for kind in [ArchiveKind::Raw, ArchiveKind::Trace] {
            let relative = acreta_fs::join(safe_name(agent), file_name(digest, kind));
            if self.directory.exists(&relative)? {
                found.push(relative);
            }
        }
        Ok(found)
    }
}

impl RescueAs<'_> {
    fn kind(self) -> ArchiveKind {
        match self {
            RescueAs::Raw(_) => ArchiveKind::Raw,
            RescueAs::Trace => ArchiveKind::Trace,
        }
    }
}

/// Name prefix of the directories in which sessions are packed.
const WORKPLACE: &str = ".rescue";

/// Name of a content before it gets its final name.
const CONTENT: &str = "content";

/// Maximum number of entries per folder, more than any archive has.
const ENTRIES: u64 = 10_000_000;

fn for_each_chunk(
    path: &Utf8Path,
    reader: &mut impl Read,
    mut take: impl FnMut(&[u8]) -> Result<(), RescueError>,
) -> Result<(), RescueError> {
    let mut buffer = vec![0; 128 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => take(&buffer[..count])?,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(RescueError::from_io(path, cause)),
        }
    }
}

fn file_name(digest: &str, kind: ArchiveKind) -> String {
    match kind {
        ArchiveKind::Raw => format!("{digest}.zst"),
        ArchiveKind::Trace => format!("{digest}.trace.zst"),
    }
}

fn parse_file_name(name: &str) -> Option<(&str, ArchiveKind)> {
    let stem = name.strip_suffix(".zst")?;
    let (digest, kind) = match stem.strip_suffix(".trace") {
        Some(digest) => (digest, ArchiveKind::Trace),
        None => (stem, ArchiveKind::Raw),
    };
    is_digest(digest).then_some((digest, kind))
}

fn is_digest(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
