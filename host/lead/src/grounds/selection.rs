//! Interprets a person's short answer to the agent ("2", "the second", "yes", "vitest"): returns the agent's words that
//! the person accepted with it. That is one of the agent's options, its open question with the answer, or its proposal.

use acreta_text::aligned_lowercase;

use super::carrier::Carrier;
use super::echo::distinct;
use super::lexicon::{
    ACCEPTING, CHOOSING_WORDS, DECLINING, ORDINALS, REPORTING, has_phrase, starts_with_phrase,
};
use super::stance::sentences;
use super::terms::{is_neutral, plain, terms};

/// Maximum length of an answer, in characters. A longer answer is not interpreted as a reply to a question.
const MAX_ANSWER_CHARS: usize = 80;

/// Returns the agent's words that an answer accepts. Returns `None` if the answer is long, is a question, declines
/// without naming an option, or does not refer to anything that the agent asked. `asked`: texts of the agent since the
/// person last spoke, oldest first.
pub(super) fn taken_up(answer: &str, asked: &[String]) -> Option<String> {
    chosen_option(answer, asked).or_else(|| accepted(answer, asked))
}

/// Returns the text of the agent's option that a short answer names.
pub(super) fn chosen_option(answer: &str, asked: &[String]) -> Option<String> {
    let answer = short_answer(answer)?;
    let with_options = asked.iter().rev().find(|text| options(text).len() > 1)?;
    choose(&answer, &options(with_options))
}

/// Returns a short answer in lower case, without marks around it; `None` if it is long or a question.
fn short_answer(answer: &str) -> Option<String> {
    let answer = plain(answer).trim().to_lowercase();
    let answer = answer.trim_matches(|edge: char| {
        edge.is_whitespace() || matches!(edge, '.' | '!' | '。' | '！' | ',' | ')' | '(')
    });
    if answer.is_empty()
        || answer.chars().count() > MAX_ANSWER_CHARS
        || answer.ends_with(['?', '？'])
    {
        return None;
    }
    Some(answer.to_owned())
}

/// Returns the agent's open question or proposal that a short answer completes or accepts.
fn accepted(answer: &str, asked: &[String]) -> Option<String> {
    let answer = short_answer(answer)?;
    let answer = answer.as_str();
    if starts_with_phrase(answer, DECLINING) && !starts_with_phrase(answer, ACCEPTING) {
        return None;
    }
    if !starts_with_phrase(answer, ACCEPTING) {
        return open_answer(answer, asked);
    }
    let proposal = asked.iter().rev().find(|text| proposes(text))?;
    // Sentences that report somebody else's words or wishes are not the agent's own proposal.
    let proposed = asked_last(sentences(proposal))
        .into_iter()
        .filter(|sentence| {
            let lower = sentence.to_lowercase();
            !has_phrase(&lower, REPORTING)
                && !has_phrase(&lower, DEMANDING)
                && !has_phrase(&lower, ABOUT_PERSON)
        });
    Some(proposed.collect::<Vec<_>>().join("\n"))
}

/// Content words from which a question says by itself what it asks for.
const WHOLE_QUESTION: usize = 3;

/// Returns what a consent answers: the last question alone if it says what it asks for, otherwise all sentences.
fn asked_last(sentences: Vec<String>) -> Vec<String> {
    let last = sentences.last().filter(|last| {
        last.trim_end().ends_with(['?', '？', '؟'])
            && distinct(&terms(last)).len() >= WHOLE_QUESTION
    });
    match last {
        Some(last) => vec![last.clone()],
        None => sentences,
    }
}

/// Maximum number of words in an answer to an open question.
const MAX_OPEN_ANSWER_WORDS: usize = 4;

