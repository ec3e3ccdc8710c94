//! The form of a sentence: whether its grammar makes it a rule, a decision or a preference that
//! outlives the session. Only closed classes of words count (modals, negation, scope, reason), never
//! its subject. What is only likely is told apart from what is sure.

mod marks;
mod rule;

use crate::classes::*;
use crate::phrases::phrases;
use crate::view::View;
use crate::words::ENGLISH;

use self::marks::{cites, is_against, main_clause, names_first, points};
use self::rule::{explicit, implicit};

/// What a sentence lays down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Decision,
    Convention,
    Preference,
    Pitfall,
}

/// A sentence that lays something down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    /// Its grammar leaves no doubt that it is meant to last.
    pub(crate) sure: bool,
    /// It says in so many words that it lays something down; otherwise it may only back what stands before it.
    pub(crate) explicit: bool,
}

/// The form of a sentence.
pub(crate) fn form(said: &str) -> Option<Form> {
    core(said).1
}

/// The part of a sentence that lays something down, with its form: what a polite question asks for, what is
/// to be kept in mind, what stands behind the colon.
pub(crate) fn core(said: &str) -> (&str, Option<Form>) {
    if let Some(asked) = requested(said) {
        return (asked, form_of(asked));
    }
    let form = form_of(said);
    if form.is_some_and(|form| form.sure) || is_reported(said) {
        return (said, form);
    }
    if let Some(kept) = kept_in_mind(said) {
        return (kept, form_of(kept).or(Some(RULE)));
    }
    if let Some((lead, rest)) = said.split_once([':', '：'])
        && rest.starts_with([' ', '\u{3000}'])
        && View::of(lead).size() <= LONGEST_LEAD
        && !View::of(lead).opens(View::of(lead).tongue.tasks)
        && View::of(rest).size() >= 4
        && !rest.trim_start().starts_with(['"', '“', '«', '„', '\''])
    {
        // `You mixed them up: business accounts see net`: whoever corrects says how it is.
        let corrects = View::of(lead).opens(YOU) && stands(rest);
        let form = form_of(rest).filter(|form| form.sure);
        if let Some(form) = form.or(corrects.then_some(RULE)) {
            return (rest.trim_start(), Some(form));
        }
    }
    (said, form)
}

const RULE: Form = Form {
    kind: Kind::Convention,
    sure: true,
    explicit: true,
};

/// What is to be kept in mind, said on the way: `fix it, and keep in mind that the runner has no network`.
fn kept_in_mind(said: &str) -> Option<&str> {
    const MARKS: [&str; 4] = [
        "keep in mind that ",
        "bear in mind that ",
        "remember that ",
        "don't forget that ",
    ];
    let at = MARKS
        .iter()
        .find_map(|mark| said.find(mark).map(|at| at + mark.len()))?;
    (View::of(&said[at..]).size() >= 4 && !View::of(said).is_question()).then(|| &said[at..])
}

/// The form of a sentence as it stands, without the words that open it and say nothing.
fn form_of(said: &str) -> Option<Form> {
    let whole = View::of(said);
    let bare = whole.bare();
    let view = View::of(bare);
    let tongue = whole.tongue;
    let at_once = whole.opens(AT_ONCE) && !whole.has(tongue.scope);
    if whole.has(tongue.hedge) || at_once || view.has(VAGUE) || is_reported(said) {
        return None;
    }
    let may_last = may_last(&whole, &view);
    let explicit = may_last.then(|| explicit(&whole, &view)).flatten();
    let implicit = || may_last.then(|| implicit(&view)).flatten();
    let wanted = || names_language(&view).then_some((Kind::Preference, true));
    let (kind, sure) = explicit
        .filter(|(_, sure)| *sure)
        .or_else(wanted)
        .or(explicit)
        .or_else(implicit)?;
    // `We go with X, because it runs in the same transaction`: what follows may speak of the moment.
    let clause = View::of(said.split([',', ';', '，', '；']).next().unwrap_or(said));
    let strong = [tongue.decided, tongue.prefer, tongue.consent];
    let lays = strong.iter().any(|words| clause.has(*words));
    let passing = whole.has(tongue.passing) && (clause.has(tongue.passing) || !lays);
    let lasting = view.has(tongue.scope) || view.has(tongue.decided) || view.has(tongue.consent);
    if passing && !lasting {
        return None;
    }
    Some(Form {
        kind,
        sure: sure && !passing,
        explicit: explicit.is_some(),
    })
}

/// A sentence that says how things are and neither asks nor orders: it can back another one.
pub(crate) fn is_statement(said: &str) -> bool {
    let whole = View::of(said);
    let view = View::of(whole.bare());
    let tongue = view.tongue;
    let orders = if tongue.spaced {
        view.opens(tongue.tasks) && !names_first(&view) || is_imperative(&view)
    } else {
        view.has(tongue.tasks)
    };
    let orders = orders || view.opens(LETS) || whole.opens(AT_ONCE);
    view.size() >= 2
        && !orders
        && !whole.is_question()
        && !whole.has(PLEASE)
        && !said.ends_with([':', '：', '…'])
        && !view.opens(tongue.asking)
}

