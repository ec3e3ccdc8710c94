//! Reasons why a plugin is not installed or not run: what, why, and how to fix it.

use acreta_types::Role;
use camino::Utf8PathBuf;

use crate::capabilities::Wish;
use crate::change::Change;
use crate::fetch::FetchError;
use crate::grants::NotGranted;
use crate::identity::{Digest, PluginId};
use crate::inspect::RefusedComponent;
use crate::roots::RefusedRoot;
use crate::signature::SignatureProblem;
use crate::state::StateError;
use crate::table::FileError;

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Manifest(#[from] FileError),
    #[error(transparent)]
    NotGranted(#[from] NotGranted),
    #[error("the component of `{plugin}` is refused: {cause}")]
    Component {
        plugin: PluginId,
        cause: RefusedComponent,
    },
    #[error(
        "`{plugin}` has role {manifest} in its manifest, but its component has role {component}"
    )]
    WrongRole {
        plugin: PluginId,
        manifest: Role,
        component: Role,
    },
    #[error(
        "`{plugin}` says two things about itself: `{place}` and the manifest in its component differ in {}",
        listed(.keys)
    )]
    ManifestDiffers {
        plugin: PluginId,
        place: String,
        keys: Vec<&'static str>,
    },
    #[error("`{plugin}` was revoked: {reason}")]
    Revoked { plugin: PluginId, reason: String },
    #[error("no earlier version of `{plugin}` is kept")]
    NothingKept { plugin: PluginId },
    #[error("`{place}` has no `digest`, which a published plugin needs")]
    NoDigest { place: Utf8PathBuf },
    #[error(
        "the component of `{plugin}` does not match its manifest: expected {expected}, found {found}"
    )]
    WrongDigest {
        plugin: PluginId,
        expected: Digest,
        found: Digest,
    },
    #[error("the name `{plugin}` is taken: {taken}")]
    NameClash { plugin: PluginId, taken: Clash },
    #[error("`{plugin}` is refused: {cause}")]
    Root {
        plugin: PluginId,
        cause: RefusedRoot,
    },
    #[error("`{plugin}` is refused: {cause}")]
    Signature {
        plugin: PluginId,
        cause: SignatureProblem,
    },
    #[error("`{plugin}` is not what was confirmed before: {}", listed(.changes))]
    Unconfirmed {
        plugin: PluginId,
        changes: Vec<Change>,
    },
    #[error("`{plugin}` was changed by another process meanwhile")]
    Meanwhile { plugin: PluginId },
    #[error("plugin `{plugin}` is not installed")]
    NotInstalled { plugin: PluginId },
    #[error("plugin `{plugin}` is not in the lock")]
    NotLocked { plugin: PluginId },
    #[error(
        "the component of `{plugin}` changed since it was confirmed: {locked} is locked, {found} is on disk"
    )]
    ChangedComponent {
        plugin: PluginId,
        locked: Digest,
        found: Digest,
    },
    #[error("plugin `{plugin}` asks for more than was confirmed: to {}", listed(&wanted(.grown)))]
    GrownWishes { plugin: PluginId, grown: Vec<Wish> },
    #[error("the manifest of `{plugin}` has another version or role than the lock")]
    ChangedManifest { plugin: PluginId },
}

/// Owner of a name that is already taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    #[error("a built-in plugin uses it")]
    Builtin,
    #[error("`{path}` uses it")]
    LooseFile { path: Utf8PathBuf },
    #[error("it is installed as {role}")]
    OtherRole { role: Role },
}

impl Refused {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Refused::Fetch(error) => return error.hint(),
            Refused::State(error) => return error.hint(),
            Refused::Manifest(error) => error.hint(),
            Refused::NotGranted(error) => error.hint(),
            Refused::Component { cause, .. } => cause.hint(),
            Refused::WrongRole { component, .. } => {
                format!("write `role = \"{component}\"`, or build the other component")
            }
            Refused::ManifestDiffers { .. } => {
                "its author builds it again with `acreta plugin build`; do not install this one"
                    .to_owned()
            }
            Refused::Revoked { plugin, .. } => format!(
                "`acreta plugin update {plugin}` looks for another version; `acreta plugin remove {plugin}` removes it"
            ),
            Refused::NothingKept { .. } => {
                "the version before is kept when an update replaces it".to_owned()
            }
            Refused::NoDigest { .. } => {
                "add `digest = \"sha256:…\"`, the SHA-256 of the component".to_owned()
            }
            Refused::WrongDigest { found, .. } => format!(
                "get both again; if the component is the right one, write `digest = \"{found}\"`"
            ),
            Refused::NameClash { plugin, taken } => match taken {
                Clash::Builtin => format!("give it another `id`, such as `my-{plugin}`"),
                Clash::LooseFile { path } => {
                    format!("remove `{path}` first, or give it another `id`")
                }
                Clash::OtherRole { .. } => {
                    format!("`acreta plugin remove {plugin}` first, or give it another `id`")
                }
            },
            Refused::Root { cause, .. } => cause.hint(),
            Refused::Signature { cause, .. } => cause.hint().to_owned(),
            Refused::Unconfirmed { .. } => {
                "look at what changed, and confirm it with `acreta plugin install … --confirm`"
                    .to_owned()
            }
            Refused::Meanwhile { .. } => "try again".to_owned(),
            Refused::NotInstalled { .. } => {
                "`acreta plugin list` shows the installed plugins; `acreta plugin install` installs"
                    .to_owned()
            }
            Refused::NotLocked { .. }
            | Refused::ChangedComponent { .. }
            | Refused::ChangedManifest { .. }
            | Refused::GrownWishes { .. } => {
                "install it again from its source, and confirm what changed".to_owned()
            }
        })
    }
}

fn wanted(wishes: &[Wish]) -> Vec<String> {
    wishes.iter().map(|wish| wish.what.to_string()).collect()
}

pub(crate) fn listed<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join("; ")
}
