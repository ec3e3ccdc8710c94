//! Which projects get memory.

use acreta_catalog::Project;
use acreta_sessions::identity_of;
use acreta_store::project_root_outside;
use camino::{Utf8Path, Utf8PathBuf};

use crate::clock::now_ms;
use crate::{Context, Failure, Kind, scopes};

/// The project that a folder belongs to, or the current one.
pub fn root_of(context: &Context, folder: Option<&Utf8Path>) -> Result<Utf8PathBuf, Failure> {
    let root = match folder {
        None => context.project.clone(),
        Some(folder) if folder.is_dir() => project_root_outside(folder, context.home.folder()).path,
        Some(folder) => {
            let message = format!("there is no directory `{folder}`");
            return Err(Failure::new(Kind::Usage, message)
                .hint("if the project moved, add it where it is now, with `--also` its old path"));
        }
    };
    let home = context.home.user().map(acreta_fs::canonical);
    if home.is_some_and(|home| home.is_ok_and(|home| home == root)) {
        return Err(Failure::saying(
            "the home folder is not a project: its memory is the global one",
        )
        .hint("`acreta config set sync.without_project global` takes such sessions in"));
    }
    Ok(root)
}

/// Takes a project in; says whether it was not before.
pub fn add(context: &Context, root: &Utf8Path) -> Result<(Project, bool), Failure> {
    let catalog = scopes::open_catalog(context)?;
    let known = catalog.project_at(root)?;
    let is_new = known.is_none_or(|project| !project.registered);
    let identity = identity_of(root);
    let project = catalog.register(root, &identity, now_ms())?;
    Ok((project, is_new))
}
