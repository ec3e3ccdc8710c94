//! Differences of two texts for people: a unified diff without its headers.

use similar::{ChangeTag, TextDiff};

/// Number of context lines.
const AROUND: usize = 3;

/// Returns lines that begin with `+`, `-` or a blank; ` …` stands for omitted lines. Empty if nothing differs.
pub(crate) fn diff(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut text = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            text.push_str(" …\n");
        }
        let changes = group
            .iter()
            .flat_map(|operation| diff.iter_changes(operation));
        for change in changes {
            text.push(match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            });
            text.push_str(change.value().trim_end_matches('\n'));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_lines_with_signs_and_leaves_out_the_middle() {
        let middle = "x\n".repeat(9);
        let table = [
            ("a\n".to_owned(), "a\n".to_owned(), String::new()),
            (String::new(), "a\nb\n".to_owned(), "+a\n+b\n".to_owned()),
            ("a\n".to_owned(), String::new(), "-a\n".to_owned()),
            (
                "a\nb".to_owned(),
                "a\nc".to_owned(),
                " a\n-b\n+c\n".to_owned(),
            ),
            (
                format!("a\n{middle}b\n"),
                format!("c\n{middle}d\n"),
                "-a\n+c\n x\n x\n x\n …\n x\n x\n x\n-b\n+d\n".to_owned(),
            ),
        ];
        for (before, after, expected) in table {
            assert_eq!(diff(&before, &after), expected);
        }
    }
}
