//! Finds the directory of a session. The session itself has only a digest of it; two small files next to the sessions
//! have the path.

use std::io::Read;

use acreta_sdk::adapter::json::{Fault, Scanner};
use acreta_sdk::adapter::{file_probe, path};

/// Maximum bytes that are read of such a file.
const BYTES: u64 = 4 * 1024 * 1024;

/// Returns the directory of a session at `<root>/tmp/<project>/chats/…`.
pub(crate) fn directory(file: &str) -> Option<String> {
    let chats = above(file)?;
    let project = path::parent(chats);
    let marked = load(&format!("{project}/.project_root"));
    let marked = marked.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    if let Some(directory) = marked.filter(|directory| !directory.is_empty()) {
        return Some(directory);
    }
    let root = path::parent(path::parent(project));
    let name = project.rsplit('/').next()?;
    registered(&load(&format!("{root}/projects.json"))?, name)
}

/// Returns the session that started the one at `<chats>/<parent>/<session>`.
pub(crate) fn parent(file: &str) -> Option<String> {
    let folder = path::parent(file);
    let is_nested = above(file)? == path::parent(folder);
    is_nested.then(|| folder.rsplit('/').next().unwrap_or(folder).to_owned())
}

/// Returns the nearest folder above a file that holds sessions.
fn above(file: &str) -> Option<&str> {
    let nearest = path::parent(file);
    let folders = [nearest, path::parent(nearest)];
    folders
        .into_iter()
        .find(|folder| *folder == "chats" || folder.ends_with("/chats"))
}

/// Returns the directory with this name in the list of projects.
fn registered(list: &[u8], name: &str) -> Option<String> {
    let projects = Scanner::new(list).object().ok()?.field("projects")?;
    let mut found = None;
    let scanned: Result<(), Fault> = Scanner::new(projects.raw()).each_field(|scanner, key| {
        let is_this = scanner.value()?.text().is_some_and(|text| text.is(name));
        if is_this && found.is_none() {
            found = Some(String::from_utf8_lossy(key).into_owned());
        }
        Ok(())
    });
    scanned.ok().and(found)
}

fn load(file: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = file_probe::open(file).ok()?;
    file.take(BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
