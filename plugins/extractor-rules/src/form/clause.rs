//! Finds the clause of a sentence that is a rule by itself: people add it to a task or to a remark on the moment
//! (`the total is off by a cent, money is integer cents everywhere, so somebody broke that`).

use std::ops::Range;

use super::general::universal;
use super::{SentenceForm, form_of, is_reported};
use crate::classes::*;
use crate::phrases::{Phrases, phrases};
use crate::view::SentenceView;

/// Returns the first clause that is a rule for certain, with its form.
pub(crate) fn ruling_clause(said: &str) -> Option<(&str, SentenceForm)> {
    let whole = SentenceView::of(said);
    let told = [SAYING, COMPLAINTS];
    if whole.is_question()
        || is_reported(said)
        || whole.opens(CONDITIONS)
        || told.iter().any(|words| whole.has(*words))
    {
        return None;
    }
    let ranges = clauses(said);
    if ranges.len() < 2 {
        return None;
    }
    ranges.into_iter().find_map(|range| {
        let clause = said[range].trim();
        let form = form_of(clause).filter(|form| form.sure)?;
        is_rule(clause).then_some((clause, form))
    })
}

/// Reports whether a clause has a strong mark of a rule and depends on no other clause.
fn is_rule(clause: &str) -> bool {
    let view = SentenceView::of(SentenceView::of(clause).bare());
    let tongue = view.tongue;
    let least = if tongue.spaced { 5 } else { 6 };
    let laid = [tongue.scope, tongue.decided, tongue.prefer, tongue.consent];
    let strong = laid.iter().any(|words| view.has(*words))
        || view.has(tongue.must) && view.has(tongue.wide)
        || view.opens(OUR) && view.has(tongue.belong)
        || universal(&view) == Some(true);
    strong && view.size() >= least && !view.opens(DEPENDENT)
}

/// Splits a sentence at its commas and dashes. A contrast stays with what it is a contrast to.
fn clauses(said: &str) -> Vec<Range<usize>> {
    const MARKS: [&str; 8] = [", ", "; ", " - ", " – ", " — ", "，", "；", "、"];
    let mut clauses: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while from < said.len() {
        let found = MARKS
            .iter()
            .filter_map(|mark| said[from..].find(mark).map(|at| (from + at, mark.len())));
        let (end, next) = found
            .min()
            .map_or((said.len(), said.len()), |(at, length)| (at, at + length));
        let continues = SentenceView::of(&said[from..end]).opens(AGAINST);
        match clauses.last_mut().filter(|_| continues) {
            Some(last) => last.end = end,
            None => clauses.push(from..end),
        }
        from = next;
    }
    clauses
}

/// What is ours has a rule where it belongs: `our branches are named after the ticket`.
const OUR: Phrases = phrases!("our|unsere|nuestros|nuestras|nos|наши");
/// Openings of a contrast to the clause before.
const AGAINST: Phrases = phrases!(
    "never|not|no|nor|nie|nicht|keine|kein|nunca|jamais|pas|никогда|не|а не|不用|不要|而不是|ではなく"
);
/// Openings of a clause that another one governs.
const DEPENDENT: Phrases = phrases!(
    "because|since|so that|which|that|when|if|while|until|unless|although|though|where|who|as|than|weil|da|wenn|falls|dass|damit|obwohl|während|bis|porque|que|si|cuando|aunque|mientras|parce que|car|lorsque|bien que|потому|если|что|чтобы|хотя|когда|因为|因為|如果|所以|虽然"
);
