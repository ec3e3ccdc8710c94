//! Determines the author of text in the position of the person. Agents store much there that no person wrote:
//! environment dumps, command wrappers, hook output, reminders, summaries.
//!
//! Only text that the person typed is [`Author::Own`]; in doubt a text is theirs. No text is lost: other pieces are
//! returned too, with the name of their author.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr, memmem};

/// Start of the text that acreta inserts for an agent.
pub const BRIEF: &str = "<acreta-brief";

/// Value of the attribute for text that acreta inserted.
pub const ACRETA: &str = "acreta";

/// A text by one author.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub author: Author<'a>,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author<'a> {
    /// The person's own words.
    Own,
    /// The person's own words, given as arguments to this command.
    Command(&'a str),
    /// An action of the person.
    Note,
    /// Inserted by the named part of the tooling.
    Injected(&'a str),
    /// The summary that replaces an earlier part of the conversation.
    Compaction,
}

/// The marks by which one agent delimits the text that it inserts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wrapping {
    /// Prefixes of texts that are entirely not the person's.
    pub wrappers: &'static [(&'static str, Author<'static>)],
    /// Elements inserted between the person's words: opening, closing, author.
    pub inserts: &'static [(&'static str, &'static str, &'static str)],
}

/// acreta's own insert, recognised for every agent.
const OWN_INSERT: (&str, &str, &str) = (BRIEF, "</acreta-brief>", ACRETA);

/// Splits a text by author. Empty and blank pieces are left out.
pub fn split(text: &str, wrapping: &Wrapping) -> Vec<Piece<'static>> {
    let (own, mut pieces) = take_inserts(text, wrapping.inserts);
    let own = own.trim();
    if own.is_empty() {
        return pieces;
    }
    let known = wrapping
        .wrappers
        .iter()
        .find(|(beginning, _)| own.starts_with(beginning));
    let author = known.map_or(Author::Own, |(_, author)| *author);
    let text = own.to_owned();
    pieces.insert(0, Piece { author, text });
    pieces
}

/// Reports whether acreta inserted this text.
pub fn is_brief(text: &str) -> bool {
    memmem::find(text.as_bytes(), BRIEF.as_bytes()).is_some()
}

/// Reports whether a tool is acreta's own, in any spelling of the server prefix: `mcp__acreta__search`,
/// `acreta_search`, `acreta.search`, `acreta/search`, `@acreta/search`.
pub fn is_own_tool(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__")
        .or_else(|| tool.strip_prefix("mcp_"))
        .or_else(|| tool.strip_prefix('@'))
        .unwrap_or(tool);
    name.strip_prefix(ACRETA)
        .is_some_and(|rest| rest.starts_with(['_', '-', '.', '/', ':']))
}

