//! Finds who brought a file of memory into the repository: the author of the last commit that changed it, if that is
//! somebody else. Read from history when one memory is shown, never for lists or hooks.
//!
//! A name in a commit is whatever its author wrote. It tells whom to ask; it is not proof, and no trust follows from
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use acreta_git::{GitRepository, HistoryOptions, TreeChange};
use acreta_store::{Layout, Memory};
use camino::Utf8Path;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Context;

/// The last commit of a file by somebody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GitOrigin {
    /// Name and address, as written in the commit.
    pub author: String,
    /// The first twelve digits of its id.
    pub commit: String,
}

/// The settings by which the user's own commits are recognised.
pub enum OwnIdentity {
    /// By the user's own git settings.
    User,
    /// Also by those of the repository, which a copied folder may have brought along.
    UserOrRepository,
}

/// Time limit: a request for one memory must not wait for a long history.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Number of digits shown of a commit's id.
const DIGITS: usize = 12;

impl std::fmt::Display for GitOrigin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let author = acreta_text::visible(&self.author);
        write!(formatter, "from {author}, commit {}", self.commit)
    }
}

/// Returns who brought a memory's file, if it came by git from somebody else.
pub fn of_memory(context: &Context, layout: &Layout, memory: &Memory) -> Option<GitOrigin> {
    let path = layout.memory_root().join(&memory.path);
    let (folder, name) = (path.parent()?, path.file_name()?);
    let wanted = BTreeSet::from([name.to_owned()]);
    of_files(context, folder, wanted, &OwnIdentity::User).remove(name)
}

/// Returns who brought several files of one folder, by name.
pub fn of_files(
    context: &Context,
    folder: &Utf8Path,
    mut wanted: BTreeSet<String>,
    own: &OwnIdentity,
) -> BTreeMap<String, GitOrigin> {
    let mut found = BTreeMap::new();
    let Ok(repository) = GitRepository::containing(folder) else {
        return found;
    };
    let within = repository
        .work_tree()
        .and_then(|root| folder.strip_prefix(root).ok())
        .map(acreta_fs::portable);
    let Some(within) = within else {
        return found;
    };
    let mut addresses = addresses(context);
    if matches!(own, OwnIdentity::UserOrRepository) {
        addresses.extend(repository.user_email());
    }
    let options = HistoryOptions {
        within: Some(format!("{within}/")),
        timeout: TIMEOUT,
        ..HistoryOptions::default()
    };
    repository.history(&options, &mut |commit| {
        for (path, change) in &commit.changes {
            if *change == TreeChange::Removed || !wanted.remove(path) {
                continue;
            }
            let address = address(&commit.author);
            if !addresses
                .iter()
                .any(|own| own.eq_ignore_ascii_case(address))
            {
                let id = &commit.id;
                found.insert(
                    path.clone(),
                    GitOrigin {
                        author: commit.author.clone(),
                        commit: id.get(..DIGITS).unwrap_or(id).to_owned(),
                    },
                );
            }
        }
        match wanted.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    found
}

/// Returns the user's addresses from settings that no repository writes.
fn addresses(context: &Context) -> Vec<String> {
    let user = context.home.user().map(|user| user.join(".gitconfig"));
    let folder = context.environment.get("XDG_CONFIG_HOME");
    let folder = folder.map(camino::Utf8PathBuf::from);
    let folder = folder.or_else(|| context.home.user().map(|user| user.join(".config")));
    let files = user
        .into_iter()
        .chain(folder.map(|folder| folder.join("git/config")));
    files
        .filter_map(|file| acreta_git::user_email(&file))
        .collect()
}

/// Returns the address in `Name <address>`.
fn address(author: &str) -> &str {
    let after = author.rsplit_once('<').map_or(author, |(_, after)| after);
    after.trim_end_matches('>').trim()
}
