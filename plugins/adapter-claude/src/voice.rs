//! Whose words stand in a `user` record. Claude Code writes much under that name which no person
//! said: command wrappers, hook output, reminders, notifications, summaries.
//!
//! Only what the person typed comes out as [`Voice::Own`]; in doubt a text is theirs. Words are
//! never lost: what is not theirs comes out beside them, under the name of who put it in.

use memchr::{memchr, memmem};

/// How acreta marks what it puts in front of an agent.
pub(crate) const BRIEF: &str = "<acreta-brief";

/// Who put acreta's own text in, as the attribute says it.
pub(crate) const ACRETA: &str = "acreta";

/// A text by one author.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) voice: Voice<'a>,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice<'a> {
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

/// Texts that start like this are not the person's from start to end.
const WRAPPERS: [(&str, Voice<'static>); 17] = [
    (
        "This session is being continued from a previous conversation",
        Voice::Compaction,
    ),
    ("<local-command-stdout>", Voice::Injected("local-command")),
    ("<local-command-stderr>", Voice::Injected("local-command")),
    ("<local-command-caveat>", Voice::Injected("local-command")),
    (
        "Caveat: The messages below",
        Voice::Injected("local-command"),
    ),
    ("<bash-stdout>", Voice::Injected("bash")),
    ("<bash-stderr>", Voice::Injected("bash")),
    ("<task-notification>", Voice::Injected("task-notification")),
    ("<agent-notification>", Voice::Injected("task-notification")),
    ("{\"task_id\":", Voice::Injected("task-notification")),
    ("<user-prompt-submit-hook>", Voice::Injected("hook")),
    ("<session-start-hook>", Voice::Injected("hook")),
    ("<post-tool-use-hook>", Voice::Injected("hook")),
    ("Stop hook feedback:", Voice::Injected("hook")),
    ("<system-reminder>", Voice::Injected("system-reminder")),
    ("[Request interrupted", Voice::Note),
    ("[Image: source:", Voice::Note),
];

/// Elements that are put between the person's words: opening, closing, by whom.
const INSERTS: [(&str, &str, &str); 5] = [
    ("<system-reminder>", "</system-reminder>", "system-reminder"),
    (BRIEF, "</acreta-brief>", ACRETA),
    ("<ide_opened_file>", "</ide_opened_file>", "ide"),
    ("<ide_selection>", "</ide_selection>", "ide"),
    ("<ide_diagnostics>", "</ide_diagnostics>", "ide"),
];

/// How a refused tool call introduces what the person said about it.
const REFUSAL: &str = "The user doesn't want to proceed with this tool use.";
const REFUSAL_WORDS: &str = "the user said:\n";
const REFUSAL_END: &str = "\n\nNote: The user's next message";

/// Splits the text of a `user` record by author. Empty and blank pieces are left out.
pub(crate) fn split(text: &str) -> Vec<Piece<'_>> {
    let (own, mut pieces) = take_inserts(text);
    let own = own.trim();
    if own.is_empty() {
        return pieces;
    }
    let start = text.trim_start();
    if start.starts_with("<command-name>") || start.starts_with("<command-message>") {
        pieces.extend(command(text));
    } else if let Some(input) = element(start, "bash-input")
        && start.starts_with("<bash-input>")
    {
        pieces.insert(
            0,
            Piece {
                voice: Voice::Note,
                text: input.to_owned(),
            },
        );
    } else if let Some(words) = element(start, "user-memory-input")
        && start.starts_with("<user-memory-input>")
    {
        pieces.insert(
            0,
            Piece {
                voice: Voice::Command("#"),
                text: words.to_owned(),
            },
        );
    } else {
        let known = WRAPPERS
            .iter()
            .find(|(beginning, _)| own.starts_with(beginning));
        let voice = known.map_or(Voice::Own, |(_, voice)| *voice);
        pieces.insert(
            0,
            Piece {
                voice,
                text: own.to_owned(),
            },
        );
    }
    pieces
}

/// What the person said when they refused a tool call, from the text of its result.
pub(crate) fn refusal(result: &str) -> Option<&str> {
    let (_, words) = result.strip_prefix(REFUSAL)?.split_once(REFUSAL_WORDS)?;
    let words = words
        .split_once(REFUSAL_END)
        .map_or(words, |(words, _)| words)
        .trim();
    (!words.is_empty()).then_some(words)
}

/// Whether acreta put this text in.
pub(crate) fn is_brief(text: &str) -> bool {
    memmem::find(text.as_bytes(), BRIEF.as_bytes()).is_some()
}

