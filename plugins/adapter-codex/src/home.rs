//! The surroundings of a session file: Codex's own folder, the index of names, and the files of other threads.
//!
//! A session file may also be alone; then only a title or the beginning of a fork is missing.

use std::fs;
use std::path::{Path, PathBuf};

use acreta_sdk::adapter::file_probe;
use acreta_sdk::adapter::json::Text;
use acreta_sdk::adapter::objects::{ScannedKind, Typed};

/// The folders of session files in Codex's own folder.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];

/// Names of threads, the latest last.
const INDEX: &str = "session_index.jsonl";

/// Folders of a year, a month and a day, and one more for future versions.
const MOST_DEPTH: usize = 4;

/// Maximum number of names examined in search of one file.
const MOST_ENTRIES: usize = 100_000;

/// A shorter id would match the names of too many files.
const LEAST_ID: usize = 8;

/// Returns the title that a person gave a thread.
pub(crate) fn title(path: &str, thread: &str) -> Option<String> {
    let mut file = fs::File::open(home(Path::new(path))?.join(INDEX)).ok()?;
    let size = file_probe::size(&mut file).ok()?;
    let mut title = None;
    let read = file_probe::tail::<Typed>(&mut file, size, |found| {
        if let ScannedKind::Record(entry) = found.what
            && entry.text_of("id").is_some_and(|id| id.is(thread))
        {
            title = entry
                .text_of("thread_name")
                .map(Text::lossy)
                .map(Into::into);
        }
        Ok(())
    });
    read.ok()
        .and(title)
        .filter(|title: &String| !title.is_empty())
}

/// Finds the file of a rollout in the folders around `path`.
pub(crate) fn rollout(path: &str, id: &str) -> Option<PathBuf> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if id.len() < LEAST_ID || !id.bytes().all(is_id) {
        return None;
    }
    let path = Path::new(path);
    let mut folders: Vec<(PathBuf, usize)> = match home(path) {
        Some(home) => FOLDERS.map(|folder| (home.join(folder), 0)).into(),
        None => vec![(path.parent()?.to_owned(), MOST_DEPTH)],
    };
    let mut left = MOST_ENTRIES;
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth < MOST_DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if !is_folder && is_rollout(&entry.file_name().to_string_lossy(), id) {
                return Some(entry.path());
            }
        }
    }
    None
}

/// Returns the id of a rollout that replaced an earlier one of the same thread: only the file name has it,
/// `rollout-<time>-<thread>_<rollout>.jsonl`.
pub(crate) fn replacing(path: &str, thread: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (before, rollout) = stem(name)?.rsplit_once('_')?;
    (before.ends_with(thread) && !rollout.is_empty()).then(|| rollout.to_owned())
}

/// Returns the name of a session file without its extensions.
pub(crate) fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".zst")
        .unwrap_or(name)
        .strip_suffix(".jsonl")
}

fn is_rollout(name: &str, id: &str) -> bool {
    let before = stem(name).and_then(|stem| stem.strip_suffix(id));
    before.is_some_and(|before| before.starts_with("rollout-") && before.ends_with(['-', '_']))
}

/// Finds Codex's own folder, above the session files.
fn home(path: &Path) -> Option<&Path> {
    let is_sessions = |folder: &&Path| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| FOLDERS.contains(&name))
    };
    path.ancestors().skip(1).find(is_sessions)?.parent()
}
