//! Maintenance over a store with known duplicates, contradictions, stale and fresh entries: exactly these actions,
//! nothing the second time, and every byte restored by an undo.

use std::collections::BTreeMap;

use acreta_pipeline::{Amendment, MaintainAction, MaintainReport, Note, NoteSource, Seen, undo};
use acreta_store::{Memory, Status};
use acreta_types::MemoryType;

use crate::fakes::{FakeRepository, Project, ScriptedSession};

const DAY: u64 = 86_400_000;
const NOW: u64 = 1_800_000_000_000;

/// Learnings, each from its own session, a day apart, so that their order is known.
const SEEDED: &[(&str, &str)] = &[
    // 0 and 1: the same words in other markup.
    (
        "Run the tests with cargo nextest",
        "Plain `cargo test` is too slow here; use cargo nextest.",
    ),
    (
        "run the tests with `cargo nextest`",
        "Plain cargo test is too slow here. Use **cargo nextest**!",
    ),
    // 2 and 3: a contradiction.
    (
        "Build artifacts are kept for 15 days",
        "Delete build artifacts after 15 days.",
    ),
    (
        "Build artifacts are kept for 30 days",
        "Delete build artifacts after 30 days.",
    ),
    // 4: names a file that is gone.
    (
        "Retries are configured in src/retry.rs",
        "The budget is in src/retry.rs.",
    ),
    // 5: names a file and a symbol that exist.
    (
        "The queue lives in src/queue.rs",
        "See `claim_next_job` in src/queue.rs.",
    ),
    // 6: unrelated to the others.
    (
        "Staging resets every Sunday night",
        "Do not leave data on staging over the weekend.",
    ),
];

/// Runs one session for each seeded statement.
fn seed(project: &Project) -> Vec<String> {
    let sessions = ["s0", "s1", "s2", "s3", "s4", "s5", "s6"];
    for (index, statement) in SEEDED.iter().enumerate() {
        // Without knowledge of the others, as if two clones were merged or two people said it at once.
        let at_ms = NOW - 20 * DAY + index as u64 * DAY;
        let other = Project::new();
        other.run(&ScriptedSession::new(sessions[index], at_ms, &[*statement]));
        other.move_into(project);
    }
    SEEDED
        .iter()
        .map(|(title, _)| project.by_title(title).id)
        .collect()
}

fn told(report: &MaintainReport, ids: &[String]) -> Vec<String> {
    let number = |id: &str| ids.iter().position(|one| one == id).unwrap();
    let mut told: Vec<String> = report
        .actions
        .iter()
        .map(|record| {
            let action = serde_json::to_value(record.action).unwrap();
            let other = record.other.as_deref().map(|id| format!(" {}", number(id)));
            format!(
                "{} {}{}",
                action.as_str().unwrap(),
                number(&record.memory_id),
                other.unwrap_or_default()
            )
        })
        .collect();
    told.sort();
    told
}

fn repository() -> FakeRepository {
    FakeRepository {
        present: vec!["src/queue.rs", "claim_next_job"],
        deleted: vec!["src/retry.rs"],
    }
}

