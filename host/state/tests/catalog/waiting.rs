//! Pending records: sightings, repetition, expiry, and a person's decisions.

use acreta_state::{
    MOST_PENDING, NoteCounts, NoteOutcome, PENDING_MS, PendingSighting, PendingState, SessionKey,
};

use crate::support::{NOW, TestCatalog, key};

const APP: &str = "/src/app";

fn sighting(id: &str, session: &str) -> PendingSighting {
    PendingSighting {
        id: id.to_owned(),
        agent: key(session).agent,
        session: session.to_owned(),
        event: "e1".to_owned(),
        quote: format!("use {id}"),
        kind: "convention".to_owned(),
        title: format!("Use {id}"),
        contribution: "{}".to_owned(),
    }
}

#[test]
fn a_record_is_all_that_sessions_say_of_it() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let keep = |session: &str, ids: &[&str], repeated: &[String], at: u64| {
        let said: Vec<_> = ids.iter().map(|id| sighting(id, session)).collect();
        catalog
            .keep_pending(APP, &key(session), &said, repeated, at)
            .unwrap();
    };
    keep("a", &["p-1", "p-2"], &[], NOW);
    keep("b", &["p-1"], &["p-1".to_owned()], NOW + 5);
    let records = catalog.pending_records(APP, NOW + 5).unwrap();
    let told: Vec<_> = records
        .iter()
        .map(|record| (record.id(), record.state, record.sightings.len()))
        .collect();
    assert_eq!(
        told,
        [
            ("p-1", PendingState::Promoted, 2),
            ("p-2", PendingState::Waiting, 1)
        ]
    );
    assert_eq!(
        (records[0].first_seen_ms, records[0].last_seen_ms),
        (NOW, NOW + 5)
    );
    assert_eq!(catalog.pending_waiting(NOW + 5).unwrap(), 1);
    assert!(
        catalog
            .pending_records("/src/other", NOW)
            .unwrap()
            .is_empty()
    );

    // A new set of sightings replaces the session's earlier one.
    keep("a", &["p-3"], &[], NOW + 6);
    let records = catalog.pending_records(APP, NOW + 6).unwrap();
    let ids: Vec<_> = records.iter().map(|record| record.id()).collect();
    assert_eq!(ids, ["p-3", "p-1"]);
}

#[test]
fn records_expire_unless_they_were_rejected() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let said = [sighting("p-1", "a"), sighting("p-2", "a")];
    catalog
        .keep_pending(APP, &key("a"), &said, &[], NOW)
        .unwrap();
    catalog
        .settle_pending(APP, "p-2", PendingState::Rejected, NOW)
        .unwrap();
    let later = NOW + PENDING_MS + 1;
    catalog
        .keep_pending(APP, &key("b"), &[], &[], later)
        .unwrap();
    let records = catalog.pending_records(APP, later).unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(
        (records[0].id(), records[0].state),
        ("p-2", PendingState::Rejected)
    );
    assert_eq!(catalog.pending_waiting(later).unwrap(), 0);
}

#[test]
fn a_project_keeps_a_bounded_number_and_the_oldest_go() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let most = MOST_PENDING as u64;
    for number in 0..most + 7 {
        let session = format!("s{number:04}");
        let said = [sighting(&format!("p-{number:04}"), &session)];
        catalog
            .keep_pending(APP, &key(&session), &said, &[], NOW + number)
            .unwrap();
    }
    let records = catalog.pending_records(APP, NOW + most).unwrap();
    assert_eq!(records.len() as u64, most);
    assert_eq!(records.last().unwrap().id(), "p-0007");
}

#[test]
fn purging_a_session_or_a_project_forgets_what_it_said() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for session in ["a", "b", "c"] {
        let said = [
            sighting("p-1", session),
            sighting(&format!("p-{session}"), session),
        ];
        catalog
            .keep_pending(APP, &key(session), &said, &[], NOW)
            .unwrap();
    }
    catalog
        .settle_pending(APP, "p-a", PendingState::Rejected, NOW)
        .unwrap();
    catalog.purge_session(&key("a")).unwrap();
    let records = catalog.pending_records(APP, NOW).unwrap();
    let ids: Vec<_> = records
        .iter()
        .map(|record| (record.id(), record.sightings.len()))
        .collect();
    assert_eq!(ids, [("p-1", 2), ("p-b", 1), ("p-c", 1)]);
    assert_eq!(catalog.pending_sessions().unwrap().len(), 2);
    assert_eq!(catalog.purge_pending(&key("b")).unwrap(), 2);
    assert_eq!(catalog.purge_pending_of(APP).unwrap(), 2);
    assert!(catalog.pending_records(APP, NOW).unwrap().is_empty());
}

#[test]
fn notes_are_counted_settled_once_and_purged_with_their_session() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let refused = NoteOutcome::Refused("no sentence of it was typed".to_owned());
    for id in ["p-1", "p-2", "p-3"] {
        let waiting = SessionKey::new("mcp", format!("claude-{id}"));
        let said = [sighting(id, &waiting.id)];
        catalog
            .keep_pending(APP, &waiting, &said, &[], NOW)
            .unwrap();
        catalog.add_note(APP, id, ("claude", None), NOW).unwrap();
        catalog.add_note(APP, id, ("codex", None), NOW + 9).unwrap();
    }
    let session = SessionKey::new("claude", "s1");
    let settle = |outcomes: &[(&str, &NoteOutcome)]| {
        let outcomes: Vec<_> = outcomes
            .iter()
            .map(|(id, outcome)| ((*id).to_owned(), (*outcome).clone()))
            .collect();
        catalog.settle_notes(APP, &session, &outcomes).unwrap();
    };
    settle(&[("p-1", &NoteOutcome::Proven), ("p-2", &refused)]);
    settle(&[("p-1", &refused), ("p-9", &NoteOutcome::Proven)]);
    let told: Vec<_> = catalog.notes(APP).unwrap();
    let told: Vec<_> = told
        .iter()
        .map(|note| (note.id.as_str(), note.session.as_deref(), &note.outcome))
        .collect();
    assert_eq!(
        told,
        [
            ("p-1", Some("s1"), &NoteOutcome::Proven),
            ("p-2", Some("s1"), &refused),
            ("p-3", None, &NoteOutcome::Waiting),
        ]
    );
    let counts = NoteCounts {
        made: 3,
        proven: 1,
        refused: 1,
    };
    assert_eq!(catalog.note_counts().unwrap()["claude"], counts);
    assert_eq!(catalog.count_pending(&session).unwrap(), 2);
    assert_eq!(catalog.purge_pending(&session).unwrap(), 2);
    assert_eq!(catalog.notes(APP).unwrap().len(), 1);
    assert_eq!(catalog.pending_records(APP, NOW).unwrap().len(), 1);
}
