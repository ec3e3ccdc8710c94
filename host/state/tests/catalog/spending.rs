//! Budgets that several workers share: no sum of reservations and usage exceeds a limit.

use std::sync::atomic::{AtomicU64, Ordering};

use acreta_state::{
    Catalog, SpendingAmount, SpendingDay, SpendingLimit, SpendingLimits, SpendingReservation,
};

use crate::support::{MINUTE, NOW, TestCatalog};

const DAY: SpendingDay<'_> = SpendingDay {
    account: "project:1",
    day: 20_000,
};

fn tokens(tokens: u64) -> SpendingAmount {
    SpendingAmount {
        calls: 1,
        tokens,
        picodollars: tokens * 10,
        list_picodollars: 0,
    }
}

fn limit(tokens: u64) -> SpendingLimits {
    SpendingLimits {
        tokens: Some(tokens),
        ..SpendingLimits::default()
    }
}

fn reserve(catalog: &Catalog, amount: u64, most: u64, now_ms: u64) -> SpendingReservation {
    catalog
        .reserve_spending(DAY, tokens(amount), limit(most), MINUTE, now_ms)
        .unwrap()
}

fn granted(reservation: SpendingReservation) -> acreta_state::ReservationId {
    match reservation {
        SpendingReservation::Reserved(id) => id,
        over => panic!("{over:?}"),
    }
}

#[test]
fn a_reservation_is_settled_with_what_was_used() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(
        catalog.spending(DAY, NOW).unwrap(),
        SpendingAmount::default()
    );
    let first = granted(reserve(&catalog, 60, 100, NOW));
    assert_eq!(catalog.spending(DAY, NOW).unwrap(), tokens(60));
    let over = reserve(&catalog, 60, 100, NOW);
    let expected = SpendingReservation::OverLimit {
        limit: SpendingLimit::Tokens,
        taken: tokens(60),
    };
    assert_eq!(over, expected);
    catalog.settle_spending(DAY, first, tokens(25)).unwrap();
    assert_eq!(catalog.spending(DAY, NOW).unwrap(), tokens(25));

    // A call that was not made is given back.
    let second = granted(reserve(&catalog, 75, 100, NOW));
    let nothing = SpendingAmount::default();
    catalog.settle_spending(DAY, second, nothing).unwrap();
    assert_eq!(catalog.spending(DAY, NOW).unwrap(), tokens(25));
    // A new connection knows it, too.
    assert_eq!(place.open().spending(DAY, NOW).unwrap(), tokens(25));
}

#[test]
fn each_limit_holds() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let call = SpendingAmount {
        calls: 1,
        tokens: 10,
        picodollars: 100,
        list_picodollars: 1_000,
    };
    let cases = [
        (
            SpendingLimits {
                calls: Some(2),
                ..SpendingLimits::default()
            },
            Some(SpendingLimit::Calls),
        ),
        (
            SpendingLimits {
                tokens: Some(29),
                ..SpendingLimits::default()
            },
            Some(SpendingLimit::Tokens),
        ),
        (
            SpendingLimits {
                picodollars: Some(299),
                ..SpendingLimits::default()
            },
            Some(SpendingLimit::Money),
        ),
        (
            SpendingLimits {
                calls: Some(3),
                tokens: Some(30),
                picodollars: Some(300),
            },
            None,
        ),
        (SpendingLimits::default(), None),
    ];
    for (number, (limits, expected)) in cases.into_iter().enumerate() {
        let account = format!("case {number}");
        let day = SpendingDay {
            account: &account,
            day: 1,
        };
        let mut last = None;
        for _ in 0..3 {
            last = Some(
                catalog
                    .reserve_spending(day, call, limits, MINUTE, NOW)
                    .unwrap(),
            );
        }
        let found = match last {
            Some(SpendingReservation::OverLimit { limit, .. }) => Some(limit),
            _ => None,
        };
        assert_eq!(found, expected, "{limits:?}");
    }
}

