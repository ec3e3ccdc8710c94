//! Choices among options that were laid out: by a tool that asks, or in the agent's text. The
//! person's short answer is resolved to the option it names; an answer that names none is left.

use crate::cues::TWEAK;
use crate::draft::{Category, Draft, Material, Source, quote};
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::{Speaker, finish, plain, polish};
use crate::sentences::sentences;
use crate::stance::stance;
use crate::turn::{Asked, Turn};

/// The choices made by answering a tool's question.
pub(crate) fn asked(turn: &Turn) -> Vec<Draft> {
    turn.asked
        .iter()
        .enumerate()
        .filter_map(|(place, asked)| of_asked(asked, place))
        .collect()
}

/// The choice a prompt makes among the options of the reply before it.
pub(crate) fn picked(turn: &Turn, before: &Turn) -> Option<Draft> {
    let prompt = turn.prompts.first()?;
    let reply = before.last_reply()?;
    let label = label_of(&prompt.text)?;
    let options = options(&reply.text);
    let (_, chosen) = options.iter().find(|(name, _)| *name == label)?;
    let (name, description) = parts_of(chosen);
    if options.len() < 2 || (name.split_whitespace().count() < 2 && description.is_empty()) {
        return None;
    }
    // The question stands before its options, or else after them.
    let listed = options.first().map_or(0, |(_, first)| {
        first.as_ptr() as usize - reply.text.as_ptr() as usize
    });
    let question = last_question(&reply.text[..listed]).or_else(|| last_question(&reply.text));
    let all = format!("{} {name} {description}", question.as_deref().unwrap_or(""));
    let folded = Folded::of(&all);
    let mut score: f32 = 0.58;
    if !names(&all).is_empty() {
        score += 0.05;
    }
    if folded.any(TWEAK) {
        score -= 0.2;
    }
    if folded.any(PROCESS) {
        score -= 0.15;
    }
    let mut sentences_of = vec![choice(&name, &description)];
    sentences_of.extend(
        question
            .as_ref()
            .map(|question| format!("Asked: \"{question}\"")),
    );
    let reason = sentences(&prompt.text)
        .map(|sentence| sentence.text)
        .find(|text| {
            let whole = text.matches('(').count() == text.matches(')').count();
            text.split_whitespace().count() >= 6
                && !text.ends_with('?')
                && whole
                && !Folded::of(text).any(phrases!("option|can we|can you"))
        });
    sentences_of.extend(reason.map(|reason| polish(without_pick(reason), Speaker::Person)));
    let others: Vec<String> = options
        .iter()
        .filter(|(other, _)| *other != label)
        .map(|(_, text)| parts_of(text).0)
        .take(2)
        .collect();
    sentences_of.push(format!(
        "Chosen over: {}.",
        others.join("; ").trim_end_matches('.')
    ));
    Draft::new(Material {
        order: prompt.order,
        place: 0,
        category: Category::Decision,
        source: Source::Person,
        title: titled(question.as_deref(), &name),
        sentences: sentences_of,
        score,
        evidence: vec![
            quote(&prompt.event_id, &prompt.text),
            quote(&reply.event_id, chosen),
        ],
    })
}

/// A reason without the label it opens with: `B, it leaves us room`.
fn without_pick(reason: &str) -> &str {
    match reason.split_once([',', '.']) {
        Some((label, rest))
            if Folded::of(label)
                .words()
                .last()
                .is_some_and(|word| word.len() == 1)
                && label.len() < 12 =>
        {
            rest.trim_start()
        }
        _ => reason,
    }
}

/// The question a reply puts to the person: the last one that says what it is about.
pub(crate) fn last_question(reply: &str) -> Option<String> {
    let questions: Vec<&str> = sentences(reply)
        .map(|sentence| sentence.text.trim_end_matches(['*', '_', ' ']))
        .filter(|text| text.ends_with('?') && text.len() < 220)
        .collect();
    let telling = questions
        .iter()
        .rev()
        .find(|text| text.split_whitespace().count() >= 6)
        .or(questions.last())?;
    let question = plain(telling);
    let question = question.trim_start_matches(['*', '_', ' ']);
    let bare = question
        .split_once(": ")
        .filter(|(before, _)| before.split_whitespace().count() <= 3)
        .map_or(question, |(_, after)| after);
    Some(bare.to_owned())
}

