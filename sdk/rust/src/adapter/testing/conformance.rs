//! The conformance suite of adapters, run natively on an adapter's own files. `acreta plugin test` runs
//! the same checks on the component.

use std::path::Path;

use super::native::Native;
use crate::adapter::Adapter;
use crate::conformance::adapter::{Cursor, Subject, checks, grow, originals, unlike};
use crate::conformance::{Counts, Reason, run_all, write_rows};

/// Checks an adapter against the files in `own` and in `fixtures`, a folder with one folder per agent, and prints a
/// line per check. Every session that the adapter finds in `own` has to pass, and it has to find at least one; in the
/// folders of other agents it must not find any. `scratch` is an empty folder.
///
/// # Panics
/// With the checks that failed.
pub fn conformance<A: Adapter>(own: &Path, fixtures: &Path, scratch: &Path) {
    let subject = Native::<A>::new(own, Some(fixtures), scratch);
    let checks = run_all(&checks(), &subject, str::to_owned)
        .unwrap_or_else(|error| panic!("{own:?}: {error}"));
    let mut rows = String::new();
    let counts = Counts::of(&checks);
    let written = write_rows(&checks, &mut rows);
    print!("{rows}");
    println!("{}: {counts}", own.display());
    assert!(written.is_ok() && counts.failed == 0, "{own:?}:\n{rows}");
}

/// Reads a copy of the file in `scratch` every time it has grown by `step` bytes, each session from its own cursor, and
/// from its start if the cursor is refused.
///
/// # Panics
/// If the steps emit other events than one whole read.
pub fn steps<A: Adapter>(path: &Path, scratch: &Path, step: usize) {
    if let Err(reason) = in_steps::<A>(path, scratch, step) {
        panic!("{path:?} by {step}: {reason:?}");
    }
}

fn in_steps<A: Adapter>(
    path: &Path,
    scratch: &Path,
    step: usize,
) -> Result<(), Reason<std::io::Error>> {
    let own = path.parent().unwrap_or(path);
    let subject = Native::<A>::new(own, None, scratch);
    let (fixture, folder) = subject.staged()?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let length = std::fs::metadata(path)?.len() as usize;
    let sizes = (step..length).step_by(step).chain([length]);
    let known = grow(&subject, fixture, &folder, &file, sizes)?.known;
    let found = subject.sessions(&folder, &file)?;
    for session in found.unwrap_or_else(|failure| panic!("{path:?}: {failure:?}")) {
        let whole = subject.read(&folder, &session, &Cursor::default())?.events;
        let told = originals(&known[&session.id].events);
        if let Some(problem) = unlike(&originals(&whole), &told) {
            panic!("{path:?} {} by {step}: {problem}", session.id);
        }
    }
    Ok(())
}