#[test]
fn accounts_and_days_are_apart() {
    let place = TestCatalog::new();
    let catalog = place.open();
    granted(reserve(&catalog, 100, 100, NOW));
    for other in [
        SpendingDay {
            account: "project:2",
            ..DAY
        },
        SpendingDay {
            day: DAY.day + 1,
            ..DAY
        },
    ] {
        let reserved = catalog.reserve_spending(other, tokens(100), limit(100), MINUTE, NOW);
        granted(reserved.unwrap());
    }
    assert!(matches!(
        reserve(&catalog, 1, 100, NOW),
        SpendingReservation::OverLimit { .. }
    ));
}

#[test]
fn a_dead_workers_reservation_expires() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let dead = granted(reserve(&catalog, 80, 100, NOW));
    let before = reserve(&catalog, 80, 100, NOW + MINUTE - 1);
    assert!(matches!(before, SpendingReservation::OverLimit { .. }));
    assert_eq!(
        catalog.spending(DAY, NOW + MINUTE).unwrap(),
        SpendingAmount::default()
    );
    let after = granted(reserve(&catalog, 80, 100, NOW + MINUTE));
    // It was only slow: what it used counts, although others used its share.
    catalog.settle_spending(DAY, dead, tokens(70)).unwrap();
    catalog.settle_spending(DAY, after, tokens(30)).unwrap();
    let spent = catalog.spending(DAY, NOW + MINUTE).unwrap();
    assert_eq!((spent.calls, spent.tokens), (2, 100));
}

#[test]
fn absurd_amounts_are_refused_by_limits_and_harmless_without() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let huge = SpendingAmount {
        calls: u64::MAX,
        tokens: u64::MAX,
        picodollars: u64::MAX,
        list_picodollars: u64::MAX,
    };
    let refused = catalog
        .reserve_spending(DAY, huge, limit(100), MINUTE, NOW)
        .unwrap();
    assert!(matches!(refused, SpendingReservation::OverLimit { .. }));
    let free = SpendingLimits::default();
    let id = granted(
        catalog
            .reserve_spending(DAY, huge, free, MINUTE, NOW)
            .unwrap(),
    );
    catalog.settle_spending(DAY, id, huge).unwrap();
    assert!(catalog.spending(DAY, NOW).unwrap().tokens > 1_000_000);
}

/// Sixteen workers with connections of their own race for one budget.
#[test]
fn sixteen_threads_never_exceed_the_limit() {
    const THREADS: u64 = 16;
    const CALLS: u64 = 12;
    const MOST: u64 = 1_000;
    let place = TestCatalog::new();
    drop(place.open());
    let (used, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (place, used, refused) = (&place, &used, &refused);
            scope.spawn(move || {
                let catalog = place.open_with(acreta_state::CatalogOptions {
                    wait: std::time::Duration::from_secs(60),
                    ..Default::default()
                });
                for call in 0..CALLS {
                    let worst = 10 + (thread * 7 + call * 3) % 20;
                    match reserve(&catalog, worst, MOST, NOW) {
                        SpendingReservation::Reserved(id) => {
                            let spent = catalog.spending(DAY, NOW).unwrap();
                            assert!(spent.tokens <= MOST, "{spent:?}");
                            // Every third call fails and is given back.
                            let taken = match call % 3 {
                                0 => SpendingAmount::default(),
                                _ => tokens(worst - 1),
                            };
                            catalog.settle_spending(DAY, id, taken).unwrap();
                            used.fetch_add(taken.tokens, Ordering::SeqCst);
                        }
                        SpendingReservation::OverLimit { taken, .. } => {
                            assert!(taken.tokens + worst > MOST, "refused without need");
                            refused.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                }
            });
        }
    });
    let spent = place.open().spending(DAY, NOW).unwrap();
    assert_eq!(spent.tokens, used.load(Ordering::SeqCst), "nothing is lost");
    assert!(
        spent.tokens <= MOST && spent.tokens > MOST - 60,
        "{spent:?}"
    );
    let refused = refused.load(Ordering::SeqCst);
    assert!(refused > 0, "the limit was reached");
    println!(
        "{} tokens of {MOST} used by {THREADS} threads, {refused} calls refused",
        spent.tokens
    );
    assert_eq!(place.count("spending_reservations"), 0);
}
