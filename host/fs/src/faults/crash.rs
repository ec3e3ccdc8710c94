//! The disk after a crash. Replays a log of operations on a model in which nothing reaches the disk before it is
//! synced: the content of a file by a sync of the file, a name by a sync of its directory. Each unsynced effect may or
//! may not be present, independently.
//!
//! One guarantee of every journalling file system is assumed: a rename that lost the old name has the new one.

use std::collections::{BTreeMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Image, Node, Recorded};
use crate::OperationKind;

/// State of a disk at the moment of a power failure.
#[derive(Debug, Clone)]
pub struct Crash {
    inodes: Vec<Inode>,
    effects: Vec<DiskEffect>,
}

/// Extent to which an unsynced effect is present after the crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Lost,
    /// The first half of a write; any other effect is complete.
    Half,
    Whole,
}

#[derive(Debug, Clone)]
enum Inode {
    File(Vec<u8>),
    Directory(BTreeMap<String, usize>),
}

#[derive(Debug, Clone)]
struct DiskEffect {
    what: EffectKind,
    durable: bool,
    /// An effect that must be present for this one.
    requires: Option<usize>,
}

#[derive(Debug, Clone)]
enum EffectKind {
    Write {
        file: usize,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: usize,
    },
    Link {
        directory: usize,
        name: String,
        to: usize,
    },
    Unlink {
        directory: usize,
        name: String,
    },
}

const ROOT: usize = 0;

impl Crash {
    /// Creates a crash right after the last operation of `log`, on a disk that contained `before` beneath `root`.
    /// Operations outside `root` are ignored.
    pub fn after(before: &Image, root: &Utf8Path, log: &[Recorded]) -> Self {
        let mut replay = Replay::new(before);
        for operation in log {
            replay.apply(root, operation);
        }
        Self {
            inodes: replay.start,
            effects: replay.effects,
        }
    }

    /// Returns the number of unsynced effects.
    pub fn pending(&self) -> usize {
        self.effects.iter().filter(|effect| !effect.durable).count()
    }

    /// Returns the disk with the unsynced effects (numbered from 0, oldest first) that `kept` selects.
    pub fn image(&self, kept: impl Fn(usize) -> Kept) -> Image {
        let mut choice = vec![Kept::Whole; self.effects.len()];
        let mut number = 0;
        for (index, effect) in self.effects.iter().enumerate() {
            if !effect.durable {
                choice[index] = kept(number);
                number += 1;
            }
        }
        for (index, effect) in self.effects.iter().enumerate() {
            if let (Some(required), true) = (effect.requires, choice[index] != Kept::Lost) {
                choice[required] = Kept::Whole;
            }
        }
        let mut inodes = self.inodes.clone();
        for (effect, kept) in self.effects.iter().zip(choice) {
            if kept != Kept::Lost {
                effect.apply(&mut inodes, kept);
            }
        }
        let mut image = Image::default();
        collect(&inodes, ROOT, Utf8Path::new(""), &mut image);
        image
    }

    /// Returns disks worth testing: every subset of the last `window` unsynced effects, each with all and with none of
    /// the older ones, and with the last write torn. Without duplicates.
    pub fn images(&self, window: usize) -> Vec<Image> {
        let pending = self.pending();
        let window = window.min(pending);
        let older = pending - window;
        let mut images: Vec<Image> = Vec::new();
        let mut seen = HashSet::new();
        let mut add = |image: Image| {
            if seen.insert(image.clone()) {
                images.push(image);
            }
        };
        let when = |kept| if kept { Kept::Whole } else { Kept::Lost };
        for subset in 0..1_usize << window {
            for keep_older in [false, true] {
                add(self.image(|number| match number.checked_sub(older) {
                    None => when(keep_older),
                    Some(bit) => when(subset >> bit & 1 == 1),
                }));
            }
        }
        add(self.image(|_| Kept::Half));
        images
    }
}

impl DiskEffect {
    fn apply(&self, inodes: &mut [Inode], kept: Kept) {
        match &self.what {
            EffectKind::Write {
                file,
                offset,
                bytes,
            } => {
                let bytes = match kept {
                    Kept::Half => &bytes[..bytes.len() / 2],
                    _ => bytes,
                };
                let end = offset + bytes.len();
                let content = file_content(inodes, *file);
                // A hole left by a lost earlier write reads as zeros.
                content.resize(content.len().max(end), 0);
                content[*offset..end].copy_from_slice(bytes);
            }
            EffectKind::Truncate { file } => file_content(inodes, *file).clear(),
            EffectKind::Link {
                directory,
                name,
                to,
            } => {
                directory_entries(inodes, *directory).insert(name.clone(), *to);
            }
            EffectKind::Unlink { directory, name } => {
                directory_entries(inodes, *directory).remove(name);
            }
        }
    }
}

/// The replay: `start` never changes, `live` is the state seen by a running process.
struct Replay {
    start: Vec<Inode>,
    live: Vec<Inode>,
    effects: Vec<DiskEffect>,
}

