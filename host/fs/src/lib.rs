//! All file system access. Every path is validated, stays beneath the directory it was opened from, follows no link in
//! a project's `.acreta`, and is named in every error; `replace` returns after the file is durable. Tests observe
//! operations, inject failures and reconstruct the state after a crash.

pub mod allocator;
mod background;
pub mod child;
mod directory;
mod error;
pub mod faults;
mod links;
mod lock;
mod metadata;
mod operation;
mod path;
mod pending;
mod permissions;
mod platform;
mod project_folder;
mod remove;
mod scan;
mod scratch;
mod secret;
mod stamp;
mod sweep;
mod walk;
mod write;

pub use background::detach;
pub use directory::{Directory, Reader};
pub use error::{FsError, LockError};
pub use links::resolve_links;
pub use lock::Lock;
pub use metadata::{EntryKind, Metadata};
pub use operation::{Faults, NoFaults, Operation, OperationKind};
pub use path::{canonical, is_device_name, is_relative_path, join, native, portable};
pub use pending::PendingFile;
pub use project_folder::{LOCAL_PARTS, PROJECT_FOLDER, SUMMARIES_IGNORED, ignores_summaries};
pub use scan::{ScanLimits, Scanned, Wanted};
pub use scratch::{Scratch, StagingMethod, scratch, stage_file};
pub use secret::random_secret;
pub use stamp::{Stamp, ms_to_ns, timespec_ns, unix_ns};
pub use sweep::{sweep, sweep_scratch};
pub use walk::{Entry, Limits};
