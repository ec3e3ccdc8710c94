//! Reads files, each once for hash and facts, on all workers. Sensitive and too large files are not opened. A file that
//! changes while it is read is read again, and reported if it keeps changing.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use acreta_redact::Redactor;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::answer::response::Reason;
use crate::artifact::facts::{self, Facts};
use crate::options::{Analysis, Limits};
use crate::scan::node::{NodeKind, PathNode, ScanRoot, from_metadata};
use crate::scan::sensitive::Sensitive;
use crate::scan::tree::mark;

/// A file to read.
#[derive(Debug, Clone)]
pub(crate) struct ReadJob {
    pub(crate) path: String,
    pub(crate) node: PathNode,
    /// The hash whose facts are already known.
    pub(crate) known: Option<u64>,
}

/// Result of reading a file.
#[derive(Debug, Default)]
pub(crate) struct FileContent {
    /// `None` if it could not be determined.
    pub(crate) hash: Option<u64>,
    pub(crate) marks: u16,
    pub(crate) problem: Option<Reason>,
    /// Not gathered if the content is unchanged.
    pub(crate) facts: Option<Facts>,
}

/// Reads files on several threads.
pub(crate) struct ContentReader<'a> {
    pub(crate) root: &'a ScanRoot,
    pub(crate) limits: &'a Limits,
    pub(crate) sensitive: &'a Sensitive,
    pub(crate) redactor: &'a Redactor,
    pub(crate) analysis: Analysis,
}

impl ContentReader<'_> {
    /// Reads all files and passes each result to `take`, in arbitrary order.
    pub(crate) fn read_all(&self, jobs: &[ReadJob], mut take: impl FnMut(usize, FileContent)) {
        let workers = self.limits.workers().min(jobs.len().div_ceil(4)).max(1);
        if workers == 1 {
            let mut buffer = Vec::new();
            for (index, job) in jobs.iter().enumerate() {
                take(index, self.read(job, &mut buffer));
            }
            return;
        }
        let next = AtomicUsize::new(0);
        // A bounded channel: the receiver may be slower than the readers.
        let (sender, receiver) = mpsc::sync_channel(64);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                let next = &next;
                scope.spawn(move || {
                    let mut buffer = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = jobs.get(index) else { return };
                        if sender.send((index, self.read(job, &mut buffer))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, content) in receiver {
                take(index, content);
            }
        });
    }

    fn read(&self, job: &ReadJob, buffer: &mut Vec<u8>) -> FileContent {
        if self.sensitive.covers(&job.path) {
            return FileContent {
                marks: mark::SENSITIVE,
                problem: Some(Reason::Sensitive),
                ..FileContent::default()
            };
        }
        if job.node.stamp.bytes > self.limits.hashed_bytes {
            return FileContent {
                marks: mark::UNREAD,
                problem: Some(Reason::TooLarge),
                ..FileContent::default()
            };
        }
        let read = match job.node.kind {
            NodeKind::Symlink => self.read_link(job),
            _ if job.node.stamp.bytes > self.limits.analysed_bytes => self.read_long(job, buffer),
            _ => self.read_short(job, buffer),
        };
        read.unwrap_or_else(|cause| FileContent {
            marks: mark::UNREAD,
            problem: Some(match cause.kind() {
                io::ErrorKind::PermissionDenied => Reason::PermissionDenied,
                io::ErrorKind::NotFound | io::ErrorKind::Interrupted => Reason::Changing,
                _ => Reason::Unreadable,
            }),
            ..FileContent::default()
        })
    }

    /// Hashes a link's target, as git does.
    fn read_link(&self, job: &ReadJob) -> io::Result<FileContent> {
        let target = std::fs::read_link(self.root.absolute(&job.path))?;
        Ok(FileContent {
            hash: Some(xxh3_64(target.as_os_str().as_encoded_bytes())),
            ..FileContent::default()
        })
    }

    /// Reads the whole file at once, for hash and facts.
    fn read_short(&self, job: &ReadJob, buffer: &mut Vec<u8>) -> io::Result<FileContent> {
        let mut file = self.open(job)?;
        buffer.clear();
        file.by_ref()
            .take(self.limits.analysed_bytes.saturating_add(1))
            .read_to_end(buffer)?;
        if buffer.len() as u64 > self.limits.analysed_bytes {
            // It grew while it was read.
            return Err(io::ErrorKind::Interrupted.into());
        }
        let hash = xxh3_64(buffer);
        let is_binary = buffer[..buffer.len().min(8000)].contains(&0);
        let wanted = self.analysis == Analysis::Symbols && job.known != Some(hash);
        Ok(FileContent {
            hash: Some(hash),
            marks: if is_binary { mark::BINARY } else { 0 },
            problem: None,
            facts: (wanted && !is_binary).then(|| facts::gather(&job.path, buffer, self.redactor)),
        })
    }

    /// Reads the file in chunks, for the hash only.
    fn read_long(&self, job: &ReadJob, buffer: &mut Vec<u8>) -> io::Result<FileContent> {
        let mut file = self.open(job)?.take(self.limits.hashed_bytes);
        let mut hasher = Xxh3::new();
        buffer.resize(256 * 1024, 0);
        loop {
            match file.read(buffer)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        Ok(FileContent {
            hash: Some(hasher.digest()),
            ..FileContent::default()
        })
    }

    /// Opens the file that was examined, and fails if another file now has its name.
    fn open(&self, job: &ReadJob) -> io::Result<File> {
        let file = open_no_follow(&self.root.absolute(&job.path))?;
        let opened = from_metadata(&file.metadata()?);
        if opened.stamp.inode == job.node.stamp.inode && opened.kind.is_content() {
            Ok(file)
        } else {
            Err(io::ErrorKind::Interrupted.into())
        }
    }
}

/// Reads a file if it is unchanged since it was examined; otherwise returns `None`.
pub(crate) fn read_unchanged(
    root: &ScanRoot,
    path: &str,
    node: PathNode,
    most: u64,
) -> Option<Vec<u8>> {
    let file = open_no_follow(&root.absolute(path)).ok()?;
    if from_metadata(&file.metadata().ok()?) != node || node.stamp.bytes > most {
        return None;
    }
    let mut bytes = Vec::with_capacity(node.stamp.bytes as usize);
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn open_no_follow(path: &camino::Utf8Path) -> io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Do not block if the path has become a fifo.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    options.open(path)
}
