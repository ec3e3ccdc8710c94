//! General statements: how all of a kind are, without an order or a modal. Reports look alike, so words of trouble, of
//! the moment and of an observation rule them out.

use super::marks::{Marks, is_against, is_passive, main_clause, names_first};
use crate::classes::*;
use crate::phrases::{Phrases, phrases};
use crate::view::SentenceView;

/// `Every endpoint gets a test`, `one migration per branch`, `money is integer cents everywhere`, `the repo uses tabs`.
/// The answer says whether it is certain.
pub(super) fn universal(view: &SentenceView<'_>) -> Option<bool> {
    let main = main_clause(view);
    let told = [MOMENT, HAPPENED, OBSERVED];
    if !view.tongue.spaced || view.size() < 4 || told.iter().any(|words| main.has(*words)) {
        return None;
    }
    let words: Vec<&str> = view.words().collect();
    if view.opens(HOUSE) {
        let does = words.get(2).is_some_and(|verb| FOLLOWS.contains(verb));
        return does.then_some(true);
    }
    if view.opens(ONE) && !view.opens(ONE_MORE) && view.has(PER) {
        return (view.size() <= LONGEST_SHARE && !view.has(SPEAKERS)).then_some(true);
    }
    let placed = main.has(EVERYWHERE);
    let is = words
        .iter()
        .skip(1)
        .take(5)
        .any(|word| BEING.contains(word));
    if view.opens(ALL_OF) && !view.opens(ALL_TOLD) && !view.has(SPEAKERS) {
        let does = words
            .iter()
            .skip(2)
            .take(4)
            .any(|word| DOING.contains(word));
        let here = placed || main.has(AMONG_US);
        return (does || is).then_some(does || here);
    }
    (is && (placed || main.has(FOR_US)) && !view.opens(PERSONS)).then_some(true)
}

/// `Migrations are forward only for us`.
const FOR_US: Phrases = phrases!("for us|bei uns|para nosotros|chez nous|pour nous|у нас|для нас");

/// Maximum number of words of `one migration per branch`.
const LONGEST_SHARE: usize = 12;

/// Reports whether a sentence is a general statement: about many of a kind, or about what is ours, without doubt.
pub(super) fn is_general(view: &SentenceView<'_>, marks: &Marks) -> bool {
    let words: Vec<&str> = view.words().collect();
    let Some(first) = words.first() else {
        return false;
    };
    if words.len() < 5
        || view.opens(PERSONS)
        || view.opens(view.tongue.tasks) && !names_first(view)
        || view.opens(view.tongue.orders)
        || main_clause(view).has(phrases!("now|currently|still|just|was|were|been|will"))
    {
        return false;
    }
    let plural = first.len() > 3
        && first.ends_with('s')
        && !first.ends_with("ss")
        && !OPENING_S.contains(first)
        || words.get(1).is_some_and(|second| {
            second.len() > 3
                && second.ends_with('s')
                && !matches!(*first, "the" | "these" | "those")
        });
    let ours = matches!(*first, "our") && words.iter().any(|word| matches!(*word, "is" | "are"));
    let clause = view.text.split([',', ';']).next().unwrap_or("");
    let only = SentenceView::of(clause).has(phrases!("only"));
    let never = view.has(phrases!("never"));
    let passive = is_passive(view);
    let against = is_against(view.text);
    ours || plural && (only || never || passive && (marks.reason || against)) || passive && against
}
