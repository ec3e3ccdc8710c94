//! Clones of remotes, and a branch checked out in one. A clone belongs to one holder at a time; what a killed process
//! left behind is removed by the next checkout.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Directory, EntryKind, Lock, NoFaults, PROJECT_FOLDER};
use camino::{Utf8Path, Utf8PathBuf};

use crate::clone::{CloneFolder, RemoteRefs, full_name};
use crate::commit::check_branch;
use crate::files;
use crate::git::Git;
use crate::remote::Remote;
use crate::tree::{self, MemoryTree, TreeEntry};
use crate::{ClonesError, CommitId};

/// How clones are made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The git program; a bare name is looked up in `PATH`.
    pub git: String,
    /// Limit of each fetch and push.
    pub network_timeout: Duration,
    /// Limit of each other call of git.
    pub local_timeout: Duration,
    /// How long to wait for another process that holds a clone.
    pub lock_wait: Duration,
    /// Whether a remote may be a folder of this machine.
    pub folders: bool,
    /// Which files in folders with a dot, or at the top, are brought to disk beside `.acreta`, as the default branch has them.
    /// They are to be read, and never published.
    pub beside: Option<fn(&Utf8Path) -> bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            git: "git".to_owned(),
            network_timeout: Duration::from_secs(300),
            local_timeout: Duration::from_secs(120),
            lock_wait: Duration::from_secs(60),
            folders: false,
            beside: None,
        }
    }
}

/// The folder of all clones, for example `~/.acreta/clones`.
#[derive(Debug)]
pub struct Clones {
    root: Directory,
    git: Git,
    lock_wait: Duration,
    folders: bool,
    beside: Option<fn(&Utf8Path) -> bool>,
}

/// A branch in a clone, as the remote had it. The clone is locked as long as this value lives.
#[derive(Debug)]
pub struct Checkout {
    pub(crate) git: Git,
    pub(crate) remote: Remote,
    pub(crate) branch: String,
    pub(crate) home: Directory,
    /// The folder `.acreta` of the checkout.
    pub(crate) folder: Directory,
    /// The commit that was checked out.
    pub(crate) base: Option<CommitId>,
    /// The tip of the branch; `None` if it does not exist yet.
    pub(crate) tip: Option<CommitId>,
    pub(crate) memory: MemoryTree,
    path: Utf8PathBuf,
    _lock: Lock,
}

/// Used for hooks: nothing is ever put there.
const EMPTY: &str = "empty";
const TREE: &str = "tree";
/// More entries in a folder that has to be empty are an error.
const MOST_STRANGE: u64 = 1000;

impl Clones {
    /// Opens the folder of all clones, and creates it if necessary. It must not contain anything else.
    pub fn open(root: &Utf8Path, settings: Settings) -> Result<Self, ClonesError> {
        let root = Directory::open_or_create_private(root, NoFaults::shared())?;
        root.create_dir_all(EMPTY)?;
        // The folder itself stays: git of another process may run in it.
        for entry in root.list(EMPTY, MOST_STRANGE)? {
            match entry.metadata.kind {
                EntryKind::Directory => root.remove_dir_all(&entry.path)?,
                _ => root.remove_file(&entry.path)?,
            }
        }
        let git = Git {
            program: settings.git,
            empty: root.path().join(EMPTY),
            network_timeout: settings.network_timeout,
            local_timeout: settings.local_timeout,
        };
        Ok(Self {
            root,
            git,
            lock_wait: settings.lock_wait,
            folders: settings.folders,
            beside: settings.beside,
        })
    }

