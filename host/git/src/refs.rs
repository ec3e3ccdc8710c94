//! Refs, read as files: loose ones, `packed-refs`, and symbolic ones up to a depth. gix-ref opens
//! whatever lies at a ref's path without a bound, so it is not used.

use camino::Utf8Path;
use gix_hash::ObjectId;

use crate::folders::Folders;
use crate::limits::{POINTER_BYTES, REF_DEPTH, REFS_BYTES};
use crate::read;

/// Where `HEAD` points, and the commit it leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The full name of the branch; none when detached.
    pub(crate) reference: Option<String>,
    /// None before the first commit.
    pub(crate) id: Option<ObjectId>,
}

pub(crate) struct Refs<'a> {
    folders: &'a Folders,
    hash: gix_hash::Kind,
}

impl<'a> Refs<'a> {
    pub(crate) fn new(folders: &'a Folders, hash: gix_hash::Kind) -> Self {
        Self { folders, hash }
    }

    pub(crate) fn head(&self) -> Head {
        match self.content("HEAD") {
            Some(Content::Symbolic(name)) => Head {
                id: self.follow(&name),
                reference: Some(name),
            },
            Some(Content::Object(id)) => Head {
                reference: None,
                id: Some(id),
            },
            None => Head::default(),
        }
    }

    /// The object that a short or full name leads to, by git's order of precedence.
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

    /// The object that a full name leads to.
    pub(crate) fn follow(&self, name: &str) -> Option<ObjectId> {
        let mut name = name.to_owned();
        // A circle of symbolic refs ends here as well.
        for _ in 0..REF_DEPTH {
            match self.content(&name)? {
                Content::Object(id) => return Some(id),
                Content::Symbolic(next) => name = next,
            }
        }
        None
    }

    fn content(&self, name: &str) -> Option<Content> {
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

    fn parsed(&self, text: &str) -> Option<Content> {
        let text = text.trim_end();
        if let Some(name) = text.strip_prefix("ref:") {
            let name = name.trim();
            return is_name(name).then(|| Content::Symbolic(name.to_owned()));
        }
        let id = ObjectId::from_hex(text.split_whitespace().next()?.as_bytes()).ok()?;
        (id.kind() == self.hash).then_some(Content::Object(id))
    }

    fn packed(&self, name: &str) -> Option<Content> {
        let packed = packed_refs(&self.folders.common)?;
        let line = packed
            .split(|byte| *byte == b'\n')
            .find(|line| line.split(|byte| *byte == b' ').nth(1) == Some(name.as_bytes()))?;
        self.parsed(std::str::from_utf8(line).ok()?)
    }
}

enum Content {
    Object(ObjectId),
    Symbolic(String),
}

fn packed_refs(common: &Utf8Path) -> Option<Vec<u8>> {
    read::bytes(&common.join("packed-refs"), REFS_BYTES).ok()?
}

/// The commits at which a shallow clone was cut off.
pub(crate) fn shallow(common: &Utf8Path) -> Vec<ObjectId> {
    let bytes = read::bytes(&common.join("shallow"), REFS_BYTES);
    let bytes = bytes.ok().flatten().unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| ObjectId::from_hex(line.trim_ascii()).ok())
        .collect()
}

/// Reports whether a name stays below the git folder and could be a ref at all.
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
