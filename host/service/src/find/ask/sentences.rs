//! Splits a memory into whole sentences: its title and those of its body, word for word. Wrapped lines are one
//! paragraph, a list item stands alone, and a line that ends with a colon continues in the next.

/// A sentence that may be quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) is_title: bool,
}

/// Minimum number of words of a title that counts as a sentence and not as a label.
const TITLE_WORDS: usize = 3;

/// Returns the sentences of a memory in order. The title is one of them unless the body repeats it or it is a mere
/// label.
pub(super) fn sentences(title: &str, body: &str) -> Vec<Sentence> {
    let title = title.trim();
    let mut found: Vec<Sentence> = paragraphs(body)
        .iter()
        .filter(|paragraph| bare(paragraph) != bare(title))
        .flat_map(|paragraph| split(paragraph))
        .map(|text| Sentence {
            text,
            is_title: false,
        })
        .collect();
    let is_said_again = found
        .iter()
        .any(|one| bare(&one.text).starts_with(&bare(title)));
    let is_sentence = title.split_whitespace().count() >= TITLE_WORDS || found.is_empty();
    if !title.is_empty() && is_sentence && !is_said_again {
        let text = finished(title);
        let is_title = true;
        found.insert(0, Sentence { text, is_title });
    }
    found
}

/// Normalises a text, so that sentences are equal whatever ends them.
fn bare(text: &str) -> String {
    let text = text.trim_start_matches(['#', ' ']);
    text.trim_end_matches(['.', '!', '?', ':', ' '])
        .to_lowercase()
}

/// Returns paragraphs and list items, each on one line. Headings are left out: they are not sentences.
fn paragraphs(body: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    let mut in_code = false;
    for line in body.lines() {
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        let item = list_item(text);
        let is_heading = !in_code && text.starts_with('#');
        let begins_anew = in_code || item.is_some() || is_heading || text.starts_with('|');
        let leads_in = open.ends_with(':');
        if (text.is_empty() || begins_anew) && !leads_in {
            found.extend((!open.is_empty()).then(|| std::mem::take(&mut open)));
        }
        let text = item.unwrap_or(text).trim_start_matches(['>', ' ']);
        if text.is_empty() || is_heading {
            continue;
        }
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(text);
    }
    found.extend((!open.is_empty()).then_some(open));
    found
}

/// Returns the text of a list item.
fn list_item(line: &str) -> Option<&str> {
    let marked = ["- ", "* ", "+ "].iter();
    if let Some(text) = marked.filter_map(|mark| line.strip_prefix(mark)).next() {
        return Some(text.trim_start_matches("[ ] ").trim_start_matches("[x] "));
    }
    let digits = line.len()
        - line
            .trim_start_matches(|one: char| one.is_ascii_digit())
            .len();
    let rest = &line[digits..];
    let numbered = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    numbered.filter(|_| (1..=3).contains(&digits))
}

/// Splits a paragraph into sentences. A stop inside backticks, within a name or before a small letter ends
/// none.
fn split(paragraph: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    for (place, character) in paragraph.char_indices() {
        if character == '`' {
            in_code = !in_code;
        }
        let end = place + character.len_utf8();
        let ends = match character {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => goes_on_anew(&paragraph[end..]),
            _ => false,
        };
        if ends && !in_code {
            found.push(paragraph[start..end].trim().to_owned());
            start = end;
        }
    }
    let rest = paragraph[start..].trim();
    if !rest.is_empty() {
        found.push(rest.to_owned());
    }
    found
}

/// Returns whether a new sentence may start after a stop.
fn goes_on_anew(after: &str) -> bool {
    let rest = after.trim_start_matches(['"', '\'', ')', '*', '_']);
    let next = rest.trim_start();
    rest.len() != next.len()
        && next.starts_with(|next: char| {
            !next.is_lowercase() && !matches!(next, ',' | ';' | ')' | '.')
        })
}

fn finished(title: &str) -> String {
    if title.ends_with(['.', '!', '?', '。', '！', '？']) {
        title.to_owned()
    } else {
        format!("{title}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_whole() {
        let cases: &[(&str, &str, &[&str])] = &[
            (
                "Use SQLite for the queue",
                "# Use SQLite for the queue\n\nRedis was one more\nservice to run. See `a. B` first, e.g. on Monday.\n",
                &[
                    "Use SQLite for the queue.",
                    "Redis was one more service to run.",
                    "See `a. B` first, e.g. on Monday.",
                ],
            ),
            (
                "Retries",
                "- Wait 30 s\n- Then v1.2 Beta.\n",
                &["Wait 30 s", "Then v1.2 Beta."],
            ),
            (
                "Run tests so",
                "Run this:\n\n```sh\njust test\njust lint\n```\n",
                &["Run tests so.", "Run this: just test", "just lint"],
            ),
            (
                "Ship on Monday",
                "Ship on Monday, never on Friday.",
                &["Ship on Monday, never on Friday."],
            ),
            ("Deploys", "", &["Deploys."]),
            ("題", "東京です。大阪です", &["東京です。", "大阪です"]),
            ("", "", &[]),
        ];
        for (title, body, expected) in cases {
            let found: Vec<String> = sentences(title, body)
                .into_iter()
                .map(|one| one.text)
                .collect();
            assert_eq!(&found, expected, "{title}");
        }
    }
}
