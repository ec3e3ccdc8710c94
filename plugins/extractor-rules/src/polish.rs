//! A spoken sentence made into a written one: fillers and oaths dropped, first and second person
//! named, first letter and full stop in place. Words are removed or replaced, never invented.

use std::borrow::Cow;

use crate::names::is_identifier;
use crate::person::third_person;
use crate::phrases::{Phrases, opens_in_any_case, phrases};

/// Who speaks, and so who `I` and `you` are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Person,
    Agent,
}

/// The sentence as it may stand in a memory.
pub(crate) fn polish(sentence: &str, speaker: Speaker) -> String {
    finish(&third_person(&core(sentence, speaker), speaker))
}

/// The sentence in the speaker's own person, without fillers, tags and source references.
pub(crate) fn core(sentence: &str, speaker: Speaker) -> String {
    let plain = plain(sentence);
    let mut rest = without_fillers(without_outburst(&plain), speaker);
    for tag in [
        ", right?",
        " right?",
        ", right",
        " right",
        ", no?",
        ", ok?",
        " or what?",
        ", correct?",
        " I think",
        ", I think",
    ] {
        if let Some(shorter) = rest.strip_suffix(tag) {
            rest = shorter;
            break;
        }
    }
    match speaker {
        Speaker::Person => as_proposal(&without_asides(without_ticket(rest))),
        Speaker::Agent => without_references(rest),
    }
}

/// A sentence without the number of a ticket it opens with: `ab-12: drop the cache`, `for #2, keep it`.
fn without_ticket(text: &str) -> &str {
    let opening = ["for #", "on #", "re #", "#"]
        .iter()
        .find(|opening| opens_in_any_case(text, opening));
    if let Some(opening) = opening {
        let rest = text[opening.len()..].trim_start_matches(|digit: char| digit.is_ascii_digit());
        let numbered = rest.len() + opening.len() < text.len();
        if numbered && rest.starts_with([',', ':', ' ']) {
            return rest.trim_start_matches([',', ':', ' ']);
        }
    }
    match text.split_once(": ") {
        Some((ticket, rest))
            if ticket.len() <= 14
                && ticket.contains(['-', '#'])
                && !ticket.starts_with('-')
                && !ticket.contains([' ', '`', '/', '.']) =>
        {
            rest
        }
        _ => text,
    }
}

/// A sentence without the clause that ends it in an oath.
fn without_outburst(text: &str) -> &str {
    let oath = text.match_indices(' ').map(|(at, _)| at).find(|at| {
        [" shit", " fucked", " fuck "]
            .iter()
            .any(|oath| opens_in_any_case(&text[*at..], oath))
    });
    let clause = oath.and_then(|at| {
        let lower = text[..at].to_ascii_lowercase();
        [" so ", ", "]
            .iter()
            .filter_map(|mark| lower.rfind(mark))
            .max()
    });
    match clause {
        Some(at) if text[..at].split_whitespace().count() >= 6 => &text[..at],
        _ => text,
    }
}

/// A proposal put as a question says what it proposes: `shouldn't we keep it` becomes
/// `we should keep it`.
fn as_proposal(text: &str) -> String {
    for (asked, said) in [
        ("shouldn't we ", "we should "),
        ("should we ", "we should "),
        ("could we ", "we could "),
        ("why don't we ", "we should "),
        ("can we not ", "we should not "),
        ("i don't think we need ", "we don't need "),
        ("i don't think we should ", "we should not "),
        ("i don't think we want ", "we don't want "),
        ("if we could ", "we could "),
        ("if we should ", "we should "),
    ] {
        if opens_in_any_case(text, asked) {
            return format!("{said}{}", &text[asked.len()..]);
        }
    }
    text.to_owned()
}

