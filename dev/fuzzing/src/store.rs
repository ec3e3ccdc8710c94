//! Memory on disk: files with front matter, sidecars, endorsements, and the journal of a commit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::faults::Recorder;
use acreta_store::{
    CommitError, Document, Layout, Memory, Sidecar, Store, Words, as_line, check_text,
};
use acreta_types::MEMORY_TYPES;
use camino::{Utf8Path, Utf8PathBuf};

use crate::input::{Scratch, text_of};

/// A file comes apart into front matter and body, or is refused at a place of the file.
pub fn memory_file(data: &[u8]) {
    let text = text_of(data);
    // YAML counts a lone carriage return as a line, too.
    let lines = text.split(['\n', '\r']).count() as u64;
    match Document::parse(&text) {
        Ok(document) => {
            assert!(text.ends_with(document.body), "{text:?}");
            let front_matter = &document.front_matter;
            assert!(!front_matter.id.is_empty() && !front_matter.title.is_empty());
            if let Ok(checked) = check_text(&front_matter.id, Utf8Path::new("a.md"), &text) {
                assert_eq!(&checked, front_matter);
                assert!(!checked.title.contains(acreta_text::is_hidden), "{text:?}");
            }
            for memory_type in MEMORY_TYPES.iter().map(|entry| entry.memory_type) {
                front_matter.problems(memory_type);
            }
        }
        Err(error) => assert!(
            (1..=lines + 1).contains(&error.line) && error.column >= 1,
            "{error:?} of {lines} lines in {text:?}"
        ),
    }
    for memory_type in MEMORY_TYPES.iter().map(|entry| entry.memory_type) {
        let path = Utf8PathBuf::from(format!("{}/20260131-a.md", memory_type.folder()));
        if let Ok(memory) = Memory::parse(memory_type, path, text.clone().into_owned()) {
            let head = memory.head().len() + memory.body().len();
            assert!(head <= text.len(), "{text:?}");
            memory.content_digest();
            memory.trust();
        }
    }
}

/// A sidecar that git merged is read once and for all, and endorsements are read as they were written.
pub fn sidecar(data: &[u8]) {
    /// The memory that the seeds are about.
    const ID: &str = "01A";
    let read = Sidecar::read(ID, [data]);
    let parts = [
        read.state.as_ref().map(|state| state.to_json()),
        read.evidence.as_ref().map(|evidence| evidence.to_json()),
    ];
    if read.id == ID {
        let written = read.to_json();
        assert_eq!(
            Sidecar::read(ID, [&*written]),
            read,
            "written as {written:?}"
        );
        assert!(read.is_in([&*written]), "{read:?} is not in order");
    }
    let parts: Vec<&[u8]> = parts.iter().flatten().map(Vec::as_slice).collect();
    Sidecar::read(ID, parts);

    let words = Words::parse(&text_of(data));
    let lines: Vec<String> = words.iter().map(as_line).collect();
    let again = Words::parse(&lines.join("\n"));
    assert!(words.iter().eq(again.iter()), "{lines:?}");
    assert_eq!(words.about(ID).count(), again.about(ID).count());
}

/// A journal is finished or set aside. Nothing outside of memory changes, one that is set aside changes nothing at all, and
/// what was finished stays so.
pub fn journal(data: &[u8]) {
    let scratch = Scratch::new();
    let files: [(&str, &[u8]); 6] = [
        ("outside.md", b"outside\n"),
        (".acreta/memory/decisions/20260131-a.md", b"old\n"),
        (".acreta/memory/learnings/20260131-b.md", b"mine\n"),
        (".acreta/meta/commit/run-1/000000", b"new\n"),
        (".acreta/meta/commit/run-1/000001", b"other\n"),
        (".acreta/meta/commit/run-1/manifest.json", data),
    ];
    for (file, bytes) in files {
        scratch.write(file, bytes);
    }
    let root = scratch.utf8();
    let open = || {
        let store = Store::open(Layout::for_project(&root), Arc::new(Recorder::new()));
        let store = store.expect("a project in a folder");
        let lock = store.lock(Duration::ZERO).expect("nobody else");
        (store, lock)
    };
    let (store, lock) = open();
    let before = contents(scratch.path());
    let recovered = store.recover(&lock);
    let after = contents(scratch.path());
    assert_eq!(after["outside.md"], b"outside\n");
    match recovered {
        Ok(recovery) if !recovery.set_aside.is_empty() => {
            let renamed = before.into_iter().map(|(path, bytes)| {
                let path = path.replace("/commit/run-1/", "/commit/.damaged-run-1/");
                (path, bytes)
            });
            let renamed: BTreeMap<String, Vec<u8>> = renamed.collect();
            assert_eq!(
                after, renamed,
                "a journal that was set aside changed something"
            );
        }
        Ok(recovery) => {
            let is_unfinished = |path: &&String| path.contains("/meta/commit/");
            assert_eq!(after.keys().find(is_unfinished), None, "{recovery:?}");
            let kept = [b"old\n".as_slice(), b"mine\n", b"new\n", b"other\n"];
            for (path, bytes) in &after {
                let is_known = path == "outside.md" || path.ends_with("/lock");
                assert!(is_known || kept.contains(&&**bytes), "{path}: {bytes:?}");
            }
            let again = store.recover(&lock).expect("nothing is left to do");
            assert!(again.is_empty(), "{again:?}");
            assert_eq!(contents(scratch.path()), after);
        }
        // Names that the system does not take, or a folder in place of a file.
        Err(CommitError::Fs(_)) => {}
        Err(error) => panic!("{error:?}"),
    }
    drop(lock);
    let (store, _lock) = open();
    store.load().expect("a project that can be read");
}

/// Returns all files below a folder, by relative path.
fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = acreta_sdk::adapter::testing::files(root).into_iter();
    files
        .map(|path| {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            (name.into_owned(), std::fs::read(&path).unwrap_or_default())
        })
        .collect()
}
