//! The raw archive: names, deduplication, kinds, damage, and a failing disk.

use std::io::{self, Read};
use std::sync::Arc;

use acreta_fs::faults::{Crash, Errno, Failure, Image, Recorder, Times};
use acreta_fs::{Directory, Faults};
use acreta_session_archive::{
    ArchiveKind, RawArchive, RescueAs, RescueError, RescueLimits, RescueSource, StoredContent,
};
use camino::Utf8Path;
use sha2::{Digest, Sha256};

use crate::support::{TestTree, noise, read, redactor, token};

fn hex_digest(bytes: &[u8]) -> String {
    acreta_text::hex(&Sha256::digest(bytes))
}

#[test]
fn a_session_is_archived_redacted_under_its_digest() {
    let tree = TestTree::new();
    let text = format!("{{\"text\":\"the key is {}\"}}\n", token());
    let clean = "{\"text\":\"the key is [redacted:github-token]\"}\n";
    let stored = tree.store(&text).unwrap();

    let file = tree.path(&format!("archive/claude/{}.zst", stored.digest));
    assert_eq!(stored.digest, hex_digest(clean.as_bytes()));
    assert_eq!(stored.kind, ArchiveKind::Raw);
    assert_eq!(stored.raw_bytes, text.len() as u64);
    assert_eq!(stored.archived_bytes, file.metadata().unwrap().len());
    assert_eq!(stored.redactions.of("github-token"), 1);
    assert!(!stored.was_there);
    assert_eq!(tree.read(&stored.digest), clean.as_bytes());
    assert_eq!(
        tree.names("archive/claude"),
        [format!("{}.zst", stored.digest)]
    );
    // Any zstd can read it.
    let packed = std::fs::read(&file).unwrap();
    assert_eq!(
        zstd::stream::decode_all(packed.as_slice()).unwrap(),
        clean.as_bytes()
    );
}

#[cfg(unix)]
#[test]
fn archived_sessions_are_their_owners() {
    use std::os::unix::fs::PermissionsExt;

    let tree = TestTree::new();
    let digest = tree.store("x").unwrap().digest;
    let file = format!("archive/claude/{digest}.zst");
    for (path, mode) in [("archive/claude", 0o700), (file.as_str(), 0o600)] {
        let permissions = tree.path(path).metadata().unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, mode, "{path}");
    }
}

#[test]
fn equal_content_is_there_once_whatever_its_name() {
    let tree = TestTree::new();
    let redactor = redactor();
    let limits = RescueLimits::default();
    let archive = tree.archive();
    let store = |agent, name| {
        let source = tree.write(name, "the same\n");
        let rescue = RescueAs::Raw(&redactor);
        archive.store(agent, &source, rescue, &limits).unwrap()
    };
    let first = store("claude", "a.jsonl");
    let second = store("claude", "elsewhere/b.jsonl");
    assert!(!first.was_there && second.was_there);
    assert_eq!(
        second,
        StoredContent {
            was_there: true,
            ..first.clone()
        }
    );
    assert_eq!(tree.names("archive/claude").len(), 1);
    // Each agent has its own copy: removing one leaves the other.
    assert!(!store("codex", "a.jsonl").was_there);
    assert!(archive.remove("claude", &first.digest).unwrap());
    assert!(!archive.remove("claude", &first.digest).unwrap());
    assert!(!archive.contains("claude", &first.digest).unwrap());
    assert!(archive.contains("codex", &first.digest).unwrap());
    assert!(!store("claude", "a.jsonl").was_there);
}

#[test]
fn a_trace_is_archived_as_it_is() {
    let tree = TestTree::new();
    let archive = tree.archive();
    let limits = RescueLimits::default();
    // Traces are not redacted again, whatever they contain.
    let text = format!("{{\"id\":\"1\",\"text\":\"{}\"}}\n\u{fffd}\n", token());
    let source = tree.write("trace.jsonl", &text);
    let stored = archive
        .store("cursor", &source, RescueAs::Trace, &limits)
        .unwrap();
    assert_eq!(stored.kind, ArchiveKind::Trace);
    assert_eq!(stored.digest, hex_digest(text.as_bytes()));
    assert!(stored.redactions.is_empty());
    assert_eq!(
        tree.names("archive/cursor"),
        [format!("{}.trace.zst", stored.digest)]
    );
    assert_eq!(
        read(&archive, "cursor", &stored.digest).unwrap(),
        text.as_bytes()
    );
    assert!(archive.remove("cursor", &stored.digest).unwrap());
    assert!(tree.names("archive/cursor").is_empty());
}

