//! Short answers: determines which of the agent's options, or its proposal as a whole, a person accepted.

use super::carrier::Carrier;
use super::lexicon::{
    ACCEPTING, CHOOSING_WORDS, DECLINING, ORDINALS, REPORTING, has_phrase, starts_with_phrase,
};
use super::stance::sentences;
use super::terms::{is_neutral, plain, terms};

/// Maximum length of an answer that has no meaning without its question.
const SHORT_ANSWER: usize = 80;

/// Returns the agent's words that an answer accepts. `asked`: texts of the agent since the person last spoke, oldest
/// first.
pub(super) fn taken_up(answer: &str, asked: &[String]) -> Option<String> {
    let answer = plain(answer).trim().to_lowercase();
    let answer = answer.trim_matches(|edge: char| {
        edge.is_whitespace() || matches!(edge, '.' | '!' | '。' | '！' | ',' | ')' | '(')
    });
    if answer.is_empty() || answer.chars().count() > SHORT_ANSWER || answer.ends_with(['?', '？'])
    {
        return None;
    }
    let last = asked.iter().rev().find(|text| options(text).len() > 1);
    if let Some(text) = last
        && let Some(chosen) = choose(answer, &options(text))
    {
        return Some(chosen);
    }
    if starts_with_phrase(answer, DECLINING) && !starts_with_phrase(answer, ACCEPTING) {
        return None;
    }
    if !starts_with_phrase(answer, ACCEPTING) {
        return open_answer(answer, asked);
    }
    let proposal = asked.iter().rev().find(|text| proposes(text))?;
    let own = sentences(proposal).into_iter().filter(|sentence| {
        let lower = sentence.to_lowercase();
        !has_phrase(&lower, REPORTING)
            && !has_phrase(&lower, DEMANDING)
            && !has_phrase(&lower, ABOUT_PERSON)
    });
    Some(own.collect::<Vec<_>>().join("\n"))
}

/// Maximum number of words of an answer that names what the agent asked for.
const OPEN_ANSWER_WORDS: usize = 4;

/// Returns the agent's open question with its answer (`Which test runner?` `vitest`).
fn open_answer(answer: &str, asked: &[String]) -> Option<String> {
    let is_named =
        !terms(answer).is_empty() && answer.split_whitespace().count() <= OPEN_ANSWER_WORDS;
    let last = asked.iter().rev().find(|text| proposes(text))?;
    let question = sentences(last).pop().filter(|sentence| {
        let lower = sentence.to_lowercase();
        lower.ends_with(['?', '？']) && has_phrase(&lower, OPEN)
    })?;
    is_named.then(|| format!("{question} {answer}"))
}

/// Question words of questions that yes and no do not answer.
const OPEN: &str = "which|what|where|who|when|welche|welcher|welches|welchen|was|wo|wer|wann|quel|quelle|quels|quelles|où|qui|qué|cuál|cuáles|dónde|quién|qual|quais|onde|quem|quale|quali|dove|welke|wat|waar|какой|какую|какая|какие|где|что|который|jaki|jaką|które|gdzie|hangi|nerede|哪|什么|どの|どれ|どこ|何を|어떤|어느|무슨|어디";

/// Claims about the person are not proposals.
const ABOUT_PERSON: &str = "the user|user prefers|user wants|you prefer|you want|you said|you told|you asked|du bevorzugst|der nutzer|der benutzer|l'utilisateur|el usuario|o usuário|l'utente|пользователь|用户|ユーザーは|사용자";

/// Phrases with which the agent relays what a text demands.
const DEMANDING: &str = "requires that|requires us|demands|asks us to|asks to|instructs|per the|verlangt|fordert|schreibt vor|exige|demande de|demande que|requiere|pide|pede|richiede|vereist|требует|предписывает|要求|规定|規定|求めて|指示して|요구|지시";

/// Reports whether the agent asks for consent or suggests something.
fn proposes(text: &str) -> bool {
    let lower = plain(text).to_lowercase();
    lower.contains(['?', '？', '¿']) || has_phrase(&lower, SUGGESTING)
}

const SUGGESTING: &str = "i suggest|i propose|i'd suggest|i would suggest|i recommend|i'd recommend|my suggestion|my proposal|proposal|let me know|ich schlage vor|mein vorschlag|vorschlag|ich würde|je propose|je suggère|je recommande|\
    propongo|sugiero|recomiendo|proponho|sugiro|recomendo|suggerisco|ik stel voor|предлагаю|рекомендую|proponuję|öneriyorum|建议|我提议|提案|おすすめ|提案します|제안|추천";

