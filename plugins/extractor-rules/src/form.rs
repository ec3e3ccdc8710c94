//! Classifies sentences: decides by grammar whether a sentence is a rule, a decision or a preference that outlives the
//! session. Only closed word classes count (modals, negation, scope, reason), never the subject. Likely and certain
//! results are distinguished.

mod clause;
mod general;
mod marks;
mod rule;

use crate::classes::*;
use crate::phrases::phrases;
use crate::view::SentenceView;
use crate::words::ENGLISH;

pub(crate) use self::clause::ruling_clause;
use self::marks::{cites, is_against, main_clause, names_first, points};
use self::rule::{explicit, implicit};

/// Kind of memory that a sentence states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementKind {
    Decision,
    Convention,
    Preference,
    Pitfall,
}

/// Classification of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SentenceForm {
    pub(crate) kind: StatementKind,
    /// Its grammar leaves no doubt that it is meant to last.
    pub(crate) sure: bool,
    /// It states a rule explicitly; otherwise it may only support the sentence before it.
    pub(crate) explicit: bool,
}

/// Classifies a sentence.
pub(crate) fn form(said: &str) -> Option<SentenceForm> {
    let form = core(said).1;
    if form.is_some_and(|form| form.sure) {
        return form;
    }
    ruling_clause(said).map(|(_, form)| form).or(form)
}

/// Finds the part of a sentence that states something lasting, with its form: the content of a polite question, of a
/// reminder, or the part after a colon.
pub(crate) fn core(said: &str) -> (&str, Option<SentenceForm>) {
    if let Some(asked) = requested(said) {
        return (asked, form_of(asked));
    }
    if let Some(rest) = after_remark(said) {
        return (rest, form_of(rest));
    }
    let form = form_of(said);
    if form.is_some_and(|form| form.sure) || is_reported(said) {
        return (said, form);
    }
    if let Some(decided) = decided_within(said) {
        return (decided, form_of(decided));
    }
    if let Some(kept) = kept_in_mind(said) {
        return (kept, form_of(kept).or(Some(RULE)));
    }
    if let Some((lead, rest)) = said.split_once([':', '：'])
        && rest.starts_with([' ', '\u{3000}'])
        && SentenceView::of(lead).size() <= LONGEST_LEAD
        && !SentenceView::of(lead).opens(SentenceView::of(lead).tongue.tasks)
        && SentenceView::of(rest).size() >= 4
        && !rest.trim_start().starts_with(['"', '“', '«', '„', '\''])
    {
        // `You mixed them up: business accounts see net`: a correction states how things are.
        let corrects = SentenceView::of(lead).opens(YOU) && stands(rest);
        let form = form_of(rest).filter(|form| form.sure);
        if let Some(form) = form.or(corrects.then_some(RULE)) {
            return (rest.trim_start(), Some(form));
        }
    }
    (said, form)
}

const RULE: SentenceForm = SentenceForm {
    kind: StatementKind::Convention,
    sure: true,
    explicit: true,
};

/// Finds a reminder inside a sentence: `fix it, and keep in mind that the runner has no network`.
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
    (SentenceView::of(&said[at..]).size() >= 4 && !SentenceView::of(said).is_question())
        .then(|| &said[at..])
}

/// Finds a rule after what the person does next: `I'll merge after lunch - I like a linear history`.
fn after_remark(said: &str) -> Option<&str> {
    let marks = [" - ", " – ", " — ", "; "];
    let (remark, rest) = marks.iter().find_map(|mark| said.split_once(mark))?;
    let plans = SentenceView::of(remark).has(PLANS);
    (plans && form_of(remark).is_none() && form_of(rest)?.sure).then_some(rest)
}

/// Finds a decision after how it came about: `we talked about it on Monday and decided to drop the cache`.
fn decided_within(said: &str) -> Option<&str> {
    const MARKS: [&str; 4] = [
        " and decided ",
        " and we decided ",
        " and agreed ",
        " and settled ",
    ];
    let at = MARKS
        .iter()
        .find_map(|mark| said.find(mark).map(|at| at + " and ".len()))?;
    let decided = &said[at..];
    let form = form_of(decided)?;
    (form.sure && form.kind == StatementKind::Decision && !SentenceView::of(said).is_question())
        .then_some(decided)
}

/// Classifies a sentence without its opening fillers.
fn form_of(said: &str) -> Option<SentenceForm> {
    let whole = SentenceView::of(said);
    let bare = whole.bare();
    let view = SentenceView::of(bare);
    let tongue = whole.tongue;
    let at_once = whole.opens(AT_ONCE) && !whole.has(tongue.scope);
    let dropped = view.has(DISMISSED)
        || whole.has(COMPLAINTS)
        || view.has(tongue.status) && view.has(BEHAVES);
    if whole.has(tongue.hedge) || at_once || view.has(VAGUE) || is_reported(said) || dropped {
        return None;
    }
    let may_last = may_last(&whole, &view);
    let explicit = may_last.then(|| explicit(&whole, &view)).flatten();
    let implicit = || may_last.then(|| implicit(&view)).flatten();
    let wanted = || names_language(&view).then_some((StatementKind::Preference, true));
    let (kind, sure) = explicit
        .filter(|(_, sure)| *sure)
        .or_else(wanted)
        .or(explicit)
        .or_else(implicit)?;
    // `We go with X, because it runs in the same transaction`: the reason may refer to the moment.
    let clause = SentenceView::of(said.split([',', ';', '，', '；']).next().unwrap_or(said));
    let strong = [tongue.decided, tongue.prefer, tongue.consent];
    let lays = strong.iter().any(|words| clause.has(*words));
    let passing = whole.has(tongue.passing) && (clause.has(tongue.passing) || !lays);
    let lasting = view.has(tongue.scope) || view.has(tongue.decided) || view.has(tongue.consent);
    if passing && !lasting {
        return None;
    }
    Some(SentenceForm {
        kind,
        sure: sure && !passing,
        explicit: explicit.is_some(),
    })
}

