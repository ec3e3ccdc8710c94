//! The index of sessions: what is found, in which order, and what a purge leaves.

use acreta_search::{
    FoundSession, IndexedSession, SessionHead, SessionIndex, SessionOrder, SessionPassage,
    SessionQuery,
};
use camino::{Utf8Path, Utf8PathBuf};

fn passage(number: u64, role: &str, text: &str) -> SessionPassage {
    SessionPassage {
        event: format!("e{number}"),
        role: role.to_owned(),
        kind: "text".to_owned(),
        at_ms: Some(number * 1_000),
        text: text.to_owned(),
        ..SessionPassage::default()
    }
}

fn session(id: &str, version: &str, passages: Vec<SessionPassage>) -> IndexedSession {
    IndexedSession {
        usage: format!("counted in {id}"),
        head: SessionHead {
            agent: "claude".to_owned(),
            id: id.to_owned(),
            version: version.to_owned(),
            project: Some("/src/web".to_owned()),
            branch: Some("main".to_owned()),
            ..SessionHead::default()
        },
        passages,
    }
}

fn sessions() -> Vec<IndexedSession> {
    let mut edit = passage(40, "assistant", "{\"file_path\":\"src/queue.rs\"}");
    edit.kind = "tool-call".to_owned();
    edit.tool = Some("Edit".to_owned());
    edit.act.files = vec!["src/queue.rs".to_owned()];
    edit.act.is_change = true;
    vec![
        session(
            "queue",
            "1",
            vec![
                passage(1, "user", "why does the queue give up after three retries?"),
                passage(2, "assistant", "The retry budget is three."),
                passage(3, "tool", "error: retry budget exhausted at queue.rs:40"),
                edit,
            ],
        ),
        session(
            "login",
            "1",
            vec![
                passage(10, "user", "the login page is broken on phones"),
                passage(
                    11,
                    "assistant",
                    "Buttons overlap; there is a budget of 320 pixels.",
                ),
            ],
        ),
        session(
            "größe",
            "1",
            vec![passage(20, "user", "die Größe der Datenbank prüfen")],
        ),
    ]
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> Utf8PathBuf {
        Utf8Path::from_path(self.0.path()).unwrap().join("index")
    }

    fn filled(&self) -> SessionIndex {
        let index = SessionIndex::open(&self.folder()).unwrap();
        assert!(index.update(sessions(), &[]).unwrap());
        index
    }
}

fn query(text: &str) -> SessionQuery {
    SessionQuery {
        text: text.to_owned(),
        sessions: 10,
        passages: 3,
        ..SessionQuery::default()
    }
}

fn ids(found: &[FoundSession]) -> Vec<&str> {
    found
        .iter()
        .map(|session| session.head.id.as_str())
        .collect()
}

#[test]
fn words_phrases_beginnings_and_typing_errors_are_found() {
    let place = Place::new();
    let index = place.filled();
    let table: [(&str, &[&str]); 12] = [
        ("retry budget", &["queue", "login"]),
        ("\"retry budget\"", &["queue"]),
        ("\"budget retry\"", &[]),
        ("why do queues give up", &["queue"]),
        ("\"give up after\" queues", &["queue"]),
        ("\"gives up after\"", &[]),
        ("overlap*", &["login"]),
        ("databse Datenbnk", &["größe"]),
        ("größe", &["größe"]),
        ("queue.rs:40", &["queue"]),
        ("unheard", &[]),
        ("?!", &[]),
    ];
    for (text, expected) in table {
        let found = match text {
            "?!" => Vec::new(),
            text => index.search(&query(text)).unwrap(),
        };
        assert_eq!(ids(&found), expected, "{text}");
    }
    let found = index.search(&query("retry budget")).unwrap();
    let hit = &found[0].passages[0];
    let marked: Vec<&str> = hit
        .snippet
        .marks
        .iter()
        .map(|at| &hit.snippet.text[at.clone()])
        .collect();
    assert_eq!(marked, ["retry", "budget"], "{hit:?}");
}

#[test]
fn filters_narrow_and_alone_list_the_newest() {
    let place = Place::new();
    let index = place.filled();
    let budget = || query("budget");
    let nothing = || query("");
    let some = |text: &str| Some(text.to_owned());
    let table: [(&str, SessionQuery, &[&str]); 9] = [
        (
            "role",
            SessionQuery {
                role: some("tool"),
                ..budget()
            },
            &["queue"],
        ),
        (
            "agent",
            SessionQuery {
                agent: some("codex"),
                ..budget()
            },
            &[],
        ),
        (
            "project",
            SessionQuery {
                projects: Some(vec!["/src/web".to_owned()]),
                ..budget()
            },
            &["queue", "login"],
        ),
        (
            "no project",
            SessionQuery {
                projects: Some(Vec::new()),
                ..budget()
            },
            &[],
        ),
        (
            "since",
            SessionQuery {
                since_ms: Some(5_000),
                ..budget()
            },
            &["login"],
        ),
        (
            "until",
            SessionQuery {
                until_ms: Some(5_000),
                ..budget()
            },
            &["queue"],
        ),
        (
            "file",
            SessionQuery {
                file: some("queue.rs"),
                ..nothing()
            },
            &["queue"],
        ),
        (
            "tool",
            SessionQuery {
                tool: some("edit"),
                ..nothing()
            },
            &["queue"],
        ),
        (
            "branch",
            SessionQuery {
                branch: some("main"),
                ..nothing()
            },
            &["queue", "größe", "login"],
        ),
    ];
    for (name, query, expected) in table {
        assert_eq!(ids(&index.search(&query).unwrap()), expected, "{name}");
    }
    let newest = SessionQuery {
        order: SessionOrder::Newest,
        ..budget()
    };
    assert_eq!(ids(&index.search(&newest).unwrap()), ["login", "queue"]);
}

