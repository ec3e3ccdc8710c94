//! Cures of failed commands: found by signature, per project, deleted with their session.

use acreta_state::{Catalog, ProjectId, SessionKey};
use acreta_types::CureRecord;

use crate::support::{NOW, TestCatalog, find, key, project};

fn cure(signatures: &[&str], command: &str, at_ms: u64) -> CureRecord {
    CureRecord {
        signatures: signatures.iter().map(|one| (*one).to_owned()).collect(),
        failed: "npm test".to_owned(),
        commands: vec![command.to_owned()],
        specifics: vec!["x".to_owned()],
        is_sure: true,
        event_id: "e1".to_owned(),
        at_ms: Some(at_ms),
    }
}

fn found(catalog: &Catalog, project: ProjectId, signature: &str) -> Vec<String> {
    let cures = catalog.cures_of(project, &[signature.to_owned()]).unwrap();
    let commands = cures.into_iter().flat_map(|stored| stored.cure.commands);
    commands.collect()
}

/// Records that session `id` was processed in a project, at a revision.
fn learnt(catalog: &Catalog, id: &str, revision: &str, project: ProjectId) -> SessionKey {
    find(catalog, id, revision, NOW);
    catalog.assign(&[(key(id), Some(project))]).unwrap();
    catalog.mark_ran(&key(id), revision, NOW).unwrap();
    key(id)
}

#[test]
fn cures_are_found_by_signature_in_their_project() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let own = project(&catalog, "/src/own");
    let other = project(&catalog, "/src/other");
    let (a, b) = (
        learnt(&catalog, "a", "r1", own),
        learnt(&catalog, "b", "r1", other),
    );
    let cures = [
        cure(&["s1", "s2"], "npm ci", 5),
        cure(&["s3"], "npm run build", 7),
    ];
    catalog.put_cures(&a, "r1", 1, &cures).unwrap();
    catalog
        .put_cures(&b, "r1", 1, &[cure(&["s1"], "yarn", 9)])
        .unwrap();

    for (project, signature, expected) in [
        (own, "s1", vec!["npm ci"]),
        (own, "s2", vec!["npm ci"]),
        (own, "s3", vec!["npm run build"]),
        (own, "s4", vec![]),
        (other, "s1", vec!["yarn"]),
        (other, "s3", vec![]),
    ] {
        assert_eq!(found(&catalog, project, signature), expected, "{signature}");
    }
    let all = catalog.cures(own).unwrap();
    assert_eq!(all[0].session, a, "the newest first");
    assert_eq!(all[0].cure.commands, ["npm run build"]);
    let whole = CureRecord {
        signatures: Vec::new(),
        ..cures[0].clone()
    };
    assert_eq!(all[1].cure, whole);
}

#[test]
fn a_session_is_collected_again_when_it_grows_or_the_collector_changes() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let own = project(&catalog, "/src/own");
    let waiting = |collector| {
        let sessions = catalog.uncollected_cures(collector, None).unwrap();
        let revisions = sessions.into_iter().map(|one| one.revision);
        revisions.collect::<Vec<_>>()
    };
    find(&catalog, "a", "r0", 1);
    assert!(waiting(1).is_empty(), "not learnt from yet");
    let a = learnt(&catalog, "a", "r1", own);
    assert_eq!(waiting(1), ["r1"]);
    assert!(
        catalog
            .uncollected_cures(1, Some(&key("b")))
            .unwrap()
            .is_empty()
    );
    catalog
        .put_cures(&a, "r1", 1, &[cure(&["s1"], "npm ci", 5)])
        .unwrap();
    assert!(waiting(1).is_empty());
    assert_eq!(waiting(2), ["r1"]);
    learnt(&catalog, "a", "r2", own);
    assert_eq!(waiting(1), ["r2"]);
    catalog
        .put_cures(&a, "r2", 1, &[cure(&["s2"], "yarn", 6)])
        .unwrap();
    assert!(found(&catalog, own, "s1").is_empty());
    assert_eq!(found(&catalog, own, "s2"), ["yarn"]);
}

#[test]
fn purging_a_session_leaves_nothing_of_its_cures() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let own = project(&catalog, "/src/own");
    let a = learnt(&catalog, "a", "r1", own);
    catalog
        .put_cures(&a, "r1", 1, &[cure(&["s1"], "npm run very-private", 5)])
        .unwrap();
    catalog.purge_session(&a).unwrap();
    assert!(catalog.cures(own).unwrap().is_empty());
    drop(catalog);
    for table in ["cures", "cure_signatures", "collected_cures"] {
        assert_eq!(place.count(table), 0, "{table}");
    }
    place.assert_no_byte_of("very-private");
}