/// `I think` and `actually` in the middle of a sentence go.
fn without_asides(text: &str) -> Cow<'_, str> {
    if !text.contains(" think") && !text.contains(" thought ") && !text.contains(" actually ") {
        return Cow::Borrowed(text);
    }
    let mut text = text.replace(" actually ", " ");
    for aside in [
        ", i think,",
        ", I think,",
        " i think,",
        " I think,",
        " I think ",
        " i think ",
        " I thought ",
        " i thought ",
    ] {
        text = text.replace(aside, " ");
    }
    Cow::Owned(text.replace("  ", " "))
}

/// Parenthesised places in source files (`(src/a.rs:12)`) go.
fn without_references(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let Some(length) = rest[open..].find(')') else {
            break;
        };
        let inside = &rest[open + 1..open + length];
        let reference = inside.contains(['/', '.'])
            && inside
                .split(':')
                .nth(1)
                .is_some_and(|line| line.starts_with(|digit: char| digit.is_ascii_digit()));
        if reference {
            kept.push_str(rest[..open].trim_end());
        } else {
            kept.push_str(&rest[..=open + length]);
        }
        rest = &rest[open + length + 1..];
    }
    kept.push_str(rest);
    kept
}

/// Markup, control characters and runs of space out; link texts stay.
pub(crate) fn plain(text: &str) -> String {
    if is_plain(text) {
        return text.trim().to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        plain.push_str(before);
        match after.find("](").and_then(|middle| {
            let close = after[middle..].find(')')? + middle;
            (!after[1..middle].contains(['[', '\n'])).then_some((middle, close))
        }) {
            Some((middle, close)) => {
                plain.push_str(&after[1..middle]);
                rest = &after[close + 1..];
            }
            None => {
                plain.push('[');
                rest = &after[1..];
            }
        }
    }
    plain.push_str(rest);
    let plain = plain.replace("**", "").replace('’', "'");
    let mut words: Vec<&str> = Vec::new();
    for word in plain.split(' ') {
        let word = without_emphasis(word);
        if word.len() > LONGEST_ADDRESS && word.contains("://") {
            // "for <address> the name is wrong" says it without the preposition too.
            words.pop_if(|before| LEADING_IN.contains(before));
        } else {
            words.push(word);
        }
    }
    let plain = words.join(" ");
    let mut shown = String::with_capacity(plain.len());
    for character in plain.chars() {
        let character = if character.is_whitespace() {
            ' '
        } else {
            character
        };
        if acreta_text::is_hidden(character)
            || is_emoji(character)
            || (character == ' ' && shown.ends_with(' '))
        {
            continue;
        }
        shown.push(character);
    }
    shown.trim().to_owned()
}

/// A word without the stars around it; a star that is a pattern stays.
fn without_emphasis(word: &str) -> &str {
    let word = match word.strip_prefix('*') {
        Some(rest) if rest.starts_with(char::is_alphabetic) => rest,
        _ => word,
    };
    match word.strip_suffix('*') {
        Some(rest) if rest.ends_with(|last: char| last.is_alphanumeric() || last == '.') => rest,
        _ => word,
    }
}

/// Whether there is surely nothing to take out of a text: printable ASCII without markup, addresses
/// and runs of space.
fn is_plain(text: &str) -> bool {
    let mut before = 0;
    text.bytes().all(|byte| {
        let kept = match byte {
            b' ' | b'/' => byte != before,
            b'[' | b'*' => false,
            _ => byte.is_ascii_graphic(),
        };
        before = byte;
        kept
    })
}

/// First letter large, one full stop at the end.
pub(crate) fn finish(text: &str) -> String {
    let text = text
        .trim()
        .trim_end_matches(['?', ',', ';', ':', '-', '–', '—', '!', ' ']);
    let text = text
        .trim_end_matches("...")
        .trim_end_matches('…')
        .trim_end();
    let mut finished = String::with_capacity(text.len() + 1);
    let mut characters = text.chars();
    let spelt = text.split_whitespace().next().is_some_and(is_identifier);
    if spelt {
        finished.push_str(text);
    } else if let Some(first) = characters.next() {
        finished.extend(first.to_uppercase());
        finished.push_str(characters.as_str());
    }
    if !finished.is_empty() && !finished.ends_with(['.', '"', '”']) {
        finished.push('.');
    }
    finished
}

