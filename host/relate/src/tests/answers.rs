//! Another answer to the same question is a contradiction, whatever the names are; the same answer to another
//! question is not. All names are invented, so that no table knows them.

use acreta_model::MemoryType;

use super::UPDATE_OVERLAP;
use crate::{Relation, Statement, relate};

type Text = (&'static str, &'static str);

fn is_contradiction(kind: &str, left: Text, right: Text) -> bool {
    let [left, right] =
        [left, right].map(|(title, body)| Statement::new(MemoryType::Learning, kind, title, body));
    let [forth, back] = [(&left, &right), (&right, &left)].map(|(older, newer)| {
        relate(older, newer, UPDATE_OVERLAP).relation == Relation::Contradiction
    });
    assert_eq!(forth, back, "a contradiction holds both ways");
    forth
}

#[test]
fn one_name_in_the_place_of_another() {
    let cases = [
        (
            "where it is kept",
            (
                "Carts are held in Quvex",
                "The state of a cart is held in Quvex with two copies and expires after an hour of silence.",
            ),
            (
                "Carts are held in Brinel",
                "The state of a cart is held in Brinel with two copies and expires after an hour of silence.",
            ),
            true,
        ),
        (
            "who does it",
            (
                "Quvex routes the parcel events",
                "Parcel events of all depots are routed by Quvex, four lanes, one for each region.",
            ),
            (
                "Brinel routes the parcel events",
                "Parcel events of all depots are routed by Brinel, four lanes, one for each region.",
            ),
            true,
        ),
        (
            "of another thing",
            (
                "Carts are held in Quvex",
                "The state of a cart is held in Quvex with two copies and expires after an hour of silence.",
            ),
            (
                "Vouchers are held in Quvex",
                "The state of a voucher is held in Quvex with two copies and expires after an hour of silence.",
            ),
            false,
        ),
        (
            "another number",
            (
                "Carts are held for 20 minutes",
                "The state of a cart is held in Quvex for 20 minutes with two copies, then it is written to disk.",
            ),
            (
                "Carts are held for 45 minutes",
                "The state of a cart is held in Quvex for 45 minutes with two copies, then it is written to disk.",
            ),
            false,
        ),
        (
            "another thing that is needed",
            (
                "Quvex calls from a hook need a ticket",
                "Calls of Quvex from a hook need a ticket, which the desk hands out for a day.",
            ),
            (
                "Quvex calls from a hook need a lane",
                "Calls of Quvex from a hook need a lane, which the desk hands out for a day.",
            ),
            false,
        ),
    ];
    for (name, left, right, expected) in cases {
        assert_eq!(is_contradiction("context", left, right), expected, "{name}");
    }
}

#[test]
fn what_one_relies_on_is_gone_in_the_other() {
    let older = (
        "Depot reports are built by Quvex",
        "Reports of the depots are built by Quvex every night from `depots.qx`.",
    );
    let cases = [
        (
            "it was removed",
            (
                "Depot reports are built on request",
                "Quvex was removed and `depots.qx` is gone; a report of a depot is built when somebody asks for it.",
            ),
            true,
        ),
        (
            "it stays",
            (
                "Depot reports are built by Quvex, with totals",
                "Reports of the depots are built by Quvex every night from `depots.qx`, which has a line of totals too.",
            ),
            false,
        ),
    ];
    for (name, newer, expected) in cases {
        assert_eq!(
            is_contradiction("context", older, newer),
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_order_turned_round() {
    let older = ("Rotate the badge first, then open the gate", "");
    let cases = [
        (("Open the gate first, then rotate the badge", ""), true),
        (("First rotate the badge, then open the gate", ""), false),
    ];
    for (newer, expected) in cases {
        let found = is_contradiction("procedure", older, newer);
        assert_eq!(found, expected, "{newer:?}");
    }
}
