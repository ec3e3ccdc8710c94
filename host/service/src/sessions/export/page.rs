//! A session as one page of HTML: opens from disk, needs no script, and its policy lets it load nothing. All text of the
//! session is escaped; it cannot become markup.

use std::io::{self, Write};

use acreta_redact::TakenOut;
use acreta_types::Event;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::chapters::{Chapter, Outline, call_line, is_prompt};
use super::text::{Part, parts, shown};
use crate::process::clock;
use crate::sessions::reader::edits;

const STYLE: &str = include_str!("page.css");

pub(super) fn head(outline: &Outline, out: &mut impl Write) -> io::Result<()> {
    let session = &outline.session;
    let title = session.title.as_deref().unwrap_or("A session");
    let title = escaped(&shown(title));
    let digest = base64(&Sha256::digest(STYLE.as_bytes()));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p>"
    )?;
    let mut facts = vec![escaped(&shown(&session.agent))];
    facts.extend(session.project.as_deref().map(|it| escaped(&shown(it))));
    let (start, end) = (session.started_ms, session.updated_ms);
    facts.extend(start.or(end).map(|at| format!("{} UTC", clock::shown(at))));
    facts.push(match outline.prompts.len() == outline.total {
        true => crate::counted(outline.total as u64, "prompt", "prompts"),
        false => format!("{} of {} prompts", outline.prompts.len(), outline.total),
    });
    writeln!(out, "{}</p>\n</header>", facts.join(" · "))?;
    if outline.prompts.len() > 1 {
        writeln!(out, "<nav aria-label=\"Prompts\">\n<ol>")?;
        for (number, words) in &outline.prompts {
            let words = escaped(&shown(words));
            writeln!(
                out,
                "<li value=\"{number}\"><a href=\"#p{number}\">{words}</a></li>"
            )?;
        }
        writeln!(out, "</ol>\n</nav>")?;
    }
    writeln!(out, "<main>")
}

pub(super) fn chapter(chapter: &Chapter, out: &mut impl Write) -> io::Result<()> {
    let number = chapter.number;
    writeln!(out, "<section id=\"p{number}\">")?;
    for (event, result) in chapter.turns() {
        match event.kind.as_str() {
            "text" if is_prompt(event) => {
                let time = event.at_ms.map(clock::shown).unwrap_or_default();
                write!(
                    out,
                    "<h2><a href=\"#p{number}\">{number}</a> <small>{time}</small></h2>\n<div class=\"prompt\">"
                )?;
                text(&event.text, out)?;
                writeln!(out, "</div>")?;
            }
            "text" => {
                write!(out, "<div class=\"{}\">", class(&event.role))?;
                text(&event.text, out)?;
                writeln!(out, "</div>")?;
            }
            "tool-call" => call(event, result, out)?,
            "tool-result" => {
                let (class, line) = outcome(event);
                writeln!(
                    out,
                    "<details class=\"call{class}\"><summary>{line}</summary>"
                )?;
                pre("out", &event.text, out)?;
                writeln!(out, "</details>")?;
            }
            "compaction" => writeln!(
                out,
                "<p class=\"note\">The conversation was compacted here.</p>"
            )?,
            kind => {
                let what = escaped(&shown(&format!("{} ({kind})", event.role)));
                writeln!(out, "<details class=\"aside\"><summary>{what}</summary>")?;
                pre("in", &event.text, out)?;
                writeln!(out, "</details>")?;
            }
        }
    }
    writeln!(out, "</section>")
}

pub(super) fn end(taken: &TakenOut, out: &mut impl Write) -> io::Result<()> {
    let kinds = taken
        .iter()
        .map(|(name, kind)| format!("{name} {}", kind.times));
    let kinds: Vec<String> = kinds.collect();
    let removed = match kinds.is_empty() {
        true => "nothing".to_owned(),
        false => kinds.join(", "),
    };
    writeln!(
        out,
        "</main>\n<footer>Exported by acreta. Removed before: {}.</footer>\n</body>\n</html>",
        escaped(&removed)
    )
}

fn call(event: &Event, result: Option<&Event>, out: &mut impl Write) -> io::Result<()> {
    let (class, result_line) = match result {
        Some(result) => outcome(result),
        None => ("", String::new()),
    };
    let line = escaped(&shown(&call_line(event)));
    write!(out, "<details class=\"call{class}\"><summary>{line}")?;
    if !result_line.is_empty() {
        write!(out, " <small>{result_line}</small>")?;
    }
    writeln!(out, "</summary>")?;
    input(event, out)?;
    if let Some(result) = result.filter(|result| !result.text.trim().is_empty()) {
        pre("out", &result.text, out)?;
    }
    writeln!(out, "</details>")
}

