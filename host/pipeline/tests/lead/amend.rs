//! Notes and amendments of a person, and later runs on the result.

#![expect(
    clippy::disallowed_methods,
    reason = "people, editors and git do not go through the store"
)]

use acreta_fs::NoFaults;
use acreta_pipeline::{Action, Amendment, Edit, Note, NoteSource, WritableMemory};
use acreta_store::{Memory, ProposalOperation, Status, Trust};
use acreta_types::MemoryType;

use crate::fakes::{Project, ScriptedSession};

const NOW: u64 = 1_700_000_000_000;

pub(crate) fn note(title: &str, body: &str) -> Note {
    Note {
        memory_type: MemoryType::Learning,
        kind: "convention".to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        tags: vec!["demo".to_owned()],
        confidence: 0.9,
        at_ms: None,
        quote: body.to_owned(),
        place: String::new(),
    }
}

fn only(project: &Project) -> Memory {
    let memories: Vec<Memory> = project
        .memories()
        .into_iter()
        .filter(|memory| memory.memory_type != MemoryType::Summary)
        .collect();
    assert_eq!(memories.len(), 1, "{memories:?}");
    memories.into_iter().next().unwrap()
}

#[test]
fn a_file_of_many_notes_is_taken_in_at_once() {
    let project = Project::new();
    let mut options = project.writable_options(NOW, NoFaults::shared());
    options.draft_limits.files = 300;
    let mut writable = WritableMemory::open(options).unwrap();
    let notes: Vec<Note> = (0..700)
        .map(|number| {
            let word = format!("w{number}a w{number}b w{number}c w{number}d");
            note(&format!("Rule {number} of {word}"), &word)
        })
        .collect();
    let source = NoteSource::File("NOTES.jsonl".to_owned());
    let report = writable.remember(notes.clone(), &source, false).unwrap();
    assert_eq!((report.counts.add, report.refused.len()), (700, 0));
    assert_eq!(writable.snapshot().memories.len(), 700);
    let again = writable.remember(notes, &source, false).unwrap();
    assert_eq!((again.counts.add, again.counts.no_op), (0, 700));
}

#[test]
fn a_note_is_confirmed_has_provenance_and_is_kept_once() {
    let project = Project::new();
    let mut writable = project.writable(NOW);
    let first = writable
        .remember(
            vec![note("Tag releases by hand", "The robot has no key.")],
            &NoteSource::Person,
            false,
        )
        .unwrap();
    assert_eq!(first.counts.add, 1);
    let again = writable
        .remember(
            vec![note("Tag releases by hand", "The robot has no key.")],
            &NoteSource::Person,
            false,
        )
        .unwrap();
    assert_eq!((again.counts.add, again.counts.no_op), (0, 1));
    drop(writable);
    let memory = only(&project);
    assert_eq!(memory.trust(), Trust::Confirmed);
    let contribution = &memory.evidence.as_ref().unwrap().contributions[0];
    assert_eq!(contribution.agent, acreta_pipeline::PERSON);
    assert_eq!(contribution.evidence[0].quote, "The robot has no key.");
    assert_eq!(contribution.evidence[0].role, "user");
}

#[test]
fn a_dry_run_of_notes_changes_nothing() {
    let project = Project::new();
    let mut writable = project.writable(NOW);
    let notes = vec![note("Tag releases by hand", "The robot has no key.")];
    let source = NoteSource::File("NOTES.md".to_owned());
    let report = writable.remember(notes, &source, true).unwrap();
    assert_eq!((report.counts.add, report.dry_run), (1, true));
    drop(writable);
    assert!(project.load().memories.is_empty());
}

#[test]
fn notes_that_do_not_pass_are_named() {
    let project = Project::new();
    let mut writable = project.writable(NOW);
    let key = "AKIAIOSFODNN7EXAMPLE";
    let table = [
        (note("", "body"), "no title"),
        (note("title", ""), "no body"),
        (note(&"x".repeat(121), "body"), "one line"),
        (note("title", &"x".repeat(9_000)), "characters long"),
        (note("two\nlines", "body"), "one line"),
        (note("title", "hidden \u{200b} text"), "invisible"),
        (note("title", &format!("the key is {key}")), "secret"),
        (
            Note {
                kind: "poem".to_owned(),
                ..note("title", "body")
            },
            "not a kind of learning",
        ),
    ];
    for (one, reason) in table {
        let report = writable
            .remember(vec![one], &NoteSource::Person, false)
            .unwrap();
        assert!(
            report.refused[0].reason.contains(reason),
            "{:?}",
            report.refused
        );
    }
    drop(writable);
    assert!(project.load().memories.is_empty());
}

