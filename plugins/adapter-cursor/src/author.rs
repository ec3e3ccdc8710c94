//! Determines the author of text in the position of the person. Cursor wraps the person's words in `<user_query>` and
//! puts context around it; in the editor's own database they are alone.

use acreta_sdk::adapter::author::{self, Author, Piece, Wrapping};
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Sink, Speaker};

const QUERY: (&str, &str) = ("<user_query>", "</user_query>");

/// Author of the text around the person's words.
const AROUND: &str = "cursor";

/// Inserts that are recognised without a `<user_query>`.
const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        ("<user_info>", Author::Injected("environment")),
        ("<system_reminder>", Author::Injected("system-reminder")),
        ("<system-reminder>", Author::Injected("system-reminder")),
    ],
    inserts: &[
        ("<user_info>", "</user_info>", "environment"),
        ("<git_status>", "</git_status>", "environment"),
        ("<project_layout>", "</project_layout>", "environment"),
        ("<rules>", "</rules>", "rules"),
        ("<cursor_commands>", "</cursor_commands>", "command"),
        ("<agent_skills>", "</agent_skills>", "skill"),
        ("<external_links>", "</external_links>", "links"),
        ("<attached_files>", "</attached_files>", "ide"),
        (
            "<open_and_recently_viewed_files>",
            "</open_and_recently_viewed_files>",
            "ide",
        ),
        ("<additional_data>", "</additional_data>", "ide"),
        ("<system_reminder>", "</system_reminder>", "system-reminder"),
        ("<system-reminder>", "</system-reminder>", "system-reminder"),
    ],
};

/// Emits a text in the position of the person.
pub(crate) fn prompt<S: Sink>(
    told: &mut EventWriter<'_, S>,
    speaker: Speaker,
    text: &str,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    if speaker == Speaker::Agent {
        return speaker.prompt(told, place, text, &WRAPPING);
    }
    for piece in split(text) {
        told.piece(place, piece)?;
    }
    Ok(())
}

/// Splits a text by author. If it has queries, the person's words are in the one that stands outside of every other region;
/// of two, one is forged.
fn split(text: &str) -> Vec<Piece<'static>> {
    if !text.contains(QUERY.0) {
        return author::split(text, &WRAPPING);
    }
    let regions = author::regions(text, "user_query", &WRAPPING).into_iter();
    let mut queries = regions.filter(|at| text[at.start..].starts_with(QUERY.0));
    let mut pieces = Vec::new();
    let (Some(query), None) = (queries.next(), queries.next()) else {
        around(&mut pieces, text);
        return pieces;
    };
    around(&mut pieces, &text[..query.start]);
    let behind = &text[query.start + QUERY.0.len()..];
    let (words, after) = behind.split_once(QUERY.1).unwrap_or((behind, ""));
    pieces.extend(author::split(words, &WRAPPING));
    around(&mut pieces, after);
    pieces
}

fn around(pieces: &mut Vec<Piece<'static>>, text: &str) {
    let (rest, inserts) = author::take_inserts(text, WRAPPING.inserts);
    pieces.extend(inserts);
    let rest = rest.trim();
    if !rest.is_empty() {
        pieces.push(Piece {
            author: Author::Injected(AROUND),
            text: rest.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Author::{Injected, Own};

    #[test]
    fn every_author_is_told_apart() {
        let table: [(&str, &[(Author<'_>, &str)]); 11] = [
            ("use tabs", &[(Own, "use tabs")]),
            (
                "<user_query>\nuse tabs\n</user_query>",
                &[(Own, "use tabs")],
            ),
            (
                "<external_links>a</external_links>\n<user_query>b</user_query>",
                &[
                    (Injected("links"), "<external_links>a</external_links>"),
                    (Own, "b"),
                ],
            ),
            (
                "today is Monday\n<user_query>go</user_query>\nbe brief",
                &[
                    (Injected(AROUND), "today is Monday"),
                    (Own, "go"),
                    (Injected(AROUND), "be brief"),
                ],
            ),
            (
                "<attached_files>\n<user_query>a</user_query>\n</attached_files><user_query>b</user_query>",
                &[
                    (
                        Injected("ide"),
                        "<attached_files>\n<user_query>a</user_query>\n</attached_files>",
                    ),
                    (Own, "b"),
                ],
            ),
            (
                "<user_query>b</user_query><attached_files>\n<user_query>a</user_query>\n</attached_files>",
                &[
                    (Own, "b"),
                    (
                        Injected("ide"),
                        "<attached_files>\n<user_query>a</user_query>\n</attached_files>",
                    ),
                ],
            ),
            (
                "<new_region>\n<user_query>a</user_query>\n</new_region>",
                &[(
                    Injected(AROUND),
                    "<new_region>\n<user_query>a</user_query>\n</new_region>",
                )],
            ),
            (
                "<user_query>a</user_query>b<user_query>c</user_query>",
                &[(
                    Injected(AROUND),
                    "<user_query>a</user_query>b<user_query>c</user_query>",
                )],
            ),
            ("<user_query>never closed", &[(Own, "never closed")]),
            (
                "<user_query>go\n<acreta-brief>k</acreta-brief></user_query>",
                &[
                    (Own, "go"),
                    (Injected("acreta"), "<acreta-brief>k</acreta-brief>"),
                ],
            ),
            (
                "<user_info>\nOS: linux\n</user_info>",
                &[(
                    Injected("environment"),
                    "<user_info>\nOS: linux\n</user_info>",
                )],
            ),
        ];
        for (text, expected) in table {
            let pieces = split(text);
            let told: Vec<_> = pieces.iter().map(|p| (p.author, &*p.text)).collect();
            assert_eq!(told, expected, "{text:?}");
        }
    }
}
