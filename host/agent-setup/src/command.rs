//! The commands that agents run: the server and the hooks, quoted so that each agent's shell reads the path of the
//! binary as one word.

use camino::Utf8Path;

use crate::{Agent, Platform};

/// An event at which an agent runs acreta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookEvent {
    /// The start of a session.
    Start,
    /// The end of a session.
    End,
    /// A person sent a prompt.
    Prompt,
    /// A command ended, possibly with an error.
    Failure,
    /// A file is about to be edited.
    Edit,
    /// The conversation is about to be compacted.
    Compact,
}

/// The shell whose quoting rules a command line follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    /// `sh`, and on Windows the `bash` that comes with git.
    Posix,
    /// PowerShell.
    Power,
    Cmd,
}

impl HookEvent {
    pub(crate) fn subcommand(self) -> &'static str {
        match self {
            HookEvent::Start => "session-start",
            HookEvent::End => "session-end",
            HookEvent::Prompt => "prompt",
            HookEvent::Failure => "failure",
            HookEvent::Edit => "edit",
            HookEvent::Compact => "compact",
        }
    }
}

/// Returns the command line of a hook.
pub(crate) fn hook(shell: Shell, binary: &Utf8Path, event: HookEvent, agent: Agent) -> String {
    let binary = quoted(shell, binary);
    format!(
        "{binary} hook {} --agent {}",
        event.subcommand(),
        agent.id()
    )
}

/// Reports whether a command line is acreta's hook for this event, with any path of the binary and any changes by a
/// person.
pub(crate) fn is_hook(command: &str, event: HookEvent) -> bool {
    command.contains("acreta") && command.contains(&format!("hook {}", event.subcommand()))
}

/// Returns the shell that runs an agent's hooks.
pub(crate) fn shell_of(agent: Agent, platform: Platform) -> Shell {
    match (platform, agent) {
        (Platform::Linux | Platform::MacOs, _) => Shell::Posix,
        (Platform::Windows, Agent::Claude) => Shell::Posix,
        (Platform::Windows, Agent::Gemini | Agent::Qwen) => Shell::Power,
        (Platform::Windows, _) => Shell::Cmd,
    }
}

/// Quotes a path as one word. Plain paths stay unquoted, as people write them.
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
        // File names there cannot contain a quotation mark.
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
            let command = hook(shell, Utf8Path::new(path), HookEvent::End, Agent::Codex);
            assert_eq!(command, format!("{word} hook session-end --agent codex"));
            assert!(is_hook(&command, HookEvent::End) && !is_hook(&command, HookEvent::Start));
        }
    }
}
