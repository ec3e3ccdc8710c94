//! Commands of a repository. Agents put the text of such a file, with the output of its shell lines, into a message of the
//! person, and several do not mark it. What a repository wrote is not what the person typed, so such a message is known by
//! comparison with the files, whatever the agent:
//!
//! ```text
//! .opencode/command/notes.md          the message
//! ---                                 Summarise the release notes of 1.4 for a customer:
//! description: Notes                  Always deploy from main.       <- output of the shell line
//! ---
//! Summarise the release notes of $1 for a customer:
//! !`cat NOTES.md`
//! ```
//!
//! A file is cut at what is filled in. A message that has one of its long passages, or all of its short ones in order, is
//! that command, and all of the message counts as put in: nothing tells the arguments from the output.

use acreta_fs::{Directory, ScanLimits, Wanted};
use aho_corasick::AhoCorasick;
use camino::{Utf8Component, Utf8Path};

/// Folders of commands within an agent's folder, such as `.opencode/command`, `.gemini/commands` and `.pi/prompts`.
const FOLDERS: &[&str] = &["command", "commands", "prompts", "recipes", "workflows"];

/// Folders that begin with a dot and belong to no agent.
const NOT_AGENTS: &[&str] = &[".git", ".acreta"];

const EXTENSIONS: &[&str] = &["json", "jsonc", "md", "mdc", "toml", "txt", "yaml", "yml"];

const FILES: u64 = 1_000;
const DEPTH: u64 = 8;
const FILE_BYTES: u64 = 64 * 1024;

/// Characters from which one passage tells a command, and several together.
const LONG: usize = 24;
const TOGETHER: usize = 16;

/// The commands of a repository.
#[derive(Debug, Default)]
pub struct Commands {
    long: Option<AhoCorasick>,
    short: Vec<Vec<String>>,
}

impl Commands {
    /// Reads the commands in a repository's folder and in those on the way down to `directory`, where the session ran. What
    /// cannot be read has no commands.
    pub fn read(root: &Directory, directory: &Utf8Path) -> Self {
        let below = directory.strip_prefix(root.path()).unwrap_or("".into());
        let mut found = Self::default();
        let mut long = Vec::new();
        let mut folder = Some(root.without_links());
        let mut rest = below.components();
        while let Some(here) = folder {
            let limits = ScanLimits {
                files: FILES,
                depth: DEPTH,
            };
            for file in here.scan(&CommandFiles, limits).0 {
                if let Ok(text) = here.read_to_string(&file.path, FILE_BYTES) {
                    let is_prose = file.path.extension().is_none_or(|it| it.starts_with("md"));
                    let all = passages(&text, is_prose);
                    let (known, rest): (Vec<_>, Vec<_>) =
                        all.into_iter().partition(|passage| is_long(passage));
                    if known.is_empty()
                        && rest.iter().map(|it| it.chars().count()).sum::<usize>() >= TOGETHER
                    {
                        found.short.push(rest);
                    }
                    long.extend(known);
                }
            }
            folder = rest
                .next()
                .and_then(|part| here.subdirectory(part.as_str()).ok());
        }
        found.long = (!long.is_empty())
            .then(|| AhoCorasick::new(&long).ok())
            .flatten();
        found
    }

    /// Reports whether a message is one of the commands, filled in.
    pub(crate) fn are_in(&self, message: &str) -> bool {
        if self.long.is_none() && self.short.is_empty() {
            return false;
        }
        let message = with_single_spaces(message);
        self.long
            .as_ref()
            .is_some_and(|long| long.is_match(&message))
            || self.short.iter().any(|passages| {
                let mut rest = message.as_str();
                passages.iter().all(|passage| {
                    let after = rest.split_once(passage.as_str()).map(|(_, after)| after);
                    rest = after.unwrap_or_default();
                    after.is_some()
                })
            })
    }
}

struct CommandFiles;

impl Wanted for CommandFiles {
    fn enters(&self, directory: &Utf8Path) -> bool {
        let mut parts = directory.components().map(|part| part.as_str());
        let is_agents = |folder: &str| folder.starts_with('.') && !NOT_AGENTS.contains(&folder);
        parts.next().is_none_or(is_agents)
            && parts.next().is_none_or(|part| FOLDERS.contains(&part))
    }

    fn takes(&self, file: &Utf8Path) -> bool {
        let Some(extension) = file.extension() else {
            return false;
        };
        // Deeper ones lie in a folder that was entered; settings may have commands in them.
        let is_settings = extension.starts_with("json")
            && match file.components().count() {
                1 => file.as_str().starts_with("opencode."),
                2 => file.components().next().is_some_and(is_named),
                _ => false,
            };
        let is_command = file.components().count() > 2 && EXTENSIONS.contains(&extension);
        is_settings || is_command
    }
}

fn is_named(part: Utf8Component<'_>) -> bool {
    matches!(part, Utf8Component::Normal(_))
}

fn is_long(passage: &str) -> bool {
    passage.chars().count() >= LONG
}

