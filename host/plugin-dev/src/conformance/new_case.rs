//! Creates a case from a single file, completely or not at all.

use acreta_fs::{Directory, FsError, NoFaults};
use acreta_types::Role;
use camino::{Utf8Path, Utf8PathBuf};

use crate::conformance::bench::{NOW_MS, SEED};
use crate::conformance::case::{CASE_FILE, Case};
use crate::conformance::case_file::{SESSIONS, is_plain};
use crate::conformance::error::CaseError;
use crate::conformance::input::accepts;
use crate::conformance::stage::CASE_LIMITS;

/// Creates the case `<folder>/<name>` with a copy of `input`: a session file for an adapter, a trace for an extractor,
/// candidates for an explorer, actions for a memory-writer.
pub fn new_case(
    folder: &Utf8Path,
    name: &str,
    role: Role,
    input: &Utf8Path,
) -> Result<Case, CaseError> {
    if !is_plain(name) {
        return Err(CaseError::BadName {
            name: acreta_text::visible(acreta_text::head(name, 100)),
        });
    }
    let path = folder.join(name);
    let fail = |cause| CaseError::Fs {
        folder: path.clone(),
        cause,
    };
    let content = read(input).map_err(|cause| {
        if cause.is_not_found() {
            CaseError::MissingInput {
                path: input.to_owned(),
            }
        } else {
            fail(cause)
        }
    })?;
    accepts(role, input, &content)?;
    let cases = Directory::open_or_create(folder, NoFaults::shared()).map_err(fail)?;
    if cases.exists(name).map_err(fail)? {
        return Err(CaseError::Exists { folder: path });
    }
    // Hidden until it is complete, so that a partial folder is not taken for a case.
    let half = format!(".{name}.new");
    let written = write(&cases, &half, role, input, &content)
        .and_then(|()| cases.rename(&half, name))
        .and_then(|()| cases.sync_directory("."));
    if let Err(cause) = written {
        // Leftovers are harmless; the first error is the one to report.
        let _ = cases.remove_dir_all(&half);
        return Err(fail(cause));
    }
    Case::open(&path)
}

fn read(input: &Utf8Path) -> Result<Vec<u8>, FsError> {
    let holder = match input.parent() {
        Some(parent) if parent != "" => parent,
        _ => Utf8Path::new("."),
    };
    let name = input.file_name().unwrap_or_default();
    Directory::open(holder, NoFaults::shared())?.read(name, CASE_LIMITS.bytes)
}

fn write(
    cases: &Directory,
    half: &str,
    role: Role,
    input: &Utf8Path,
    content: &[u8],
) -> Result<(), FsError> {
    if cases.exists(half)? {
        cases.remove_dir_all(half)?;
    }
    let target = match role {
        // An adapter may inspect the name; the other roles do not see it.
        Role::Adapter => Utf8Path::new(SESSIONS).join(input.file_name().unwrap_or("session")),
        Role::Extractor => Utf8PathBuf::from("trace.jsonl"),
        Role::Explorer => Utf8PathBuf::from("candidates.json"),
        Role::MemoryWriter => Utf8PathBuf::from("actions.json"),
    };
    let inside = Utf8Path::new(half).join(&target);
    if let Some(parent) = inside.parent() {
        cases.create_dir_all(parent)?;
    }
    cases.replace(&inside, content)?;
    let text = case_file(role, &target);
    cases.replace(Utf8Path::new(half).join(CASE_FILE), text.as_bytes())
}

fn case_file(role: Role, target: &Utf8Path) -> String {
    let input = toml_edit::Value::from(target.as_str());
    let what = match role {
        Role::Adapter => "a session as its agent left it",
        Role::Extractor => "a session to learn from",
        Role::Explorer => "candidates against today's memory",
        Role::MemoryWriter => "files to write",
    };
    format!(
        "what = \"{what}\"\nrole = \"{role}\"\ninput = [{}]\nnow_ms = {NOW_MS}\nseed = {SEED}\n",
        input.to_string().trim()
    )
}
