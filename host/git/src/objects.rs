//! The object database: loose files and packs of the repository and its alternates. Decompresses at most
//! [`OBJECT_BYTES`] per object; a damaged pack affects only its own objects.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use gix_hash::{ObjectId, oid};
use gix_object::{CommitRefIter, Kind};
use gix_pack::cache::lru::MemoryCappedHashmap;

use crate::GitError;
use crate::limits::{ALTERNATE_DEPTH, ALTERNATES, OBJECT_BYTES, PACKS, POINTER_BYTES};
use crate::read;

/// Cache sizes for decompressed deltas, and for trees.
const DELTA_CACHE_BYTES: usize = 48 * 1024 * 1024;
const TREE_CACHE_BYTES: usize = 32 * 1024 * 1024;

pub(crate) struct Objects {
    folder: Utf8PathBuf,
    pub(crate) hash: gix_hash::Kind,
    loose: Vec<gix_odb::loose::Store>,
    packs: Vec<Pack>,
    state: RefCell<ObjectCaches>,
    trees: RefCell<TreeCache>,
    /// Reusable buffer; decompression needs room for an object twice.
    room: RefCell<Vec<u8>>,
}

struct Pack {
    index: Utf8PathBuf,
    /// The inner `None` means that it is damaged.
    bundle: OnceCell<Option<gix_pack::Bundle>>,
}

struct ObjectCaches {
    inflate: gix_zlib::Inflate,
    deltas: MemoryCappedHashmap,
    /// The pack of the last hit: related objects are usually in the same pack.
    last: usize,
}

#[derive(Default)]
struct TreeCache {
    bytes: usize,
    trees: HashMap<ObjectId, Rc<[u8]>>,
}

impl Objects {
    /// Opens the objects below a common git folder. Packs are opened on demand.
    pub(crate) fn open(common: &Utf8Path, hash: gix_hash::Kind) -> Self {
        let folder = common.join("objects");
        let options = gix_odb::loose::Options {
            alloc_limit_bytes: Some(OBJECT_BYTES),
            ..Default::default()
        };
        let mut loose = Vec::new();
        let mut packs = Vec::new();
        for folder in object_folders(&folder) {
            packs.extend(packs_of(&folder, PACKS.saturating_sub(packs.len())));
            loose.push(gix_odb::loose::Store::at_opts(folder, hash, options));
        }
        Self {
            folder,
            hash,
            loose,
            packs,
            state: RefCell::new(ObjectCaches {
                inflate: gix_zlib::Inflate::default(),
                deltas: MemoryCappedHashmap::new(DELTA_CACHE_BYTES),
                last: 0,
            }),
            trees: RefCell::default(),
            room: RefCell::default(),
        }
    }

