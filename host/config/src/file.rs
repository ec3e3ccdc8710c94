//! Settings files on disk: read whole with a size limit, written atomically.

use std::ops::Range;

use acreta_fs::{Directory, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::Document;

use crate::ConfigError;

const FILE_BYTES: u64 = 1024 * 1024;

/// Policy for symbolic links in place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkPolicy {
    /// The user's own files are often links to another folder.
    Followed,
    /// A cloned repository must not point acreta at files outside of it.
    Refused,
}

/// Returns the text of a file, or `None` if it does not exist.
pub(crate) fn read(path: &Utf8Path, links: LinkPolicy) -> Result<Option<String>, ConfigError> {
    match read_text(path, links) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn read_text(path: &Utf8Path, links: LinkPolicy) -> Result<String, FsError> {
    let path = match links {
        LinkPolicy::Followed => acreta_fs::canonical(path)?,
        LinkPolicy::Refused => path.to_owned(),
    };
    let (folder, name) = split(&path);
    Directory::open(folder, NoFaults::shared())?.read_to_string(name, FILE_BYTES)
}

/// Replaces the text of a file and creates its folder if needed. If links are followed, the file is the user's own and
/// only the user may read it.
pub(crate) fn write(path: &Utf8Path, text: &str, links: LinkPolicy) -> Result<(), ConfigError> {
    let path = match (links, acreta_fs::canonical(path)) {
        (LinkPolicy::Followed, Ok(canonical)) => canonical,
        (LinkPolicy::Followed, Err(error)) if !error.is_not_found() => return Err(error.into()),
        _ => path.to_owned(),
    };
    let (folder, name) = split(&path);
    let directory = match links {
        LinkPolicy::Followed => Directory::open_or_create_private(folder, NoFaults::shared())?,
        LinkPolicy::Refused => Directory::open_or_create(folder, NoFaults::shared())?,
    };
    directory.replace(name, text.as_bytes())?;
    Ok(())
}

/// Parses TOML. An error has line and column.
pub(crate) fn parse(path: &Utf8Path, text: String) -> Result<Document<String>, ConfigError> {
    Document::parse(text.clone()).map_err(|error| {
        let (line, column) = place(&text, error.span().unwrap_or(0..0));
        ConfigError::Syntax {
            path: path.to_owned(),
            line,
            column,
            message: error.message().trim_end().replace('\n', ", "),
        }
    })
}

/// Returns line and column of a span's start, counted from 1.
pub(crate) fn place(text: &str, span: Range<usize>) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(span.start)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

fn split(path: &Utf8Path) -> (&Utf8Path, Utf8PathBuf) {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    let name = path.file_name().unwrap_or_default();
    (
        folder.unwrap_or(Utf8Path::new(".")),
        Utf8PathBuf::from(name),
    )
}
