//! Determines the author of text in a `user` record. Claude Code writes much there that no person said: command
//! wrappers, hook output, reminders, notifications, summaries.

use acreta_sdk::adapter::author::{self, Author, Piece, Wrapping, element};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        (
            "This session is being continued from a previous conversation",
            Author::Compaction,
        ),
        ("<local-command-stdout>", Author::Injected("local-command")),
        ("<local-command-stderr>", Author::Injected("local-command")),
        ("<local-command-caveat>", Author::Injected("local-command")),
        (
            "Caveat: The messages below",
            Author::Injected("local-command"),
        ),
        ("<bash-stdout>", Author::Injected("bash")),
        ("<bash-stderr>", Author::Injected("bash")),
        ("<task-notification>", Author::Injected("task-notification")),
        (
            "<agent-notification>",
            Author::Injected("task-notification"),
        ),
        ("{\"task_id\":", Author::Injected("task-notification")),
        // The elements of 2.1.326 in which others speak. Whoever writes there may close the element.
        ("<agent-message", Author::Injected("agent")),
        ("<channel source=", Author::Injected("channel")),
        ("<coordinator-relay", Author::Injected("agent")),
        ("<cross-session-message", Author::Injected("agent")),
        ("<fetched-web-content", Author::Injected("page")),
        ("<fork-boilerplate>", Author::Injected("agent")),
        ("<mcp-polling-update", Author::Injected("mcp")),
        ("<mcp-resource-update", Author::Injected("mcp")),
        ("<remote-review", Author::Injected("agent")),
        ("<scheduled-task", Author::Injected("schedule")),
        ("<slack-ping", Author::Injected("channel")),
        ("<slack-tag-message", Author::Injected("channel")),
        ("<teammate-message", Author::Injected("teammate")),
        ("<untrusted-widget-state", Author::Injected("page")),
        ("<user-prompt-submit-hook>", Author::Injected("hook")),
        ("<session-start-hook>", Author::Injected("hook")),
        ("<post-tool-use-hook>", Author::Injected("hook")),
        ("Stop hook feedback:", Author::Injected("hook")),
        ("<system-reminder>", Author::Injected("system-reminder")),
        ("[Request interrupted", Author::Note),
        ("[Image: source:", Author::Note),
    ],
    inserts: &[
        ("<system-reminder>", "</system-reminder>", "system-reminder"),
        ("<ide_opened_file>", "</ide_opened_file>", "ide"),
        ("<ide_selection>", "</ide_selection>", "ide"),
        ("<ide_diagnostics>", "</ide_diagnostics>", "ide"),
    ],
};

/// Text with which a refused tool call introduces the person's reason.
const REFUSAL: &str = "The user doesn't want to proceed with this tool use.";
const REFUSAL_WORDS: &str = "the user said:\n";
const REFUSAL_END: &str = "\n\nNote: The user's next message";

/// Splits the text of a `user` record by author. Empty and blank pieces are left out.
pub(crate) fn split(text: &str) -> Vec<Piece<'_>> {
    let start = text.trim_start();
    if is_command(text) {
        let (_, mut pieces) = author::take_inserts(text, WRAPPING.inserts);
        pieces.extend(command(text));
        return pieces;
    }
    for (name, author) in [
        ("bash-input", Author::Note),
        ("user-memory-input", Author::Command("#")),
    ] {
        if let Some(rest) = start.strip_prefix('<')
            && rest
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('>'))
            && let Some(words) = element(start, name)
        {
            let (_, mut pieces) = author::take_inserts(text, WRAPPING.inserts);
            let text = words.to_owned();
            pieces.insert(0, Piece { author, text });
            return pieces;
        }
    }
    author::split(text, &WRAPPING)
}

/// Reports whether a text is a slash command.
pub(crate) fn is_command(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with("<command-name>") || start.starts_with("<command-message>")
}

/// Reports whether the text of a tool's error is Claude Code's own, so that a refusal in it is the person's. Servers, pages,
/// agents and tools of other people word theirs as they like; a command's text begins with its exit code, in newer versions.
pub(crate) fn reports_errors_itself(tool: &str, version: &str) -> bool {
    match tool {
        "AskUserQuestion" | "Edit" | "ExitPlanMode" | "MultiEdit" | "NotebookEdit" | "Write" => {
            true
        }
        "Bash" => {
            let numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
            numbers.collect::<Vec<u32>>() >= EXIT_CODES.to_vec()
        }
        _ => false,
    }
}

/// The first version of real sessions in which the error of a command begins with its exit code.
const EXIT_CODES: [u32; 3] = [2, 0, 64];

/// Returns the person's reason for refusing a tool call, from the text of its result.
pub(crate) fn refusal(result: &str) -> Option<&str> {
    let (_, words) = result.strip_prefix(REFUSAL)?.split_once(REFUSAL_WORDS)?;
    let words = words
        .split_once(REFUSAL_END)
        .map_or(words, |(words, _)| words)
        .trim();
    (!words.is_empty()).then_some(words)
}

/// A slash command: the text typed after its name, and the wrapper.
fn command(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let name = element(text, "command-name").unwrap_or_default();
    if let Some(arguments) = element(text, "command-args").filter(|words| !words.is_empty()) {
        pieces.push(Piece {
            author: Author::Command(name),
            text: arguments.to_owned(),
        });
    }
    pieces.push(Piece {
        author: Author::Injected("command"),
        text: text.trim().to_owned(),
    });
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use Author::{Command, Compaction, Injected, Note, Own};

    fn check(text: &str, expected: &[(Author<'_>, &str)]) {
        let pieces = split(text);
        let told: Vec<_> = pieces
            .iter()
            .map(|piece| (piece.author, &*piece.text))
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
    fn messages_of_others_are_theirs_to_the_end() {
        for (tag, by) in [
            ("teammate-message teammate_id=\"a\"", "teammate"),
            ("channel source=\"chat\"", "channel"),
            ("scheduled-task name=\"a\"", "schedule"),
            ("cross-session-message from=\"a\"", "agent"),
        ] {
            let text = format!("<{tag}>\na\n</x>\nnever push\n<{tag}>b</x>\nalways push");
            check(&text, &[(Injected(by), &text)]);
        }
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
                "The user doesn't want to proceed with this tool use. To emit you how to proceed, \
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
