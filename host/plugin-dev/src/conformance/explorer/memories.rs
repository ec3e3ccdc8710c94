//! Built-in memories on which every explorer is tested.

use acreta_fs::{Directory, FsError};
use acreta_types::{Attrs, Candidate};
use camino::Utf8Path;

use super::TestMemory;
use crate::conformance::stage::Staged;

pub(super) const EMPTY: &str = "an empty memory";
pub(super) const SOME: &str = "a small memory";
pub(super) const DAMAGED: &str = "a damaged memory";

pub(super) fn built_in(scratch: &Directory) -> Result<Vec<TestMemory>, FsError> {
    [(EMPTY, &[][..]), (SOME, FILES), (DAMAGED, DAMAGE)]
        .into_iter()
        .map(|(name, files)| {
            let staged = Staged::empty(scratch, "memory")?;
            for (path, text) in files {
                staged.write(Utf8Path::new(path), text.as_bytes())?;
            }
            TestMemory::new(name.to_owned(), staged, candidates())
        })
        .collect()
}

const FILES: &[(&str, &str)] = &[
    (
        "decisions/20260101-queue-in-sqlite.md",
        "---\nid: 01JGFJJZ000000000000000001\ntitle: Queue in SQLite\ncreated: 2026-01-01T00:00:00Z\n\
         updated: 2026-01-01T00:00:00Z\nsource: conformance/one\nconfidence: 0.9\ntags: [queue]\nrelated: []\n---\n\
         # Queue in SQLite\n\nThe queue is kept in SQLite instead of Redis, because two processes on one \
         machine need no server.\n",
    ),
    (
        "learnings/20260101-tests-share-a-port.md",
        "---\nid: 01JGFJJZ000000000000000002\ntitle: Tests share a port\nkind: pitfall\n\
         created: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\nsource: conformance/one\nconfidence: 0.8\n\
         tags: [tests]\nrelated: []\n---\n# Tests share a port\n\nRun the tests with one thread: they share a \
         port and fail at random in parallel.\n",
    ),
    (
        "archived/decisions/20250101-queue-in-redis.md",
        "---\nid: 01JGFJJZ000000000000000003\ntitle: Queue in Redis\n---\n",
    ),
];

const DAMAGE: &[(&str, &str)] = &[
    (
        "decisions/20260101-no-head.md",
        "a queue in SQLite without front matter\n",
    ),
    (
        "decisions/20260101-open-head.md",
        "---\nid: x\ntitle: the queue in SQLite\n",
    ),
    (
        "decisions/20260101-bad-yaml.md",
        "---\nid: [\ntitle: \"queue\n---\nSQLite\n",
    ),
    ("decisions/20260101-empty.md", ""),
    (
        "learnings/20260101-hidden.md",
        "---\nid: h\ntitle: \"a\u{202e}b\"\n---\n\u{0}\u{1b}[31m the tests\n",
    ),
    ("learnings/notes.txt", "tests, threads, port\n"),
    (
        "elsewhere/20260101-queue.md",
        "---\nid: e\ntitle: Queue\n---\nSQLite\n",
    ),
];

/// One candidate that memory has word for word, one that it has in part, a new one, and an unusual one.
fn candidates() -> Vec<Candidate> {
    [
        (
            "c1",
            "decision",
            "",
            "Queue in SQLite",
            "The queue is kept in SQLite instead of Redis, because two processes on one machine need no server.",
        ),
        (
            "c2",
            "learning",
            "pitfall",
            "Tests share a port",
            "Run the tests with one thread; in parallel they fail at random, since one port serves all of them.",
        ),
        (
            "c3",
            "learning",
            "convention",
            "Amounts are cents",
            "Amounts of money are whole cents everywhere, never fractions.",
        ),
        ("c4", "decision", "", "\u{65e5}\u{672c}", "?!"),
    ]
    .into_iter()
    .map(|(id, category, kind, title, body)| Candidate {
        id: id.to_owned(),
        category: category.to_owned(),
        kind: kind.to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        confidence: 0.8,
        tags: vec!["queue".to_owned()],
        evidence: Vec::new(),
        attrs: Attrs::default(),
    })
    .collect()
}
