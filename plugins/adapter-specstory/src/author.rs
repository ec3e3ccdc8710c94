//! Determines the author of text under `User`. The agents whose sessions SpecStory saves write much there that no
//! person said.

use acreta_sdk::adapter::author::{self, Author, Piece, Wrapping, element};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        (
            "This session is being continued from a previous conversation",
            Author::Compaction,
        ),
        ("<local-command-", Author::Injected("local-command")),
        (
            "Caveat: The messages below",
            Author::Injected("local-command"),
        ),
        ("<bash-stdout>", Author::Injected("bash")),
        ("<bash-stderr>", Author::Injected("bash")),
        ("<task-notification>", Author::Injected("task-notification")),
        ("<system-reminder>", Author::Injected("system-reminder")),
        ("<environment_context>", Author::Injected("environment")),
        ("<user_instructions>", Author::Injected("agents-file")),
        ("# AGENTS.md instructions", Author::Injected("agents-file")),
        ("<turn_aborted>", Author::Note),
        (INTERRUPTED, Author::Note),
        ("[Image: source:", Author::Note),
    ],
    inserts: &[
        ("<system-reminder>", "</system-reminder>", "system-reminder"),
        ("<ide_opened_file>", "</ide_opened_file>", "ide"),
        ("<ide_selection>", "</ide_selection>", "ide"),
    ],
};

/// Text that an agent records when the person stops it.
pub(crate) const INTERRUPTED: &str = "[Request interrupted";

/// Splits text under `User` by author.
pub(crate) fn split(text: &str) -> Vec<Piece<'_>> {
    if !is_command(text) {
        return author::split(text, &WRAPPING);
    }
    let name = element(text, "command-name").unwrap_or_default();
    let words = element(text, "command-args").filter(|words| !words.is_empty());
    let typed = words.map(|words| (Author::Command(name), words));
    let wrapper = (Author::Injected("command"), text.trim());
    let pieces = typed.into_iter().chain([wrapper]);
    pieces
        .map(|(author, text)| Piece {
            author,
            text: text.to_owned(),
        })
        .collect()
}

/// Reports whether the person ran a command: text that follows at the same time is its expansion.
pub(crate) fn is_command(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with("<command-name>") || start.starts_with("<command-message>")
}