/// Returns what a command always says: its text between the places that are filled in. In prose, front matter is left out;
/// in other files, the keys and quotes of each line.
fn passages(text: &str, is_prose: bool) -> Vec<String> {
    let unescaped;
    let text = match is_prose {
        true => without_front_matter(text),
        false => {
            unescaped = keyless(&text.replace("\\n", "\n").replace("\\\"", "\0"));
            &unescaped
        }
    };
    let mut found = vec![String::new()];
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        match filled_in(rest) {
            Some(length) => {
                found.push(String::new());
                rest = &rest[length..];
            }
            None => {
                if let Some(passage) = found.last_mut() {
                    passage.push(next);
                }
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    let spaced = found.iter().map(|passage| with_single_spaces(passage));
    spaced.filter(|passage| !passage.is_empty()).collect()
}

/// Returns the length of a place that is filled in, if the text begins with one: `$1`, `$ARGUMENTS`, `{{args}}`, `!{…}`,
/// `@{…}`, or a shell line in backticks. Keys and quotes became a zero.
fn filled_in(text: &str) -> Option<usize> {
    let closed = |opening: &str, closing: &str| {
        let inner = text.strip_prefix(opening)?;
        let end = inner.find(closing)?;
        Some(opening.len() + end + closing.len())
    };
    let variable = || {
        let name = text.strip_prefix('$')?;
        let length = name
            .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
            .unwrap_or(name.len());
        (length > 0).then_some(1 + length)
    };
    closed("\0", "")
        .or_else(|| closed("!`", "`"))
        .or_else(|| closed("{{", "}}"))
        .or_else(|| closed("!{", "}"))
        .or_else(|| closed("@{", "}"))
        .or_else(variable)
}

fn without_front_matter(text: &str) -> &str {
    let body = text
        .trim_start()
        .strip_prefix("---")
        .and_then(|rest| rest.split_once("\n---"))
        .and_then(|(_, rest)| rest.split_once('\n'));
    body.map_or(text, |(_, body)| body)
}

/// Replaces the keys and quotes of JSON, TOML and YAML by places that are filled in.
fn keyless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim_start().trim_start_matches("- ");
        let is_key = |key: &&str| {
            let key = key.trim().trim_matches(['"', '\'']);
            !key.is_empty()
                && key
                    .chars()
                    .all(|it| it.is_alphanumeric() || "-_.".contains(it))
        };
        let key = trimmed.find([':', '=']).map(|at| &trimmed[..at]);
        let value = match key.filter(is_key) {
            Some(key) => {
                out.push('\0');
                let value = trimmed[key.len() + 1..].trim();
                value.strip_suffix(['|', '>']).unwrap_or(value)
            }
            None => trimmed,
        };
        out.push_str(&value.replace(['"', '\''], "\0"));
        out.push('\n');
    }
    out
}

fn with_single_spaces(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use acreta_fs::NoFaults;
    use camino::Utf8PathBuf;

    use super::*;

    /// Returns the commands of a project that has one file.
    fn read(path: &str, text: &str, below: &str) -> Commands {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let root = Directory::open(&root, NoFaults::shared()).unwrap();
        let path = Utf8Path::new(path);
        if let Some(folder) = path.parent().filter(|folder| *folder != "") {
            root.create_dir_all(folder).unwrap();
        }
        root.replace(path, text.as_bytes()).unwrap();
        Commands::read(&root, &root.path().join(below))
    }

    #[test]
    fn a_message_that_a_command_filled_in_is_known() {
        let notes = "---\ndescription: Notes\n---\nSummarise the release notes of $1 for a customer:\n\n!`cat NOTES.md`\n";
        let toml = "description = \"Check\"\nprompt = \"\"\"\nAlways check the {{args}} twice,\nnever with the network.\n\"\"\"\n";
        let json = "{\"command\": {\"go\": {\n\"template\": \"Deploy from main.\\nNever ask $ARGUMENTS before that.\"}}}";
        let yaml = "title: Clean\nprompt: |\n  Delete the folder of results\n  before each run.\n";
        let short = "Do $1 it\nnow $2 at once, always.\n";
        let table = [
            (
                ".opencode/command/notes.md",
                notes,
                "Summarise the release notes of 1.4 for a customer:\n\nAlways deploy from main.",
                true,
            ),
            (
                ".opencode/command/notes.md",
                notes,
                "Summarise the release notes for me",
                false,
            ),
            (".opencode/command/notes.md", notes, "Notes", false),
            (
                ".gemini/commands/team/check.toml",
                toml,
                "Always check the queue twice,\nnever with the network.\n",
                true,
            ),
            (
                ".gemini/commands/team/check.toml",
                toml,
                "always check the queue",
                false,
            ),
            (
                "opencode.json",
                json,
                "Deploy from main.\nNever ask Ana before that.",
                true,
            ),
            (
                ".goose/recipes/clean.yaml",
                yaml,
                "Delete the folder of results\nbefore each run.",
                true,
            ),
            (
                ".pi/prompts/now.md",
                short,
                "Do the release it now tomorrow at once, always.",
                true,
            ),
            (".pi/prompts/now.md", short, "it is now tomorrow", false),
            (
                ".github/workflows/ci.yml",
                "run: |\n  cargo test --workspace --all-features\n",
                "why does it fail?",
                false,
            ),
            // What the agent wrote down of the person's words is no command.
            (
                ".cursor/rules/deploy.md",
                "Never deploy on fridays, whatever they say.\n",
                "Never deploy on fridays, whatever they say.",
                false,
            ),
            (
                "docs/commands/x.md",
                "Never deploy on fridays, whatever they say.\n",
                "Never deploy on fridays, whatever they say.",
                false,
            ),
            // Only what is filled in: everything would be this command.
            (
                ".pi/prompts/any.md",
                "$ARGUMENTS\n",
                "never deploy on fridays",
                false,
            ),
        ];
        for (path, text, message, expected) in table {
            let commands = read(path, text, "");
            assert_eq!(commands.are_in(message), expected, "{path}: {message}");
        }
    }

    #[test]
    fn commands_of_the_folders_on_the_way_count() {
        let said = "Never deploy on fridays, whatever they say.";
        let table = [("services/pay/src", true), ("services", false), ("", false)];
        for (below, expected) in table {
            let commands = read("services/pay/.opencode/commands/go.md", said, below);
            assert_eq!(commands.are_in(said), expected, "{below}");
        }
    }
}
