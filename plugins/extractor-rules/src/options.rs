//! Options listed in a text: their labels, names and descriptions, the question they answer, and the option that a
//! short answer names. All results are verbatim.

use crate::phrases::{Folded, Phrases, phrases};
use crate::plain::plain;
use crate::sentences::sentences;
use crate::words::YES;

/// Returns name and description of an option: the bold part, or the text before a dash or a cell.
pub(crate) fn parts_of(option: &str) -> (String, String) {
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

/// Returns the question that a reply asks the person: the last one that is complete.
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

/// Removes the remark that an option is recommended or the default from its label.
pub(crate) fn bare(label: &str) -> &str {
    let label = label.trim();
    let Some((name, remark)) = label.rsplit_once(['(', '（']) else {
        return label;
    };
    let remark = remark.trim_end_matches([')', '）']).to_lowercase();
    if REMARKS
        .split('|')
        .any(|opening| remark.starts_with(opening))
    {
        name.trim()
    } else {
        label
    }
}

const REMARKS: &str = "recom|default|empfohlen|standard|par défaut|por defecto|predeterminad|рекоменд|по умолчанию|推荐|推薦|默认|預設|推奨|おすすめ|デフォルト";

pub(crate) fn shorten(text: &str, limit: usize) -> String {
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

/// Finds the option that the first clause of an answer names: `A`, `option 3`, `go with b`, `the second one`.
pub(crate) fn chosen(answer: &str, offered: usize) -> Option<String> {
    let mut answer = answer.trim();
    let mut clause = first_clause(answer);
    if YES.contains(&clause.to_lowercase()) && clause.len() + 1 < answer.len() {
        answer = answer[clause.len()..].trim_start_matches(|mark: char| !mark.is_alphanumeric());
        clause = first_clause(answer);
    }
    let folded = Folded::of(clause);
    let words: Vec<&str> = folded.words().collect();
    let listed =
        answer.starts_with('1') && ["2.", "2)", "2、"].iter().any(|next| answer.contains(next));
    if listed || words.len() > LONGEST_PICK || answer.len() > LONGEST_ANSWER {
        return None;
    }
    for (index, word) in words.iter().enumerate() {
        let named = index > 0 && NAMING.contains(words[index - 1]);
        let marked = answer
            .get(1..2)
            .is_some_and(|mark| matches!(mark, "." | ")" | "," | ":"));
        let alone = index == 0 && (words.len() <= 2 || marked);
        let letter = word.len() == 1
            && word.starts_with(|letter: char| {
                ('a'..='f').contains(&letter) || letter.is_ascii_digit()
            });
        let article = *word == "a" && index > 0 && words.get(index + 1).is_some();
        let counts = alone && !marked && word.starts_with(|first: char| first.is_ascii_digit());
        let counts = counts && Folded::of(answer).word_count() > 2;
        if letter && (named || alone) && (!article || clause.contains('A')) && !counts {
            return Some(word.to_uppercase());
        }
    }
    if words.len() > LONGEST_ORDINAL || words.len() < 2 && clause.is_ascii() {
        return None;
    }
    let has = |names: &Phrases| {
        folded.any(*names)
            || names
                .iter()
                .any(|name| !name.is_ascii() && clause.contains(name))
    };
    let ordinal = ORDINALS
        .iter()
        .position(has)
        .or_else(|| has(&LAST).then(|| offered.saturating_sub(1)))?;
    (ordinal < offered).then(|| format!("#{ordinal}"))
}

/// Returns the text before the first mark that ends a clause.
pub(crate) fn first_clause(answer: &str) -> &str {
    answer
        .split([
            '.', ',', ';', ':', '!', '\n', '，', '。', '；', '：', '、', '—', '–',
        ])
        .next()
        .unwrap_or("")
        .trim()
}

const LONGEST_PICK: usize = 8;
const LONGEST_ORDINAL: usize = 5;
const LONGEST_ANSWER: usize = 300;
const LAST: Phrases = phrases!(
    "last|letzte|letzten|letztere|última|último|dernière|dernier|последний|последнее|последняя|最后|最後"
);

const NAMING: Phrases = phrases!(
    "option|number|take|choose|pick|with|choice|nummer|nimm|número|numéro|prends|номер|proposal|approach|alternative|think|prefer|variante|nehmen|opción|la|l'option|вариант|选|選|方案",
);

/// Words for the first, second and third of a list.
const ORDINALS: [Phrases; 3] = [
    phrases!(
        "first|the first one|erste|ersten|primera|primero|première|premier|первый|первое|первая|第一|一つ目|最初"
    ),
    phrases!(
        "second|the second one|zweite|zweiten|segunda|segundo|deuxième|seconde|второй|второе|вторая|第二|二つ目"
    ),
    phrases!(
        "third|the third one|dritte|dritten|tercera|tercero|troisième|третий|третье|третья|第三|三つ目"
    ),
];

/// Returns the labelled options of a text as (label, text), verbatim.
pub(crate) fn options(text: &str) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    for line in text.lines().flat_map(in_line) {
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
        let Some(label) = characters.next().filter(|label| {
            label.is_ascii_digit() || ('A'..='F').contains(&label.to_ascii_uppercase())
        }) else {
            continue;
        };
        let after = characters.as_str();
        if label == '0' || label.is_ascii_lowercase() && !after.starts_with(')') {
            continue;
        }
        let spaced = after.starts_with(' ')
            && (rest.len() == bare.len() || after.trim_start().starts_with(char::is_lowercase));
        if !after.starts_with([':', ')', '.', '*', ' ', '）', '、', '：']) || spaced {
            continue;
        }
        let body = after.trim_start_matches([
            ':', ')', '.', '*', ' ', '-', '—', '–', '(', '）', '、', '：',
        ]);
        if body.chars().count() < 2 {
            continue;
        }
        let label = label.to_ascii_uppercase().to_string();
        // A later list replaces an earlier one.
        if label == "A" || label == "1" {
            found.clear();
        }
        found.retain(|(known, _)| *known != label);
        found.push((
            label,
            body.trim_end().trim_end_matches(['?', '？', ',', ';']),
        ));
    }
    found
}

/// Splits a line into the options that it lists: `A) this B) that`.
fn in_line(line: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        let next = (b'A' + starts.len() as u8) as char;
        let opens = character == next && line[at + 1..].starts_with([')', '）']);
        if opens && (before.is_whitespace() || matches!(before, '(' | '（' | '，' | '：' | ','))
        {
            starts.push(at);
        }
        before = character;
    }
    if starts.len() < 2 {
        return vec![line];
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let option = &line[*start..end];
            let option = option.trim_end_matches(|last: char| {
                last.is_whitespace() || matches!(last, ',' | '，' | '(' | '（')
            });
            option.strip_suffix(" or").unwrap_or(option)
        })
        .collect()
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
            ("the second one please", Some("#1")),
            ("第二个", Some("#1")),
        ];
        for (answer, label) in cases {
            assert_eq!(chosen(answer, 3).as_deref(), label, "{answer}");
        }
    }

    #[test]
    fn options_are_read_from_lists_and_headings() {
        let text = "Options:\n\nA) Keep it in `config.toml`\nB) Use the environment\n\n**Option C:** ask each time";
        let found = options(text);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], ("A".to_owned(), "Keep it in `config.toml`"));
        let inline =
            options("Where do the settings go: A) the repository, B) the shell, or C) both?");
        let texts: Vec<&str> = inline.iter().map(|(_, text)| *text).collect();
        assert_eq!(texts, ["the repository", "the shell", "both"]);
    }
}