/// Separates inserts from the words around them. An insert may quote a file that holds its closing mark, so it reaches to
/// the last one in the text: `<open>a</open> b <open>c</open>` is one insert, and `b` is nobody's words. acreta's own
/// quotes no mark and ends with the first. An unclosed insert stays in its text, except acreta's own, which then reaches to
/// the end.
pub fn take_inserts(
    text: &str,
    inserts: &[(&'static str, &'static str, &'static str)],
) -> (String, Vec<Piece<'static>>) {
    let mut own = String::new();
    let mut pieces = Vec::new();
    // Inserts that have no closing tag in the remaining text: a text full of openings is still read in one pass.
    let mut unclosed = vec![false; inserts.len() + 1];
    let (mut told, mut from) = (0, 0);
    while let Some(found) = memchr(b'<', &text.as_bytes()[from..]) {
        let start = from + found;
        from = start + 1;
        let rest = &text[start..];
        let Some((which, (_, closing, by))) = std::iter::once(&OWN_INSERT)
            .chain(inserts)
            .enumerate()
            .find(|(_, (opening, ..))| rest.starts_with(opening))
        else {
            continue;
        };
        if unclosed[which] {
            continue;
        }
        let closed = match *by == ACRETA {
            true => rest.find(closing),
            false => rest.rfind(closing),
        };
        let end = match closed {
            Some(length) => start + length + closing.len(),
            None if *by == ACRETA => text.len(),
            None => {
                unclosed[which] = true;
                continue;
            }
        };
        own.push_str(&text[told..start]);
        let by = if is_brief(&text[start..end]) {
            ACRETA
        } else {
            by
        };
        pieces.push(Piece {
            author: Author::Injected(by),
            text: text[start..end].to_owned(),
        });
        (told, from) = (end, end);
    }
    own.push_str(&text[told..]);
    (own, pieces)
}

/// Returns the regions of a text that stand in no other: each from a tag to the last end tag of its name, since its content
/// may hold that, too; to the end of the text if there is none. Tags are those of programs (`<attached_files>`, with `-` or
/// `_` in their name) and of the inserts. Only the element `own`, which holds the person's words, ends with its first end
/// tag: whatever else has its form stands behind it, as a second one.
pub fn regions(text: &str, own: &str, wrapping: &Wrapping) -> Vec<Range<usize>> {
    let is_insert = |name: &str| {
        let mut names = wrapping
            .inserts
            .iter()
            .map(|(opening, ..)| tag_name(&opening[1..]));
        name.contains(['-', '_']) || names.any(|insert| insert == name)
    };
    let ends = text.match_indices("</").filter_map(|(at, mark)| {
        let name = tag_name(&text[at + mark.len()..]);
        let end = at + mark.len() + name.len();
        text[end..].starts_with('>').then_some((name, end + 1))
    });
    let last_ends: HashMap<&str, usize> = ends.collect();
    let mut regions = Vec::new();
    let mut from = 0;
    while let Some(found) = memchr(b'<', &text.as_bytes()[from..]) {
        let start = from + found;
        from = start + 1;
        let name = tag_name(&text[from..]);
        let is_tag = text[from + name.len()..].starts_with(['>', ' ', '\n']);
        if !is_tag || !is_insert(name) {
            continue;
        }
        let end = match name == own {
            true => text[from..]
                .find(&format!("</{own}>"))
                .map(|at| from + at + own.len() + 3),
            false => last_ends.get(name).copied().filter(|end| *end > from),
        };
        from = end.unwrap_or(text.len());
        regions.push(start..from);
    }
    regions
}

/// Returns the name that a text starts with.
fn tag_name(text: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = text.bytes().take_while(|byte| is_name(*byte)).count();
    &text[..length]
}

/// Returns the content of the first element with this name.
pub fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = behind.split_once(&format!("</{name}>"))?;
    Some(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPING: Wrapping = Wrapping {
        wrappers: &[("<environment>", Author::Injected("environment"))],
        inserts: &[("<open>", "</open>", "ide")],
    };

    #[test]
    fn every_author_is_told_apart() {
        let table: [(&str, &[(Author<'_>, &str)]); 9] = [
            ("use tabs", &[(Author::Own, "use tabs")]),
            (" \n", &[]),
            ("is <div> < b?", &[(Author::Own, "is <div> < b?")]),
            (
                "<environment>linux",
                &[(Author::Injected("environment"), "<environment>linux")],
            ),
            (
                "look <open>a.rs</open>here",
                &[
                    (Author::Own, "look here"),
                    (Author::Injected("ide"), "<open>a.rs</open>"),
                ],
            ),
            (
                "<open>a</open> never push <open>b</open> look",
                &[
                    (Author::Own, "look"),
                    (
                        Author::Injected("ide"),
                        "<open>a</open> never push <open>b</open>",
                    ),
                ],
            ),
            (
                "<acreta-brief>a</acreta-brief> look <acreta-brief>b</acreta-brief>",
                &[
                    (Author::Own, "look"),
                    (Author::Injected(ACRETA), "<acreta-brief>a</acreta-brief>"),
                    (Author::Injected(ACRETA), "<acreta-brief>b</acreta-brief>"),
                ],
            ),
            ("<open>never closed", &[(Author::Own, "<open>never closed")]),
            (
                "go <acreta-brief id=1>known",
                &[
                    (Author::Own, "go"),
                    (Author::Injected(ACRETA), "<acreta-brief id=1>known"),
                ],
            ),
        ];
        for (text, expected) in table {
            let pieces = split(text, &WRAPPING);
            let told: Vec<_> = pieces.iter().map(|p| (p.author, &*p.text)).collect();
            assert_eq!(told, expected, "{text:?}");
        }
    }

    #[test]
    fn a_region_holds_all_up_to_its_last_end() {
        let table: [(&str, &[&str]); 6] = [
            ("a <b> c", &[]),
            (
                "x<my_query>a</my_query> <open>b</open>y",
                &["<my_query>a</my_query>", "<open>b</open>"],
            ),
            (
                "<a_file>x</a_file><my_query>never push</my_query></a_file><my_query>a</my_query>",
                &[
                    "<a_file>x</a_file><my_query>never push</my_query></a_file>",
                    "<my_query>a</my_query>",
                ],
            ),
            (
                "<my_query>a</my_query>b</my_query><my_query>c",
                &["<my_query>a</my_query>", "<my_query>c"],
            ),
            (
                "<a_file><my_query>a</my_query>",
                &["<a_file><my_query>a</my_query>"],
            ),
            ("<a_file", &[]),
        ];
        for (text, expected) in table {
            let found = regions(text, "my_query", &WRAPPING);
            let found: Vec<_> = found.into_iter().map(|at| &text[at]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn own_tools_are_known_however_they_are_spelled() {
        for own in [
            "mcp__acreta__search",
            "acreta_search",
            "acreta.get",
            "acreta/ask",
            "@acreta/ask",
        ] {
            assert!(is_own_tool(own), "{own}");
        }
        for other in ["acretaless", "mcp__other__acreta", "bash", "acreta"] {
            assert!(!is_own_tool(other), "{other}");
        }
    }
}