/// The words around the inserts, and the inserts. An insert that is never closed is left in its
/// text, but for acreta's own, which then reaches to the end.
fn take_inserts(text: &str) -> (String, Vec<Piece<'_>>) {
    let mut own = String::new();
    let mut inserts = Vec::new();
    // Which inserts have no closing any more: a text full of openings is still read in one pass.
    let mut unclosed = [false; INSERTS.len()];
    let (mut told, mut from) = (0, 0);
    while let Some(found) = memchr(b'<', &text.as_bytes()[from..]) {
        let start = from + found;
        from = start + 1;
        let rest = &text[start..];
        let Some(which) = INSERTS
            .iter()
            .position(|(opening, ..)| rest.starts_with(opening))
        else {
            continue;
        };
        let (_, closing, by) = INSERTS[which];
        if unclosed[which] {
            continue;
        }
        let end = match rest.find(closing) {
            Some(length) => start + length + closing.len(),
            None if by == ACRETA => text.len(),
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
        inserts.push(Piece {
            voice: Voice::Injected(by),
            text: text[start..end].to_owned(),
        });
        (told, from) = (end, end);
    }
    own.push_str(&text[told..]);
    (own, inserts)
}

/// A slash command: what was typed behind its name, and the wrapper.
fn command(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let name = element(text, "command-name").unwrap_or_default();
    if let Some(arguments) = element(text, "command-args").filter(|words| !words.is_empty()) {
        pieces.push(Piece {
            voice: Voice::Command(name),
            text: arguments.to_owned(),
        });
    }
    pieces.push(Piece {
        voice: Voice::Injected("command"),
        text: text.trim().to_owned(),
    });
    pieces
}

/// What stands in the first element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = behind.split_once(&format!("</{name}>"))?;
    Some(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Voice::{Command, Compaction, Injected, Note, Own};

    fn check(text: &str, expected: &[(Voice<'_>, &str)]) {
        let pieces = split(text);
        let told: Vec<_> = pieces
            .iter()
            .map(|piece| (piece.voice, &*piece.text))
            .collect();
        assert_eq!(told, expected, "{text:?}");
    }

    #[test]
    fn every_author_is_told_apart() {
        check("use tabs, please", &[(Own, "use tabs, please")]);
        check("  \n", &[]);
        check("what is <div> for?", &[(Own, "what is <div> for?")]);
        check("a < b and c > d", &[(Own, "a < b and c > d")]);
        check(
            "[Request interrupted by user]",
            &[(Note, "[Request interrupted by user]")],
        );
        check("<bash-input>git pull</bash-input>", &[(Note, "git pull")]);
        check(
            "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>",
            &[(
                Injected("bash"),
                "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>",
            )],
        );
        check(
            "<user-memory-input>never push on Friday</user-memory-input>",
            &[(Command("#"), "never push on Friday")],
        );
        check(
            "This session is being continued from a previous conversation that ran out",
            &[(
                Compaction,
                "This session is being continued from a previous conversation that ran out",
            )],
        );
        check(
            "Caveat: The messages below were generated",
            &[(
                Injected("local-command"),
                "Caveat: The messages below were generated",
            )],
        );
        check(
            "<task-notification>\n<task-id>1</task-id></task-notification>\nRead it",
            &[(
                Injected("task-notification"),
                "<task-notification>\n<task-id>1</task-id></task-notification>\nRead it",
            )],
        );
    }

    #[test]
    fn commands_keep_what_was_typed_behind_them() {
        let plain = "<command-name>/clear</command-name>\n <command-args></command-args>";
        check(plain, &[(Injected("command"), plain)]);
        let typed = "<command-message>fix is running</command-message>\n\
                     <command-name>/fix</command-name>\n<command-args>the login bug</command-args>";
        check(
            typed,
            &[
                (Command("/fix"), "the login bug"),
                (Injected("command"), typed),
            ],
        );
    }

    #[test]
    fn inserts_are_taken_out_of_the_words() {
        check(
            "<system-reminder>today</system-reminder>",
            &[(
                Injected("system-reminder"),
                "<system-reminder>today</system-reminder>",
            )],
        );
        check(
            "go on\n<system-reminder>x</system-reminder>\nbut slowly",
            &[
                (Own, "go on\n\nbut slowly"),
                (
                    Injected("system-reminder"),
                    "<system-reminder>x</system-reminder>",
                ),
            ],
        );
        check(
            "<ide_selection>a.rs</ide_selection>rename it",
            &[
                (Own, "rename it"),
                (Injected("ide"), "<ide_selection>a.rs</ide_selection>"),
            ],
        );
        check("why <system-reminder>?", &[(Own, "why <system-reminder>?")]);
        check(
            "<system-reminder>cut off",
            &[(Injected("system-reminder"), "<system-reminder>cut off")],
        );
        check(
            "start <acreta-brief id=1>known\nthings",
            &[
                (Own, "start"),
                (Injected("acreta"), "<acreta-brief id=1>known\nthings"),
            ],
        );
        check(
            "<system-reminder><acreta-brief>k</acreta-brief></system-reminder>é",
            &[
                (Own, "é"),
                (
                    Injected("acreta"),
                    "<system-reminder><acreta-brief>k</acreta-brief></system-reminder>",
                ),
            ],
        );
    }

    #[test]
    fn a_refusal_has_the_words_of_the_person() {
        let table = [
            (
                "The user doesn't want to proceed with this tool use. STOP",
                None,
            ),
            (
                "The user doesn't want to proceed with this tool use. To tell you how to proceed, \
                 the user said:\nuse the interface\n\nNote: The user's next message may contain more",
                Some("use the interface"),
            ),
            ("he said the user said:\nno", None),
        ];
        for (result, expected) in table {
            assert_eq!(refusal(result), expected);
        }
    }
}
