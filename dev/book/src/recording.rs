//! A terminal recording as an animated SVG, drawn from transcripts: the same text gives the same bytes. It follows the
//! reader's light or dark theme, stands still for those who want no motion, and shows everything where animations are
//! not drawn at all.

use std::fmt::Write as _;

/// Characters of a line; longer ones go on in the next.
const COLUMNS: usize = 104;
/// Tenths of a pixel of a character in the font size below, for all common monospaced fonts.
const CHARACTER_TENTHS: usize = 78;
const LINE: usize = 20;
/// Height of the window's bar, and the margin around the text.
const BAR: usize = 34;
const MARGIN: usize = 18;

const BEFORE_COMMAND_MS: usize = 900;
const AFTER_COMMAND_MS: usize = 700;
const BETWEEN_LINES_MS: usize = 110;

const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#24292f}\
.window{fill:#f6f8fa;stroke:#d0d7de}.dot{fill:#d0d7de}.prompt{fill:#57606a}.command{font-weight:600}\
.new{fill:#116329}.quote{fill:#0550ae}.less{fill:#57606a}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.window{fill:#0d1117;stroke:#30363d}.dot{fill:#30363d}\
.prompt,.less{fill:#8b949e}.new{fill:#7ee787}.quote{fill:#79c0ff}}\
.line{animation:appear .05s linear backwards}@keyframes appear{from{opacity:0}to{opacity:1}}\
@media(prefers-reduced-motion:reduce){.line{animation:none}}";

/// Draws transcripts, one after the other, in one window. Lines that begin with `$ ` are commands.
pub fn svg(transcripts: &[&str]) -> String {
    let lines = transcripts.iter().flat_map(|text| text.lines().chain([""]));
    let mut lines: Vec<String> = lines.flat_map(wrapped).collect();
    lines.pop_if(|last| last.is_empty());
    let width = COLUMNS * CHARACTER_TENTHS / 10 + 2 * MARGIN;
    let height = BAR + 2 * MARGIN + lines.len() * LINE;
    let mut drawn = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\
         \n<title>acreta in a terminal</title>\n<style>{STYLE}</style>\n\
         <rect class=\"window\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1,
        height - 1
    );
    for dot in 0..3 {
        let _ = writeln!(
            drawn,
            "<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"6\"/>",
            MARGIN + 6 + dot * 20,
            BAR / 2 + 2
        );
    }
    let mut at_ms = 0;
    for (row, line) in lines.iter().enumerate() {
        let is_command = line.starts_with("$ ");
        at_ms += if is_command {
            BEFORE_COMMAND_MS
        } else {
            BETWEEN_LINES_MS
        };
        if !line.is_empty() {
            let _ = writeln!(
                drawn,
                "<text class=\"line\" x=\"{MARGIN}\" y=\"{}\" style=\"animation-delay:{at_ms}ms\">{}</text>",
                BAR + MARGIN + row * LINE + 9,
                spans(line)
            );
        }
        at_ms += if is_command { AFTER_COMMAND_MS } else { 0 };
    }
    drawn.push_str("</svg>\n");
    drawn
}

/// Breaks a line between words; what follows is indented a little more.
fn wrapped(line: &str) -> Vec<String> {
    if line.chars().count() <= COLUMNS {
        return vec![line.to_owned()];
    }
    let indent = line.chars().take_while(|one| *one == ' ').count();
    let mut lines = vec![" ".repeat(indent)];
    for word in line.split_whitespace() {
        let width = |text: &String| text.chars().count();
        let is_full = lines
            .last()
            .is_some_and(|last| width(last) + 1 + word.chars().count() > COLUMNS);
        if is_full {
            lines.push(" ".repeat(indent + 2));
        }
        if let Some(last) = lines.last_mut() {
            if !last.ends_with(' ') && !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// Colours a line by its beginning.
fn spans(line: &str) -> String {
    if let Some(command) = line.strip_prefix("$ ") {
        let command = escaped(command);
        return format!(
            "<tspan class=\"prompt\">$ </tspan><tspan class=\"command\">{command}</tspan>"
        );
    }
    let class = match line.trim_start().chars().next() {
        Some('+') => "new",
        Some('>' | '“') => "quote",
        Some('…') => "less",
        _ => return escaped(line),
    };
    format!("<tspan class=\"{class}\">{}</tspan>", escaped(line))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_after_the_other_and_are_escaped() {
        let drawn = svg(&["$ acreta run\n+ a < b\n", "$ acreta list\n"]);
        let delays: Vec<usize> = drawn
            .match_indices("animation-delay:")
            .map(|(at, name)| {
                let rest = &drawn[at + name.len()..];
                rest.split("ms").next().unwrap().parse().unwrap()
            })
            .collect();
        assert_eq!(delays.len(), 3, "{drawn}");
        assert!(delays.is_sorted(), "{delays:?}");
        assert!(
            drawn.contains("<tspan class=\"new\">+ a &lt; b</tspan>"),
            "{drawn}"
        );
        assert_eq!(drawn, svg(&["$ acreta run\n+ a < b\n", "$ acreta list\n"]));
        let long = format!("  {}", "word ".repeat(30));
        let lines = wrapped(&long);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[1].starts_with("    word"), "{lines:?}");
    }
}
