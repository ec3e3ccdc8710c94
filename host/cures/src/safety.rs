//! Decides which command lines may be offered to an agent: none that destroys, runs as another user, runs a download,
//! fetches from a place of its own choice, skips a check, names a secret, or is incomplete.

use crate::elsewhere::names_place;
use crate::shell::{ShellCommand, ShellLine, is_option};
use crate::word_lists::word_list;

/// Maximum length of an offered command line, in bytes.
const LONGEST: usize = 240;

/// Reports whether a command line may be offered.
pub(crate) fn may_be_offered(text: &str, line: &ShellLine) -> bool {
    text.len() <= LONGEST
        && !text.contains(['\n', '`'])
        && !text.chars().any(acreta_text::is_hidden)
        && !text.contains("[redacted")
        && !text.contains("REDACTED")
        && !text.contains("$(")
        && !text.contains("<(")
        && !line.has_document
        && line.commands().all(|command| !is_unsafe(&command))
        && !runs_download(line)
        && !names_place(text, line)
}

fn is_unsafe(command: &ShellCommand) -> bool {
    let verb = command.verb();
    let words = &command.words;
    let has = |options: &[&str]| words.iter().any(|word| options.contains(&word.as_str()));
    let short = |letter: char| {
        let mut options = words
            .iter()
            .filter(|word| is_option(word) && !word.starts_with("--"));
        options.any(|word| word.contains(letter))
    };
    if has(word_list("skipping"))
        || words.iter().any(|word| names_secret(word))
        || command.environment.iter().any(|one| names_secret(one))
    {
        return true;
    }
    let lower = words.join(" ").to_lowercase();
    if word_list("destroying")
        .iter()
        .any(|part| lower.contains(part))
    {
        return true;
    }
    match command.program() {
        "git" => match verb {
            "push" => {
                has(&["--force", "--force-with-lease", "--delete", "--mirror"])
                    || short('f')
                    || short('d')
                    || words
                        .iter()
                        .any(|word| word.starts_with('+') || word.starts_with("--force"))
            }
            "reset" => has(&["--hard"]),
            "checkout" | "switch" => has(&["--force", "--", "."]) || short('f'),
            "branch" | "tag" => short('D') || short('d') || has(&["--delete"]),
            "stash" => has(&["drop", "clear"]),
            "clean" | "restore" | "filter-branch" | "filter-repo" | "gc" | "update-ref"
            | "reflog" => true,
            _ => false,
        },
        program => word_list("never").contains(&program),
    }
}

/// Reports whether a word contains or names a secret.
fn names_secret(word: &str) -> bool {
    let lower = word.to_lowercase();
    [
        "password",
        "passwd",
        "secret",
        "token=",
        "api_key",
        "apikey",
        "bearer ",
        "authorization",
        "credential",
        "private_key",
    ]
    .iter()
    .any(|part| lower.contains(part))
}

/// Reports whether a line runs what it downloads: `curl … | sh`, `sh <(curl …)`.
fn runs_download(line: &ShellLine) -> bool {
    line.pipelines.iter().any(|pipeline| {
        let programs: Vec<&str> = pipeline
            .commands
            .iter()
            .map(ShellCommand::program)
            .collect();
        let interprets = |program: &&str| {
            [
                "sh",
                "bash",
                "zsh",
                "dash",
                "python",
                "python3",
                "node",
                "perl",
                "ruby",
                "iex",
                "pwsh",
                "powershell",
                "sudo",
                "tar",
            ]
            .contains(program)
        };
        let downloads = programs
            .iter()
            .position(|program| word_list("downloads").contains(program));
        downloads.is_some_and(|at| programs.iter().skip(at + 1).any(interprets))
    }) || line.commands().any(|command| {
        let is_pipe_inside = command.words.iter().skip(1).any(|word| {
            word_list("downloads")
                .iter()
                .any(|program| word.contains(&format!("{program} ")))
                && word.contains('|')
        });
        is_pipe_inside || word_list("downloads").contains(&command.program())
    })
}
