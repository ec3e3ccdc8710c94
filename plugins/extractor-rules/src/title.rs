//! Titles: one finished statement of at most eighty characters, made from a sentence by leaving out
//! what is not its main clause. A sentence that cannot be shortened without breaking it gives none.

use crate::alone::{opens_with_pointer, stands_alone};
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::finish;
use crate::verbs::{is_order, is_statement, opens_finite};

/// The statement of a sentence, short enough to be a title.
pub(crate) fn title(sentence: &str) -> Option<String> {
    let whole = ordered(first_thought(sentence.trim().trim_end_matches(['.', ' '])));
    if whole.ends_with('?') {
        return None;
    }
    let plain = without_asides(&whole);
    let main = main_clause(&plain);
    let spared = plain.replace(", the agent should ", ", ");
    let main = after_contrast(&main).map_or(main, |point| ordered(&point));
    let bare = without_participle(&main);
    let whole_ones = [whole, plain, spared, main.clone(), bare];
    if let Some(title) = whole_ones.into_iter().find(|text| is_title(text)) {
        return Some(title);
    }
    if Folded::of(&main).opens(SUBORDINATORS) {
        // Its main clause was not found, and half a condition is no statement.
        return None;
    }
    for marks in [&CLAUSES[..], &PHRASES[..]] {
        let mut cuts: Vec<usize> = marks
            .iter()
            .flat_map(|mark| main.match_indices(mark).map(|(at, _)| at))
            .filter(|at| *at >= SHORTEST_CUT && !turns(&main[..*at], &main[*at..]))
            .collect();
        cuts.sort_unstable();
        let head = cuts
            .iter()
            .rev()
            .map(|at| main[..*at].trim_end_matches([',', ';', ':', ' ', '-', '–', '—', '.']));
        if let Some(head) = head
            .into_iter()
            .find(|head| ends_well(head) && is_title(head))
        {
            return Some(head.to_owned());
        }
    }
    None
}

/// Whether what follows takes back what stands before: `It is set, but never saved`. A head that is
/// itself put without exception stays true.
fn turns(head: &str, rest: &str) -> bool {
    let rest = rest.trim_start_matches([',', ';', ' ']);
    Folded::of(rest).opens(phrases!("but|however|although|though"))
        && !Folded::of(head).any(phrases!("never|always|must|no|not|don't|should"))
}

/// A text up to where a hasty writer goes on without a stop: `drop it.Then run`, `drop the cache
/// this will save time`.
fn first_thought(text: &str) -> &str {
    let run_on = [
        " this will ",
        " this aligns ",
        " this makes ",
        " this is ",
        " this would ",
    ]
    .iter()
    .filter_map(|mark| text.find(mark))
    .filter(|at| *at >= SHORTEST_CUT && text[..*at].ends_with(|last: char| last.is_alphanumeric()))
    .min();
    let glued = text.match_indices('.').map(|(at, _)| at).find(|at| {
        let before = text[..*at].rsplit(' ').next().unwrap_or("");
        let after = text[*at + 1..].split(' ').next().unwrap_or("");
        *at >= SHORTEST_CUT
            && before.len() >= 4
            && before.bytes().all(|byte| byte.is_ascii_lowercase())
            && after.len() >= 2
            && after.starts_with(|first: char| first.is_ascii_uppercase())
            && after.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
    });
    let end = run_on.into_iter().chain(glued).min();
    end.map_or(text, |end| &text[..end])
}

/// What the speaker proposes, as an order: `We should sort the list` says `Sort the list`.
fn ordered(text: &str) -> String {
    for (opening, order) in [
        ("We should not ", "Do not "),
        ("We should never ", "Never "),
        ("We should always ", "Always "),
        ("We shouldn't ", "Do not "),
        ("We should ", ""),
        ("We could ", ""),
        ("Let's ", ""),
        ("Lets ", ""),
        ("The agent should ", ""),
        ("The agent must ", ""),
    ] {
        if let Some(rest) = text.strip_prefix(opening) {
            let folded = Folded::of(rest);
            let verb = is_order(rest) || opens_finite(&folded);
            if verb && !folded.opens(phrases!("be|have been|really|also|now|probably")) {
                return finish(&format!("{order}{rest}"))
                    .trim_end_matches('.')
                    .to_owned();
            }
        }
    }
    text.to_owned()
}

