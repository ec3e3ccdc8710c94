//! Access records of memories.

use acreta_state::Access;

use crate::support::{NOW, TestCatalog};

#[test]
fn accesses_add_up_and_a_clock_set_back_takes_nothing() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(catalog.note_memories(&["a", "b"], NOW).unwrap(), 2);
    assert_eq!(catalog.note_memories(&["a", "c"], NOW + 5).unwrap(), 1);
    assert!(catalog.asked().unwrap().is_empty());
    catalog.note_accesses(&["a", "d"], NOW + 10).unwrap();
    catalog.note_accesses(&["a"], NOW + 3).unwrap();

    let asked = catalog.asked().unwrap();
    assert_eq!(asked.keys().collect::<Vec<_>>(), ["a", "d"]);
    let expected = Access {
        count: 2,
        last_ms: Some(NOW + 10),
        first_seen_ms: NOW,
    };
    assert_eq!(asked["a"], expected);
    assert_eq!(catalog.accesses().unwrap().len(), 4);
    catalog.forget_memories(&["a", "nobody"]).unwrap();
    assert_eq!(catalog.accesses().unwrap().len(), 3);
}

#[test]
fn reading_memory_gives_a_sync_nothing_to_do() {
    let place = TestCatalog::new();
    let catalog = place.open();
    catalog.settle("quiet").unwrap();
    catalog.note_accesses(&["a"], NOW).unwrap();
    assert_eq!(catalog.settled().unwrap().as_deref(), Some("quiet"));
}
