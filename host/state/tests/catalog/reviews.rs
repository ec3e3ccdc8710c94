//! Review decisions are returned as the batch they were made in, and a notice is shown once per interval.

use acreta_state::{MOST_REVIEWS, NewReview};

use crate::support::{NOW, TestCatalog};

fn review(scope: &str, item: &str) -> NewReview {
    NewReview {
        scope: scope.to_owned(),
        item: item.to_owned(),
        action: "accept".to_owned(),
        title: "t".to_owned(),
        reversal: "{}".to_owned(),
    }
}

#[test]
fn the_newest_batch_of_the_scopes_that_are_asked_for_is_taken_back_first() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let batches = [
        ("1", vec![review("/a", "one")]),
        ("2", vec![review("/a", "two"), review("/global", "three")]),
        ("3", vec![review("/b", "four")]),
    ];
    for (batch, reviews) in &batches {
        catalog.note_reviews(batch, reviews, NOW).unwrap();
    }
    let last = |scopes: &[&str]| -> Vec<String> {
        let last = catalog.last_reviews(scopes).unwrap();
        last.into_iter().map(|one| one.review.item).collect()
    };
    let table: [(&[&str], &[&str]); 4] = [
        (&["/a", "/global"], &["three", "two"]),
        (&["/b", "/global"], &["four"]),
        (&["/c"], &[]),
        (&[], &[]),
    ];
    for (scopes, expected) in table {
        assert_eq!(last(scopes), expected, "{scopes:?}");
    }
    for one in catalog.last_reviews(&["/a", "/global"]).unwrap() {
        catalog.forget_review(&one).unwrap();
    }
    assert_eq!(last(&["/a", "/global"]), ["one"]);
    catalog.forget_reviews().unwrap();
    assert!(last(&["/a", "/b", "/global"]).is_empty());
}

#[test]
fn old_decisions_of_a_scope_are_forgotten() {
    let place = TestCatalog::new();
    let catalog = place.open();
    catalog
        .note_reviews("0", &[review("/b", "b")], NOW)
        .unwrap();
    let many: Vec<NewReview> = (0..MOST_REVIEWS + 3)
        .map(|number| review("/a", &number.to_string()))
        .collect();
    catalog.note_reviews("1", &many, NOW).unwrap();
    let kept = catalog.last_reviews(&["/a"]).unwrap();
    assert_eq!(kept.len() as i64, MOST_REVIEWS);
    assert_eq!(kept.last().unwrap().review.item, "3");
    assert_eq!(catalog.last_reviews(&["/b"]).unwrap().len(), 1);
}

#[test]
fn a_notice_is_shown_once_in_its_time() {
    const DAY: u64 = 86_400_000;
    let place = TestCatalog::new();
    let (catalog, other) = (place.open(), place.open());
    // A clock that was set back does not suppress it for ever.
    let table = [
        (NOW, true),
        (NOW, false),
        (NOW + DAY - 1, false),
        (NOW + DAY, true),
        (NOW, true),
        (NOW + 1, false),
    ];
    for (now, expected) in table {
        assert_eq!(
            catalog.claim_notice("review", DAY, now).unwrap(),
            expected,
            "{now}"
        );
    }
    assert!(!other.claim_notice("review", DAY, NOW + 2).unwrap());
    assert!(other.claim_notice("another", DAY, NOW + 2).unwrap());
}