#[test]
fn only_sessions_are_listed_and_only_leftovers_are_swept() {
    let tree = TestTree::new();
    let archive = tree.archive();
    assert_eq!(archive.list().unwrap(), []);
    let limits = RescueLimits::default();
    let redactor = redactor();
    let source = tree.write("a.jsonl", "a");
    let raw = RescueAs::Raw(&redactor);
    let one = archive.store("codex", &source, raw, &limits).unwrap();
    let two = archive
        .store("codex", &source, RescueAs::Trace, &limits)
        .unwrap();
    let three = archive.store("claude", &source, raw, &limits).unwrap();
    assert_eq!(one.digest, two.digest);
    for stray in [
        "README",
        "claude/notes.zst",
        "claude/.rescue-1-1/content",
        &format!("claude/{}.gz", one.digest),
        &format!("claude/{}.zst", one.digest.to_uppercase()),
        &format!("claude/{}.zst/inside", hex_digest(b"a folder")),
    ] {
        tree.write(&format!("archive/{stray}"), "stray");
    }
    let listed: Vec<_> = archive
        .list()
        .unwrap()
        .into_iter()
        .map(|entry| (entry.agent, entry.digest, entry.kind, entry.archived_bytes))
        .collect();
    let entry = |agent: &str, stored: &StoredContent| {
        let digest = stored.digest.clone();
        (agent.to_owned(), digest, stored.kind, stored.archived_bytes)
    };
    assert_eq!(
        listed,
        [
            entry("claude", &three),
            entry("codex", &one),
            entry("codex", &two)
        ]
    );
    assert_eq!(archive.sweep().unwrap(), 1);
    assert_eq!(archive.sweep().unwrap(), 0);
    assert!(!tree.path("archive/claude/.rescue-1-1").exists());
    assert!(tree.path("archive/claude/notes.zst").exists());
    assert_eq!(archive.list().unwrap().len(), 3);
}

#[test]
fn names_lead_nowhere_else() {
    let tree = TestTree::new();
    let archive = tree.archive();
    let source = tree.write("a.jsonl", "a");
    let limits = RescueLimits::default();
    let digest = hex_digest(b"a");
    for agent in ["..", "../../x", "/tmp", "", "a/b"] {
        archive
            .store(agent, &source, RescueAs::Trace, &limits)
            .unwrap();
        assert_eq!(read(&archive, agent, &digest).unwrap(), b"a", "{agent}");
    }
    assert_eq!(tree.names("."), ["a.jsonl", "archive"]);
    for digest in ["", "..", "../a", &digest.to_uppercase(), &digest[1..]] {
        let results = [
            archive.open("claude", digest, &limits).map(|_| true),
            archive.contains("claude", digest),
            archive.remove("claude", digest),
        ];
        for result in results {
            assert!(
                matches!(result, Err(RescueError::NotADigest { .. })),
                "{digest}: {result:?}"
            );
        }
    }
    let missing = archive.open("claude", &digest, &limits).map(|_| ());
    assert!(
        matches!(missing, Err(RescueError::Missing { .. })),
        "{missing:?}"
    );
}

#[test]
fn what_is_no_regular_file_is_not_archived() {
    let tree = TestTree::new();
    let archive = tree.archive();
    let limits = RescueLimits::default();
    let sources = [tree.folder("folder"), tree.path("missing"), "/".into()];
    #[cfg(unix)]
    let link = {
        let link = tree.path("link");
        std::os::unix::fs::symlink(tree.write("real", "x"), &link).unwrap();
        [link]
    };
    #[cfg(not(unix))]
    let link = [];
    for source in sources.into_iter().chain(link) {
        let result = archive.store("claude", &source, RescueAs::Trace, &limits);
        let error = result.unwrap_err();
        assert!(matches!(error, RescueError::Fs(_)), "{source}: {error:?}");
        assert!(error.to_string().contains(source.as_str()), "{error}");
    }
    assert_eq!(tree.names("archive/claude"), Vec::<String>::new());
}

