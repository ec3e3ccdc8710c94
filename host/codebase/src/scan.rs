//! Examines the project on disk: walks, stats and compares files and folders, and decides which are never opened.
//!
//! An artifact has a stamp (size, times, inode) of every file and folder, and a hash of every file. A delta is computed from it
//! in two steps: [`compare`] looks at stamps only, [`examine`] reads what they leave open.
//!
//! An example: since the last time `src/a.rs` was edited, `src/b.rs` was touched without a change, `src/c.rs` was moved to
//! `lib/c.rs`, and nothing else happened in 10,000 files.
//!
//! 1. All known files and folders are stat'ed, none is opened. `a.rs` and `b.rs` have other stamps; `c.rs` is missing; `src`
//!    and `lib` have other stamps because their entries changed.
//! 2. Only `src` and `lib` are listed. `lib/c.rs` is new.
//! 3. `a.rs`, `b.rs` and `lib/c.rs` are read and hashed. `b.rs` has its old hash: only its stamp is updated. `a.rs` is modified.
//! 4. The new file has hash and size of the missing one: `c.rs` was renamed.
//!
//! A file that was written in the instant in which it was stamped could change again and keep its stamp. Such stamps are marked
//! as racy, and the file is read again the next time. If an ignore file changed, any folder may have gained or lost files:
//! then the whole project is walked and compared by path.

pub(crate) mod changes;
pub(crate) mod compare;
pub(crate) mod content;
pub(crate) mod examine;
pub(crate) mod journal;
pub(crate) mod look;
pub(crate) mod node;
pub(crate) mod repository;
pub(crate) mod rules;
pub(crate) mod sensitive;
pub(crate) mod tree;
pub(crate) mod walk;