/// Returns the agent's open question followed by the answer: `Which test runner? vitest`. Returns `None` if the agent's
/// last question or proposal does not end with an open question, or if the answer is too long or has no content words.
fn open_answer(answer: &str, asked: &[String]) -> Option<String> {
    let completes_question =
        !terms(answer).is_empty() && answer.split_whitespace().count() <= MAX_OPEN_ANSWER_WORDS;
    let proposal = asked.iter().rev().find(|text| proposes(text))?;
    let question = sentences(proposal).pop().filter(|sentence| {
        let lower = sentence.to_lowercase();
        lower.ends_with(['?', '？']) && has_phrase(&lower, OPEN_QUESTION_WORDS)
    })?;
    completes_question.then(|| format!("{question} {answer}"))
}

/// Question words of open questions, which cannot be answered with yes or no.
const OPEN_QUESTION_WORDS: &str = "which|what|where|who|when|welche|welcher|welches|welchen|was|wo|wer|wann|quel|quelle|quels|quelles|où|qui|qué|cuál|cuáles|dónde|quién|qual|quais|onde|quem|quale|quali|dove|welke|wat|waar|какой|какую|какая|какие|где|что|который|jaki|jaką|które|gdzie|hangi|nerede|哪|什么|どの|どれ|どこ|何を|어떤|어느|무슨|어디";

/// Phrases of a claim about the person (`you prefer …`), which is not a proposal.
const ABOUT_PERSON: &str = "the user|user prefers|user wants|you prefer|you want|you said|you told|you asked|du bevorzugst|der nutzer|der benutzer|l'utilisateur|el usuario|o usuário|l'utente|пользователь|用户|ユーザーは|사용자";

/// Phrases with which the agent reports what a document or another person demands.
const DEMANDING: &str = "requires that|requires us|demands|asks us to|asks to|instructs|per the|verlangt|fordert|schreibt vor|exige|demande de|demande que|requiere|pide|pede|richiede|vereist|требует|предписывает|要求|规定|規定|求めて|指示して|요구|지시";

/// Reports whether a text of the agent contains a question or a suggestion.
fn proposes(text: &str) -> bool {
    let lower = plain(text).to_lowercase();
    lower.contains(['?', '？', '¿']) || has_phrase(&lower, SUGGESTING)
}

/// Phrases with which the agent suggests something.
const SUGGESTING: &str = "i suggest|i propose|i'd suggest|i would suggest|i recommend|i'd recommend|my suggestion|my proposal|proposal|let me know|ich schlage vor|mein vorschlag|vorschlag|ich würde|je propose|je suggère|je recommande|\
    propongo|sugiero|recomiendo|proponho|sugiro|recomendo|suggerisco|ik stel voor|предлагаю|рекомендую|proponuję|öneriyorum|建议|我提议|提案|おすすめ|提案します|제안|추천";

/// Returns the options that a text offers, as pairs of label and text. The first form with at least two options counts:
/// labelled lines, labels in running text, bullet points, `either … or …`. Options without a label are numbered from 1.
fn options(text: &str) -> Vec<(String, String)> {
    let text = plain(text);
    let mut found: Vec<(String, String)> = Vec::new();
    let mut bullets: Vec<(String, String)> = Vec::new();
    // A labelled line may continue on indented lines, until an empty line.
    let mut may_continue = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some((label, rest)) = labelled(trimmed) {
            found.push((label, rest.to_owned()));
            may_continue = true;
        } else if trimmed.is_empty() {
            may_continue = false;
        } else if let Some(rest) = trimmed
            .strip_prefix("- ")
            .or_else(|| trimmed.strip_prefix("* "))
        {
            bullets.push(((bullets.len() + 1).to_string(), rest.to_owned()));
        } else if may_continue
            && line.starts_with([' ', '\t'])
            && let Some(option) = found.last_mut()
        {
            option.1.push(' ');
            option.1.push_str(trimmed);
        }
    }
    if found.len() > 1 {
        return found;
    }
    let inline = inline_options(&text);
    if inline.len() > 1 {
        return inline;
    }
    if bullets.len() > 1 {
        return bullets;
    }
    alternatives(&text)
}

