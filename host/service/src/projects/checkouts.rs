//! The checkouts that hold the repository they were registered with. Every request asks, so a repository is opened again
//! only when something in its `.git` changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use acreta_fs::Stamp;
use acreta_session_archive::is_other_repository;
use acreta_types::{Identity, locked};
use camino::{Utf8Path, Utf8PathBuf};

use crate::process::stamps::{self, TakenStamps};

/// Checkouts by path, as last looked at.
#[derive(Clone, Default)]
pub(crate) struct KnownCheckouts(Arc<Mutex<HashMap<Utf8PathBuf, KnownCheckout>>>);

struct KnownCheckout {
    identity: Identity,
    stamps: TakenStamps,
}

/// Git makes or replaces a file in one of these when it removes commits or starts a repository; in the objects alone,
/// commits are only added.
const FOLDERS: [&str; 3] = [".git", ".git/objects", ".git/objects/pack"];

impl KnownCheckouts {
    /// Like [`is_other_repository`].
    pub(crate) fn is_other(&self, root: &Utf8Path, identity: &Identity) -> bool {
        let is_as_known = |now: &[Option<Stamp>]| {
            let checkouts = locked(&self.0);
            let known = checkouts.get(root);
            known.is_some_and(|known| known.identity == *identity && known.stamps.are_current(now))
        };
        let folders = FOLDERS.map(|folder| root.join(folder));
        let look = || stamps::of_files(folders.iter().map(Utf8PathBuf::as_path));
        let now = look();
        // The objects of a worktree or a submodule lie elsewhere.
        let is_whole = now.iter().all(Option::is_some);
        if is_whole && is_as_known(&now) {
            return false;
        }
        let stamps = TakenStamps::take(look);
        let is_other = is_other_repository(root, identity);
        if is_whole && !is_other {
            let identity = identity.clone();
            let known = KnownCheckout { identity, stamps };
            locked(&self.0).insert(root.to_owned(), known);
        }
        is_other
    }
}
