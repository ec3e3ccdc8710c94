//! Recognises text that does not become a note: links, badges, tasks, licences, trees. Each has a reason, so that a
//! person can see why a line is missing.

use acreta_text::words;

use crate::text::link_at;

/// Reason for a single word; with text under it, it may be a note.
pub(crate) const TOO_LITTLE: &str = "says too little to stand alone";

/// Longer texts are never trivial.
const LOOKED_AT: usize = 2_000;

/// Returns the reason why a passage, in one line, is not a note.
pub(crate) fn trivial(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("is empty");
    }
    if text.len() > LOOKED_AT {
        return None;
    }
    if is_task(text) {
        return Some("is a task, not knowledge");
    }
    if is_tree(text) {
        return Some("is a file tree");
    }
    if is_licence(text) {
        return Some("is about the licence");
    }
    if let Some(reason) = only_links(text) {
        return Some(reason);
    }
    says_little(text).then_some(TOO_LITTLE)
}

/// Returns the reason why nothing under a heading is a note.
pub(crate) fn trivial_heading(heading: &str) -> Option<&'static str> {
    let heading: Vec<String> = words(heading).collect();
    match heading.join(" ").as_str() {
        "table of contents" | "contents" | "toc" => Some("is a table of contents"),
        "license" | "licence" | "licensing" | "copyright" => Some("is about the licence"),
        "todo" | "todos" | "to do" | "tasks" => Some("is a list of tasks, not knowledge"),
        _ => None,
    }
}

/// Reports whether a text is drawn with the lines of a file tree.
pub(crate) fn is_tree(text: &str) -> bool {
    ["├─", "└─", "|-- ", "`-- ", "+-- "]
        .iter()
        .any(|line| text.contains(line))
}

fn is_task(text: &str) -> bool {
    let marks = ["[ ]", "[x]", "[X]", "[-]"];
    let words = ["TODO", "FIXME", "TBD", "WIP"];
    marks.iter().any(|mark| text.starts_with(mark))
        || words.iter().any(|word| {
            text.trim_start_matches(['*', '_'])
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
}

fn is_licence(text: &str) -> bool {
    let start = acreta_text::head(text, 80).to_lowercase();
    [
        "copyright ",
        "(c) ",
        "© ",
        "licensed under",
        "this project is licensed",
        "spdx-license",
        "all rights reserved",
    ]
    .iter()
    .any(|opening| start.starts_with(opening))
}

fn only_links(text: &str) -> Option<&'static str> {
    let mut rest = text;
    let mut outside = String::new();
    let (mut pictures, mut anchors, mut links) = (0, 0, 0);
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        outside.push_str(before);
        // A badge is a picture inside a link: removing the picture leaves the outer link.
        let (picture, inner) = match link.strip_prefix("[![") {
            Some(_) => (true, &link[2..]),
            None => (before.ends_with('!'), link),
        };
        let skipped = link.len() - inner.len();
        let Some((_, length)) = link_at(inner) else {
            outside.push('[');
            rest = &link[1..];
            continue;
        };
        pictures += usize::from(picture);
        anchors += usize::from(inner[..length].contains("](#"));
        links += 1;
        rest = &link[skipped + length..];
        if skipped > 0
            && let Some(outer) = rest.strip_prefix("](")
        {
            rest = outer.split_once(')').map_or("", |(_, rest)| rest);
        }
    }
    outside.push_str(rest);
    let is_address = |word: &str| {
        word.trim_matches(['<', '(', '"'])
            .split_once("://")
            .is_some_and(|(scheme, _)| scheme.starts_with("http"))
    };
    links += outside
        .split_whitespace()
        .filter(|word| is_address(word))
        .count();
    let has_words = outside
        .split_whitespace()
        .any(|word| !is_address(word) && word.contains(char::is_alphanumeric) && !is_label(word));
    match (has_words, pictures, anchors, links) {
        (true, ..) | (_, _, _, 0) => None,
        (_, 1.., ..) => Some("is a badge or a picture"),
        (_, _, 1.., _) => Some("is an entry of a table of contents"),
        _ => Some("is only links"),
    }
}

/// Reports whether a word is the `[name]:` of a link definition.
fn is_label(word: &str) -> bool {
    word.starts_with('[') && word.ends_with("]:")
}

/// Reports whether a text has at most one word.
fn says_little(text: &str) -> bool {
    words(text).nth(1).is_none() && !text.contains("::")
        // Languages without spaces between words say much in one.
        && text.chars().filter(|character| !character.is_ascii()).nth(5).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_lines_have_a_reason() {
        let cases = [
            ("", Some("is empty")),
            ("[ ] write the docs", Some("is a task, not knowledge")),
            ("TODO: more", Some("is a task, not knowledge")),
            ("TODOS are kept in the tracker", None),
            (
                "[![build](https://x.example/b.svg)](https://x.example)",
                Some("is a badge or a picture"),
            ),
            (
                "[Setup](#setup)",
                Some("is an entry of a table of contents"),
            ),
            ("[Docs](https://x.example/docs)", Some("is only links")),
            ("https://x.example/docs", Some("is only links")),
            ("[docs]: https://x.example/docs", Some("is only links")),
            ("Read [the docs](https://x.example) first", None),
            ("Licensed under MIT", Some("is about the licence")),
            ("├── src", Some("is a file tree")),
            ("Rust", Some("says too little to stand alone")),
            ("Use pnpm", None),
            ("テストは直列で実行する", None),
        ];
        for (text, expected) in cases {
            assert_eq!(trivial(text), expected, "{text}");
        }
    }
}