#[test]
fn exactly_what_is_to_be_done_is_done_once_and_can_be_undone() {
    let project = Project::new();
    let ids = seed(&project);
    let before = project.bytes();
    let options = project.maintain_options(NOW, repository());

    let mut dry = project.maintain_options(NOW, repository());
    dry.dry_run = true;
    let report = project.maintain(&dry);
    let expected = [
        "merge 1 0",
        "relate 4",
        "relate 5",
        "stale 4",
        "supersede 2 3",
        "verify 5",
    ];
    assert_eq!(told(&report, &ids), expected);
    assert_eq!(project.bytes(), before, "a dry run changes nothing");

    let report = project.maintain(&options);
    assert_eq!(told(&report, &ids), expected);
    assert_eq!((report.counts.merged, report.counts.superseded), (1, 1));
    let by_id = |id: &str| project.by_id(id);
    let survivor = by_id(&ids[0]);
    let state = survivor.state.as_ref().unwrap();
    assert_eq!(state.supersedes, [ids[1].clone()]);
    assert_eq!(survivor.evidence.as_ref().unwrap().contributions.len(), 2);
    let merged = by_id(&ids[1]);
    assert!(merged.is_archived());
    assert_eq!(
        merged.state.as_ref().unwrap().superseded_by.as_ref(),
        Some(&ids[0])
    );
    let older = by_id(&ids[2]);
    assert!(!older.is_archived(), "a superseded memory stays readable");
    let state = older.state.as_ref().unwrap();
    assert_eq!(
        (state.status, state.superseded_by.as_ref()),
        (Status::Superseded, Some(&ids[3]))
    );
    let stale = by_id(&ids[4]).state.unwrap();
    assert!(stale.stale);
    assert_eq!(stale.missing, ["src/retry.rs"]);
    let fresh = by_id(&ids[5]).state.unwrap();
    assert!(!fresh.stale);
    assert_eq!(fresh.verified, ["claim_next_job", "src/queue.rs"]);
    assert_eq!(fresh.last_verified.as_deref(), Some("2027-01-15"));

    let after = project.bytes();
    let again = project.maintain(&project.maintain_options(NOW + 1000, repository()));
    assert_eq!(told(&again, &ids), [""; 0]);
    assert_eq!(project.bytes(), after, "the second time nothing is done");

    undo(
        &report.run_id,
        project.writable_options(NOW + 2000, acreta_fs::NoFaults::shared()),
    )
    .unwrap();
    assert_eq!(project.bytes(), before, "every byte is back");
    let error = undo(
        &report.run_id,
        project.writable_options(NOW + 3000, acreta_fs::NoFaults::shared()),
    );
    assert!(error.unwrap_err().to_string().contains("already undone"));
    // Undone changes are not repeated; marks may be set again.
    let later = project.maintain(&project.maintain_options(NOW + 4000, repository()));
    let noted = ["relate 4", "relate 5", "stale 4", "verify 5"];
    assert_eq!(told(&later, &ids), noted);
}

#[test]
fn an_undo_over_a_later_edit_is_refused_whole() {
    let project = Project::new();
    seed(&project);
    let before = project.bytes();
    let report = project.maintain(&project.maintain_options(NOW, repository()));
    let written = project.bytes();
    let (changed, _) = written
        .iter()
        .find(|(path, bytes)| path.extension() == Some("md") && before.get(*path) != Some(bytes))
        .expect("maintenance writes a file");
    project.append_by_hand(changed, "Said by a person.\n");
    let after = project.bytes();
    let undone = undo(
        &report.run_id,
        project.writable_options(NOW + 1, acreta_fs::NoFaults::shared()),
    );
    assert!(undone.is_err());
    assert_eq!(project.bytes(), after);
}

#[test]
fn what_a_person_holds_is_only_proposed_to() {
    let project = Project::new();
    let ids = seed(&project);
    for id in [&ids[1], &ids[2]] {
        project
            .writable(NOW - DAY)
            .amend(id, &Amendment::Confirm)
            .unwrap();
    }
    let texts: Vec<String> = [1, 2]
        .map(|index: usize| project.by_id(&ids[index]).text)
        .into();
    let report = project.maintain(&project.maintain_options(NOW, repository()));
    // The confirmed duplicate stays and the other is merged into it; the confirmed older opinion is a
    // conflict that the person decides on.
    assert_eq!(
        told(&report, &ids),
        [
            "merge 0 1",
            "relate 3",
            "relate 4",
            "relate 5",
            "stale 4",
            "verify 5"
        ]
    );
    assert_eq!(report.conflicts.len(), 1, "{:?}", report.conflicts);
    for (index, text) in [1, 2].into_iter().zip(texts) {
        assert_eq!(project.by_id(&ids[index]).text, text);
    }
    let again = project.maintain(&project.maintain_options(NOW + 1, repository()));
    assert!(again.actions.is_empty(), "{:?}", again.actions);
}