    pub(crate) fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Reads an object into `out` and returns its kind; `None` if it does not exist.
    pub(crate) fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, GitError> {
        if id.kind() != self.hash {
            return Ok(None);
        }
        let mut failed = None;
        match self.find_packed(id, out) {
            Ok(Some(kind)) => return Ok(Some(kind)),
            Ok(None) => {}
            Err(error) => failed = Some(error),
        }
        for store in &self.loose {
            if !is_file(store, id) {
                continue;
            }
            match store.try_find(id, out) {
                Ok(Some(data)) => return Ok(Some(data.kind)),
                Ok(None) => {}
                Err(error) => failed = Some(GitError::damaged(&self.folder, error)),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    fn find_packed(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, GitError> {
        if self.packs.is_empty() {
            return Ok(None);
        }
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let mut failed = None;
        let last = state.last;
        for number in (last..self.packs.len()).chain(0..last) {
            let Some(bundle) = self.packs[number].bundle(self.hash) else {
                continue;
            };
            match bundle.find(id, out, &mut state.inflate, &mut state.deltas) {
                Ok(Some((data, _))) => {
                    state.last = number;
                    return Ok(Some(data.kind));
                }
                Ok(None) => {}
                Err(error) => failed = Some(GitError::damaged(&self.packs[number].index, error)),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// Calls `read` with the bytes of a commit.
    pub(crate) fn commit<T>(
        &self,
        id: &oid,
        read: impl FnOnce(CommitRefIter<'_>) -> T,
    ) -> Result<T, GitError> {
        let mut bytes = self.room.take();
        let found = self.find(id, &mut bytes);
        let done = match found {
            Ok(Some(Kind::Commit)) => Ok(read(CommitRefIter::from_bytes(&bytes, self.hash))),
            Ok(Some(_)) => Err(self.damaged(id, "is not a commit")),
            Ok(None) => Err(self.damaged(id, "is missing")),
            Err(error) => Err(error),
        };
        self.room.replace(bytes);
        done
    }

    /// Returns the bytes of a tree, cached if read recently. The empty tree need not exist.
    pub(crate) fn tree(&self, id: &oid) -> Result<Rc<[u8]>, GitError> {
        if let Some(tree) = self.trees.borrow().trees.get(id) {
            return Ok(Rc::clone(tree));
        }
        if id.is_empty_tree() {
            return Ok(Rc::from([]));
        }
        let mut bytes = self.room.take();
        let tree: Result<Rc<[u8]>, GitError> = match self.find(id, &mut bytes) {
            Ok(Some(Kind::Tree)) => Ok(Rc::from(bytes.as_slice())),
            Ok(Some(_)) => Err(self.damaged(id, "is not a tree")),
            Ok(None) => Err(self.damaged(id, "is missing")),
            Err(error) => Err(error),
        };
        self.room.replace(bytes);
        let tree = tree?;
        let mut cache = self.trees.borrow_mut();
        if cache.bytes + tree.len() > TREE_CACHE_BYTES {
            *cache = TreeCache::default();
        }
        cache.bytes += tree.len();
        cache.trees.insert(id.to_owned(), Rc::clone(&tree));
        Ok(tree)
    }

    /// Returns up to two objects with this id prefix.
    pub(crate) fn with_prefix(&self, prefix: &str) -> Vec<ObjectId> {
        let Ok(wanted) = gix_hash::Prefix::from_hex(prefix) else {
            return Vec::new();
        };
        let mut found: Vec<ObjectId> = Vec::new();
        let mut put = |id: ObjectId| {
            if found.len() < 2 && !found.contains(&id) {
                found.push(id);
            }
        };
        for pack in &self.packs {
            let Some(bundle) = pack.bundle(self.hash) else {
                continue;
            };
            let mut range = 0..0;
            if bundle
                .index
                .lookup_prefix(wanted, Some(&mut range))
                .is_some()
            {
                for index in range.take(2) {
                    put(bundle.index.oid_at_index(index).to_owned());
                }
            }
        }
        for store in &self.loose {
            let folder = store.path().join(&prefix[..2]);
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let Some(name) = name.to_str() else { continue };
                if let Ok(id) = ObjectId::from_hex(format!("{}{name}", &prefix[..2]).as_bytes())
                    && id.kind() == self.hash
                    && wanted.cmp_oid(&id) == std::cmp::Ordering::Equal
                {
                    put(id);
                }
            }
        }
        found
    }

    pub(crate) fn damaged(&self, id: &oid, what: &str) -> GitError {
        GitError::damaged(&self.folder, format!("object {} {what}", id.to_hex()))
    }
}

impl gix_object::Find for Objects {
    fn try_find<'a>(
        &self,
        id: &oid,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<gix_object::Data<'a>>, gix_error::Error> {
        // Only called for trees, by the tree comparison.
        let Ok(tree) = self.tree(id) else {
            return Ok(None);
        };
        buffer.clear();
        buffer.extend_from_slice(&tree);
        Ok(Some(gix_object::Data {
            kind: Kind::Tree,
            object_hash: self.hash,
            data: buffer,
        }))
    }
}

impl Pack {
    fn bundle(&self, hash: gix_hash::Kind) -> Option<&gix_pack::Bundle> {
        let open = || {
            let data = self.index.with_extension("pack");
            // Open only regular files: a fifo would block.
            if !self.index.is_file() || !data.is_file() {
                return None;
            }
            let index = gix_pack::index::File::at(&self.index, hash).ok()?;
            let pack = gix_pack::data::File::at(&data, hash).ok()?;
            Some(gix_pack::Bundle {
                pack: pack.with_alloc_limit_bytes(Some(OBJECT_BYTES)),
                index,
            })
        };
        self.bundle.get_or_init(open).as_ref()
    }
}

/// Reports whether a loose object is a regular file.
fn is_file(store: &gix_odb::loose::Store, id: &oid) -> bool {
    let name = id.to_hex().to_string();
    let path = store.path().join(&name[..2]).join(&name[2..]);
    std::fs::metadata(path).is_ok_and(|found| found.is_file())
}

fn packs_of(folder: &Utf8Path, most: usize) -> Vec<Pack> {
    let Ok(entries) = folder.join("pack").read_dir_utf8() else {
        return Vec::new();
    };
    let indexes = entries.flatten().map(|entry| entry.into_path());
    let indexes = indexes.filter(|path| path.extension() == Some("idx"));
    let mut packs: Vec<Utf8PathBuf> = indexes.take(most).collect();
    packs.sort();
    let pack = |index| Pack {
        index,
        bundle: OnceCell::new(),
    };
    packs.into_iter().map(pack).collect()
}

/// Returns the object folder, then its alternates. They may be anywhere, as `git clone --shared` creates them: they are
/// only read, by ids that the repository contains.
fn object_folders(own: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut folders = vec![own.to_owned()];
    let mut level = vec![own.to_owned()];
    for _ in 0..ALTERNATE_DEPTH {
        let mut next = Vec::new();
        for folder in &level {
            let list = read::text(&folder.join("info/alternates"), POINTER_BYTES);
            for line in list.unwrap_or_default().lines() {
                let line = line.trim_end();
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let alternate = folder.join(line);
                let Ok(alternate) = acreta_fs::canonical(&alternate) else {
                    continue;
                };
                if folders.len() < ALTERNATES && alternate.is_dir() && !folders.contains(&alternate)
                {
                    folders.push(alternate.clone());
                    next.push(alternate);
                }
            }
        }
        level = next;
    }
    folders
}