/// Returns the options of a text, each with its label.
fn options(text: &str) -> Vec<(String, String)> {
    let text = plain(text);
    let mut found: Vec<(String, String)> = Vec::new();
    let mut bullets: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some((label, rest)) = labelled(trimmed) {
            found.push((label, rest.to_owned()));
            is_open = true;
        } else if trimmed.is_empty() {
            is_open = false;
        } else if let Some(rest) = trimmed
            .strip_prefix("- ")
            .or_else(|| trimmed.strip_prefix("* "))
        {
            bullets.push(((bullets.len() + 1).to_string(), rest.to_owned()));
        } else if is_open
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

/// Returns two alternatives in one sentence: `Either a file in the repository, or a table with an admin screen.`
fn alternatives(text: &str) -> Vec<(String, String)> {
    for sentence in sentences(text).iter().rev() {
        let lower = sentence.to_lowercase();
        if lower.len() != sentence.len() {
            continue;
        }
        for (either, or) in EITHER {
            let Some(start) = lower.find(either).map(|at| at + either.len()) else {
                continue;
            };
            let Some(middle) = lower[start..].find(or).map(|at| start + at) else {
                continue;
            };
            let edges = |part: &str| part.trim_matches([' ', ',', '.', '?', ';', ':']).to_owned();
            return vec![
                ("1".to_owned(), edges(&sentence[start..middle])),
                ("2".to_owned(), edges(&sentence[middle + or.len()..])),
            ];
        }
    }
    Vec::new()
}

/// Words that open and join two alternatives.
const EITHER: [(&str, &str); 8] = [
    ("either ", " or "),
    ("entweder ", " oder "),
    ("soit ", " soit "),
    ("o bien ", " o "),
    ("ou ", " ou "),
    ("либо ", " либо "),
    ("или ", " или "),
    ("要么", "要么"),
];

/// Parses a labelled line: `1. …`, `B) …`, `**A**: …`, `(c) …`, `Option 2: …`.
fn labelled(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start_matches(['*', '-', '•', '(', '#', ' ', '_']);
    let lower = line.to_lowercase();
    let word = OPTION_WORDS
        .split('|')
        .find(|word| lower.starts_with(*word) && lower.len() == line.len());
    let line = word.map_or(line, |word| line[word.len()..].trim_start());
    let end = line.find(|one: char| !one.is_alphanumeric())?;
    let label = &line[..end];
    let label = match CHINESE_LABELS.iter().position(|known| *known == label) {
        Some(place) => &LABELS[place..=place],
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

const CHINESE_LABELS: [&str; 6] = ["一", "二", "三", "四", "五", "六"];
const LABELS: &str = "123456";

const OPTION_WORDS: &str = "option |variante |variant |opción |opção |opzione |optie |вариант |wariant |seçenek |方案|选项|選択肢|案|옵션 ";

/// Returns options within running text: `A) … B) …`.
fn inline_options(text: &str) -> Vec<(String, String)> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut marks: Vec<(usize, usize, String)> = Vec::new();
    for (index, (place, letter)) in letters.iter().enumerate() {
        let before = index
            .checked_sub(1)
            .and_then(|index| letters.get(index))
            .map(|(_, one)| *one);
        let after = letters.get(index + 1).map(|(_, one)| *one);
        let starts = before
            .is_none_or(|one| one.is_whitespace() || matches!(one, '(' | '*' | '：' | '，' | '；'));
        if starts && letter.is_ascii_alphanumeric() && matches!(after, Some(')' | ':' | '）')) {
            let start = index
                .checked_sub(1)
                .filter(|_| before == Some('('))
                .map_or(*place, |index| letters[index].0);
            let end = letters
                .get(index + 2)
                .map_or(text.len(), |(place, _)| *place);
            marks.push((start, end, letter.to_lowercase().to_string()));
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

/// Returns the option that an answer names by its label, its number or its words.
fn choose(answer: &str, options: &[(String, String)]) -> Option<String> {
    let words: Vec<String> = acreta_text::words(answer).collect();
    let is_filler = |word: &String| {
        CHOOSING_WORDS.contains(word.as_str())
            || is_neutral(word)
            || starts_with_phrase(word, ACCEPTING)
            || word.chars().count() <= 3
    };
    let is_bare = words.len() <= 6 || words.iter().filter(|word| !is_filler(word)).count() <= 2;
    let ordinal = ORDINALS.iter().find(|(names, _)| has_phrase(answer, names));
    let label = words
        .iter()
        .rev()
        .find(|word| options.iter().any(|(label, _)| label == *word))
        .cloned();
    let by_digit = || {
        // `第2`, `2番`, `2번`: a digit among characters without blanks.
        let digits: Vec<char> = answer.chars().filter(char::is_ascii_alphanumeric).collect();
        match digits.as_slice() {
            [one] => Some(one.to_string()),
            _ => None,
        }
    };
    if is_bare {
        let label = label.or_else(by_digit);
        if let Some((_, text)) =
            label.and_then(|label| options.iter().find(|(known, _)| *known == label))
        {
            return Some(text.clone());
        }
        if let Some((_, number)) = ordinal {
            return options.get(number - 1).map(|(_, text)| text.clone());
        }
    }
    let named = terms(answer);
    let named: Vec<_> = named
        .into_iter()
        .filter(|term| !CHOOSING_WORDS.contains(term.word.as_str()))
        .collect();
    if named.is_empty() || starts_with_phrase(answer, DECLINING) {
        return None;
    }
    let mut holding = options.iter().filter(|(_, text)| {
        let mut carrier = Carrier::default();
        carrier.add(text);
        named.iter().all(|term| carrier.has(term))
    });
    match (holding.next(), holding.next()) {
        (Some((_, text)), None) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the answer to a tool's question, with what the agent said about the chosen options.
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
