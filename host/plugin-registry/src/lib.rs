//! Installed plugins, their origin and their grants. A plugin comes from a file, a folder, a URL or a registry; it is
//! inspected without being run, shown to a person with everything it asks for, and installed completely or not at all.
//! It is used only as long as it matches what the person confirmed.
//!
//! Nothing here knows wasmtime, the clock or the environment: the time is an argument.

mod capabilities;
mod change;
mod dependencies;
mod embedded;
mod error;
mod fetch;
mod grants;
mod identity;
mod index;
mod inspect;
mod installed;
mod journal;
mod library;
mod lock;
mod manifest;
mod plan;
mod revocations;
mod roots;
mod signature;
mod sigstore;
mod source;
mod state;
mod table;

pub use capabilities::{Capabilities, ModelBudget, PURPOSES, Wanted, Wish, host_interfaces};
pub use change::Change;
pub use dependencies::{
    DEPENDENCIES_SECTION, Dependency, DependencyKind, from_cargo_tree, from_npm, from_pip,
};
pub use embedded::{
    EmbedError, Embedded, InvalidSections, MANIFEST_SECTION, METADATA_SECTIONS, embed, embedded,
};
pub use error::{Clash, Refused};
pub use fetch::{
    FetchError, FetchOptions, Fetched, KnownFile, Login, LoginSource, Pushed, download, fetch,
    fetch_text, login_of, push, resolve, signature_names, tags,
};
pub use grants::{Grant, Grants, NotGranted, granted_roots, missing, require};
pub use identity::{Digest, InvalidDigest, InvalidId, PluginId};
pub use index::{INDEX_BYTES, Index, IndexedPlugin, IndexedVersion};
pub use inspect::{Inspection, RefusedComponent, WIT_VERSION, inspect};
pub use installed::Installed;
pub use journal::Paths;
pub use library::{Library, LibraryEntry};
pub use lock::{LOCK, Lock, Locked, verify};
pub use manifest::{LimitRequest, MANIFEST, Manifest, ModelRequest, Setting, SettingKind};
pub use plan::{Consent, InstallPlan, Rules, ToChanges, ToWishes, check_same};
pub use revocations::{Revocations, Revoked};
pub use roots::{KnownRoot, Neighbours, RefusedRoot, RootReason, check_roots};
pub use signature::{
    Demand, InvalidKey, SignaturePolicy, SignatureProblem, SignatureState, Signed,
};
pub use source::{Address, InvalidSource, OciReference, OciVersion, Source};
pub use state::StateError;
pub use table::{FileError, Problem};
