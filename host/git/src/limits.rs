//! Limits on everything that a repository can make large. Exceeding one is an error, never a longer wait or a larger
//! allocation.

/// `.git` files, `HEAD`, `commondir`, single refs.
pub const POINTER_BYTES: u64 = 16 * 1024;
/// `config`; a larger one has no settings.
pub const CONFIG_BYTES: u64 = 1024 * 1024;
/// The log of `HEAD`; a larger one is not read.
pub const LOG_BYTES: u64 = 64 * 1024 * 1024;
/// One `.gitignore` or `.gitattributes`; a larger one is not read.
pub const RULES_BYTES: u64 = 1024 * 1024;
/// `packed-refs` and `shallow`.
pub const REFS_BYTES: u64 = 128 * 1024 * 1024;
/// The index file; about eight million entries.
pub const INDEX_BYTES: u64 = 768 * 1024 * 1024;
/// Total length of all paths of an index. Version 4 stores only the difference to the previous path.
pub const INDEX_PATH_BYTES: u64 = 512 * 1024 * 1024;
/// One path of an index or a tree.
pub const PATH_BYTES: usize = 4096;
/// Folders above a file, in trees and in the work tree.
pub const DEPTH: usize = 256;
/// Entries of all trees of one listing or comparison.
pub const TREE_ENTRIES: usize = 2_000_000;
/// Entries of one commit of a history of which only the first paths are needed.
pub const COMMIT_ENTRIES: usize = 200_000;
/// Files of a work tree.
pub const FILES: usize = 2_000_000;
/// One object after decompression: the largest allocation an object can cause.
pub const OBJECT_BYTES: usize = 128 * 1024 * 1024;
/// A file of the work tree that is still hashed; a larger one is unknown unless its size differs.
pub const HASHED_BYTES: u64 = 1024 * 1024 * 1024;
/// Packs of all object folders together.
pub const PACKS: usize = 8_192;
/// Levels of `objects/info/alternates`, as in git.
pub const ALTERNATE_DEPTH: usize = 5;
/// Object folders of a repository, including alternates.
pub const ALTERNATES: usize = 64;
/// Symbolic refs, tags of tags, and `~`/`^` steps of a revision.
pub const REF_DEPTH: usize = 10;
pub const REVISION_STEPS: u64 = 1_000_000;
/// Maximum number of commits that a walk visits, returned or not.
pub const COMMITS: u64 = 5_000_000;