/// A statement that could be a title: of something named, true beyond the moment, no complaint.
pub(crate) fn stands(said: &str) -> bool {
    let whole = View::of(said);
    let view = View::of(whole.bare());
    let main = main_clause(&view);
    let tongue = view.tongue;
    is_statement(said)
        && tongue.spaced
        && may_last(&whole, &view)
        && !is_reported(said)
        && (has_subject(&view) || view.has(tongue.reason))
        && view.size() >= 4
        && !view.opens(PERSONS)
        && !view.opens(CONDITIONS)
        && !view.opens(tongue.orders)
        && !view.has(ASKED_WITHIN)
        && !orders_besides(&view)
        && !whole.has(tongue.hedge)
        && !view.has(VAGUE)
        && ![tongue.status, tongue.passing, MOMENT, DENIALS]
            .iter()
            .any(|words| main.has(*words))
}

/// `The page looks old, polish it`: a clause further on tells what to do.
fn orders_besides(view: &View<'_>) -> bool {
    let mut clauses = view.text.split([',', ';', '，', '；']).skip(1);
    clauses.any(|clause| {
        let clause = View::of(View::of(clause).bare());
        clause.opens(clause.tongue.tasks) && !names_first(&clause)
    })
}

/// `Sketch the writer`: a word that is no subject, and what is to be done to it.
fn is_imperative(view: &View<'_>) -> bool {
    let mut words = view.words();
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    std::ptr::eq(view.tongue, &ENGLISH)
        && OBJECTS.contains(second)
        && !SUBJECTS.contains(first)
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && !first.ends_with("ed")
}

/// Reports whether a sentence opens with what it speaks of.
fn has_subject(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(5).collect();
    let english = std::ptr::eq(view.tongue, &ENGLISH);
    let is_subject = |first: &&str| {
        SUBJECTS.contains(first) || english && first.len() > 3 && first.ends_with('s')
    };
    let opens = words.first().is_some_and(is_subject);
    let is_verb =
        |word: &&str| VERBS.contains(word) || english && word.len() > 3 && word.ends_with('s');
    opens || words.iter().skip(1).any(is_verb)
}

/// Reports whether a sentence gives a reason or sets one thing against another.
pub(crate) fn argues(said: &str) -> bool {
    let view = View::of(said);
    view.has(view.tongue.reason)
        || view.has(view.tongue.contrast)
        || is_against(said)
        || said.contains(", so ")
}

/// Reports whether a sentence tells what makes a fault go away.
pub(crate) fn cures(said: &str) -> bool {
    let view = View::of(said);
    view.has(view.tongue.cures)
        && !view.is_question()
        && !view.has(view.tongue.hedge)
        && !view.has(view.tongue.passing)
        && !view.has(MOMENT)
}

/// Somebody else's words: `a tester wrote: we never do`.
fn is_reported(said: &str) -> bool {
    said.split_once([':', '：'])
        .is_some_and(|(before, _)| View::of(before).has(SAYING))
}

/// A rule put as a polite question: `Could you always run the linter before you push?`
pub(crate) fn requested(said: &str) -> Option<&str> {
    let view = View::of(said);
    let rest = said.split_once(" you ")?.1.trim_end_matches(['?', ' ']);
    let asks = view.opens(phrases!("could you|can you|would you|will you"));
    (asks && view.has(view.tongue.scope) && view.has(view.tongue.whenever)).then_some(rest)
}

/// A wish for a language: `answer in German`, `用中文回复`.
fn names_language(view: &View<'_>) -> bool {
    view.size() <= LONGEST_WISH
        && !view.is_question()
        && view.has(LANGUAGES)
        && view.has(WRITING)
        && !view.has(TRANSLATING)
        && !view.has(view.tongue.passing)
        && !view.has(view.tongue.hedge)
}

const LONGEST_WISH: usize = 12;

/// Reports whether nothing in a sentence speaks against keeping it.
fn may_last(whole: &View<'_>, view: &View<'_>) -> bool {
    let tongue = view.tongue;
    let least = if tongue.spaced { 3 } else { 4 };
    (least..=LONGEST).contains(&view.size())
        && !whole.is_question()
        && !whole.text.ends_with([':', '：', '…'])
        && !whole.text.ends_with("...")
        && !view.opens(tongue.asking)
        && !view.opens(tongue.must)
        && !view.opens(phrases!("no longer|be able|wondering|nicht mehr"))
        && !view.text.starts_with(|first: char| first.is_ascii_digit())
        && !points(view)
        && !cites(view.text)
}

const LONGEST: usize = 60;
/// Words of what leads in a rule.
const LONGEST_LEAD: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    /// What a sentence is taken for: `!` in front when it is sure.
    fn taken(said: &str) -> &'static str {
        match form(said) {
            None => "",
            Some(Form { sure: false, .. }) => "pending",
            Some(Form {
                kind: Kind::Decision,
                ..
            }) => "!decision",
            Some(Form {
                kind: Kind::Convention,
                ..
            }) => "!convention",
            Some(Form {
                kind: Kind::Preference,
                ..
            }) => "!preference",
            Some(Form {
                kind: Kind::Pitfall,
                ..
            }) => "!pitfall",
        }
    }

    fn check(cases: &[(&str, &str)]) {
        let wrong: Vec<String> = cases
            .iter()
            .filter(|(said, expected)| taken(said) != *expected)
            .map(|(said, expected)| format!("{said:?}: {:?}, not {expected:?}", taken(said)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    include!("form_cases.rs");
}
