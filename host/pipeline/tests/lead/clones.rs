//! Two clones of one repository that learn from the same sessions: their files are the same, git merges them, and no
//! sidecar needs manual merging.

#![expect(
    clippy::disallowed_methods,
    reason = "git is a program, and people do not go through the store"
)]

use std::collections::BTreeMap;
use std::process::Command;

use acreta_store::digest;
use acreta_types::MemoryType;
use camino::Utf8PathBuf;

use crate::fakes::{Project, ScriptedSession};

const START: u64 = 1_790_000_000_000;
const HOUR: u64 = 3_600_000;

fn machine(number: u64) -> Project {
    let mut project = Project::new();
    project.machine = number;
    project
}

const PORT: (&str, &str) = (
    "Port 8080 is taken on the build machine",
    "Use 8090 for the test server.",
);
const RELEASES: (&str, &str) = ("Tag releases by hand", "The robot has no key.");

#[test]
fn the_same_session_gives_the_same_files_everywhere() {
    let says = ScriptedSession::new("one", START, &[PORT, RELEASES]);
    let (here, there) = (machine(1), machine(2));
    here.run(&says);
    there.run(&says);
    assert_eq!(here.bytes(), there.bytes());
    assert_eq!(
        here.bytes().len(),
        6,
        "two memories and a summary, each with its sidecar"
    );
}

#[test]
fn sessions_that_repeat_each_other_give_the_same_files_in_any_order() {
    let sessions = [
        ScriptedSession::new("one", START, &[PORT]),
        ScriptedSession::new("two", START + 30 * 24 * HOUR, &[RELEASES, PORT]),
        ScriptedSession::new("three", START + 60 * 24 * HOUR, &[PORT, RELEASES]),
    ];
    let mut expected = None;
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let project = machine(1 + order[0] as u64);
        for index in order {
            project.run(&sessions[index]);
        }
        let files = project.bytes();
        assert_eq!(expected.get_or_insert(files.clone()), &files, "{order:?}");
    }
}

#[test]
fn the_same_session_twice_changes_nothing() {
    let mut project = machine(1);
    let says = ScriptedSession::new("one", START, &[PORT, RELEASES]);
    let sessions = [
        ScriptedSession::new("two", START + HOUR, &[PORT]),
        says,
        ScriptedSession::new(
            "three",
            START + 2 * HOUR,
            &[("Port 8080 is free again", "Use it.")],
        ),
    ];
    for says in &sessions {
        project.run(says);
    }
    let before = project.bytes();
    project.machine = 2;
    for says in sessions.iter().chain(&sessions) {
        let report = project.run(says);
        let counts = report.counts;
        let changed = (counts.add, counts.update, counts.archived);
        assert_eq!(changed, (0, 0, 0), "{:?}", report.actions);
        assert_eq!(report.written_memory_paths, Vec::<Utf8PathBuf>::new());
        assert_eq!(changes(&before, &project.bytes()), Vec::<String>::new());
    }
}

/// Sidecars of earlier versions have a different layout and name their run; a rerun leaves them alone.
#[test]
fn files_of_earlier_versions_stay_as_they_are() {
    let project = machine(1);
    let says = ScriptedSession::new("one", START, &[PORT, RELEASES]);
    project.run(&says);
    let base = project.layout().base().to_owned();
    let files = project.bytes();
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
    let all: String = files.values().map(text).collect();
    let state = all
        .split("run_id: ")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    let older = |text: &str| text.replace(state, "sync-20260101-000000-abcdef");
    // The name of the run is in the summary, so its digest differs.
    let summary = files
        .iter()
        .find(|(path, _)| path.as_str().contains("summaries"));
    let (_, summary) = summary.unwrap();
    let digests = (digest(summary), digest(older(&text(summary))));
    for (path, bytes) in &files {
        let older = older(&text(bytes)).replace(&digests.0, &digests.1);
        let older = match serde_json::from_str::<serde_json::Value>(&older) {
            Ok(value) => serde_json::to_string_pretty(&value).unwrap(),
            Err(_) => older,
        };
        std::fs::write(base.join(path), older).unwrap();
    }
    let before = project.bytes();
    assert_ne!(before, files);
    let counts = project.run(&says).counts;
    assert_eq!((counts.add, counts.update, counts.archived), (0, 0, 0));
    assert_eq!(changes(&before, &project.bytes()), Vec::<String>::new());
}