/// A sentence in which `option 2` is followed by what option 2 was.
pub(crate) fn named_options(sentence: &str, before: &Turn) -> String {
    let lower = sentence.to_ascii_lowercase();
    let Some(at) = lower.find("option ") else {
        return sentence.to_owned();
    };
    let Some(letter) = sentence[at + 7..].chars().next() else {
        return sentence.to_owned();
    };
    let label = letter.to_uppercase().to_string();
    let end = at + 7 + letter.len_utf8();
    let known = before
        .last_reply()
        .map(|reply| options(&reply.text))
        .unwrap_or_default();
    match known.iter().find(|(name, _)| *name == label) {
        Some((_, text)) if !sentence[end..].starts_with(char::is_alphanumeric) => {
            format!(
                "{} ({}){}",
                &sentence[..end],
                parts_of(text).0,
                &sentence[end..]
            )
        }
        _ => sentence.to_owned(),
    }
}

/// Name and description of an option: the bold part, or what stands before a dash or a cell.
fn parts_of(option: &str) -> (String, String) {
    let option = option.trim_end_matches(['|', ' ']);
    let cell = option.find(" | ").map(|at| (at, 3));
    let split = cell.or_else(|| {
        ["**:", "**", " - ", " — ", " – ", ": ", ". "]
            .iter()
            .filter_map(|mark| option.find(mark).map(|at| (at, mark.len())))
            .filter(|(at, _)| *at > 3)
            .min_by_key(|(at, _)| *at)
    });
    let (name, description) = match split {
        Some((at, length)) => (
            &option[..at],
            option[at + length..].trim_start_matches(['|', '-', '—', '–', ':', ' ', '*']),
        ),
        None => (option, ""),
    };
    let description = sentences(description)
        .next()
        .map_or(String::new(), |sentence| plain(sentence.text));
    (shorten(bare(&plain(name)), 120), description)
}

fn choice(name: &str, description: &str) -> String {
    if description.is_empty() || name.len() + description.len() > 240 {
        finish(name)
    } else {
        finish(&format!(
            "{}: {description}",
            name.trim_end_matches(['.', ':'])
        ))
    }
}

fn titled(question: Option<&str>, name: &str) -> String {
    match question {
        Some(question)
            if name.split_whitespace().count() < 5 && question.len() + name.len() < 74 =>
        {
            format!("{}: {name}", question.trim_end_matches('?'))
        }
        _ => shorten(name, 76),
    }
}

/// Questions about how to go on, not about the work.
const PROCESS: Phrases = phrases!(
    "proceed|continue|how would you like|would you like me|should i|shall i|want me|\
     this session|ready to|next step|execution approach|go ahead|review first",
);

fn of_asked(asked: &Asked, place: usize) -> Option<Draft> {
    if asked.answer.is_empty() {
        return None;
    }
    let option = asked
        .options
        .iter()
        .find(|(label, _)| asked.answer == *label || bare(&asked.answer) == bare(label));
    let question = Folded::of(&asked.question);
    let answer = bare(&asked.answer);
    let mut score: f32 = 0.66;
    if question.any(PROCESS) && answer.split_whitespace().count() < 6 {
        score -= 0.15;
    }
    if question.any(TWEAK) || question.any(phrases!("button|icon|position|column|layout")) {
        score -= 0.15;
    }
    let mut parts = Vec::new();
    let lead;
    match option {
        Some((_, description)) => {
            let words = answer.split_whitespace().count();
            if words < 2 && description.is_empty() {
                return None;
            }
            let about = sentences(description)
                .next()
                .map_or(String::new(), |sentence| plain(sentence.text));
            let question = last_question(&asked.question).unwrap_or_else(|| plain(&asked.question));
            parts.push(choice(&shorten(&plain(answer), 200), &about));
            if words < 12 && question.chars().count() < 170 {
                parts.push(format!("Asked: \"{question}\""));
            }
            lead = titled(Some(&question), &plain(answer));
        }
        None => {
            // Free text is the person's voice: only what lays something down is kept.
            let kept: Vec<&str> = sentences(&asked.answer)
                .filter(|sentence| {
                    sentence.text.split_whitespace().count() >= 5 && !sentence.text.ends_with('?')
                })
                .map(|sentence| sentence.text)
                .collect();
            let first = kept.first()?;
            score = kept
                .iter()
                .filter_map(|text| stance(text))
                .map(|stance| stance.score)
                .fold(0.4, f32::max)
                .min(0.66)
                + 0.12;
            lead = polish(first, Speaker::Person);
            parts.extend(kept.iter().map(|text| polish(text, Speaker::Person)));
        }
    }
    Draft::new(Material {
        order: asked.order,
        place,
        category: Category::Decision,
        source: Source::Person,
        title: finish(&lead),
        sentences: parts,
        score,
        evidence: vec![quote(&asked.answer_event, &asked.answer)],
    })
}

