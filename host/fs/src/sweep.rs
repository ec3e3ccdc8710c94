//! Removes what processes that died left behind: temporary files and scratch directories have the id of their process
//! in their name.

use camino::Utf8Path;

use crate::{Directory, EntryKind, FsError, NoFaults, platform};

/// Maximum number of entries of a directory that is swept.
const ENTRIES: u64 = 10_000_000;

/// Removes temporary files of dead processes anywhere beneath a folder.
pub fn sweep(folder: &Utf8Path) -> Result<(), FsError> {
    match Directory::open(folder, NoFaults::shared()) {
        Ok(directory) => sweep_files(&directory, Utf8Path::new(".")),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(error),
    }
}

fn sweep_files(directory: &Directory, folder: &Utf8Path) -> Result<(), FsError> {
    for entry in directory.list(folder, ENTRIES)? {
        let name = entry.path.file_name().unwrap_or_default();
        match entry.metadata.kind {
            EntryKind::Directory => sweep_files(directory, &entry.path)?,
            EntryKind::File if name.starts_with('.') && is_of_dead_process(name) => {
                directory.remove_file(&entry.path)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Removes scratch directories of dead processes that are in a folder ([`crate::scratch`]).
pub fn sweep_scratch(folder: &Utf8Path) -> Result<(), FsError> {
    let directory = match Directory::open(folder, NoFaults::shared()) {
        Ok(directory) => directory,
        Err(error) if error.is_not_found() => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in directory.list(".", ENTRIES)? {
        let name = entry.path.file_name().unwrap_or_default();
        if entry.metadata.kind == EntryKind::Directory && is_of_dead_process(name) {
            directory.remove_dir_all(&entry.path)?;
        }
    }
    Ok(())
}

/// Reports whether a name ends with the id of a process that no longer runs, and a number: `.1234-5.tmp`,
/// `.session.jsonl.1234-5`, `trace-1234-5`.
fn is_of_dead_process(name: &str) -> bool {
    let name = name.strip_suffix(".tmp").unwrap_or(name);
    let Some((head, number)) = name.rsplit_once('-') else {
        return false;
    };
    let process = head.rsplit(['.', '-']).next().unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    let process = process.parse::<u32>().ok().filter(|_| is_number);
    process.is_some_and(|process| !platform::is_running(process))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_files_of_dead_processes_go() {
        // No system gives this number to a process.
        let dead = u32::try_from(i32::MAX).unwrap();
        let own = std::process::id();
        let table = [
            (format!(".{dead}-3.tmp"), true),
            (format!(".session.jsonl.{dead}-0"), true),
            (format!("trace-{dead}-12"), true),
            (format!(".{own}-3.tmp"), false),
            (format!(".session.jsonl.{own}-0"), false),
            (".gitignore".to_owned(), false),
            ("sync-20261117-101500-abc123".to_owned(), false),
            (".x-y.tmp".to_owned(), false),
        ];
        for (name, expected) in table {
            assert_eq!(is_of_dead_process(&name), expected, "{name}");
        }
    }
}