#[test]
fn a_file_of_notes_taken_in_again_changes_only_what_it_says_differently() {
    let project = Project::new();
    let source = NoteSource::File("NOTES.md".to_owned());
    let keep = || {
        note(
            "Ports below 9000 are taken",
            "Use 9100 and up for test servers.",
        )
    };
    let gone = || note("Deploys happen on Tuesday", "Ask in the channel first.");
    let take = |notes: Vec<Note>, now: u64| {
        let mut writable = project.writable(now);
        writable.remember(notes, &source, false).unwrap().counts
    };
    assert_eq!(take(vec![keep(), gone()], NOW).add, 2);
    let counts = take(vec![keep(), gone()], NOW + 1);
    assert_eq!((counts.add, counts.no_op), (0, 2));
    let counts = take(vec![keep()], NOW + 2);
    assert_eq!((counts.no_op, counts.archived), (1, 1));
    // Said again, it is restored under its old id.
    let before: Vec<String> = project
        .load()
        .memories
        .iter()
        .map(|one| one.id.clone())
        .collect();
    take(vec![keep(), gone()], NOW + 3);
    let after = project.load().memories;
    assert!(after.iter().all(|memory| !memory.is_archived()));
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|memory| before.contains(&memory.id)));
}

#[test]
fn an_edit_is_a_persons_word_and_runs_only_propose() {
    let project = Project::new();
    let says =
        |body: &'static str| ScriptedSession::new("one", 10, &[("Port 8080 is taken", body)]);
    project.run(&says("Use 8090 for the test server."));
    let id = only(&project).id;
    let edit = Edit {
        body: Some("Use 9090 for the test server.".to_owned()),
        tags: Some(vec!["ports".to_owned()]),
        ..Edit::default()
    };
    let amended = project
        .writable(NOW)
        .amend(&id, &Amendment::Edit(edit.clone()))
        .unwrap();
    assert!(amended.changed);
    let again = project
        .writable(NOW + 1)
        .amend(&id, &Amendment::Edit(edit))
        .unwrap();
    assert!(!again.changed, "{again:?}");
    let memory = only(&project);
    assert!(memory.body().contains("9090"), "{}", memory.text);
    assert_eq!(memory.front_matter.tags, ["ports"]);
    assert_eq!(memory.trust(), Trust::Confirmed);
    let contributions = &memory.evidence.as_ref().unwrap().contributions;
    assert_eq!(contributions.last().unwrap().agent, acreta_pipeline::PERSON);

    let mut later = says("Use 8090 for the test server. The proxy holds 8080.");
    later.events = 9;
    later.at_ms = 2_000_000_000_000;
    project.run(&later);
    let memory = only(&project);
    assert!(memory.body().contains("9090"), "{}", memory.text);
    let proposals = &memory.state.as_ref().unwrap().proposals;
    assert_eq!(proposals.len(), 1);
    assert_eq!(proposals[0].operation, ProposalOperation::Update);

    let taken = project
        .writable(NOW + 2)
        .amend(&id, &Amendment::Accept(1))
        .unwrap();
    assert!(taken.changed);
    let memory = only(&project);
    assert!(memory.body().contains("The proxy"), "{}", memory.text);
    assert!(memory.state.as_ref().unwrap().proposals.is_empty());
    let error = project
        .writable(NOW + 3)
        .amend(&id, &Amendment::Accept(1))
        .unwrap_err();
    assert!(error.to_string().contains("it has no proposals"), "{error}");
}

#[test]
fn a_dismissed_proposal_is_not_made_again() {
    let project = Project::new();
    let mut says = ScriptedSession::new(
        "one",
        10,
        &[("Port 8080 is taken", "Use 8090 for the test server.")],
    );
    project.run(&says);
    let id = only(&project).id;
    let edit = Edit {
        body: Some("Use 9090 for the test server.".to_owned()),
        ..Edit::default()
    };
    project
        .writable(NOW)
        .amend(&id, &Amendment::Edit(edit))
        .unwrap();
    says.candidates = vec![(
        "Port 8080 is taken",
        "Use 8090 for the test server. The proxy holds 8080.",
    )];
    for round in 0..2 {
        says.at_ms = 2_000_000_000_000 + round;
        says.events = 9 + round;
        project.run(&says);
        let proposals = only(&project).state.unwrap().proposals.len();
        assert_eq!(proposals, usize::from(round == 0), "round {round}");
        if round == 0 {
            project
                .writable(NOW + 1)
                .amend(&id, &Amendment::Dismiss)
                .unwrap();
        }
    }
}

#[test]
fn a_rejected_archived_or_removed_memory_does_not_come_back_from_the_same_evidence() {
    for way in ["reject", "archive", "remove", "remove the archived file"] {
        let project = Project::new();
        let says = ScriptedSession::new(
            "one",
            10,
            &[("Port 8080 is taken", "Use 8090 for the test server.")],
        );
        project.run(&says);
        let memory = only(&project);
        let file = |memory: &Memory| project.layout().memory_root().join(&memory.path);
        match way {
            "reject" => {
                project
                    .writable(NOW)
                    .amend(&memory.id, &Amendment::Reject)
                    .unwrap();
                assert!(only(&project).state.unwrap().rejected);
            }
            "archive" => {
                project
                    .writable(NOW)
                    .amend(&memory.id, &Amendment::Archive)
                    .unwrap();
            }
            "remove" => std::fs::remove_file(file(&memory)).unwrap(),
            _ => {
                project
                    .writable(NOW)
                    .amend(&memory.id, &Amendment::Reject)
                    .unwrap();
                std::fs::remove_file(file(&only(&project))).unwrap();
            }
        }
        for round in 0..3 {
            let report = project.run(&ScriptedSession {
                events: 4 + round,
                ..says.clone()
            });
            let action = &report.actions[0];
            assert_eq!(action.action, Action::NoOp, "{way}: {report:?}");
            assert!(project.statements().is_empty(), "{way}");
        }
        // Another session says so, too: that is news.
        let other = ScriptedSession::new(
            "two",
            20,
            &[("Port 8080 is taken", "Use 8090 for the test server!")],
        );
        let report = project.run(&other);
        assert_eq!(report.counts.add, 2, "{way}: memory and summary");
    }
}