fn bare(label: &str) -> &str {
    let label = label.trim();
    ["(Recommended)", "(recommended)", "(Default)", "(default)"]
        .iter()
        .find_map(|mark| label.strip_suffix(mark))
        .unwrap_or(label)
        .trim()
}

fn shorten(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let window = acreta_text::head(text, limit);
    let end = [". ", "; ", ", ", " "]
        .iter()
        .find_map(|mark| window.rfind(mark).filter(|at| *at > limit / 2));
    window[..end.unwrap_or(window.len())]
        .trim_end_matches([',', ';', ' ', '-'])
        .to_owned()
}

/// The option a short answer names: `A`, `option 3`, `go with b`.
fn label_of(answer: &str) -> Option<String> {
    let folded = Folded::of(answer);
    if folded.word_count() > 32 || answer.contains("```") {
        return None;
    }
    let words: Vec<&str> = folded.words().collect();
    for (index, word) in words.iter().take(7).enumerate() {
        let named = index > 0
            && matches!(
                words[index - 1],
                "option"
                    | "with"
                    | "choice"
                    | "proposal"
                    | "approach"
                    | "alternative"
                    | "think"
                    | "prefer"
            );
        let alone = index == 0
            && (words.len() <= 2
                || answer
                    .trim_start()
                    .get(1..2)
                    .is_some_and(|mark| matches!(mark, "." | ")" | "," | ":")));
        let letter = word.len() == 1
            && word.starts_with(|letter: char| {
                ('a'..='f').contains(&letter) || letter.is_ascii_digit()
            });
        let article = *word == "a" && index > 0 && words.get(index + 1).is_some();
        let counts =
            alone && word.starts_with(|first: char| first.is_ascii_digit()) && words.len() > 2;
        if letter && (named || alone) && (!article || answer.contains('A')) && !counts {
            return Some(word.to_uppercase());
        }
    }
    None
}

/// The labelled options of a text: label and text, verbatim.
fn options(text: &str) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    for line in text.lines() {
        let bare = line
            .trim()
            .trim_start_matches(['#', '*', '-', ' ', '>', '|']);
        let rest = [
            "Option ",
            "option ",
            "Approach ",
            "Alternative ",
            "Direction ",
        ]
        .iter()
        .find_map(|word| bare.strip_prefix(word))
        .unwrap_or(bare);
        let mut characters = rest.chars();
        let Some(label) = characters
            .next()
            .filter(|label| ('A'..='F').contains(label) || ('1'..='9').contains(label))
        else {
            continue;
        };
        let after = characters.as_str();
        let spaced = after.starts_with(' ')
            && (rest.len() == bare.len() || after.trim_start().starts_with(char::is_lowercase));
        if !after.starts_with([':', ')', '.', '*', ' ']) || spaced {
            continue;
        }
        let body = after.trim_start_matches([':', ')', '.', '*', ' ', '-', '—', '–', '(']);
        if body.split_whitespace().count() < 2 {
            continue;
        }
        let label = label.to_string();
        // A later list takes the place of an earlier one.
        if label == "A" || label == "1" {
            found.clear();
        }
        found.retain(|(known, _)| *known != label);
        found.push((label, body.trim_end()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_answers_name_their_option() {
        let cases = [
            ("A", Some("A")),
            ("option 3", Some("3")),
            ("yes, let's go with B", Some("B")),
            ("I think B, it leaves us space", Some("B")),
            ("A. is fine, ensure we log", Some("A")),
            ("2", Some("2")),
            ("add a test", None),
            ("1 of the tests fails now, have a look", None),
            ("a test is missing", None),
        ];
        for (answer, label) in cases {
            assert_eq!(label_of(answer).as_deref(), label, "{answer}");
        }
    }

    #[test]
    fn options_are_read_from_lists_and_headings() {
        let text = "Options:\n\nA) Keep it in `config.toml`\nB) Use the environment\n\n**Option C:** ask each time";
        let found = options(text);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], ("A".to_owned(), "Keep it in `config.toml`"));
    }
}
