//! Text for display: without markup, on one line, cut only where a clause ends. Words are left out, never replaced.

use std::ops::Range;

/// Removes markup, hidden characters and runs of space; keeps the text of links.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        plain.push_str(before);
        let link = after.find("](").and_then(|middle| {
            let close = after[middle..].find(')')? + middle;
            (!after[1..middle].contains(['[', '\n'])).then_some((middle, close))
        });
        let (shown, next) = match link {
            Some((middle, close)) => (&after[1..middle], &after[close + 1..]),
            None => after.split_at(1),
        };
        plain.push_str(shown);
        rest = next;
    }
    plain.push_str(rest);
    let plain = plain.replace("**", "").replace("__", "");
    let shown: String = plain
        .chars()
        .filter(|one| *one == '\n' || !acreta_text::is_hidden(*one))
        .collect();
    acreta_text::one_line(&shown)
}

/// Returns a text as a title: plain, with a capital, without the marks at its end.
pub(crate) fn capital(text: &str) -> String {
    let mut text = ended(text);
    while let Some((first, rest)) = text.split_once([' ', ',']) {
        if !LEADING.contains(&first.to_lowercase().as_str()) {
            break;
        }
        text = rest.trim_start_matches([' ', ',']);
    }
    let first = text.split_whitespace().next().unwrap_or("");
    let is_name = first.contains(['`', '_', '/', '.', '@', '$', '-', '('])
        || first.chars().skip(1).any(char::is_uppercase);
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if !is_name => letter.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

/// Returns a text as a sentence.
pub(crate) fn finish(text: &str) -> String {
    let mut told = capital(text);
    if text.trim_end().ends_with(['?', '？']) {
        return told;
    }
    if let Some(last) = told.chars().next_back() {
        told.push(if acreta_text::is_unspaced(last) {
            '。'
        } else {
            '.'
        });
    }
    told
}

/// Removes the marks at the end of a text, except those of a question.
pub(crate) fn ended(text: &str) -> &str {
    text.trim().trim_end_matches([
        '.', '!', ',', ';', ':', ' ', '-', '–', '—', '\\', '。', '！', '，', '、', '；', '：', '…',
    ])
}

/// Counts words; two characters of a script without spaces count as one.
pub(crate) fn size(text: &str) -> usize {
    let wide = text.chars().filter(|one| acreta_text::is_unspaced(*one));
    let spaced = text.split(|one: char| {
        !(one.is_alphanumeric() || matches!(one, '\'' | '’')) || acreta_text::is_unspaced(one)
    });
    spaced.filter(|word| !word.is_empty()).count() + wide.count().div_ceil(2)
}

pub(crate) fn is_question(text: &str) -> bool {
    let end = text.trim_end_matches(|one: char| !one.is_alphanumeric() && !QUESTION.contains(&one));
    end.ends_with(QUESTION) || end.contains("? ")
}

const QUESTION: [char; 3] = ['?', '？', '؟'];

/// Reports whether brackets, quotes and ticks of a text are closed.
pub(crate) fn is_balanced(text: &str) -> bool {
    let count = |marks: &[char]| text.matches(marks).count();
    count(&['`']).is_multiple_of(2)
        && count(&['"']).is_multiple_of(2)
        && count(&['(', '（']) == count(&[')', '）'])
        && count(&['“']) == count(&['”'])
}

/// Reports whether a text has encoded, mangled or redacted parts, which no memory repeats.
pub(crate) fn is_unsafe(text: &str) -> bool {
    let encoded = text.split_whitespace().any(|word| {
        word.len() > LONGEST_WORD && word.is_ascii() && !word.contains('/') && !word.contains("://")
    });
    encoded || text.contains('\u{fffd}') || text.contains("REDACTED")
}

/// Returns the part of a sentence around a word that fits into a title and ends with a clause; `None` if there is none.
pub(crate) fn title(sentence: &str, mark: &str) -> Option<String> {
    let text = plain(sentence);
    let whole = ended(&text);
    if whole.chars().count() <= LONGEST_TITLE {
        return is_balanced(whole).then(|| capital(whole));
    }
    let clauses = clauses(whole);
    let mark = mark.to_lowercase();
    let has_mark = |part: &Range<usize>| {
        !mark.is_empty() && whole[part.clone()].to_lowercase().contains(&mark)
    };
    let place = clauses.iter().position(has_mark).unwrap_or(0);
    let fits = |from: usize, to: usize| {
        let part = ended(&whole[clauses[from].start..clauses[to].end]);
        let length = part.chars().count();
        ((SHORTEST_TITLE..=LONGEST_TITLE).contains(&length) && is_balanced(part)).then_some(part)
    };
    // The longest part with the mark; one that starts with its clause before one that starts earlier.
    (0..=place)
        .rev()
        .find_map(|from| (place..clauses.len()).rev().find_map(|to| fits(from, to)))
        .or_else(|| cut(&whole[clauses[place].clone()]))
        .map(capital)
}

/// Cuts a clause before a word that opens another one; at the last that leaves enough of it.
fn cut(clause: &str) -> Option<&str> {
    let mut ends: Vec<usize> = CUTS
        .iter()
        .flat_map(|word| clause.match_indices(word).map(|(at, _)| at))
        .collect();
    ends.sort_unstable();
    let heads = ends.into_iter().rev().map(|end| ended(&clause[..end]));
    let fits = |head: &&str| (SHORTEST_CUT..=LONGEST_TITLE).contains(&head.chars().count());
    heads.filter(|head| is_balanced(head)).find(fits)
}

/// Splits a sentence at the marks between clauses.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in text.char_indices() {
        let after = &text[at + mark.len_utf8()..];
        let is_wide = matches!(mark, '，' | '；' | '：' | '。' | '、' | '！');
        let is_narrow = matches!(mark, ',' | ';' | ':' | '.' | '!' | '?') && after.starts_with(' ');
        let is_dash = matches!(mark, '-' | '–' | '—' | '(')
            && text[..at].ends_with(' ')
            && (mark == '(' || after.starts_with(' '));
        if is_wide || is_narrow || is_dash {
            found.push(start..at);
            start = at + if mark == '(' { 0 } else { mark.len_utf8() };
        }
    }
    found.push(start..text.len());
    found
        .into_iter()
        .map(|part| {
            let piece = &text[part.clone()];
            part.start + (piece.len() - piece.trim_start().len())..part.end
        })
        .filter(|part| part.start < part.end)
        .collect()
}