    /// Checks out `.acreta` as the branch of the remote has it now. If the branch does not exist, the tip of the
    /// remote's default branch is taken; if that does not exist either, the checkout is empty.
    pub fn checkout(&self, remote: &str, branch: &str) -> Result<Checkout, ClonesError> {
        check_branch(branch)?;
        let remote = Remote::parse(remote, self.folders)?;
        let name = remote.folder_name();
        let lock = self.root.lock(format!("{name}.lock"), self.lock_wait)?;
        self.root.create_dir_all(&name)?;
        let home = self.root.subdirectory(&name)?.without_links();
        let folder = prepare_tree(&home)?;
        let clone = CloneFolder::new(&self.git, &remote, &home);
        // A failure here is the remote's: the clone stays.
        let refs = clone.remote_refs(branch)?;
        let fill = || fill(&clone, (&home, &folder), branch, &refs, self.beside);
        let (base, memory) = match fill() {
            Err(error) if is_local_damage(&error) => {
                tracing::warn!(remote = remote.shown(), %error, "clone is unusable and made again");
                clone.discard()?;
                fill()?
            }
            other => other?,
        };
        Ok(Checkout {
            tip: refs.branch.and(base.clone()),
            base,
            memory,
            path: home.path().join(TREE),
            git: self.git.clone(),
            branch: branch.to_owned(),
            home: home.clone(),
            folder,
            remote: remote.clone(),
            _lock: lock,
        })
    }
}

impl Checkout {
    /// Returns the folder that contains `.acreta`.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns the commit that was checked out or published last; `None` if the remote has no history.
    pub fn base(&self) -> Option<&CommitId> {
        self.base.as_ref()
    }

    /// Reports whether the branch exists on the remote.
    pub fn branch_exists(&self) -> bool {
        self.tip.is_some()
    }

    pub(crate) fn clone_folder(&self) -> CloneFolder<'_> {
        CloneFolder::new(&self.git, &self.remote, &self.home)
    }
}

/// Brings the clone and the folder to the state of the remote.
fn fill(
    clone: &CloneFolder<'_>,
    (home, folder): (&Directory, &Directory),
    branch: &str,
    refs: &RemoteRefs,
    beside: Option<fn(&Utf8Path) -> bool>,
) -> Result<(Option<CommitId>, MemoryTree), ClonesError> {
    clone.prepare(refs)?;
    let mut found = Vec::new();
    if beside.is_some() && refs.head.is_some() {
        let head = clone.fetch_tip("HEAD")?;
        let top = clone.list(&head, None)?.into_iter();
        for entry in top.filter(|entry| entry.path.starts_with(b".") || !is_folder(entry)) {
            let name = std::str::from_utf8(&entry.path);
            found.extend(match (is_folder(&entry), name) {
                (true, Ok(name)) if name != PROJECT_FOLDER => clone.list(&head, Some(name))?,
                (true, _) => Vec::new(),
                (false, _) => vec![entry],
            });
        }
    }
    let found = tree::wanted(found, |file| beside.is_some_and(|beside| beside(file)));
    let top = home.subdirectory(TREE)?;
    files::write_beside(clone, &top, PROJECT_FOLDER, &found)?;
    let base = match (&refs.branch, &refs.head) {
        (Some(_), _) => Some(clone.fetch_tip(&full_name(branch))?),
        (None, Some(_)) => Some(clone.fetch_tip("HEAD")?),
        (None, None) => None,
    };
    let memory = match &base {
        Some(base) => {
            let entries = clone.list(base, Some(PROJECT_FOLDER))?;
            MemoryTree::of(entries).map_err(|unusable| ClonesError::Tree {
                remote: clone.remote.shown().to_owned(),
                branch: branch.to_owned(),
                path: unusable.path,
                reason: unusable.reason,
            })?
        }
        None => MemoryTree::default(),
    };
    files::write(clone, folder, &memory)?;
    Ok((base, memory))
}

fn is_folder(entry: &TreeEntry) -> bool {
    entry.mode == tree::FOLDER
}

/// Opens the folder `.acreta` of the checkout; anything else at its place is removed.
fn prepare_tree(home: &Directory) -> Result<Directory, ClonesError> {
    let path = format!("{TREE}/{PROJECT_FOLDER}");
    for part in [TREE, path.as_str()] {
        match home.metadata(part) {
            Ok(found) if found.kind == EntryKind::Directory => {}
            Ok(_) => home.remove_file(part)?,
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
    }
    home.create_dir_all(&path)?;
    Ok(home.subdirectory(&path)?)
}

/// Reports whether a new clone may help.
fn is_local_damage(error: &ClonesError) -> bool {
    use crate::GitFailure::{Failed, Output};
    matches!(
        error,
        ClonesError::Git {
            cause: Failed { .. } | Output { .. },
            ..
        }
    )
}

/// Clones are used by workers of many threads.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Arc<Clones>>();
    is_shared::<Checkout>();
};
