//! A session as Markdown. All text of the session is escaped or stands in a fence that it cannot close: shown by a site that
//! renders Markdown, it makes no heading, no link, no picture and no HTML.

use std::io::{self, Write};

use acreta_redact::TakenOut;

use super::chapters::{Chapter, Outline, call_line, is_prompt};
use super::text::{Part, parts, shown};
use crate::process::clock;

pub(super) fn head(outline: &Outline, out: &mut impl Write) -> io::Result<()> {
    let session = &outline.session;
    let title = session.title.as_deref().unwrap_or("A session");
    writeln!(out, "# {}\n", line(title))?;
    let mut facts = vec![line(&session.agent)];
    facts.extend(session.project.as_deref().map(line));
    facts.extend(
        session
            .started_ms
            .or(session.updated_ms)
            .map(|at| format!("{} UTC", clock::shown(at))),
    );
    writeln!(out, "{}", facts.join(" · "))
}

pub(super) fn chapter(chapter: &Chapter, out: &mut impl Write) -> io::Result<()> {
    for (event, result) in chapter.turns() {
        match event.kind.as_str() {
            "text" if is_prompt(event) => {
                let time = event.at_ms.map(clock::shown).unwrap_or_default();
                writeln!(out, "\n## {} {}\n", chapter.number, time)?;
                let mut quote = Vec::new();
                text(&event.text, &mut quote)?;
                for line in String::from_utf8_lossy(&quote).trim_end().lines() {
                    writeln!(out, "{}", format!("> {line}").trim_end())?;
                }
            }
            "text" => {
                writeln!(out)?;
                text(&event.text, out)?;
            }
            "tool-call" | "tool-result" => {
                let head = match event.kind.as_str() {
                    "tool-call" => call_line(event),
                    _ => "result".to_owned(),
                };
                let result = result.or_else(|| (event.kind == "tool-result").then_some(event));
                let failed =
                    result.is_some_and(|result| result.attrs.get("is_error") == Some("true"));
                writeln!(
                    out,
                    "\n**{}**{}",
                    line(&head),
                    if failed { " (failed)" } else { "" }
                )?;
                if let Some(result) = result.filter(|result| !result.text.trim().is_empty()) {
                    fenced("", &shown(result.text.trim_end()), out)?;
                }
            }
            "compaction" => writeln!(out, "\n*The conversation was compacted here.*")?,
            // Thinking and injected text are in the page and in the events.
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn end(taken: &TakenOut, out: &mut impl Write) -> io::Result<()> {
    let kinds: Vec<String> = taken
        .iter()
        .map(|(name, kind)| format!("{name} {}", kind.times))
        .collect();
    match kinds.is_empty() {
        true => Ok(()),
        false => writeln!(out, "\n---\n\nRemoved before: {}.", line(&kinds.join(", "))),
    }
}

fn text(text: &str, out: &mut impl Write) -> io::Result<()> {
    for part in parts(&shown(text.trim_end())) {
        match part {
            Part::Code(language, code) => fenced(language, code.trim_end_matches('\n'), out)?,
            Part::Prose(prose) => {
                for text in prose.lines() {
                    writeln!(out, "{}", line(text))?;
                }
            }
        }
    }
    Ok(())
}

/// Writes a block between fences that are longer than any in it.
fn fenced(language: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '+' | '#');
    let language: String = language.chars().take_while(|it| is_name(*it)).collect();
    writeln!(out, "\n{fence}{language}\n{text}\n{fence}\n")
}

/// Returns a line whose marks mean nothing. Code between grave accents would, so these are escaped, too.
fn line(text: &str) -> String {
    // An indent of four would make a block of code.
    let text = acreta_text::visible(text).replace(['\n', '\t'], " ");
    let text = text.trim();
    let mut line = String::with_capacity(text.len() + 16);
    let is_number = text.find(|it: char| !it.is_ascii_digit());
    for (at, character) in text.char_indices() {
        let opens = at == 0 && matches!(character, '+' | '-' | '=' | ':' | '.')
            || Some(at) == is_number && at > 0 && matches!(character, '.' | ')');
        let marks = matches!(
            character,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '&'
                | '#'
                | '!'
                | '|'
                | '~'
                | '$'
                | '@'
        );
        if opens || marks {
            line.push('\\');
        }
        line.push(character);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let table = [
            ("# a", r"\# a"),
            ("![x](http://a)", r"\!\[x\](http://a)"),
            ("<img src=x>", r"\<img src=x\>"),
            ("    code", "code"),
            ("12. item", r"12\. item"),
            ("- a - b", r"\- a - b"),
            ("@team", r"\@team"),
        ];
        for (text, expected) in table {
            assert_eq!(line(text), expected, "{text}");
        }
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let mut out = Vec::new();
        fenced("rust <x>", "````\n# a", &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\n`````rust\n````\n# a\n`````\n\n"
        );
    }
}
