//! What is installed, by whom, with which grants. A plugin comes from a file, a folder, an address
//! or a registry; it is looked at without being run, shown to a person with everything it asks for,
//! and installed as a whole or not at all. Afterwards it counts only as far as it is what the
//! person confirmed.
//!
//! Nothing here knows wasmtime, the clock or the environment: the time is an argument.

mod capabilities;
mod change;
mod error;
mod fetch;
mod grants;
mod identity;
mod inspect;
mod installed;
mod journal;
mod library;
mod lock;
mod manifest;
mod plan;
mod roots;
mod signature;
mod source;
mod state;
mod table;

pub use capabilities::{Capabilities, ModelBudget, PURPOSES, Wanted, Wish};
pub use change::Change;
pub use error::{Clash, Refused};
pub use fetch::{FetchError, FetchOptions, Fetched, KnownFile, download, fetch};
pub use grants::{Grant, Grants, NotGranted, granted_roots, missing, require};
pub use identity::{Digest, InvalidDigest, InvalidId, PluginId};
pub use inspect::{Inspection, RefusedComponent, WIT_VERSION, host_interfaces, inspect};
pub use installed::Installed;
pub use journal::Paths;
pub use library::{Entry, Library};
pub use lock::{LOCK, Lock, Locked, verify};
pub use manifest::{LimitRequest, MANIFEST, Manifest, ModelRequest, Setting, SettingKind};
pub use plan::{Consent, InstallPlan, Rules, ToChanges, ToWishes};
pub use roots::{KnownRoot, Neighbours, RefusedRoot, RootReason, check_roots};
pub use signature::{Demand, InvalidKey, SignaturePolicy, SignatureProblem, Signed};
pub use source::{Address, InvalidSource, OciReference, OciVersion, Source};
pub use state::StateError;
pub use table::{FileError, Problem};