#[test]
fn a_session_is_replaced_by_its_next_version_and_leaves_when_it_is_gone() {
    let place = Place::new();
    let index = place.filled();
    let next = session(
        "login",
        "2",
        vec![passage(12, "user", "sign in with a passkey")],
    );
    assert!(index.update([next], &["claude/größe".to_owned()]).unwrap());
    assert_eq!(ids(&index.search(&query("phones")).unwrap()), [""; 0]);
    assert_eq!(ids(&index.search(&query("passkey")).unwrap()), ["login"]);
    let heads = index.heads().unwrap().into_iter();
    let mut versions: Vec<(String, String)> =
        heads.map(|(head, _)| (head.key(), head.version)).collect();
    versions.sort();
    let expected = [("claude/login", "2"), ("claude/queue", "1")];
    assert_eq!(
        versions,
        expected.map(|(key, version)| (key.to_owned(), version.to_owned()))
    );
    // Another process sees the same.
    let again = SessionIndex::open(&place.folder()).unwrap();
    assert_eq!(ids(&again.search(&query("passkey")).unwrap()), ["login"]);
}

/// It is in the index so that it is not read at every search, and has a segment of its own.
#[test]
fn a_session_without_passages_hides_no_other() {
    let place = Place::new();
    let index = place.filled();
    assert!(
        index
            .update([session("empty", "1", Vec::new())], &[])
            .unwrap()
    );
    assert_eq!(
        ids(&index.search(&query("retry budget")).unwrap()),
        ["queue", "login"]
    );
    assert_eq!(index.heads().unwrap().len(), 4);
}

/// Returns the bytes of every file.
fn bytes(folder: &Utf8Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(bytes(entry.path())),
            false => all.extend(std::fs::read(entry.path()).unwrap()),
        }
    }
    all
}

#[test]
fn nothing_is_left_of_an_index_that_was_thrown_away() {
    let place = Place::new();
    let index = place.filled();
    let secret = "zyxwvutsrq";
    let private = session(
        "private",
        "1",
        vec![passage(30, "user", &format!("call it {secret}"))],
    );
    index.update([private], &[]).unwrap();
    let has = |folder: &Utf8Path| {
        bytes(folder)
            .windows(secret.len())
            .any(|part| part == secret.as_bytes())
    };
    assert!(has(&place.folder()), "the test looks at the right place");
    drop(index);
    // A purge is another process.
    let index = SessionIndex::open(&place.folder()).unwrap();
    index.reset().unwrap();
    assert!(!has(&place.folder()));
    assert_eq!(ids(&index.search(&query(secret)).unwrap()), [""; 0]);
    assert!(index.update(sessions(), &[]).unwrap());
    assert_eq!(ids(&index.search(&query("phones")).unwrap()), ["login"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a disk does it")]
fn a_damaged_index_is_thrown_away() {
    let place = Place::new();
    drop(place.filled());
    let mut damaged = 0;
    for entry in place.folder().join("v1").read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.extension() == Some("store") || path.file_name() == Some("meta.json") {
            std::fs::write(&path, "damaged").unwrap();
            damaged += 1;
        }
    }
    assert!(damaged > 1);
    let index = SessionIndex::open(&place.folder()).unwrap();
    assert_eq!(ids(&index.search(&query("queue")).unwrap()), [""; 0]);
    assert_eq!(index.heads().unwrap().len(), 0);
    assert!(index.update(sessions(), &[]).unwrap());
    assert_eq!(ids(&index.search(&query("queue")).unwrap()), ["queue"]);
}

/// The pages of a dashboard ask at once for what is not there yet.
#[test]
fn an_index_is_created_once() {
    for _ in 0..8 {
        let place = Place::new();
        let filled: Vec<bool> = std::thread::scope(|scope| {
            let opening = [0; 4].map(|_| {
                scope.spawn(|| {
                    let index = SessionIndex::open(&place.folder()).unwrap();
                    // One writes, the others see that.
                    let is_written = index.update(sessions(), &[]).unwrap();
                    index.search(&query("queue")).unwrap();
                    is_written
                })
            });
            opening.map(|one| one.join().unwrap()).to_vec()
        });
        assert!(filled.contains(&true));
        let index = SessionIndex::open(&place.folder()).unwrap();
        assert_eq!(ids(&index.search(&query("queue")).unwrap()), ["queue"]);
    }
}