/// Returns the class and one line of a result.
fn outcome(result: &Event) -> (&'static str, String) {
    let lines = result
        .text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count();
    let lines = crate::counted(lines as u64, "line", "lines");
    match result.attrs.get("is_error") {
        Some("true") => (" failed", format!("failed, {lines}")),
        _ => ("", lines),
    }
}

/// Writes the input of a tool: an edit as its difference, the text of a command, and all else as it is.
fn input(event: &Event, out: &mut impl Write) -> io::Result<()> {
    let changes = edits::of_call(event);
    if !changes.is_empty() {
        let lines = changes.iter();
        let lines = lines.map(|change| format!("{}\n{}", change.path, change.diff));
        return difference(&lines.collect::<String>(), out);
    }
    if let Some(command) = acreta_cures::command_line(event) {
        return pre("in", &command, out);
    }
    let fields: Option<Value> = serde_json::from_str(&event.text).ok();
    let fields = fields.filter(Value::is_object);
    match fields.and_then(|fields| serde_json::to_string_pretty(&fields).ok()) {
        Some(text) => pre("in", &text, out),
        None => pre("in", &event.text, out),
    }
}

/// Writes lines, those of a difference marked as removed and added.
fn difference(text: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "<pre class=\"in\">")?;
    for line in shown(text).lines() {
        let element = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++") => "ins",
            Some(b'-') if !line.starts_with("---") => "del",
            _ => {
                writeln!(out, "{}", escaped(line))?;
                continue;
            }
        };
        writeln!(out, "<{element}>{}</{element}>", escaped(line))?;
    }
    writeln!(out, "</pre>")
}

fn pre(class: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    let text = shown(text.trim_end());
    // A line break right after the tag would be dropped.
    writeln!(out, "<pre class=\"{class}\">\n{}</pre>", escaped(&text))
}

/// Writes prose as paragraphs and code as blocks.
fn text(text: &str, out: &mut impl Write) -> io::Result<()> {
    let text = shown(text.trim_end());
    for part in parts(&text) {
        match part {
            Part::Code(_, code) => pre("code", code, out)?,
            Part::Prose(prose) => {
                for paragraph in prose.split("\n\n").filter(|it| !it.trim().is_empty()) {
                    let paragraph = paragraph.trim_matches('\n');
                    let (heading, rest) = heading(paragraph);
                    if let Some(heading) = heading {
                        writeln!(out, "<p><strong>{}</strong></p>", inline(heading))?;
                    }
                    if !rest.is_empty() {
                        writeln!(out, "<p>{}</p>", inline(rest))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Splits a heading off the beginning of a paragraph.
fn heading(paragraph: &str) -> (Option<&str>, &str) {
    let (line, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
    let words = line.trim_start_matches('#');
    let is_heading = (1..=6).contains(&(line.len() - words.len())) && words.starts_with(' ');
    match is_heading && !words.trim().is_empty() {
        true => (Some(words.trim()), rest),
        false => (None, paragraph),
    }
}

/// Returns a paragraph, escaped, with code between grave accents and words between two asterisks as such.
fn inline(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        line.push_str(&escaped(&rest[..at]));
        rest = &rest[at..];
        let (mark, element) = match rest.starts_with("**") {
            true => ("**", "strong"),
            false => ("`", "code"),
        };
        let inside = rest.strip_prefix(mark).and_then(|after| {
            let (inside, after) = after.split_once(mark)?;
            (!inside.trim().is_empty() && !inside.contains('\n')).then_some((inside, after))
        });
        match inside {
            Some((inside, after)) => {
                line.push_str(&format!("<{element}>{}</{element}>", escaped(inside)));
                rest = after;
            }
            None => {
                line.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    line.push_str(&escaped(rest));
    line
}

fn class(role: &str) -> &'static str {
    match role {
        "assistant" => "answer",
        "user" => "prompt",
        _ => "aside",
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Encodes a digest as its policy wants it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            text.push(match place <= group.len() {
                true => char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let table = [
            ("<img src=x onerror=a>", "&lt;img src=x onerror=a&gt;"),
            (
                "`<b>` **<i>**",
                "<code>&lt;b&gt;</code> <strong>&lt;i&gt;</strong>",
            ),
            ("`open <script>", "`open &lt;script&gt;"),
            ("a ** b \"'&", "a ** b &quot;&#39;&amp;"),
            ("**`**` é*", "<strong>`</strong>` é*"),
        ];
        for (text, expected) in table {
            assert_eq!(inline(text), expected, "{text}");
        }
    }

    #[test]
    fn a_heading_begins_a_paragraph() {
        let table = [
            ("### Step `1`\nand on", (Some("Step `1`"), "and on")),
            ("# Title", (Some("Title"), "")),
            ("#42 is fixed", (None, "#42 is fixed")),
            ("####### x", (None, "####### x")),
            ("#\nx", (None, "#\nx")),
        ];
        for (text, expected) in table {
            assert_eq!(heading(text), expected, "{text}");
        }
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
