//! Reads refs from files: loose ones, `packed-refs`, and symbolic ones up to a depth. gix-ref is not used because it
//! opens whatever is at a ref's path without a limit.

use camino::Utf8Path;
use gix_hash::ObjectId;

use crate::folders::GitFolders;
use crate::limits::{POINTER_BYTES, REF_DEPTH, REFS_BYTES};
use crate::read;

/// Target of `HEAD`, and the commit it resolves to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HeadRef {
    /// Full name of the branch; `None` if detached.
    pub(crate) reference: Option<String>,
    /// `None` before the first commit.
    pub(crate) id: Option<ObjectId>,
}

pub(crate) struct Refs<'a> {
    folders: &'a GitFolders,
    hash: gix_hash::Kind,
}

impl<'a> Refs<'a> {
    pub(crate) fn new(folders: &'a GitFolders, hash: gix_hash::Kind) -> Self {
        Self { folders, hash }
    }

    pub(crate) fn head(&self) -> HeadRef {
        match self.content("HEAD") {
            Some(RefContent::Symbolic(name)) => HeadRef {
                id: self.follow(&name),
                reference: Some(name),
            },
            Some(RefContent::Object(id)) => HeadRef {
                reference: None,
                id: Some(id),
            },
            None => HeadRef::default(),
        }
    }

    /// Resolves a short or full name, in git's order of precedence.
    pub(crate) fn find(&self, name: &str) -> Option<ObjectId> {
        let name = if name == "@" { "HEAD" } else { name };
        if !is_name(name) {
            return None;
        }
        let candidates = [
            name.to_owned(),
            format!("refs/{name}"),
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            format!("refs/remotes/{name}/HEAD"),
        ];
        let is_ref = |name: &&String| name.starts_with("refs/") || is_pseudo(name);
        let mut candidates = candidates.iter().filter(is_ref);
        candidates.find_map(|name| self.follow(name))
    }

    /// Resolves a full name.
    pub(crate) fn follow(&self, name: &str) -> Option<ObjectId> {
        let mut name = name.to_owned();
        // The limit also ends a cycle of symbolic refs.
        for _ in 0..REF_DEPTH {
            match self.content(&name)? {
                RefContent::Object(id) => return Some(id),
                RefContent::Symbolic(next) => name = next,
            }
        }
        None
    }

    fn content(&self, name: &str) -> Option<RefContent> {
        if !is_name(name) {
            return None;
        }
        for folder in [&self.folders.own, &self.folders.common] {
            if let Some(text) = read::text(&folder.join(name), POINTER_BYTES) {
                return self.parsed(&text);
            }
        }
        self.packed(name)
    }

    fn parsed(&self, text: &str) -> Option<RefContent> {
        let text = text.trim_end();
        if let Some(name) = text.strip_prefix("ref:") {
            let name = name.trim();
            return is_name(name).then(|| RefContent::Symbolic(name.to_owned()));
        }
        let id = ObjectId::from_hex(text.split_whitespace().next()?.as_bytes()).ok()?;
        (id.kind() == self.hash).then_some(RefContent::Object(id))
    }

    fn packed(&self, name: &str) -> Option<RefContent> {
        let packed = packed_refs(&self.folders.common)?;
        let line = packed
            .split(|byte| *byte == b'\n')
            .find(|line| line.split(|byte| *byte == b' ').nth(1) == Some(name.as_bytes()))?;
        self.parsed(std::str::from_utf8(line).ok()?)
    }
}

enum RefContent {
    Object(ObjectId),
    Symbolic(String),
}

fn packed_refs(common: &Utf8Path) -> Option<Vec<u8>> {
    read::bytes(&common.join("packed-refs"), REFS_BYTES).ok()?
}

/// Returns the boundary commits of a shallow clone.
pub(crate) fn shallow(common: &Utf8Path) -> Vec<ObjectId> {
    let bytes = read::bytes(&common.join("shallow"), REFS_BYTES);
    let bytes = bytes.ok().flatten().unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| ObjectId::from_hex(line.trim_ascii()).ok())
        .collect()
}

/// Reports whether a name stays below the git folder and is a valid ref name.
fn is_name(name: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_odd = |character: char| character.is_control() || " ~^:?*[\\".contains(character);
    !name.is_empty()
        && name.len() <= 1024
        && !name.contains("..")
        && !name.contains(is_odd)
        && name.split('/').all(is_part)
}

/// `HEAD`, `FETCH_HEAD`, `ORIG_HEAD` and the like.
fn is_pseudo(name: &str) -> bool {
    name.ends_with("HEAD")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}