#[test]
fn what_a_session_no_longer_says_stays_and_keeps_its_id() {
    let project = Project::new();
    let with = ScriptedSession::new(
        "one",
        10,
        &[("Port 8080 is taken", "Use 8090 for the test server.")],
    );
    let without = ScriptedSession {
        events: 4,
        ..ScriptedSession::new("one", 10, &[])
    };
    project.run(&with);
    let id = only(&project).id;
    project.run(&without);
    assert!(!only(&project).is_archived());
    project.run(&ScriptedSession { events: 5, ..with });
    let memory = only(&project);
    assert!(!memory.is_archived());
    assert_eq!(memory.id, id);
    assert_eq!(memory.state.unwrap().status, Status::Active);
}

#[test]
fn one_trace_ten_times_is_one_memory() {
    let project = Project::new();
    let says = ScriptedSession::new(
        "one",
        10,
        &[
            ("Port 8080 is taken", "Use 8090 for the test server."),
            ("Tag releases by hand", "The robot has no key."),
        ],
    );
    project.run(&says);
    let first = project.statements();
    let ids: Vec<String> = project
        .load()
        .memories
        .iter()
        .map(|one| one.id.clone())
        .collect();
    for _ in 0..9 {
        let report = project.run(&says);
        let counts = report.counts;
        assert_eq!((counts.add, counts.update, counts.archived), (0, 0, 0));
        assert_eq!(project.statements(), first);
    }
    let after: Vec<String> = project
        .load()
        .memories
        .iter()
        .map(|one| one.id.clone())
        .collect();
    assert_eq!(after, ids);
}

#[test]
fn files_moved_by_hand_are_meant_so() {
    let project = Project::new();
    project.run(&ScriptedSession::new(
        "one",
        10,
        &[("Port 8080 is taken", "Use 8090.")],
    ));
    let memory = only(&project);
    let root = project.layout().memory_root();
    std::fs::create_dir_all(root.join("archived/learnings")).unwrap();
    let name = memory.path.file_name().unwrap();
    let away = root.join("archived/learnings/20260101-renamed.md");
    std::fs::rename(root.join(&memory.path), &away).unwrap();
    drop(project.writable(NOW));
    let moved = only(&project);
    assert_eq!(
        (moved.id.as_str(), moved.is_archived()),
        (memory.id.as_str(), true)
    );
    assert_eq!(moved.state.unwrap().status, Status::Archived);
    std::fs::rename(&away, root.join("learnings").join(name)).unwrap();
    drop(project.writable(NOW + 1));
    assert_eq!(only(&project).state.unwrap().status, Status::Active);
}

#[test]
fn confirming_archiving_and_restoring_say_what_they_did() {
    let project = Project::new();
    project.run(&ScriptedSession::new(
        "one",
        10,
        &[("Port 8080 is taken", "Use 8090.")],
    ));
    let id = only(&project).id;
    let table = [
        (Amendment::Confirm, true, "confirmed"),
        (Amendment::Confirm, false, "it is already confirmed"),
        (Amendment::Restore, false, "it is in use"),
        (Amendment::Archive, true, "archived"),
        (Amendment::Archive, false, "it is already archived"),
        (Amendment::Restore, true, "restored"),
        (Amendment::Dismiss, false, "it has no proposals"),
    ];
    for (index, (amendment, changed, message)) in table.into_iter().enumerate() {
        let amended = project
            .writable(NOW + index as u64)
            .amend(&id, &amendment)
            .unwrap();
        assert_eq!(
            (amended.changed, amended.message),
            (changed, message),
            "{amendment:?}"
        );
    }
    let text = only(&project).text.replace("Use 8090.", "Use 9090.");
    let amended = project
        .writable(NOW + 9)
        .amend(&id, &Amendment::Text(text.clone()))
        .unwrap();
    assert!(amended.changed);
    assert_eq!(only(&project).text, text);
    for (broken, reason) in [
        ("no front matter", "cannot be read"),
        (&text.replace(&id, "01OTHER"), "instead of"),
        (&text.replace("Use 9090.", "AKIAIOSFODNN7EXAMPLE"), "secret"),
    ] {
        let broken = Amendment::Text(broken.to_owned());
        let error = project.writable(NOW + 10).amend(&id, &broken).unwrap_err();
        let error = acreta_types::with_causes(&error);
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!(only(&project).text, text);
}
