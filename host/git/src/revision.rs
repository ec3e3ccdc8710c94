//! Parses revisions: refs, full and short ids, `git describe` names, and the suffixes `~N`, `^N`, `^{}` and
//! `^{commit}`. Reflogs (`@{1}`), searches (`:/text`) and paths are not supported.

use gix_hash::ObjectId;
use gix_object::{Kind, TagRefIter};

use crate::limits::{REF_DEPTH, REVISION_STEPS};
use crate::objects::Objects;
use crate::refs::Refs;

/// Resolves a revision to a commit.
pub(crate) fn commit(refs: &Refs<'_>, objects: &Objects, revision: &str) -> Option<ObjectId> {
    let end = revision.find(['~', '^']).unwrap_or(revision.len());
    let (name, mut suffix) = revision.split_at(end);
    let id = refs
        .find(name)
        .or_else(|| by_id(objects, name))
        .or_else(|| by_id(objects, name.rsplit_once("-g")?.1))?;
    let mut commit = peeled(objects, id)?;
    let mut steps = 0;
    while !suffix.is_empty() {
        let (kind, rest) = suffix.split_at(1);
        if let Some(after) = ["{}", "{commit}"]
            .iter()
            .find_map(|kind| rest.strip_prefix(kind))
        {
            if kind != "^" {
                return None;
            }
            suffix = after;
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = match &rest[..digits] {
            "" => 1,
            digits => digits.parse().ok()?,
        };
        suffix = &rest[digits..];
        match kind {
            "~" => {
                for _ in 0..number {
                    steps += 1;
                    if steps > REVISION_STEPS {
                        return None;
                    }
                    commit = parent(objects, commit, 1)?;
                }
            }
            "^" if number == 0 => {}
            "^" => commit = parent(objects, commit, number)?,
            _ => return None,
        }
    }
    Some(commit)
}

fn parent(objects: &Objects, commit: ObjectId, number: u64) -> Option<ObjectId> {
    let number = usize::try_from(number).ok()?.checked_sub(1)?;
    objects
        .commit(&commit, |commit| commit.parent_ids().nth(number))
        .ok()?
}

/// Returns a commit, or the commit that a tag points to.
fn peeled(objects: &Objects, mut id: ObjectId) -> Option<ObjectId> {
    let mut bytes = Vec::new();
    for _ in 0..REF_DEPTH {
        match objects.find(&id, &mut bytes).ok()?? {
            Kind::Commit => return Some(id),
            Kind::Tag => {
                id = TagRefIter::from_bytes(&bytes, objects.hash)
                    .target_id()
                    .ok()?
            }
            Kind::Tree | Kind::Blob => return None,
        }
    }
    None
}

/// Finds an object by id; a short id must be unambiguous among commits.
fn by_id(objects: &Objects, hex: &str) -> Option<ObjectId> {
    if hex.len() < 4 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let hex = hex.to_ascii_lowercase();
    if hex.len() == objects.hash.len_in_hex() {
        return ObjectId::from_hex(hex.as_bytes()).ok();
    }
    match objects.with_prefix(&hex).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