impl Replay {
    fn new(before: &Image) -> Self {
        let mut start = vec![Inode::Directory(BTreeMap::new())];
        for (path, node) in &before.nodes {
            let inode = start.len();
            start.push(match node {
                Node::Directory => Inode::Directory(BTreeMap::new()),
                Node::File(bytes) => Inode::File(bytes.clone()),
            });
            if let Some((directory, name)) = locate(&start, path) {
                directory_entries(&mut start, directory).insert(name, inode);
            }
        }
        Self {
            live: start.clone(),
            start,
            effects: Vec::new(),
        }
    }

    fn apply(&mut self, root: &Utf8Path, operation: &Recorded) {
        let Ok(path) = operation.path.strip_prefix(root) else {
            return;
        };
        let to = operation
            .to
            .as_deref()
            .and_then(|to| to.strip_prefix(root).ok());
        match operation.kind {
            OperationKind::CreateDirectory => self.create(path, Inode::Directory(BTreeMap::new())),
            OperationKind::CreateFile => self.create(path, Inode::File(Vec::new())),
            OperationKind::Write => {
                let Some(file) = self.find(path) else { return };
                let offset = file_content(&mut self.live, file).len();
                let bytes = operation.bytes.clone();
                self.add(
                    EffectKind::Write {
                        file,
                        offset,
                        bytes,
                    },
                    None,
                );
            }
            OperationKind::Truncate => {
                let Some(file) = self.find(path) else { return };
                self.add(EffectKind::Truncate { file }, None);
            }
            OperationKind::SyncFile | OperationKind::SyncDirectory => self.sync(path),
            OperationKind::Rename | OperationKind::Link => {
                let (Some(inode), Some(to)) = (self.find(path), to) else {
                    return;
                };
                let linked = self.link(to, inode);
                if operation.kind == OperationKind::Rename {
                    self.unlink(path, linked);
                }
            }
            OperationKind::RemoveFile | OperationKind::RemoveDirectory => self.unlink(path, None),
            OperationKind::Read | OperationKind::Lock => {}
        }
    }

    fn create(&mut self, path: &Utf8Path, inode: Inode) {
        let number = self.live.len();
        self.live.push(inode.clone());
        self.start.push(inode);
        self.link(path, number);
    }

    fn link(&mut self, path: &Utf8Path, to: usize) -> Option<usize> {
        let (directory, name) = locate(&self.live, path)?;
        Some(self.add(
            EffectKind::Link {
                directory,
                name,
                to,
            },
            None,
        ))
    }

    fn unlink(&mut self, path: &Utf8Path, requires: Option<usize>) {
        if let Some((directory, name)) = locate(&self.live, path) {
            self.add(EffectKind::Unlink { directory, name }, requires);
        }
    }

    fn add(&mut self, what: EffectKind, requires: Option<usize>) -> usize {
        let effect = DiskEffect {
            what,
            durable: false,
            requires,
        };
        effect.apply(&mut self.live, Kept::Whole);
        self.effects.push(effect);
        self.effects.len() - 1
    }

    fn sync(&mut self, path: &Utf8Path) {
        let Some(inode) = self.find(path) else { return };
        let mut required = Vec::new();
        for effect in &mut self.effects {
            let touched = match effect.what {
                EffectKind::Write { file, .. } | EffectKind::Truncate { file } => file,
                EffectKind::Link { directory, .. } | EffectKind::Unlink { directory, .. } => {
                    directory
                }
            };
            if touched == inode {
                effect.durable = true;
                required.extend(effect.requires);
            }
        }
        for effect in required {
            self.effects[effect].durable = true;
        }
    }

    fn find(&self, path: &Utf8Path) -> Option<usize> {
        if path.as_str().is_empty() {
            return Some(ROOT);
        }
        let (directory, name) = locate(&self.live, path)?;
        match &self.live[directory] {
            Inode::Directory(entries) => entries.get(&name).copied(),
            Inode::File(_) => None,
        }
    }
}

/// Returns the directory inode of a path, and its name there.
fn locate(inodes: &[Inode], path: &Utf8Path) -> Option<(usize, String)> {
    let mut directory = ROOT;
    let mut names = path.components().map(|part| part.as_str()).peekable();
    while let Some(name) = names.next() {
        if names.peek().is_none() {
            return Some((directory, name.to_owned()));
        }
        match &inodes[directory] {
            Inode::Directory(entries) => directory = *entries.get(name)?,
            Inode::File(_) => return None,
        }
    }
    None
}

fn file_content(inodes: &mut [Inode], file: usize) -> &mut Vec<u8> {
    match &mut inodes[file] {
        Inode::File(content) => content,
        Inode::Directory(_) => unreachable!("only files are written to"),
    }
}

fn directory_entries(inodes: &mut [Inode], directory: usize) -> &mut BTreeMap<String, usize> {
    match &mut inodes[directory] {
        Inode::Directory(entries) => entries,
        Inode::File(_) => unreachable!("only directories have entries"),
    }
}

fn collect(inodes: &[Inode], directory: usize, path: &Utf8Path, image: &mut Image) {
    let Inode::Directory(entries) = &inodes[directory] else {
        return;
    };
    for (name, inode) in entries {
        let path: Utf8PathBuf = path.join(name);
        match &inodes[*inode] {
            Inode::File(content) => {
                image.nodes.insert(path, Node::File(content.clone()));
            }
            Inode::Directory(_) => {
                image.nodes.insert(path.clone(), Node::Directory);
                collect(inodes, *inode, &path, image);
            }
        }
    }
}
