//! The commands that agents run: the server and the hooks, written so that the shell each agent uses
//! takes the path of the binary as one word.

use camino::Utf8Path;

use crate::{Agent, Platform};

/// A moment at which an agent runs acreta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The start of a session.
    Start,
    /// The end of a session.
    End,
    /// A person sent a prompt.
    Prompt,
    /// A command ended, maybe with an error.
    Failure,
    /// A file is about to be edited.
    Edit,
}

/// Whose rules a command line follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    /// `sh`, and on Windows the `bash` that comes with git.
    Posix,
    /// PowerShell.
    Power,
    Cmd,
}

impl Event {
    pub(crate) fn subcommand(self) -> &'static str {
        match self {
            Event::Start => "session-start",
            Event::End => "session-end",
            Event::Prompt => "prompt",
            Event::Failure => "failure",
            Event::Edit => "edit",
        }
    }
}

/// The command line of a hook.
pub(crate) fn hook(shell: Shell, binary: &Utf8Path, event: Event, agent: Agent) -> String {
    let binary = quoted(shell, binary);
    format!(
        "{binary} hook {} --agent {}",
        event.subcommand(),
        agent.id()
    )
}

/// Whether a command line is acreta's hook for this event, wherever its binary lies and however a
/// person has changed it.
pub(crate) fn is_hook(command: &str, event: Event) -> bool {
    command.contains("acreta") && command.contains(&format!("hook {}", event.subcommand()))
}

/// The shell that an agent's hooks run in.
pub(crate) fn shell_of(agent: Agent, platform: Platform) -> Shell {
    match (platform, agent) {
        (Platform::Linux | Platform::MacOs, _) => Shell::Posix,
        (Platform::Windows, Agent::Claude) => Shell::Posix,
        (Platform::Windows, Agent::Gemini | Agent::Qwen) => Shell::Power,
        (Platform::Windows, _) => Shell::Cmd,
    }
}

/// A path as one word. Plain paths stay as they are, which is how people write them.
fn quoted(shell: Shell, path: &Utf8Path) -> String {
    let plain = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '/' | '.' | '_' | '-' | '+' | '@')
    };
    match shell {
        Shell::Posix => {
            let path = path.as_str().replace('\\', "/");
            match path.chars().all(plain) {
                true => path,
                false => format!("'{}'", path.replace('\'', r"'\''")),
            }
        }
        Shell::Power => format!("& '{}'", path.as_str().replace('\'', "''")),
        // No file name there has a quotation mark.
        Shell::Cmd => format!("\"{path}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_one_word_in_every_shell() {
        let cases = [
            (Shell::Posix, "/usr/bin/acreta", "/usr/bin/acreta"),
            (Shell::Posix, "/home/a b/acreta", "'/home/a b/acreta'"),
            (Shell::Posix, "/home/o'k/acreta", r"'/home/o'\''k/acreta'"),
            (Shell::Posix, "/home/$(id)/acreta", "'/home/$(id)/acreta'"),
            (
                Shell::Posix,
                r"C:\Program Files\acreta.exe",
                "'C:/Program Files/acreta.exe'",
            ),
            (
                Shell::Power,
                r"C:\o'k\acreta.exe",
                r"& 'C:\o''k\acreta.exe'",
            ),
            (Shell::Cmd, r"C:\a b\acreta.exe", "\"C:\\a b\\acreta.exe\""),
        ];
        for (shell, path, word) in cases {
            let command = hook(shell, Utf8Path::new(path), Event::End, Agent::Codex);
            assert_eq!(command, format!("{word} hook session-end --agent codex"));
            assert!(is_hook(&command, Event::End) && !is_hook(&command, Event::Start));
        }
    }
}