/// Returns the files that differ, with their contents.
fn changes(
    before: &BTreeMap<Utf8PathBuf, Vec<u8>>,
    after: &BTreeMap<Utf8PathBuf, Vec<u8>>,
) -> Vec<String> {
    let text = |bytes: Option<&Vec<u8>>| match bytes {
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        None => "nothing".to_owned(),
    };
    let mut paths: Vec<&Utf8PathBuf> = before.keys().chain(after.keys()).collect();
    paths.sort();
    paths.dedup();
    paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .map(|path| {
            let (before, after) = (text(before.get(path)), text(after.get(path)));
            format!("{path}:\n{before}\nbecame\n{after}")
        })
        .collect()
}

/// Words that no two statements share by chance.
const THINGS: [&str; 40] = [
    "anchors",
    "balloons",
    "candles",
    "drums",
    "engines",
    "feathers",
    "gardens",
    "hammers",
    "islands",
    "jackets",
    "kettles",
    "ladders",
    "mirrors",
    "needles",
    "orchards",
    "pencils",
    "quilts",
    "rivers",
    "saddles",
    "tunnels",
    "umbrellas",
    "violins",
    "windows",
    "xylophones",
    "yachts",
    "zippers",
    "blankets",
    "compasses",
    "diamonds",
    "envelopes",
    "fountains",
    "goblets",
    "helmets",
    "inkwells",
    "jigsaws",
    "kites",
    "lanterns",
    "magnets",
    "notebooks",
    "oysters",
];
const PLACES: [&str; 5] = ["Lisbon", "Nairobi", "Oslo", "Quito", "Seoul"];

/// Two hundred sessions, five about each of forty subjects: said alike, repeated with more, said elsewhere.
fn sessions() -> Vec<ScriptedSession> {
    let mut sessions = Vec::new();
    for round in 0..5_usize {
        for (number, thing) in THINGS.iter().enumerate() {
            let place = PLACES[number % PLACES.len()];
            let (title, body): (String, String) = match (round, number % 4) {
                (3, 0) => (
                    format!("Store {thing} in the {place} warehouse"),
                    format!(
                        "Store {thing} in the {place} warehouse. The crane lifts pallets from the northern gate. Label twice."
                    ),
                ),
                (4, 1) => (
                    format!("Paint {thing} green before shipping"),
                    format!("Paint {thing} green before shipping, customers asked."),
                ),
                _ => (
                    format!("Store {thing} in the {place} warehouse"),
                    format!(
                        "Store {thing} in the {place} warehouse. The crane lifts pallets from the northern gate."
                    ),
                ),
            };
            let at_ms = START + (round * THINGS.len() + number) as u64 * HOUR;
            let session = format!("session-{round}-{number}").leak();
            sessions.push(ScriptedSession::new(
                session,
                at_ms,
                &[(title.leak(), body.leak())],
            ));
        }
    }
    sessions
}

/// Shuffles sessions with a seed.
fn shuffled(mut sessions: Vec<ScriptedSession>, seed: u64) -> Vec<ScriptedSession> {
    let mut state = seed;
    for index in (1..sessions.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        sessions.swap(index, (state >> 33) as usize % (index + 1));
    }
    sessions
}

/// A clone, and git commands in it.
struct GitClone {
    project: Project,
}

impl GitClone {
    fn git(&self, arguments: &[&str]) -> (bool, String) {
        let folder = self.project.path("project");
        let home = self.project.path("home");
        std::fs::create_dir_all(&home).unwrap();
        let output = Command::new("git")
            .args(arguments)
            .current_dir(&folder)
            .env("HOME", &home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.com")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.com")
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }

    fn done(&self, arguments: &[&str]) -> String {
        let (is_done, said) = self.git(arguments);
        assert!(is_done, "git {arguments:?}: {said}");
        said
    }

    fn learn(&self, sessions: &[ScriptedSession]) {
        for says in sessions {
            self.project.run(says);
        }
        self.commit();
    }

    fn commit(&self) {
        self.done(&["add", "--all"]);
        self.done(&["commit", "--quiet", "--allow-empty", "--message", "learnt"]);
    }

    /// Merges another clone. Returns the paths that git could not merge; for each, this side's text is taken.
    fn merge(&self, other: &GitClone) -> Vec<String> {
        let folder = other.project.path("project");
        self.done(&["fetch", "--quiet", folder.as_str(), "main"]);
        let (is_clean, _) = self.git(&["merge", "--quiet", "--no-edit", "FETCH_HEAD"]);
        if is_clean {
            return Vec::new();
        }
        let open = self.done(&["diff", "--name-only", "--diff-filter=U"]);
        let open: Vec<String> = open.lines().map(ToOwned::to_owned).collect();
        for path in &open {
            self.done(&["checkout", "--quiet", "--ours", "--", path]);
        }
        self.commit();
        open
    }
}

#[test]
fn two_hundred_sessions_in_any_order_on_two_machines_end_in_the_same_files() {
    if Command::new("git").arg("--version").output().is_err() {
        acreta_testing::skip(acreta_testing::GIT, "git is not installed");
        return;
    }
    let (here, there) = (
        GitClone {
            project: machine(1),
        },
        GitClone {
            project: machine(2),
        },
    );
    here.done(&["init", "--quiet", "--initial-branch=main"]);
    here.done(&["commit", "--quiet", "--allow-empty", "--message", "start"]);
    there.done(&["init", "--quiet", "--initial-branch=main"]);
    let folder = here.project.path("project");
    there.done(&["fetch", "--quiet", folder.as_str(), "main"]);
    there.done(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);

    let (mine, theirs) = (shuffled(sessions(), 1), shuffled(sessions(), 2));
    let mut conflicts = Vec::new();
    for (round, (mine, theirs)) in mine.chunks(25).zip(theirs.chunks(25)).enumerate() {
        // Both wait for the disk most of the time.
        std::thread::scope(|scope| {
            scope.spawn(|| here.learn(mine));
            there.learn(theirs);
        });
        match round % 3 {
            0 => conflicts.extend(here.merge(&there)),
            1 => conflicts.extend(there.merge(&here)),
            _ => {}
        }
    }
    conflicts.extend(here.merge(&there));
    // One run repairs the result of the last merge.
    here.learn(&mine[..1]);
    conflicts.extend(there.merge(&here));
    there.learn(&mine[..1]);

    let in_sidecars: Vec<&String> = conflicts
        .iter()
        .filter(|path| !path.starts_with(".acreta/memory/"))
        .collect();
    assert_eq!(in_sidecars, Vec::<&String>::new());
    eprintln!("{} texts were changed on both sides", conflicts.len());
    let (ours, others) = (here.project.bytes(), there.project.bytes());
    assert_eq!(changes(&ours, &others), Vec::<String>::new());

    // All sessions again, on either machine: nothing changes.
    for says in mine.iter().step_by(7) {
        here.project.run(says);
    }
    assert_eq!(changes(&ours, &here.project.bytes()), Vec::<String>::new());

    // Memory equals that of one machine that learns in the original order.
    let alone = machine(3);
    for says in &sessions() {
        alone.run(says);
    }
    assert_eq!(here.project.statements(), alone.statements());
    let summaries = here.project.memories().into_iter();
    let summaries = summaries.filter(|memory| memory.memory_type == MemoryType::Summary);
    assert_eq!(summaries.count(), 200);
    assert!(here.project.load().problems.is_empty());
}
