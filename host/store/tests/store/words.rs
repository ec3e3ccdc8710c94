//! Endorsements count only for the text they were given for and are stored with the person: claims in a repository
//! about itself do not count.

use std::time::Duration;

use acreta_fs::NoFaults;
use acreta_store::{
    ContributedCandidate, Contribution, EvidenceFile, Layout, QuotedEvent, Rung, Store, StoreError,
    Trust, Word, Words, as_line, move_words,
};
use acreta_types::MemoryType;

use crate::support::{Project, decision};

const FILE: &str = "memory/decisions/20260101-a.md";

pub(crate) fn layout(project: &Project) -> Layout {
    Layout::for_project(&project.root).with_words_in(&project.root.join("home"))
}

fn store(project: &Project) -> Store {
    Store::open(layout(project), NoFaults::shared()).unwrap()
}

pub(crate) fn trust(project: &Project) -> Trust {
    trust_in(&store(project))
}

/// Returns the trust of the first memory, which is the same whether all memories are read or it alone.
pub(crate) fn trust_in(store: &Store) -> Trust {
    let memory = store.load().unwrap().memories[0].clone();
    let alone = store.read(memory.memory_type, &memory.path).unwrap();
    let alone = alone.unwrap();
    assert_eq!(alone.is_foreign(), memory.is_foreign());
    assert_eq!(alone.trust(), memory.trust());
    memory.trust()
}

fn word(project: &Project, rung: Rung, by: Option<&str>) -> Word {
    let memory = store(project).load().unwrap().memories[0].clone();
    Word {
        memory: memory.id.clone(),
        digest: memory.content_digest(),
        word: rung,
        by: by.map(str::to_owned),
        at: "2026-01-01T00:00:00Z".to_owned(),
    }
}

fn give(project: &Project, words: &[Word]) {
    let store = store(project);
    let lock = store.lock(Duration::ZERO).unwrap();
    store.give_words(&lock, words).unwrap();
}

pub(crate) fn said_by(role: &str) -> Vec<u8> {
    let contribution = Contribution {
        agent: "claude".to_owned(),
        session_id: "s".to_owned(),
        run_id: "r".to_owned(),
        events: 1,
        last_ms: None,
        newest_ms: 1,
        created_ms: 1,
        found_by: Vec::new(),
        reading: None,
        candidate: ContributedCandidate {
            memory_type: MemoryType::Decision,
            kind: String::new(),
            title: "First".to_owned(),
            body: "x".to_owned(),
            confidence: 0.5,
            tags: Vec::new(),
        },
        evidence: vec![QuotedEvent {
            event_id: "e".to_owned(),
            record: String::new(),
            start: 0,
            end: 0,
            role: role.to_owned(),
            at_ms: None,
            quote: "x".to_owned(),
        }],
    };
    EvidenceFile {
        id: "01A".to_owned(),
        contributions: vec![contribution],
    }
    .to_json()
}

/// A project with one memory, whose repository calls it confirmed wherever it can.
pub(crate) fn hostile() -> Project {
    let project = Project::new();
    project.put(FILE, decision("01A", "First", "x"));
    project.put(
        "meta/state/01A.json",
        r#"{"id":"01A","trust":"confirmed","status":"active","supersedes":[],"superseded_by":null,
            "stale":false,"last_verified":null,"rejected":false,"written":"d","proposals":[]}"#,
    );
    project
}

#[test]
fn a_repository_gives_no_more_than_its_evidence() {
    let project = hostile();
    assert_eq!(trust(&project), Trust::Untrusted);
    for (role, expected) in [
        ("tool", Trust::Untrusted),
        ("assistant", Trust::Grounded),
        ("user", Trust::Grounded),
        ("confirmed", Trust::Untrusted),
    ] {
        project.put("meta/evidence/01A.json", said_by(role));
        assert_eq!(trust(&project), expected, "{role}");
    }
}

#[test]
fn a_word_counts_for_the_text_it_was_given_for() {
    // Columns: the new content of the file, and whether the endorsement still counts.
    let table = [
        (decision("01A", "First", "x"), Trust::Confirmed),
        (
            decision("01A", "First", "x").replace('\n', "\r\n"),
            Trust::Confirmed,
        ),
        (
            decision("01A", "First", "x").replace("tags: ", "tags: [moved] #"),
            Trust::Confirmed,
        ),
        (decision("01A", "First", "y"), Trust::Untrusted),
        (decision("01A", "Last", "x"), Trust::Untrusted),
        (decision("01B", "First", "x"), Trust::Untrusted),
    ];
    for (text, expected) in table {
        let project = hostile();
        give(&project, &[word(&project, Rung::Confirmed, None)]);
        assert_eq!(trust(&project), Trust::Confirmed);
        project.put(FILE, &text);
        assert_eq!(trust(&project), expected, "{text}");
    }
}

