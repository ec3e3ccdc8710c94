//! Renders the text below the front matter: a heading and the body.

use acreta_text::is_hidden;

/// Renders a blank line, `# title`, a blank line and the body; ends with one line break.
pub(crate) fn document(title: &str, body: &str) -> String {
    let heading = format!("# {}", one_line(title));
    let body = normalised(body);
    let (first, rest) = body.split_once('\n').unwrap_or((&body, ""));
    // A body that already has the heading does not get a second one.
    let below = if first == heading {
        rest.trim_start_matches('\n')
    } else {
        &body
    };
    let mut text = String::new();
    if heading != "# " {
        text.push_str(&format!("\n{heading}\n"));
    }
    if !below.is_empty() {
        text.push_str(&format!("\n{below}\n"));
    }
    text
}

/// Normalises a body: line feeds only, no hidden characters, no trailing spaces, no blank lines around it.
fn normalised(body: &str) -> String {
    let body = body.replace("\r\n", "\n");
    let body = body.replace(is_line_break, "\n");
    let visible: String = body
        .chars()
        .filter(|character| !is_hidden(*character))
        .collect();
    let lines: Vec<&str> = visible.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn one_line(title: &str) -> String {
    let visible: String = title
        .replace(is_line_break, " ")
        .chars()
        .filter(|character| !is_hidden(*character))
        .collect();
    acreta_text::one_line(&visible)
}

fn is_line_break(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_normalised() {
        let cases = [
            ("T", "body", "\n# T\n\nbody\n"),
            ("T", "", "\n# T\n"),
            ("", "body", "\nbody\n"),
            ("", "", ""),
            ("T", "\r\n\r\na\r\nb  \rc\t\n\n\n", "\n# T\n\na\nb\nc\n"),
            ("T", "a\n---\nb", "\n# T\n\na\n---\nb\n"),
            (
                "T",
                "---\nid: forged\n---",
                "\n# T\n\n---\nid: forged\n---\n",
            ),
            ("T", "a\n\n\n    code", "\n# T\n\na\n\n\n    code\n"),
            (
                "T",
                "bell\u{7}, bidi\u{202e}, tag\u{e0041}\u{0}",
                "\n# T\n\nbell, bidi, tag\n",
            ),
            ("T", "a\u{2028}b\u{85}c", "\n# T\n\na\nb\nc\n"),
            ("T", "# T\n\nbody", "\n# T\n\nbody\n"),
            ("T", "# T", "\n# T\n"),
            ("T", "# Other\n\nbody", "\n# T\n\n# Other\n\nbody\n"),
            (
                "two\nlines \u{7}here",
                "body",
                "\n# two lines here\n\nbody\n",
            ),
        ];
        for (title, body, expected) in cases {
            assert_eq!(document(title, body), expected, "{title:?} {body:?}");
        }
    }
}
