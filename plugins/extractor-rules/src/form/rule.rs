//! The forms that make a rule: stated explicitly (`explicit`) or implied by the phrasing (`implicit`). The conditions
//! are ordered: the first that holds decides.

use super::StatementKind;
use super::general::{is_general, universal};
use super::marks::{
    Marks, addresses, bans, demands, generic_object, is_bare_task, is_definite, is_it, is_outcome,
    is_passive, names_use, says_what,
};
use crate::classes::*;
use crate::phrases::phrases;
use crate::view::SentenceView;

/// Explicitly stated rules. The first condition that holds decides.
pub(super) fn explicit(
    whole: &SentenceView<'_>,
    view: &SentenceView<'_>,
) -> Option<(StatementKind, bool)> {
    let tongue = view.tongue;
    let marks = Marks::of(view);
    let decided = view.has(tongue.decided) || is_outcome(whole.text) || is_it(view);
    if decided && says_what(view) {
        let backed = marks.reason || marks.contrast;
        return Some((StatementKind::Decision, !marks.troubled || backed));
    }
    if view.has(tongue.consent)
        && (marks.forbids || marks.orders || marks.task || marks.must || view.has(NEGATION))
    {
        return Some((StatementKind::Preference, true));
    }
    if let Some((kind, sure)) = wishes(view) {
        return Some((kind, sure));
    }
    let talk = view.opens(TALKING) && view.has(IN_SOME_WAY) && !is_definite(view);
    if marks.orders && (view.has(YOUR_WORDS) || talk && view.size() >= 4) {
        return Some((StatementKind::Preference, true));
    }
    if view.opens(MYSELF) && !whole.has(whole.tongue.remember) {
        return None;
    }
    // A task with a location is still a task.
    let placed = marks.task
        && !marks.forbids
        && !marks.must
        && view.has(PLACES)
        && !view.has(phrases!("always|never|every|from now on"));
    if marks.scope && marks.is_norm() && !placed {
        // `create a branch and always push` is still a task.
        let tasked = marks.task && !view.opens(tongue.scope) && view.has(phrases!("always|never"));
        let sound = !marks.troubled || marks.must || marks.forbids || marks.orders;
        return Some((StatementKind::Convention, sound && !tasked));
    }
    if whole.has(whole.tongue.remember) && !marks.task {
        return Some((
            StatementKind::Convention,
            !marks.troubled && view.size() >= 4,
        ));
    }
    if view.has(BANNED) && !view.opens(PERSONS) {
        return Some((StatementKind::Convention, true));
    }
    if marks.must && !marks.task && !view.has(SOMEBODY) {
        return must(view, &marks);
    }
    if marks.troubled && !marks.forbids {
        return None;
    }
    if view.opens(ONLY) && view.size() >= 5 {
        return Some((StatementKind::Convention, true));
    }
    let settled = view.has(tongue.settled) && !view.opens(PERSONS) && !marks.orders;
    if settled && !marks.task || lets(view) {
        return Some((StatementKind::Decision, !marks.troubled));
    }
    (marks.forbids && !marks.task).then(|| {
        let banned = bans(view) && view.size() >= 4 && !marks.troubled;
        let wide = if view.opens(NONE_OF) {
            banned
        } else {
            marks.wide
        };
        let general = (wide || marks.conditional) && !is_definite(view);
        let backed = marks.reason || marks.contrast || view.has(tongue.belong);
        (StatementKind::Convention, backed || general)
    })
}

/// `Let Caddy serve the files`: a named thing is to do something.
pub(super) fn lets(view: &SentenceView<'_>) -> bool {
    let mut words = view.words();
    words.next() == Some("let") && words.next().is_some_and(|second| !OBJECTS.contains(second))
}

/// Classifies a requirement on a thing: `The footer should show the branch`.
pub(super) fn must(view: &SentenceView<'_>, marks: &Marks) -> Option<(StatementKind, bool)> {
    if addresses(view) && !(marks.conditional && marks.orders_person(view)) {
        return None;
    }
    let backed = marks.wide || marks.reason || marks.contrast || marks.forbids || marks.conditional;
    // `外してください` is a request; `書くようにしてください` is one for good.
    let once = view.has(NEEDS)
        || view.has(phrases!("てください|て下さい")) && !view.has(phrases!("ようにして"));
    if once && !backed || view.has(BECOMES) {
        return None;
    }
    let sure = (!marks.troubled || backed)
        && view.size() >= 4
        && !view.opens(CONDITIONS)
        && !view.opens(PERSONS);
    let kind = if marks.wide || marks.forbids || demands(view) {
        StatementKind::Convention
    } else {
        StatementKind::Decision
    };
    Some((kind, sure))
}