#[test]
fn reading_again_hears_what_was_said_meanwhile() {
    let project = hostile();
    let (store, known) = (store(&project), acreta_store::KnownFiles::default());
    let later = 4_000_000_000_000;
    let trust = || store.load_again(&known, later).unwrap().memories[0].trust();
    assert_eq!(trust(), Trust::Untrusted);
    assert_eq!(trust(), Trust::Untrusted);
    give(&project, &[word(&project, Rung::Reviewed, Some("Ines"))]);
    assert_eq!(trust(), Trust::Reviewed);
    give(&project, &[word(&project, Rung::Confirmed, None)]);
    assert_eq!(trust(), Trust::Confirmed);
    let lock = store.lock(Duration::ZERO).unwrap();
    store.forget_words(&lock, &["01A".to_owned()]).unwrap();
    assert_eq!(trust(), Trust::Untrusted);
}

#[test]
fn what_a_reviewer_confirmed_is_reviewed_until_they_are_asked_again() {
    let (mine, theirs) = (hostile(), hostile());
    give(&theirs, &[word(&theirs, Rung::Confirmed, None)]);
    let theirs: Vec<Word> = Words::load(&layout(&theirs)).iter().cloned().collect();
    let store = store(&mine);
    let lock = store.lock(Duration::ZERO).unwrap();
    store.accept_review(&lock, "Ines", &theirs).unwrap();
    assert_eq!(trust(&mine), Trust::Reviewed);
    store.accept_review(&lock, "Otto", &[]).unwrap();
    assert_eq!(
        trust(&mine),
        Trust::Reviewed,
        "another reviewer takes nothing back"
    );
    store.accept_review(&lock, "Ines", &[]).unwrap();
    assert_eq!(trust(&mine), Trust::Untrusted);
}

#[test]
fn words_are_plain_lines_and_keep_what_a_person_wrote_between_them() {
    let project = hostile();
    let given = word(&project, Rung::Confirmed, None);
    give(&project, std::slice::from_ref(&given));
    let layout = layout(&project);
    let (folder, name) = layout.words_file().unwrap();
    assert_eq!(folder, project.root.join("home"));
    let text = folder.join(name);
    let lines = |text: &camino::Utf8Path| -> Vec<String> {
        let (folder, name) = (text.parent().unwrap(), text.file_name().unwrap());
        let folder = acreta_fs::Directory::open(folder, NoFaults::shared()).unwrap();
        let text = folder.read_to_string(name, 10_000).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let head = format!("{{\"project\":\"{}\"}}", project.root);
    assert_eq!(lines(&text), [head.clone(), as_line(&given)]);
    // Repeating it keeps one line; other lines are preserved.
    give(&project, std::slice::from_ref(&given));
    assert_eq!(lines(&text), [head, as_line(&given)]);
    let words = Words::parse("# mine\n{\"memory\":1}\n\u{0}\n");
    assert_eq!(words.iter().count(), 0);
}

#[test]
fn words_follow_a_project_that_moves() {
    let (project, other) = (hostile(), hostile());
    give(&project, &[word(&project, Rung::Confirmed, None)]);
    let home = project.root.join("home");
    let to = Layout::for_project(&other.root).with_words_in(&home);
    let before = Store::open(to.clone(), NoFaults::shared()).unwrap();
    let trust = || before.load().unwrap().memories[0].trust();
    // An equal memory in another project was not confirmed.
    assert_eq!(trust(), Trust::Untrusted);
    move_words(&layout(&project), &to).unwrap();
    assert_eq!(trust(), Trust::Confirmed);
    assert_eq!(Words::load(&layout(&project)).iter().count(), 0);
}

#[test]
fn a_closed_folder_reads_as_empty_and_takes_nothing() {
    let project = hostile();
    let closed = Store::open(layout(&project).closed(), NoFaults::shared()).unwrap();
    assert!(closed.load().unwrap().memories.is_empty());
    let path = camino::Utf8Path::new("decisions/20260101-a.md");
    assert_eq!(closed.read(MemoryType::Decision, path).unwrap(), None);
    let refused = closed.lock(Duration::ZERO);
    assert!(
        matches!(refused, Err(StoreError::Closed { .. })),
        "{refused:?}"
    );
    assert!(!project.base().join("meta/lock").exists());
}

#[test]
fn what_old_state_files_call_confirmed_can_be_asked_once() {
    let project = hostile();
    let called = store(&project).called_confirmed().unwrap();
    assert_eq!(called.len(), 1);
    project.put("meta/state/01A.json", r#"{"id":"01B","trust":"confirmed"}"#);
    assert!(store(&project).called_confirmed().unwrap().is_empty());
}