#[test]
fn what_nobody_asks_for_fades_and_its_confidence_stays() {
    let project = Project::new();
    let ids = seed(&project);
    let later = NOW + 300 * DAY;
    let seen = |access: Option<u64>, first: u64| Seen {
        last_access_ms: access,
        first_seen_ms: first,
    };
    let mut options = project.maintain_options(later, repository());
    options.seen = BTreeMap::from([
        // 6 was seen long ago and never accessed; 5 was accessed last week; 4 was first seen yesterday.
        (ids[6].clone(), seen(None, NOW)),
        (ids[5].clone(), seen(Some(later - 7 * DAY), NOW)),
        (ids[4].clone(), seen(None, later - DAY)),
    ]);
    let confidence = project.by_id(&ids[6]).front_matter.confidence;
    let report = project.maintain(&options);
    let archived: Vec<&str> = report
        .actions
        .iter()
        .filter(|record| record.action == MaintainAction::Archive)
        .map(|record| record.memory_id.as_str())
        .collect();
    assert_eq!(archived, [ids[6].as_str()]);
    let faded = project.by_id(&ids[6]);
    assert!(faded.is_archived());
    assert_eq!(faded.front_matter.confidence, confidence);

    // A repeat of the session does not bring it back; another one does, under its old id.
    project.run(&ScriptedSession {
        events: 7,
        ..ScriptedSession::new("s6", NOW, &[SEEDED[6]])
    });
    assert!(project.by_id(&ids[6]).is_archived());
    let again = (
        "Staging resets every sunday night",
        "Do not leave data on staging over the weekend!",
    );
    project.run(&ScriptedSession::new("s9", later, &[again]));
    assert!(!project.by_id(&ids[6]).is_archived());
}

#[test]
fn a_rerun_of_merged_sessions_finds_its_memory_again() {
    let project = Project::new();
    let ids = seed(&project);
    project.maintain(&project.maintain_options(NOW, repository()));
    let count = project.load().memories.len();
    for index in [0, 1] {
        let session = ["s0", "s1"][index];
        let at_ms = NOW - 20 * DAY + index as u64 * DAY;
        let report = project.run(&ScriptedSession {
            events: 9,
            ..ScriptedSession::new(session, at_ms, &[SEEDED[index]])
        });
        assert_eq!(report.actions[0].memory_id, ids[0], "{report:?}");
    }
    assert_eq!(project.load().memories.len(), count);
}

#[test]
fn summaries_are_left_alone() {
    let project = Project::new();
    seed(&project);
    let summaries = |project: &Project| -> Vec<Memory> {
        let memories = project.memories().into_iter();
        memories
            .filter(|memory| memory.memory_type == MemoryType::Summary)
            .collect()
    };
    let before = summaries(&project);
    assert_eq!(before.len(), SEEDED.len());
    project.maintain(&project.maintain_options(NOW + 1000 * DAY, repository()));
    assert_eq!(summaries(&project), before);
}

#[test]
fn neighbours_are_named_where_acreta_wrote_the_text() {
    let project = Project::new();
    let mut writable = project.writable(NOW - 9 * DAY);
    let note = |title: &str, body: &str| Note {
        memory_type: MemoryType::Learning,
        kind: "pitfall".to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        tags: Vec::new(),
        confidence: 0.8,
        at_ms: Some(NOW - 9 * DAY),
        quote: body.to_owned(),
        place: String::new(),
    };
    let notes = vec![
        note(
            "Docker COPY keeps the file modes of the host",
            "Set modes with COPY --chmod in the Dockerfile.",
        ),
        note(
            "Docker COPY follows no links of the host",
            "Links are copied as links by COPY in the Dockerfile.",
        ),
    ];
    writable
        .remember(notes, &NoteSource::File("NOTES.md".to_owned()), false)
        .unwrap();
    drop(writable);
    let report = project.maintain(&project.maintain_options(NOW, repository()));
    let related = report
        .actions
        .iter()
        .filter(|record| record.action == MaintainAction::Relate);
    assert_eq!(related.count(), 2, "{:?}", report.actions);
    let memories = project.load().memories;
    assert_eq!(memories[0].front_matter.related, [memories[1].id.clone()]);
    assert_eq!(memories[1].front_matter.related, [memories[0].id.clone()]);
    let again = project.maintain(&project.maintain_options(NOW + 1, repository()));
    assert!(again.actions.is_empty(), "{:?}", again.actions);
}