/// Rules implied by their form. The first condition that holds decides.
pub(super) fn implicit(view: &SentenceView<'_>) -> Option<(StatementKind, bool)> {
    let tongue = view.tongue;
    let marks = Marks::of(view);
    if view.opens(MYSELF) || marks.troubled && !marks.must && !marks.forbids && !marks.orders {
        return None;
    }
    if !marks.troubled {
        let said_of_all = is_passive(view) || marks.contrast || marks.reason;
        if view.opens(ALL_OF) && said_of_all && view.size() >= 5 {
            return Some((StatementKind::Convention, true));
        }
        let belongs = view.has(tongue.belong) && !view.opens(tongue.belong);
        if belongs && !marks.task && !view.opens(PERSONS) && view.size() >= 4 {
            return Some((StatementKind::Convention, true));
        }
        let told = marks.contrast || marks.wide || marks.forbids;
        if marks.habit && (told || marks.reason) && view.size() >= 4 {
            return Some((StatementKind::Convention, told));
        }
        if view.has(MEANS) && !view.opens(PERSONS) && !marks.orders && view.size() >= 4 {
            return Some((StatementKind::Convention, true));
        }
        if is_general(view, &marks) {
            return Some((StatementKind::Convention, true));
        }
        if let Some(sure) = universal(view) {
            return Some((StatementKind::Convention, sure));
        }
    }
    ordered(view, &marks)
}

/// Classifies a sentence that describes how to work.
pub(super) fn ordered(view: &SentenceView<'_>, marks: &Marks) -> Option<(StatementKind, bool)> {
    let definite = is_definite(view);
    // `For headings use Inter`: a thing for its purpose.
    if view.opens(PURPOSES) && view.has(USING) && view.size() >= 4 {
        return Some((StatementKind::Decision, true));
    }
    let label = view
        .words()
        .last()
        .is_some_and(|last| last.len() == 1 && last.is_ascii());
    if view.has(view.tongue.propose) && says_what(view) && view.size() >= 4 && !label {
        // A contrast names both sides, so `the` does not refer elsewhere.
        let backed = marks.contrast || marks.wide || !definite && (marks.reason || names_use(view));
        return Some((StatementKind::Decision, backed));
    }
    if !marks.orders || is_bare_task(view) {
        return None;
    }
    if marks.contrast || generic_object(view) {
        return Some((StatementKind::Convention, !definite));
    }
    if marks.reason && (marks.wide || view.opens(KEEPING)) {
        return Some((StatementKind::Convention, true));
    }
    if (marks.reason || marks.conditional || marks.wide) && !definite {
        return Some((StatementKind::Convention, marks.conditional));
    }
    None
}

/// Classifies a wish about how things are done: `I prefer`, `I want messages to be short`.
pub(super) fn wishes(view: &SentenceView<'_>) -> Option<(StatementKind, bool)> {
    if !says_what(view) {
        return None;
    }
    let words: Vec<&str> = view.words().take(4).collect();
    let object = match words.as_slice() {
        ["i" | "we", "want" | "like", object, ..] | ["i'd" | "we'd", "like", object, ..] => *object,
        _ => "",
    };
    let says_how = view.has(phrases!(
        "to be|to have|to go|to use|to stay|in|without|with|not"
    ));
    let ours = words
        .iter()
        .any(|word| matches!(*word, "we" | "we'd" | "wir" | "мы" | "nous"));
    let kind = if ours {
        StatementKind::Decision
    } else {
        StatementKind::Preference
    };
    if view.has(view.tongue.prefer) {
        return Some((kind, true));
    }
    // `I want the whole thing in Go`: possibly only today's task.
    let wants = !object.is_empty() && !WANTED_NOW.contains(object);
    let article = matches!(object, "the" | "a" | "an" | "it");
    (says_how && (wants || article)).then_some((kind, wants))
}