/// Returns the head of a text that fits into a title, which may end in mid-sentence; for summaries.
pub(crate) fn headline(text: &str) -> String {
    let text = plain(text);
    title(&text, "").unwrap_or_else(|| {
        let cut = text.char_indices().nth(LONGEST_TITLE - 1);
        let window = cut.map_or(text.as_str(), |(at, _)| &text[..at]);
        let end = window.rfind(' ').unwrap_or(window.len());
        format!("{}…", ended(&window[..end]))
    })
}

/// Returns a few tags: what is in ticks or spelt like code.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        let named = piece
            .split_whitespace()
            .take(if index % 2 == 1 { 1 } else { 200 });
        for word in named.filter(|word| index % 2 == 1 || is_identifier(word)) {
            let last = word.trim_end_matches(['/', '(', ')']).rsplit('/').next();
            let tag: String = acreta_text::plain_letters(last.unwrap_or(word))
                .chars()
                .filter(|one| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.'))
                .collect();
            let tag = tag.trim_matches(['-', '.', '_']).to_lowercase();
            let is_short = (2..=24).contains(&tag.len());
            if is_short
                && tag.contains(|one: char| one.is_ascii_alphabetic())
                && !found.contains(&tag)
            {
                found.push(tag);
            }
        }
    }
    found.truncate(MOST_TAGS);
    found
}

/// Reports whether a word is spelt like code: a flag, a file, snake_case or camelCase.
fn is_identifier(word: &str) -> bool {
    let word = word.trim_matches(|one: char| !one.is_alphanumeric() && one != '-');
    let pairs = word.as_bytes().windows(2);
    let mut pairs = pairs.map(|pair| (pair[0], pair[1]));
    !word.contains("://")
        && (word.starts_with("--") && word.len() > 3
            || word.trim_matches('_').contains('_')
            || pairs.any(|(left, right)| {
                let dotted = left == b'.' && right.is_ascii_lowercase();
                dotted || left.is_ascii_lowercase() && right.is_ascii_uppercase()
            }))
}

pub(crate) use acreta_text::bounds::MADE_TITLE as LONGEST_TITLE;
/// Words before a statement that say nothing by themselves.
const LEADING: [&str; 6] = ["and", "but", "so", "also", "ok", "please"];
/// Words that open another clause.
const CUTS: [&str; 8] = [
    " because ",
    " so that ",
    " that ",
    " which ",
    " when ",
    " before ",
    " after ",
    " unless ",
];
const SHORTEST_CUT: usize = 28;
const SHORTEST_TITLE: usize = 12;
const LONGEST_WORD: usize = 60;
const MOST_TAGS: usize = 4;