/// Returns the two alternatives of the last sentence that has them: `Either a file in the repository, or a table.`
fn alternatives(text: &str) -> Vec<(String, String)> {
    for sentence in sentences(text).iter().rev() {
        let lower = aligned_lowercase(sentence);
        for (either, or) in ALTERNATIVE_WORDS {
            let Some(start) = lower.find(either).map(|at| at + either.len()) else {
                continue;
            };
            let Some(middle) = lower[start..].find(or).map(|at| start + at) else {
                continue;
            };
            let trimmed = |part: &str| part.trim_matches([' ', ',', '.', '?', ';', ':']).to_owned();
            return vec![
                ("1".to_owned(), trimmed(&sentence[start..middle])),
                ("2".to_owned(), trimmed(&sentence[middle + or.len()..])),
            ];
        }
    }
    Vec::new()
}

/// Word before the first alternative and word between both.
const ALTERNATIVE_WORDS: [(&str, &str); 8] = [
    ("either ", " or "),
    ("entweder ", " oder "),
    ("soit ", " soit "),
    ("o bien ", " o "),
    ("ou ", " ou "),
    ("либо ", " либо "),
    ("или ", " или "),
    ("要么", "要么"),
];

/// Parses a labelled line into its label, in lower case, and the rest: `1. …`, `B) …`, `**A**: …`, `(c) …`,
/// `Option 2: …`.
fn labelled(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start_matches(['*', '-', '•', '(', '#', ' ', '_']);
    let lower = aligned_lowercase(line);
    let word = OPTION_WORDS
        .split('|')
        .find(|word| lower.starts_with(*word));
    let line = word.map_or(line, |word| line[word.len()..].trim_start());
    let end = line.find(|one: char| !one.is_alphanumeric())?;
    let label = &line[..end];
    let label = match CHINESE_LABELS.iter().position(|known| *known == label) {
        Some(place) => &DIGIT_LABELS[place..=place],
        None => label,
    };
    let is_label = label.len() == 1 && label.chars().all(|one| one.is_ascii_alphanumeric());
    let rest = line[end..].trim_start_matches(['*', '_']);
    let rest = rest.strip_prefix([')', '.', ':', '、']).or_else(|| {
        rest.trim_start()
            .strip_prefix(['-', '–', '—', ':', '：', ')'])
    })?;
    let rest = rest.trim_start_matches(['*', '_', ' ', ')']);
    (is_label && !rest.is_empty()).then(|| (label.to_lowercase(), rest))
}

/// Chinese numerals, which become the digits at the same positions in [`DIGIT_LABELS`].
const CHINESE_LABELS: [&str; 6] = ["一", "二", "三", "四", "五", "六"];
const DIGIT_LABELS: &str = "123456";

/// Words that may stand before a label.
pub(super) const OPTION_WORDS: &str = "option |variante |variant |opción |opção |opzione |optie |вариант |wariant |seçenek |方案|选项|選択肢|案|옵션 ";

/// Returns options within running text: `A) … B) …`. The last option ends with its sentence.
fn inline_options(text: &str) -> Vec<(String, String)> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    // Start of the label, start of the option's text, label.
    let mut marks: Vec<(usize, usize, String)> = Vec::new();
    for (index, (place, character)) in characters.iter().enumerate() {
        let before = index
            .checked_sub(1)
            .and_then(|index| characters.get(index))
            .map(|(_, one)| *one);
        let after = characters.get(index + 1).map(|(_, one)| *one);
        let starts_label = before
            .is_none_or(|one| one.is_whitespace() || matches!(one, '(' | '*' | '：' | '，' | '；'));
        if starts_label
            && character.is_ascii_alphanumeric()
            && matches!(after, Some(')' | ':' | '）'))
        {
            let start = index
                .checked_sub(1)
                .filter(|_| before == Some('('))
                .map_or(*place, |index| characters[index].0);
            let end = characters
                .get(index + 2)
                .map_or(text.len(), |(place, _)| *place);
            marks.push((start, end, character.to_lowercase().to_string()));
        }
    }
    let mut found = Vec::new();
    for (index, (_, end, label)) in marks.iter().enumerate() {
        let until = match marks.get(index + 1) {
            Some((next, _, _)) => *next,
            None => {
                let rest = &text[*end..];
                let stop = sentences(rest).first().map_or(rest.len(), |first| {
                    rest.find(first.as_str()).unwrap_or(0) + first.len()
                });
                end + stop
            }
        };
        found.push((label.clone(), text[*end..until.max(*end)].trim().to_owned()));
    }
    found
}

