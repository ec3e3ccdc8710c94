//! Offers are recorded once in a session, with their outcome, and for a limited time.

use acreta_state::{NewOffers, OfferTotals, SessionKey};

use crate::support::{NOW, TestCatalog};

const DAY_MS: u64 = 86_400_000;

fn offer<'a>(
    session: &'a SessionKey,
    moment: &'a str,
    subjects: &'a [&'a str],
    now_ms: u64,
) -> NewOffers<'a> {
    NewOffers {
        session,
        project: "/p",
        moment,
        subjects,
        now_ms,
    }
}

#[test]
fn a_session_is_offered_each_thing_once() {
    let place = TestCatalog::new();
    let (catalog, other) = (place.open(), place.open());
    let (one, two) = (
        SessionKey::new("claude", "1"),
        SessionKey::new("claude", "2"),
    );
    let table: [(&SessionKey, &[&str], &[&str]); 4] = [
        (&one, &["a", "b"], &["a", "b"]),
        (&one, &["a"], &[]),
        (&one, &["b", "c"], &["c"]),
        (&two, &["a"], &["a"]),
    ];
    for (session, subjects, new) in table {
        let told = catalog.note_offers(&offer(session, "prompt", subjects, NOW));
        assert_eq!(told.unwrap().iter().collect::<Vec<_>>(), new);
    }
    assert_eq!(other.offered(&one).unwrap().len(), 3);
    assert_eq!(other.offered(&two).unwrap().len(), 1);
    catalog.purge_session(&one).unwrap();
    assert!(other.offered(&one).unwrap().is_empty());
}

#[test]
fn uses_and_dismissals_are_counted() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let sessions = ["1", "2"].map(|id| SessionKey::new("claude", id));
    for session in &sessions {
        let prompt = offer(session, "prompt", &["a", "b"], NOW);
        catalog.note_offers(&prompt).unwrap();
        let edit = offer(session, "edit", &["c"], NOW);
        catalog.note_offers(&edit).unwrap();
    }
    catalog.note_used(&["a"], Some(&sessions[0]), NOW).unwrap();
    catalog.note_used(&["b"], None, NOW).unwrap();
    // It was offered before that time.
    catalog.note_used(&["c"], None, NOW + 1).unwrap();
    catalog.note_dismissed(&["b"]).unwrap();
    let totals = |offered, used, dismissed| OfferTotals {
        offered,
        used,
        dismissed,
    };
    let by_moment = catalog.offer_totals().unwrap();
    assert_eq!(by_moment["prompt"], totals(4, 1, 2));
    assert_eq!(by_moment["edit"], totals(2, 0, 0));
    let by_subject = catalog.offers_by_subject().unwrap();
    assert_eq!(by_subject["a"], totals(2, 1, 0));
    assert_eq!(by_subject["b"], totals(2, 0, 2));
    catalog.forget_memories(&["b"]).unwrap();
    assert_eq!(catalog.offer_totals().unwrap()["prompt"], totals(2, 1, 0));
    let late = offer(&sessions[0], "start", &["z"], NOW + 200 * DAY_MS);
    catalog.note_offers(&late).unwrap();
    assert_eq!(catalog.offers_by_subject().unwrap().len(), 1);
}