/// Words that lead in an address.
const LEADING_IN: Phrases = phrases!("for|in|at|see|from|on|to|via");

/// Addresses longer than this say little and are left out.
const LONGEST_ADDRESS: usize = 48;

fn is_emoji(character: char) -> bool {
    matches!(character, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}')
        || matches!(character, '\u{fe0f}' | '\u{2b50}' | '\u{2b55}')
}

const FILLERS: Phrases = phrases!(
    "ok|okay|so|hm|hmm|hmmm|well|yeah|yes|yep|no|nope|oh|ah|alright|also|and|but|then|\
     actually|basically|wait|please|omfg|omg|wtf|lol|dude|my dude|look|listen|i think|\
     i feel like|i guess|i believe|i mean|i suppose|i kind of feel like|in my opinion|\
     imo|imho|just to be sure|remember that|and remember that|note that|like|now|\
     in theory|i know|i wonder now if|i wonder if|so wondering if|wondering if|thanks|\
     thank you|sorry|right|sure|perfect|great|exactly|agreed|correct|i agree|got it|\
     understood|noted|you're right|you're absolutely right|good point|good catch|\
     great point|good idea|makes sense|that makes sense|absolutely|true|fair point|\
     i'd say|i would say|i thought|i thought that|i agree that|you are right|confirmed|first of all|for sure|\
     i bet|i'm pretty sure|that means|q:|because|fyi|btw|by the way|additionally|\
     in addition|alternatively|i mostly meant|what i meant is|my point is|remember|\
     for the record|i'm sure|maybe|fucking hell|ugh|nah|just",
);

/// Fillers that mean something when an agent writes them before a noun.
const WEIGHTY: Phrases = phrases!("like|right|just|now|look|maybe|true|then|also|because");

fn without_fillers(text: &str, speaker: Speaker) -> &str {
    let mut rest = text.trim();
    for _ in 0..6 {
        let found = FILLERS
            .iter()
            .filter(|filler| opens_in_any_case(rest, filler))
            .filter(|filler| {
                let after = &rest[filler.len()..];
                let whole = after.starts_with([' ', ',', '.', '!', ':', ';', '?', '…', '–', '—']);
                // Before a noun some of them carry meaning: "no backups", "just one".
                let meaning = after.starts_with(' ')
                    && (*filler == "no" || speaker == Speaker::Agent && WEIGHTY.contains(filler));
                whole && !meaning
            })
            .max_by_key(|filler| filler.len());
        let Some(filler) = found else { break };
        let next = rest[filler.len()..]
            .trim_start_matches([',', '.', '!', ':', ';', '-', '–', '—', ' ', '…', '?']);
        if next.split_whitespace().count() < 3 {
            break;
        }
        rest = next;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speech_becomes_a_sentence() {
        let cases = [
            ("ok, i think we should use sqlite", "We should use sqlite."),
            (
                "I'd rather have tabs than spaces",
                "The user would rather have tabs than spaces.",
            ),
            (
                "when I open a ticket, I will ask you to estimate it for me",
                "When the user opens a ticket, the user will ask the agent to estimate it for the user.",
            ),
            (
                "omg use fucking semicolons in the scripts",
                "Use semicolons in the scripts.",
            ),
            ("no need for a second table", "No need for a second table."),
            (
                "rotation should be left to the proxy right",
                "Rotation should be left to the proxy.",
            ),
            (
                "so the queue   must never\nblock!",
                "The queue must never block.",
            ),
            ("I don't like mocks", "The user doesn't like mocks."),
        ];
        for (spoken, written) in cases {
            assert_eq!(polish(spoken, Speaker::Person), written);
        }
    }

    #[test]
    fn an_agents_you_is_the_user() {
        assert_eq!(
            polish(
                "You want the **service** to read [the queue](https://x.y)",
                Speaker::Agent
            ),
            "The user wants the service to read the queue."
        );
        assert_eq!(
            polish("No backups are kept", Speaker::Agent),
            "No backups are kept."
        );
    }
}