#[test]
fn damage_is_found_when_it_is_read() {
    let tree = TestTree::new();
    let archive = tree.archive();
    let digest = tree.store(noise(5_000, 1)).unwrap().digest;
    let name = format!("archive/claude/{digest}.zst");
    let whole = std::fs::read(tree.path(&name)).unwrap();
    let other = zstd::stream::encode_all(&b"something else"[..], 1).unwrap();
    let mut flipped = whole.clone();
    flipped[2_000] ^= 1;
    for damage in [
        &b""[..],
        b"no zstd",
        &whole[..whole.len() - 9],
        &flipped,
        &other,
    ] {
        tree.write(&name, damage);
        let error = read(&archive, "claude", &digest).unwrap_err().to_string();
        assert!(error.contains(&digest), "{error}");
    }
    tree.write(&name, whole);
    read(&archive, "claude", &digest).unwrap();
}

/// Returns some text, then fails.
struct Failing(usize);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(1)
            .ok_or_else(|| Errno::InputOutput.error())?;
        buffer.fill(b'x');
        Ok(buffer.len())
    }
}

#[test]
fn a_source_that_cannot_be_read_leaves_nothing() {
    for reads in [0, 1, 3] {
        let tree = TestTree::new();
        let source = RescueSource {
            path: Utf8Path::new("/disk/session.jsonl"),
            reader: Failing(reads),
            bytes: None,
        };
        let limits = RescueLimits::default();
        let result = tree
            .archive()
            .store_source("claude", source, RescueAs::Trace, &limits);
        let error = result.unwrap_err();
        assert_eq!(error.to_string(), "could not read `/disk/session.jsonl`");
        assert!(!error.is_retryable());
        assert!(tree.names("archive/claude").is_empty(), "{reads}");
    }
}

#[test]
fn whatever_fails_at_the_disk_no_half_file_has_a_name() {
    // Incompressible, so that the disk is written before the end.
    let text = noise(200_000, 3);
    let archive_at = |root: &Utf8Path, faults: Arc<dyn Faults>| {
        RawArchive::new(&Directory::open(root, faults).unwrap())
    };
    for errno in Errno::ALL {
        for nth in 0.. {
            let tree = TestTree::new();
            let source = tree.write("a.jsonl", &text);
            let root = tree.folder("archive");
            let recorder = Arc::new(Recorder::failing(Failure {
                kind: None,
                nth,
                errno,
                times: Times::Once,
            }));
            let faults: Arc<dyn Faults> = recorder.clone();
            let failing = archive_at(&root, faults);
            let limits = RescueLimits::default();
            let result = failing.store("claude", &source, RescueAs::Trace, &limits);

            // A recorder does not sync to disk.
            let archive = archive_at(&root, Arc::new(Recorder::new()));
            for entry in archive.list().unwrap() {
                let archived = read(&archive, "claude", &entry.digest).unwrap();
                assert!(archived == text.as_bytes(), "{errno:?} {nth}");
            }
            if recorder.failed() == 0 {
                result.unwrap();
                assert!(nth > 10, "{nth}");
                break;
            }
            if let Err(error) = result {
                assert!(error.to_string().contains("/archive"), "{nth}: {error}");
            }
            // The next attempt succeeds.
            let stored = archive
                .store("claude", &source, RescueAs::Trace, &limits)
                .unwrap();
            let archived = read(&archive, "claude", &stored.digest).unwrap();
            assert!(archived == text.as_bytes(), "{errno:?} {nth}");
        }
    }
}

#[test]
fn a_crash_leaves_the_whole_file_or_none() {
    let text = noise(200_000, 5);
    let tree = TestTree::new();
    let source = tree.write("a.jsonl", &text);
    let root = tree.folder("archive");
    let before = Image::read(&root).unwrap();
    let recorder = Arc::new(Recorder::new());
    let faults: Arc<dyn Faults> = recorder.clone();
    let archive = RawArchive::new(&Directory::open(&root, faults).unwrap());
    let limits = RescueLimits::default();
    let stored = archive
        .store("claude", &source, RescueAs::Trace, &limits)
        .unwrap();

    let name = format!("claude/{}.trace.zst", stored.digest);
    let log = recorder.log();
    let mut without = 0;
    for length in 0..=log.len() {
        for image in Crash::after(&before, &root, &log[..length]).images(3) {
            match image.file(&name) {
                None => without += 1,
                Some(packed) => {
                    let content = zstd::stream::decode_all(packed).unwrap();
                    assert!(content == text.as_bytes(), "after {length} operations");
                }
            }
            let is_last = length == log.len();
            assert!(image.file(&name).is_some() || !is_last, "lost at the end");
        }
    }
    assert!(without > 5, "{without}");
}