/// Whether the head of a cut sentence can stand at its end: no comparison is torn, nothing hangs.
fn ends_well(head: &str) -> bool {
    let words: Vec<&str> = head.split(' ').collect();
    let last = words[words.len() - 1].to_lowercase();
    let half = head.contains(" either ") && !head.contains(" or ");
    let torn = words
        .iter()
        .rev()
        .take(4)
        .any(|word| matches!(*word, "than" | "between" | "either"));
    let hanging = last.ends_with("ing") || (last.ends_with("ed") && last.len() > 4);
    let artificial = head.ends_with("the user") || head.ends_with("the agent");
    !(torn || half || hanging || artificial || WEAK_ENDINGS.contains(&last))
}

/// The head of a text that need not be a statement, cut between words.
pub(crate) fn headline(text: &str) -> String {
    let whole = text.trim().trim_end_matches('.');
    if whole.chars().count() <= LONGEST_TITLE {
        return whole.to_owned();
    }
    if let Some(title) = title(whole) {
        return title;
    }
    let mut words: Vec<&str> = Vec::new();
    let mut length = 0;
    for word in whole.split_whitespace() {
        length += word.chars().count() + 1;
        if length > LONGEST_TITLE {
            break;
        }
        words.push(word);
    }
    while words.len() > 3 && WEAK_ENDINGS.contains(&words[words.len() - 1].to_lowercase()) {
        words.pop();
    }
    let head = words.join(" ");
    let head = head.trim_end_matches([',', ';', ':', ' ', '-', '.']);
    acreta_text::head(if head.is_empty() { whole } else { head }, LONGEST_TITLE).to_owned()
}

/// Whether a text reads as a title.
pub(crate) fn is_title(text: &str) -> bool {
    let length = text.chars().count();
    let last = text.rsplit(' ').next().unwrap_or("");
    let words = text.split_whitespace().count();
    let pointing = text
        .split_whitespace()
        .take(6)
        .any(|word| matches!(word.trim_end_matches(','), "it" | "them"));
    let folded = Folded::of(text);
    let pointing = pointing
        || folded.any(phrases!("those|these"))
        // A verb that has lost its subject.
        || folded.opens(phrases!("does|is|has|was|are|were|can|will|must|should|had|did|may"));
    (SHORTEST_TITLE..=LONGEST_TITLE).contains(&length)
        && !text.ends_with([':', ','])
        && !text.contains(['…', '\n', '?'])
        && !text.contains("...")
        && is_balanced(text)
        && !matches!(last, "this" | "that" | "them" | "so" | "own")
        && (last != "it" || words >= 8)
        && !pointing
        && !lacks_object(text)
        && is_statement(text)
        && stands_alone(text)
}

/// Whether an order does not say what it is about: `Add to the interface`.
fn lacks_object(text: &str) -> bool {
    let folded = Folded::of(text);
    let mut words = folded.words();
    let (Some(verb), Some(next)) = (words.next(), words.next()) else {
        return true;
    };
    matches!(
        verb,
        "add" | "move" | "put" | "store" | "keep" | "place" | "write" | "send" | "save" | "remove"
    ) && matches!(
        next,
        "to" | "in" | "on" | "from" | "with" | "into" | "under" | "inside"
    )
}

/// What a sentence says after an opening `if`, `when` or `since` clause.
fn main_clause(sentence: &str) -> String {
    let folded = Folded::of(sentence);
    let opening = folded.opens(SUBORDINATORS) || folded.opens(phrases!("for|in|on|with|currently"));
    let parts = sentence
        .match_indices(", ")
        .chain(sentence.match_indices(" then "))
        .map(|(at, mark)| (&sentence[..at], &sentence[at + mark.len()..]));
    for (before, after) in parts {
        let after = after.strip_prefix("then ").unwrap_or(after);
        let folded = Folded::of(after);
        if opening
            && is_balanced(before)
            && after.split_whitespace().count() >= 5
            && is_statement(after)
            && !opens_with_pointer(&folded)
            && !folded.opens(phrases!("and|or|but|so"))
        {
            return finish(after).trim_end_matches('.').to_owned();
        }
    }
    sentence.to_owned()
}

/// What a long sentence says after `but`, with its subject: the point is there.
fn after_contrast(sentence: &str) -> Option<String> {
    let (before, after) = sentence.split_once(" but ")?;
    if sentence.chars().count() <= LONGEST_TITLE || !is_balanced(before) {
        return None;
    }
    let verb = |word: &str| AUXILIARIES.contains(word);
    if !verb(after.split(' ').next()?) {
        let point = main_clause(after);
        let was = Folded::of(before).opens(phrases!("currently|today|now|right now|at present"));
        let sure = was || !Folded::of(&point).any(phrases!("could|might|may|then"));
        let own = sure && is_statement(&point) && stands_alone(&point);
        return own.then(|| finish(&point).trim_end_matches('.').to_owned());
    }
    let words: Vec<&str> = before.split(' ').collect();
    let subject = words
        .iter()
        .position(|word| verb(word))
        .filter(|at| *at > 0)?;
    Some(format!("{} {after}", words[..subject].join(" ")))
}

