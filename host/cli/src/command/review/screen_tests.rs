//! Tests of keys and of what is drawn after them.

use acreta_service::review::{
    ActionEffect, AlikeMemory, FileDiff, OfferedAction, ReviewCounts, ReviewEvidence, ReviewItem,
    ReviewKind, ReviewMemory, Turn,
};

use super::*;

fn offered(action: ReviewAction, needs_keep: bool) -> OfferedAction {
    OfferedAction {
        action,
        label: format!("{} it", action.name()),
        needs_keep,
    }
}

fn item(id: &str, kind: ReviewKind, title: &str) -> ReviewItem {
    use ReviewAction::{Accept, Edit, Merge, Reject};
    let mut actions = vec![
        offered(Accept, false),
        offered(Edit, false),
        offered(Reject, false),
    ];
    actions.extend((kind == ReviewKind::Untrusted).then(|| offered(Merge, true)));
    ReviewItem {
        id: id.to_owned(),
        kind,
        scope: "project".to_owned(),
        title: title.to_owned(),
        memories: vec![ReviewMemory {
            id: Some(format!("m-{id}")),
            kind: "convention".to_owned(),
            title: title.to_owned(),
            body: "A body.".to_owned(),
            tags: Vec::new(),
            trust: "untrusted".to_owned(),
        }],
        why: "an agent noted it".to_owned(),
        at_ms: None,
        actions,
    }
}

fn queue(items: Vec<ReviewItem>) -> ReviewQueue {
    ReviewQueue {
        waiting: ReviewCounts {
            total: items.len() as u64,
            untrusted: items.len() as u64,
            ..ReviewCounts::default()
        },
        items,
        last: Vec::new(),
    }
}

fn three() -> Screen {
    let items = vec![
        item("u-1", ReviewKind::Untrusted, "Deploys wait for Tuesday"),
        item("p-2", ReviewKind::Pending, "Rebase before merging"),
        item(
            "u-3",
            ReviewKind::Untrusted,
            "A title \u{1b}[31m with an escape",
        ),
    ];
    let mut screen = Screen::new(queue(items));
    look(&mut screen);
    screen
}

fn look(screen: &mut Screen) {
    let Some(id) = screen.unread().map(str::to_owned) else {
        return;
    };
    let found = screen
        .queue
        .items
        .iter()
        .find(|item| item.id == id)
        .unwrap();
    let turn = |role: &str, text: &str, quoted| Turn {
        event_id: "e".to_owned(),
        role: role.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        quoted,
    };
    let detail = ReviewDetail {
        item: found.clone(),
        evidence: vec![ReviewEvidence {
            agent: "claude".to_owned(),
            session_id: "s1".to_owned(),
            event_id: "e".to_owned(),
            role: "user".to_owned(),
            at_ms: None,
            quote: "deploys wait".to_owned(),
            turns: vec![
                turn("assistant", "When?", false),
                turn("user", "deploys wait", true),
            ],
        }],
        effects: vec![ActionEffect {
            action: ReviewAction::Accept,
            summary: vec!["it is confirmed by you".to_owned()],
            files: vec![FileDiff {
                path: "learnings/x.md".to_owned(),
                diff: "-old\n+new\n".to_owned(),
            }],
            problem: None,
        }],
        alike: vec![AlikeMemory {
            id: "m-9".to_owned(),
            title: "Something alike".to_owned(),
        }],
    };
    screen.read(Some(detail));
}

fn press(screen: &mut Screen, keys: &str) -> ScreenAction {
    let mut wish = ScreenAction::Nothing;
    for key in keys.chars() {
        wish = screen.update(&Key::Char(key));
        look(screen);
    }
    wish
}

fn drawn(screen: &Screen) -> Vec<String> {
    let rows = screen.lines().into_iter();
    rows.map(|row| row.iter().map(|line| line.text.as_str()).collect())
        .collect()
}

fn decided(ids: &[&str], action: ReviewAction, keep: Option<&str>) -> ScreenAction {
    ScreenAction::Decide {
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        action,
        keep: keep.map(ToOwned::to_owned),
    }
}

#[test]
fn keys_become_wishes() {
    use ReviewAction::{Accept, Merge, Reject};
    let table = [
        ("q", ScreenAction::Quit),
        ("u", ScreenAction::Undo),
        ("a", decided(&["u-1"], Accept, None)),
        ("ja", decided(&["p-2"], Accept, None)),
        ("jjjr", decided(&["u-3"], Reject, None)),
        ("jkkr", decided(&["u-1"], Reject, None)),
        ("xxa", decided(&["u-1", "p-2"], Accept, None)),
        ("xxkkxa", decided(&["p-2"], Accept, None)),
        ("e", ScreenAction::Edit("u-1".to_owned())),
        ("m1", decided(&["u-1"], Merge, Some("m-9"))),
        ("m7", ScreenAction::Nothing),
        ("mq", ScreenAction::Nothing),
        ("jm", ScreenAction::Nothing),
        ("s", ScreenAction::Nothing),
        ("?", ScreenAction::Nothing),
    ];
    for (keys, expected) in table {
        assert_eq!(press(&mut three(), keys), expected, "{keys}");
    }
    let mut empty = Screen::new(queue(Vec::new()));
    for key in ["a", "r", "e", "x", "j", "m"] {
        assert_eq!(press(&mut empty, key), ScreenAction::Nothing, "{key}");
    }
}

#[test]
fn every_size_of_screen_is_filled_and_never_overdrawn() {
    for (rows, columns) in [(24, 80), (50, 160), (10, 40), (1, 1), (24, 96)] {
        for keys in ["", "j", "jjx", "m", "  "] {
            let mut screen = three();
            screen.resize(rows, columns);
            press(&mut screen, keys);
            let lines = drawn(&screen);
            assert_eq!(lines.len(), rows.max(8), "{rows}x{columns} {keys}");
            for line in &lines {
                assert!(
                    measure_text_width(line) <= columns.max(30),
                    "{columns}: {line}"
                );
                assert!(!line.contains('\u{1b}'), "{line:?}");
            }
        }
    }
}

#[test]
fn the_list_the_item_and_the_effect_are_in_view() {
    let mut screen = three();
    screen.resize(30, 120);
    let text = drawn(&screen).join("\n");
    for part in [
        "3 items wait",
        "▸  u  Deploys wait for Tuesday",
        "   p  Rebase before merging",
        "an agent noted it",
        "▌ you    deploys wait",
        "  agent  When?",
        "[a] accept it",
        "it is confirmed by you",
        "-old",
        "+new",
        "j k move",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    press(&mut screen, "m");
    assert!(drawn(&screen).join("\n").contains("1  Something alike"));
    press(&mut screen, "q");
    screen.renew(queue(Vec::new()), "done".to_owned());
    let text = drawn(&screen).join("\n");
    assert!(
        text.contains("nothing waits for you") && text.contains("done"),
        "{text}"
    );
}

#[test]
fn the_place_in_the_list_stays_after_a_decision() {
    let mut screen = three();
    press(&mut screen, "jj");
    let rest = vec![
        item("u-1", ReviewKind::Untrusted, "Deploys wait for Tuesday"),
        item("p-2", ReviewKind::Pending, "Rebase before merging"),
    ];
    screen.renew(queue(rest), String::new());
    look(&mut screen);
    assert_eq!(
        press(&mut screen, "a"),
        decided(&["p-2"], ReviewAction::Accept, None)
    );
}
