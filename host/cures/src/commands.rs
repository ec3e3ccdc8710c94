//! Classifies commands: read-only, changes files by hand, or provides something that was missing.

use crate::shell::{ShellCommand, ShellLine, is_option};
use crate::word_lists::word_list;

/// Reports whether a line only reads or asks for help: its success cures nothing.
pub(crate) fn is_look(line: &ShellLine) -> bool {
    line.work()
        .iter()
        .all(|command| looks(command) || asks_for_help(command))
}

/// Reports whether a line searches or shows: finding nothing is not a failure.
pub(crate) fn is_search(line: &ShellLine) -> bool {
    line.work().iter().all(looks)
}

fn looks(command: &ShellCommand) -> bool {
    let verb = command.verb();
    match command.program() {
        "git" => word_list("git-looks").contains(&verb) && !sets_up_git(command, verb),
        "sed" => !command.words.iter().any(|word| word.starts_with("-i")),
        "gh" => matches!(
            command.words.get(2).map(String::as_str),
            Some("view" | "list" | "diff" | "checks" | "status")
        ),
        "find" => !command.has("-delete") && !command.has("-exec"),
        "docker" | "podman" => matches!(verb, "ps" | "images" | "logs" | "inspect"),
        "kubectl" => matches!(verb, "get" | "describe" | "logs"),
        "tmux" => verb.starts_with("capture") || verb.starts_with("list"),
        program => word_list("looks").contains(&program),
    }
}

/// Reports whether `git config` or `git remote` changes a setting, which may cure a failure: `git config user.name Ana`. It is
/// never offered (see `elsewhere`), but nothing else gets the credit.
fn sets_up_git(command: &ShellCommand, verb: &str) -> bool {
    let mut behind = command
        .words
        .iter()
        .skip_while(|word| *word != verb)
        .skip(1);
    match verb {
        "config" => {
            let reads = [
                "get",
                "list",
                "--get",
                "--get-all",
                "--get-regexp",
                "--list",
                "-l",
            ];
            let words: Vec<&String> = behind.collect();
            !words.iter().any(|word| reads.contains(&word.as_str()))
                && words.iter().filter(|word| !is_option(word)).count() > 1
        }
        "remote" => behind.any(|word| {
            matches!(
                word.as_str(),
                "add" | "prune" | "remove" | "rename" | "rm" | "set-head" | "set-url" | "update"
            )
        }),
        _ => false,
    }
}

fn asks_for_help(command: &ShellCommand) -> bool {
    let asks = |word: &String| {
        matches!(
            word.as_str(),
            "--help" | "-h" | "--version" | "-V" | "help" | "version"
        )
    };
    command.words.last().is_some_and(asks)
}

/// Reports whether a line changes files in a one-time way: edits by hand, commits, scripts.
pub(crate) fn is_of_the_moment(line: &ShellLine) -> bool {
    line.writes || line.has_document || line.commands().any(|command| changes_by_hand(&command))
}

fn changes_by_hand(command: &ShellCommand) -> bool {
    match command.program() {
        "git" => word_list("git-changes").contains(&command.verb()),
        "gh" | "glab" | "hub" => true,
        "python" | "python3" | "node" | "ruby" | "perl" | "bun" | "deno" => command
            .words
            .iter()
            .skip(1)
            .take(2)
            .any(|word| matches!(word.as_str(), "-c" | "-e" | "-" | "-pe" | "--eval")),
        "find" | "sed" => !looks(command),
        program => word_list("changes").contains(&program),
    }
}

/// Reports whether commands provide something that their environment lacked: install, build, generate, start, sign in.
pub(crate) fn provides(work: &[ShellCommand]) -> bool {
    !work.is_empty()
        && work.iter().all(|command| {
            let program = command.program();
            let words = command
                .words
                .iter()
                .skip(1)
                .filter(|word| !is_option(word))
                .take(3);
            word_list("providers").contains(&program)
                || words
                    .flat_map(|word| word.split([':', '-', '/', '.', '_']))
                    .any(|word| word_list("provides").contains(&word))
        })
}

/// Reports whether commands format code: a formatter, or a linter that fixes.
pub(crate) fn puts_in_shape(work: &[ShellCommand]) -> bool {
    !work.is_empty()
        && work.iter().all(|command| {
            let mut parts = command
                .words
                .iter()
                .flat_map(|word| word.split([':', '-', '/', '.', '_', '=']));
            parts.any(|word| {
                matches!(
                    word,
                    "fmt"
                        | "format"
                        | "fix"
                        | "write"
                        | "gofmt"
                        | "rustfmt"
                        | "prettier"
                        | "isort"
                        | "black"
                )
            })
        })
}

/// Reports whether commands name a single file.
pub(crate) fn names_file(work: &[ShellCommand]) -> bool {
    let mut words = work.iter().flat_map(|command| command.words.iter().skip(1));
    words.any(|word| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        !is_option(word) && name.trim_matches('.').contains('.') && !name.contains('*')
    })
}