/// Reports whether a sentence describes a state and neither asks nor orders: it can support another one.
pub(crate) fn is_statement(said: &str) -> bool {
    let whole = SentenceView::of(said);
    let view = SentenceView::of(whole.bare());
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

/// Reports whether a statement could be a title: about something named, true beyond the moment, not a complaint.
pub(crate) fn stands(said: &str) -> bool {
    let whole = SentenceView::of(said);
    let view = SentenceView::of(whole.bare());
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
        && !view.has(PLANS)
        && !whole.has(COMPLAINTS)
        && !view.has(ASKED_WITHIN)
        && !view.text.trim_end_matches('.').ends_with(" though")
        && !orders_besides(&view)
        && !whole.has(tongue.hedge)
        && !view.has(VAGUE)
        && ![tongue.status, tongue.passing, HAPPENED]
            .iter()
            .any(|words| view.has(*words))
        && !main.has(MOMENT)
        && !main.has(DENIALS)
}

/// `The page looks old, polish it`: a later clause is an order.
fn orders_besides(view: &SentenceView<'_>) -> bool {
    let mut clauses = view.text.split([',', ';', '，', '；']).skip(1);
    clauses.any(|clause| {
        let clause = SentenceView::of(SentenceView::of(clause).bare());
        clause.opens(clause.tongue.tasks) && !names_first(&clause)
    })
}

/// `Sketch the writer`: a verb without a subject, and its object.
fn is_imperative(view: &SentenceView<'_>) -> bool {
    let mut words = view.words();
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    std::ptr::eq(view.tongue, &ENGLISH)
        && OBJECTS.contains(second)
        && !SUBJECTS.contains(first)
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && !first.ends_with("ed")
}

/// Reports whether a sentence opens with its subject.
fn has_subject(view: &SentenceView<'_>) -> bool {
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

/// Reports whether a sentence gives a reason or a contrast.
pub(crate) fn argues(said: &str) -> bool {
    let view = SentenceView::of(said);
    view.has(view.tongue.reason)
        || view.has(view.tongue.contrast)
        || is_against(said)
        || said.contains(", so ")
}

/// Reports whether a sentence describes the cure of a fault.
pub(crate) fn cures(said: &str) -> bool {
    let view = SentenceView::of(said);
    view.has(view.tongue.cures)
        && !view.is_question()
        && !view.has(view.tongue.hedge)
        && !view.has(view.tongue.passing)
        && !view.has(MOMENT)
}

/// Reported speech: `a tester wrote: we never do`, `Marta said that every service should …`.
fn is_reported(said: &str) -> bool {
    let told = said
        .split_once([':', '：'])
        .is_some_and(|(before, _)| SentenceView::of(before).has(SAYING));
    let view = SentenceView::of(SentenceView::of(said).bare());
    let opening: Vec<&str> = view.words().take(4).collect();
    let by = opening.iter().position(|word| SAYING.contains(word));
    told || by.is_some_and(|at| at > 0) && !view.opens(PERSONS)
}

/// Returns a rule phrased as a polite question: `Could you always run the linter before you push?`
pub(crate) fn requested(said: &str) -> Option<&str> {
    let view = SentenceView::of(said);
    let rest = said.split_once(" you ")?.1.trim_end_matches(['?', ' ']);
    let asks = view.opens(phrases!("could you|can you|would you|will you"));
    (asks && view.has(view.tongue.scope) && view.has(view.tongue.whenever)).then_some(rest)
}

/// Reports whether a sentence wishes for a language: `answer in German`, `用中文回复`.
fn names_language(view: &SentenceView<'_>) -> bool {
    view.size() <= LONGEST_WISH
        && !view.is_question()
        && view.has(LANGUAGES)
        && view.has(WRITING)
        && !view.has(TRANSLATING)
        && !view.has(view.tongue.passing)
        && !view.has(view.tongue.hedge)
}

const LONGEST_WISH: usize = 12;

/// Reports whether nothing in a sentence marks it as temporary.
fn may_last(whole: &SentenceView<'_>, view: &SentenceView<'_>) -> bool {
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
/// Maximum number of words that introduce a rule.
const LONGEST_LEAD: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the classification of a sentence, with `!` in front if it is certain.
    fn taken(said: &str) -> &'static str {
        match form(said) {
            None => "",
            Some(SentenceForm { sure: false, .. }) => "pending",
            Some(SentenceForm {
                kind: StatementKind::Decision,
                ..
            }) => "!decision",
            Some(SentenceForm {
                kind: StatementKind::Convention,
                ..
            }) => "!convention",
            Some(SentenceForm {
                kind: StatementKind::Preference,
                ..
            }) => "!preference",
            Some(SentenceForm {
                kind: StatementKind::Pitfall,
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
