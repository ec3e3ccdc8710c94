//! Whose words stand where a person speaks. Agents write much under that name which no person
//! said: environment dumps, command wrappers, hook output, reminders, summaries.
//!
//! Only what the person typed comes out as [`Voice::Own`]; in doubt a text is theirs. Words are
//! never lost: what is not theirs comes out beside them, under the name of who put it in.

use memchr::{memchr, memmem};

/// How acreta marks what it puts in front of an agent.
pub const BRIEF: &str = "<acreta-brief";

/// Who put acreta's own text in, as the attribute says it.
pub const ACRETA: &str = "acreta";

/// A text by one author.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub voice: Voice<'a>,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice<'a> {
    /// The person's own words.
    Own,
    /// The person's own words, given to this command.
    Command(&'a str),
    /// Something the person did.
    Note,
    /// Put in by the named part of the tooling.
    Injected(&'a str),
    /// The summary that replaces an earlier part of the conversation.
    Compaction,
}

/// How one agent wraps what it puts in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wrapping {
    /// Texts that start like this are not the person's from start to end.
    pub wrappers: &'static [(&'static str, Voice<'static>)],
    /// Elements that are put between the person's words: opening, closing, by whom.
    pub inserts: &'static [(&'static str, &'static str, &'static str)],
}

/// acreta's own insert, whatever the agent.
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
    let voice = known.map_or(Voice::Own, |(_, voice)| *voice);
    let text = own.to_owned();
    pieces.insert(0, Piece { voice, text });
    pieces
}

/// Whether acreta put this text in.
pub fn is_brief(text: &str) -> bool {
    memmem::find(text.as_bytes(), BRIEF.as_bytes()).is_some()
}

/// Whether a tool is acreta's own, however the agent spells the server in front of the name:
/// `mcp__acreta__search`, `acreta_search`, `acreta.search`, `acreta/search`, `@acreta/search`.
pub fn is_own_tool(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__")
        .or_else(|| tool.strip_prefix("mcp_"))
        .or_else(|| tool.strip_prefix('@'))
        .unwrap_or(tool);
    name.strip_prefix(ACRETA)
        .is_some_and(|rest| rest.starts_with(['_', '-', '.', '/', ':']))
}

/// The words around the inserts, and the inserts. An insert that is never closed is left in its
/// text, but for acreta's own, which then reaches to the end.
pub fn take_inserts(
    text: &str,
    inserts: &[(&'static str, &'static str, &'static str)],
) -> (String, Vec<Piece<'static>>) {
    let mut own = String::new();
    let mut pieces = Vec::new();
    // Which inserts have no closing any more: a text full of openings is still read in one pass.
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
        let end = match rest.find(closing) {
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
            voice: Voice::Injected(by),
            text: text[start..end].to_owned(),
        });
        (told, from) = (end, end);
    }
    own.push_str(&text[told..]);
    (own, pieces)
}

/// What stands in the first element of this name.
pub fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = behind.split_once(&format!("</{name}>"))?;
    Some(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPING: Wrapping = Wrapping {
        wrappers: &[("<environment>", Voice::Injected("environment"))],
        inserts: &[("<open>", "</open>", "ide")],
    };

    #[test]
    fn every_author_is_told_apart() {
        let table: [(&str, &[(Voice<'_>, &str)]); 7] = [
            ("use tabs", &[(Voice::Own, "use tabs")]),
            (" \n", &[]),
            ("is <div> < b?", &[(Voice::Own, "is <div> < b?")]),
            (
                "<environment>linux",
                &[(Voice::Injected("environment"), "<environment>linux")],
            ),
            (
                "look <open>a.rs</open>here",
                &[
                    (Voice::Own, "look here"),
                    (Voice::Injected("ide"), "<open>a.rs</open>"),
                ],
            ),
            ("<open>never closed", &[(Voice::Own, "<open>never closed")]),
            (
                "go <acreta-brief id=1>known",
                &[
                    (Voice::Own, "go"),
                    (Voice::Injected(ACRETA), "<acreta-brief id=1>known"),
                ],
            ),
        ];
        for (text, expected) in table {
            let pieces = split(text, &WRAPPING);
            let told: Vec<_> = pieces.iter().map(|p| (p.voice, &*p.text)).collect();
            assert_eq!(told, expected, "{text:?}");
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
