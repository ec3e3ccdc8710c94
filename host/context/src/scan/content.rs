//! Reading files: once, for hash and facts together, by all workers. What is sensitive or too large
//! is not opened; what changes while it is read is read again, and told when it does not settle.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use acreta_redact::Redactor;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::answer::response::Reason;
use crate::artifact::facts::{self, Facts};
use crate::options::{Analysis, Limits};
use crate::scan::node::{Kind, Node, Root, from_metadata};
use crate::scan::sensitive::Sensitive;
use crate::scan::tree::mark;

/// A file to read.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) path: String,
    pub(crate) node: Node,
    /// The hash whose facts are known already.
    pub(crate) known: Option<u64>,
}

/// What reading it told.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// `None` when it is not known.
    pub(crate) hash: Option<u64>,
    pub(crate) marks: u16,
    pub(crate) problem: Option<Reason>,
    /// Not gathered when the content is as it was.
    pub(crate) facts: Option<Facts>,
}

/// How files are read.
pub(crate) struct Reading<'a> {
    pub(crate) root: &'a Root,
    pub(crate) limits: &'a Limits,
    pub(crate) sensitive: &'a Sensitive,
    pub(crate) redactor: &'a Redactor,
    pub(crate) analysis: Analysis,
}

impl Reading<'_> {
    /// Reads all, and hands over each as it comes. The order is not that of the jobs.
    pub(crate) fn read_all(&self, jobs: &[Job], mut take: impl FnMut(usize, Content)) {
        let workers = self.limits.workers().min(jobs.len().div_ceil(4)).max(1);
        if workers == 1 {
            let mut buffer = Vec::new();
            for (index, job) in jobs.iter().enumerate() {
                take(index, self.read(job, &mut buffer));
            }
            return;
        }
        let next = AtomicUsize::new(0);
        // A few at a time: whoever takes them may be slower than those who read.
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

    fn read(&self, job: &Job, buffer: &mut Vec<u8>) -> Content {
        if self.sensitive.covers(&job.path) {
            return Content {
                marks: mark::SENSITIVE,
                problem: Some(Reason::Sensitive),
                ..Content::default()
            };
        }
        if job.node.stamp.bytes > self.limits.hashed_bytes {
            return Content {
                marks: mark::UNREAD,
                problem: Some(Reason::TooLarge),
                ..Content::default()
            };
        }
        let read = match job.node.kind {
            Kind::Symlink => self.read_link(job),
            _ if job.node.stamp.bytes > self.limits.analysed_bytes => self.read_long(job, buffer),
            _ => self.read_short(job, buffer),
        };
        read.unwrap_or_else(|cause| Content {
            marks: mark::UNREAD,
            problem: Some(match cause.kind() {
                io::ErrorKind::PermissionDenied => Reason::PermissionDenied,
                io::ErrorKind::NotFound | io::ErrorKind::Interrupted => Reason::Changing,
                _ => Reason::Unreadable,
            }),
            ..Content::default()
        })
    }

    /// A link's content is where it points, as git has it.
    fn read_link(&self, job: &Job) -> io::Result<Content> {
        let target = std::fs::read_link(self.root.absolute(&job.path))?;
        Ok(Content {
            hash: Some(xxh3_64(target.as_os_str().as_encoded_bytes())),
            ..Content::default()
        })
    }

    /// At once, for hash and facts.
    fn read_short(&self, job: &Job, buffer: &mut Vec<u8>) -> io::Result<Content> {
        let mut file = self.open(job)?;
        buffer.clear();
        file.by_ref()
            .take(self.limits.analysed_bytes.saturating_add(1))
            .read_to_end(buffer)?;
        if buffer.len() as u64 > self.limits.analysed_bytes {
            // It grew: what was read is not the whole.
            return Err(io::ErrorKind::Interrupted.into());
        }
        let hash = xxh3_64(buffer);
        let is_binary = buffer[..buffer.len().min(8000)].contains(&0);
        let wanted = self.analysis == Analysis::Symbols && job.known != Some(hash);
        Ok(Content {
            hash: Some(hash),
            marks: if is_binary { mark::BINARY } else { 0 },
            problem: None,
            facts: (wanted && !is_binary).then(|| facts::gather(&job.path, buffer, self.redactor)),
        })
    }

    /// Piece by piece, for the hash alone.
    fn read_long(&self, job: &Job, buffer: &mut Vec<u8>) -> io::Result<Content> {
        let mut file = self.open(job)?.take(self.limits.hashed_bytes);
        let mut hasher = Xxh3::new();
        buffer.resize(256 * 1024, 0);
        loop {
            match file.read(buffer)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        Ok(Content {
            hash: Some(hasher.digest()),
            ..Content::default()
        })
    }

    /// Opens the file that was looked at, and no other that has its name by now.
    fn open(&self, job: &Job) -> io::Result<File> {
        let file = open_no_follow(&self.root.absolute(&job.path))?;
        let opened = from_metadata(&file.metadata()?);
        if opened.stamp.inode == job.node.stamp.inode && opened.kind.is_content() {
            Ok(file)
        } else {
            Err(io::ErrorKind::Interrupted.into())
        }
    }
}

/// Reads a file that is still as it was when it was looked at; `None` for any other.
pub(crate) fn read_unchanged(root: &Root, path: &str, node: Node, most: u64) -> Option<Vec<u8>> {
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
        // A fifo that took the name meanwhile must not have anybody wait.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    options.open(path)
}