#[test]
fn what_a_person_confirmed_twice_is_a_conflict_for_the_person() {
    let project = Project::new();
    let rules = [
        (
            "one",
            ("Releases are tagged by Jenkins", "Jenkins tags releases."),
        ),
        (
            "two",
            ("Releases are tagged by Drone", "Drone tags releases."),
        ),
    ];
    for ((at_ms, (session, rule)), confirmed_ms) in
        (NOW - 3 * DAY..).step_by(1000).zip(rules).zip(1..)
    {
        let other = Project::new();
        other.run(&ScriptedSession::new(session, at_ms, &[rule]));
        other.move_into(&project);
        let id = project.by_title(rule.0).id;
        let confirmed = project
            .writable(NOW - DAY + confirmed_ms)
            .amend(&id, &Amendment::Confirm);
        confirmed.unwrap();
    }
    let [older, newer] = rules.map(|(_, (title, _))| project.by_title(title).id);
    for round in 0..2 {
        let report = project.maintain(&project.maintain_options(NOW + round, repository()));
        let conflicts: Vec<(&str, &str)> = report
            .conflicts
            .iter()
            .map(|one| (one.older.id.as_str(), one.newer.id.as_str()))
            .collect();
        assert_eq!(conflicts, [(older.as_str(), newer.as_str())], "{round}");
    }
    let archived = project
        .writable(NOW + 10)
        .amend(&older, &Amendment::Archive);
    archived.unwrap();
    let report = project.maintain(&project.maintain_options(NOW + 20, repository()));
    assert!(report.conflicts.is_empty(), "{:?}", report.conflicts);
}

/// What words alone cannot settle is left to the person, and both memories stay.
#[test]
fn other_words_for_another_value_are_a_conflict_and_nearly_the_same_words_a_proposal() {
    let project = Project::new();
    let statements = [
        ("The API port is 8080, never another", "Said in the review."),
        (
            "Use 9090 instead of 8080 as API port",
            "Said in the review.",
        ),
        (
            "Snapshots of the database go to the archive bucket every night",
            "The nightly job writes them.",
        ),
        (
            "Snapshots of the database go to the archive bucket each night",
            "The nightly job writes them.",
        ),
    ];
    for (number, statement) in statements.into_iter().enumerate() {
        let at_ms = NOW - 9 * DAY + number as u64 * DAY;
        let session = ["s0", "s1", "s2", "s3"][number];
        let other = Project::new();
        other.run(&ScriptedSession::new(session, at_ms, &[statement]));
        other.move_into(&project);
    }
    let ids: Vec<String> = statements
        .iter()
        .map(|(title, _)| project.by_title(title).id)
        .collect();
    let report = project.maintain(&project.maintain_options(NOW, repository()));
    let counts = &report.counts;
    assert_eq!((counts.merged, counts.superseded), (0, 0), "{report:?}");
    let conflicts: Vec<(&str, &str)> = report
        .conflicts
        .iter()
        .map(|one| (one.older.id.as_str(), one.newer.id.as_str()))
        .collect();
    assert_eq!(conflicts, [(ids[0].as_str(), ids[1].as_str())]);
    let proposed = report.actions.iter();
    let proposed: Vec<(&str, Option<&str>)> = proposed
        .filter(|record| record.action == MaintainAction::Propose)
        .map(|record| (record.memory_id.as_str(), record.other.as_deref()))
        .collect();
    assert_eq!(proposed, [(ids[2].as_str(), Some(ids[3].as_str()))]);
    let again = project.maintain(&project.maintain_options(NOW + 1, repository()));
    assert!(again.actions.is_empty(), "{:?}", again.actions);
}