const AUXILIARIES: Phrases = phrases!(
    "is|are|was|were|has|have|had|does|do|did|can|cannot|must|should|will|may|isn't|aren't|wasn't|\
     doesn't|don't|can't|never|needs",
);

/// A sentence whose subject has lost what happens to it: `Every line returned by the parser must be
/// short` says `Every line must be short`.
fn without_participle(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split(' ').collect();
    let modal = words
        .iter()
        .position(|word| matches!(*word, "must" | "should" | "cannot" | "may"));
    let participle = words.windows(2).position(|pair| {
        pair[0].len() > 5
            && pair[0].ends_with("ed")
            && matches!(pair[1], "by" | "in" | "from" | "to" | "with" | "for" | "on")
    });
    match (participle, modal) {
        (Some(from), Some(to)) if (2..to).contains(&from) => {
            [&words[..from], &words[to..]].concat().join(" ")
        }
        _ => sentence.to_owned(),
    }
}

/// A sentence without what stands in parentheses.
fn without_asides(sentence: &str) -> String {
    let mut kept = String::with_capacity(sentence.len());
    let mut depth = 0_usize;
    let mut in_code = false;
    for character in sentence.chars() {
        match character {
            '`' => in_code = !in_code,
            '(' if !in_code && (depth > 0 || kept.ends_with(' ')) => {
                if depth == 0 {
                    kept.pop();
                }
                depth += 1;
            }
            ')' if !in_code && depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            kept.push(character);
        }
    }
    kept.trim().to_owned()
}

fn is_balanced(text: &str) -> bool {
    text.matches('`').count().is_multiple_of(2)
        && text.matches('"').count().is_multiple_of(2)
        && text.matches('(').count() == text.matches(')').count()
}

const LONGEST_TITLE: usize = 80;
const SHORTEST_TITLE: usize = 10;
/// Less than this is not the main clause.
const SHORTEST_CUT: usize = 28;

/// Words that open a clause which is not the main one.
const SUBORDINATORS: Phrases =
    phrases!("if|when|since|because|given|once|although|while|after|as|before|unless|until");

/// Where a clause ends that can go.
const CLAUSES: [&str; 13] = [
    ", ",
    "; ",
    " because ",
    " since ",
    " so that ",
    " so ",
    " — ",
    " – ",
    " - ",
    ". ",
    " which ",
    " but ",
    ": ",
];

/// Where a phrase ends that can go when no clause does.
const PHRASES: [&str; 15] = [
    " and ",
    " or ",
    " for ",
    " in ",
    " inside ",
    " into ",
    " via ",
    " with ",
    " from ",
    " on ",
    " per ",
    " to avoid ",
    " by ",
    " when ",
    " whereas ",
];

const WEAK_ENDINGS: Phrases = phrases!(
    "a|an|the|of|to|in|on|at|for|with|and|or|but|by|from|as|is|are|be|that|which|we|it|\
     its|not|no|so|than|then|into|if|when|while|because|since|via|per|can|will|should|\
     would|could|must|has|have|only|also|their|our|any|all|each|was|were|this|these|\
     first|between|both|either|whether|where|how|what|who|e.g|i.e",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_finished_statements() {
        let cases = [
            ("Always use tabs.", Some("Always use tabs")),
            (
                "Store the queue in SQLite and not in Redis, because the CLI and the daemon are two processes on one machine.",
                Some("Store the queue in SQLite and not in Redis"),
            ),
            (
                "The exporter writes one file for every experiment and every repeated attempt of the same case.",
                Some("The exporter writes one file for every experiment"),
            ),
            (
                "When the daemon has no lock on the folder of the project, the exporter must wait for the lock.",
                Some("The exporter must wait for the lock"),
            ),
            ("`retry: { times: 3 }`", None),
            ("Which store should we use?", None),
            ("Manual mode only", None),
            ("It breaks the build", None),
            (
                "Averyveryverylongnameofsomethingthathasnospacesatall isasingleunbrokenwordwithoutanyplacetocutitatall",
                None,
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(title(sentence).as_deref(), expected, "{sentence}");
        }
    }
}