/// Returns the text of the option that an answer names: by its label, by an ordinal (`the second`), or by words that
/// only this option contains.
fn choose(answer: &str, options: &[(String, String)]) -> Option<String> {
    let words: Vec<String> = acreta_text::words(answer).collect();
    let is_filler = |word: &String| {
        CHOOSING_WORDS.contains(word.as_str())
            || is_neutral(word)
            || starts_with_phrase(word, ACCEPTING)
            || word.chars().count() <= 3
    };
    // In a longer answer, `a` or `first` is probably an ordinary word.
    let may_name_label =
        words.len() <= 6 || words.iter().filter(|word| !is_filler(word)).count() <= 2;
    let ordinal = ORDINALS.iter().find(|(names, _)| has_phrase(answer, names));
    let label = words
        .iter()
        .rev()
        .find(|word| options.iter().any(|(label, _)| label == *word))
        .cloned();
    let by_single_character = || {
        // `第2`, `2番`, `2번`: the only ASCII letter or digit in the answer, next to other characters.
        let characters: Vec<char> = answer.chars().filter(char::is_ascii_alphanumeric).collect();
        match characters.as_slice() {
            [one] => Some(one.to_string()),
            _ => None,
        }
    };
    if may_name_label {
        let label = label.or_else(by_single_character);
        if let Some((_, text)) =
            label.and_then(|label| options.iter().find(|(known, _)| *known == label))
        {
            return Some(text.clone());
        }
        if let Some((_, number)) = ordinal {
            return options.get(number - 1).map(|(_, text)| text.clone());
        }
    }
    let found = terms(answer);
    let named: Vec<_> = found
        .into_iter()
        .filter(|term| !CHOOSING_WORDS.contains(term.word.as_str()))
        .collect();
    if named.is_empty() || starts_with_phrase(answer, DECLINING) {
        return None;
    }
    let mut matching = options.iter().filter(|(_, text)| {
        let mut carrier = Carrier::default();
        carrier.add(text);
        named.iter().all(|term| carrier.has(term))
    });
    match (matching.next(), matching.next()) {
        (Some((_, text)), None) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the result of a tool that asks the person (`"Which store?"="SQLite (Recommended)"`), followed by the agent's
/// description of each chosen option. `asked` contains the calls of the tool, with `"label"` before each option.
pub(super) fn answered(answer: &str, asked: &[String]) -> String {
    let mut chosen = answer.to_owned();
    let labels = answer
        .split("=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    for label in labels {
        let label = label.split(" (").next().unwrap_or(label);
        for text in asked {
            let option = text.find(&format!("\"{label}")).map(|place| &text[place..]);
            if let Some(option) = option.filter(|_| !label.is_empty()) {
                let end = option
                    .find("\"label\"")
                    .or_else(|| option.find(']'))
                    .unwrap_or(option.len());
                chosen.push('\n');
                chosen.push_str(&option[..end]);
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In lower case the letters outside are one byte longer and one shorter: the sentence keeps its length, and the
    /// places inside move.
    #[test]
    fn letters_whose_lower_case_is_longer_do_no_harm() {
        let parts = |text| {
            let found = alternatives(text).into_iter();
            found.map(|(_, part)| part).collect::<Vec<_>>()
        };
        assert_eq!(parts("Ⱥ either é or b ẞ"), ["é", "b ẞ"]);
        assert_eq!(parts("EITHER Redis or İzmir"), ["Redis", "İzmir"]);
        assert_eq!(labelled("Option 2: ẞ Ⱥ"), Some(("2".to_owned(), "ẞ Ⱥ")));
    }
}
