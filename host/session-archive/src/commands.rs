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

use std::io::Read;

use acreta_fs::{Directory, EntryKind, FsError, NoFaults};
use acreta_git::GitRepository;
use aho_corasick::AhoCorasick;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// Folders of commands within an agent's folder, such as `.opencode/command`, `.gemini/commands` and `.pi/prompts`. A skill is
/// one, too, where a person calls it by its name (`.vibe/skills/notes/SKILL.md`).
const FOLDERS: &[&str] = &[
    "command",
    "commands",
    "prompts",
    "recipes",
    "skills",
    "workflows",
];

/// Folders that begin with a dot and belong to no agent.
const NOT_AGENTS: &[&str] = &[".git", ".acreta"];

const EXTENSIONS: &[&str] = &["json", "jsonc", "md", "mdc", "toml", "txt", "yaml", "yml"];

/// Maximum number of files and folders that are looked at, and of levels. A repository with more hides something: each
/// message of its sessions counts as a command.
const ENTRIES: u64 = 4_000;
const DEPTH: usize = 8;

/// Maximum number of commits that are looked at.
const COMMITS: usize = 256;

/// Maximum number of links in a row, as Linux follows them.
const LINKS: usize = 40;

/// Maximum number of entries of the repository's own folder.
const TOP_ENTRIES: u64 = 1_000_000;

/// Bytes that are read of each file. What a message repeats of a longer one is found by its beginning.
const FILE_BYTES: u64 = 64 * 1024;

/// Characters from which one passage tells a command, and several together.
const LONG: usize = 24;
const TOGETHER: usize = 16;

/// The commands of a repository.
#[derive(Debug, Default)]
pub struct Commands {
    long: Option<AhoCorasick>,
    short: Vec<Vec<String>>,
    /// There are commands that could not be looked at.
    has_unknown: bool,
}

impl Commands {
    /// Reads the commands in a repository's folder and in those on the way down to `directory`, where the session ran; if this
    /// is another checkout, those of the checkout as well. Those of commits that were checked out `during` the session (from,
    /// to) count, too: a branch is often left before its session is read.
    pub fn read(root: &Directory, directory: &Utf8Path, during: Option<(u64, u64)>) -> Self {
        let mut search = Search::default();
        let below = directory.strip_prefix(root.path()).ok();
        search.on_the_way(root, below.unwrap_or("".into()));
        let place = match below {
            None if directory.is_absolute() => directory,
            _ => root.path(),
        };
        if let Ok(git) = GitRepository::containing(place) {
            let checkout = git.work_tree().filter(|_| below.is_none());
            let checkout = checkout.and_then(|root| Directory::open(root, NoFaults::shared()).ok());
            if let Some(checkout) = checkout {
                let below = directory.strip_prefix(checkout.path());
                search.on_the_way(&checkout, below.unwrap_or("".into()));
            }
            if let Some((from, to)) = during {
                search.checked_out(&git, from, to);
            }
        }
        let long = (!search.long.is_empty())
            .then(|| AhoCorasick::new(&search.long).ok())
            .flatten();
        Self {
            long,
            short: search.short,
            has_unknown: search.has_unknown,
        }
    }

    /// Reports whether a file of a repository, named from its top, may have commands.
    pub fn may_be_in(file: &Utf8Path) -> bool {
        let folders = file.ancestors().skip(1).filter(|folder| *folder != "");
        takes(file) && folders.into_iter().all(enters)
    }

    /// Reports whether a message is one of the commands, filled in.
    pub(crate) fn are_in(&self, message: &str) -> bool {
        if self.has_unknown {
            return true;
        }
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

/// The passages that were found so far.
#[derive(Default)]
struct Search {
    long: Vec<String>,
    short: Vec<Vec<String>>,
    entries: u64,
    has_unknown: bool,
}

impl Search {
    fn on_the_way(&mut self, root: &Directory, below: &Utf8Path) {
        let mut folder = Some(root.without_links());
        let mut rest = below.components();
        while let Some(here) = folder {
            self.folder(&here, ".".into(), "".into());
            folder = rest
                .next()
                .and_then(|part| here.subdirectory(part.as_str()).ok());
        }
    }

    /// Looks through the commits that were checked out between two times.
    fn checked_out(&mut self, git: &GitRepository, from: u64, to: u64) {
        let current = git.head();
        let heads = git.heads_between(from, to, COMMITS);
        for head in heads.iter().filter(|head| current.as_ref() != Some(head)) {
            let enters = |path: &str| enters(path.into());
            let takes = |path: &str| takes(path.into());
            // A commit that was collected since is unknown.
            let texts = git.texts(head, &enters, &takes, FILE_BYTES as usize);
            for (path, text) in texts.unwrap_or_default() {
                self.text(path.as_str().into(), &String::from_utf8_lossy(&text));
            }
        }
    }

    /// Looks through the folder `place`, which stands for `named`: they differ behind a link.
    fn folder(&mut self, here: &Directory, place: &Utf8Path, named: &Utf8Path) {
        let is_top = named.as_str().is_empty();
        let most = match is_top {
            true => TOP_ENTRIES,
            false => ENTRIES,
        };
        let entries = match here.list(place, most) {
            Ok(entries) => entries,
            Err(error) => {
                self.has_unknown |= matches!(error, FsError::OverLimit { .. });
                return;
            }
        };
        for entry in entries {
            let Some(name) = entry.path.file_name() else {
                continue;
            };
            let named = named.join(name);
            let is_wanted = enters(&named) || takes(&named);
            if is_wanted {
                self.entry(here, &entry.path, &named, entry.metadata.kind);
            }
        }
    }

    fn entry(&mut self, here: &Directory, place: &Utf8Path, named: &Utf8Path, kind: EntryKind) {
        self.entries += 1;
        if self.entries > ENTRIES || named.components().count() > DEPTH {
            self.has_unknown = true;
        }
        if self.has_unknown {
            return;
        }
        match kind {
            EntryKind::Directory if enters(named) => self.folder(here, place, named),
            EntryKind::File if takes(named) => self.file(here, place),
            // Agents follow it. What lies outside of the repository is not the repository's.
            EntryKind::Symlink => {
                if let Some((target, kind)) = followed(here, place) {
                    self.entry(here, &target, named, kind);
                }
            }
            _ => {}
        }
    }

    fn file(&mut self, here: &Directory, place: &Utf8Path) {
        let mut bytes = Vec::new();
        let read = here
            .open_reader(place)
            .map(|reader| reader.into_file().take(FILE_BYTES).read_to_end(&mut bytes));
        if !matches!(read, Ok(Ok(_))) {
            return;
        }
        self.text(place, &String::from_utf8_lossy(&bytes));
    }

    fn text(&mut self, place: &Utf8Path, text: &str) {
        let is_prose = place.extension().is_none_or(|it| it.starts_with("md"));
        let all = passages(text, is_prose);
        let (long, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|passage| is_long(passage));
        let length: usize = rest.iter().map(|it| it.chars().count()).sum();
        if long.is_empty() && length >= TOGETHER {
            self.short.push(rest);
        }
        self.long.extend(long);
    }
}

/// Follows a link, and those that it leads to; `None` if there is nothing at the end, or not in the repository.
fn followed(here: &Directory, link: &Utf8Path) -> Option<(Utf8PathBuf, EntryKind)> {
    let mut place = link.to_owned();
    for _ in 0..LINKS {
        place = normal(&place, &here.link_target(&place).ok()?)?;
        let kind = here.metadata(&place).ok()?.kind;
        if kind != EntryKind::Symlink {
            return Some((place, kind));
        }
    }
    None
}

/// Returns where a link leads, relative to the folder that it is looked at from; `None` if that is outside.
fn normal(link: &Utf8Path, target: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut parts: Vec<&str> = link.parent()?.components().map(|it| it.as_str()).collect();
    for part in target.components() {
        match part {
            Utf8Component::Normal(part) => parts.push(part),
            Utf8Component::ParentDir => {
                parts.pop()?;
            }
            Utf8Component::CurDir => {}
            Utf8Component::RootDir | Utf8Component::Prefix(_) => return None,
        }
    }
    match parts.is_empty() {
        true => Some(".".into()),
        false => Some(parts.iter().collect()),
    }
}

/// Reports whether commands may lie beneath this folder.
fn enters(folder: &Utf8Path) -> bool {
    let mut parts = folder.components().map(|part| part.as_str());
    let is_agents = |folder: &str| folder.starts_with('.') && !NOT_AGENTS.contains(&folder);
    parts.next().is_none_or(is_agents) && parts.next().is_none_or(|part| FOLDERS.contains(&part))
}

/// Reports whether a file of this name has commands.
fn takes(file: &Utf8Path) -> bool {
    let Some(extension) = file.extension() else {
        return false;
    };
    // Settings may have commands in them; all else lies in a folder of commands.
    let is_settings = extension.starts_with("json")
        && match file.components().count() {
            1 => file.as_str().starts_with("opencode."),
            2 => file.as_str().starts_with('.'),
            _ => false,
        };
    let is_command = file.components().count() > 2 && EXTENSIONS.contains(&extension);
    is_settings || is_command
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
        Commands::read(&root, &root.path().join(below), None)
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

    /// Whatever an agent reads as a command is looked at, whatever hides it.
    #[cfg(unix)]
    #[expect(
        clippy::disallowed_methods,
        reason = "what the test takes away, it made in its own folder"
    )]
    #[test]
    fn no_command_is_hidden() {
        let said = "Never deploy on fridays, whatever they say.";
        let long = format!("{said}\n{}", "x y z ".repeat(20_000));
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let root = Directory::open(&root, NoFaults::shared()).unwrap();
        let folder_of = |path: &str| {
            let folder = Utf8Path::new(path).parent().unwrap();
            if !folder.as_str().is_empty() {
                root.create_dir_all(folder).unwrap();
            }
        };
        let write = |path: &str, text: &str| {
            folder_of(path);
            root.replace(path, text.as_bytes()).unwrap();
        };
        let link = |target: &str, path: &str| {
            folder_of(path);
            std::os::unix::fs::symlink(target, root.path().join(path)).unwrap();
        };
        let knows = |message: &str| Commands::read(&root, root.path(), None).are_in(message);
        let away = |path: &str| {
            let path = root.path().join(path);
            match path.symlink_metadata().unwrap().is_dir() {
                true => std::fs::remove_dir_all(path).unwrap(),
                false => std::fs::remove_file(path).unwrap(),
            }
        };
        write("docs/commands/real.md", said);
        assert!(!knows(said));
        link("../../docs/commands/real.md", ".pi/prompts/a.md");
        assert!(knows(said), "a link to a file");
        away(".pi");
        link("../docs/commands", ".pi/prompts");
        assert!(knows(said), "a link to a folder");
        away(".pi");
        link("prompts", ".pi/prompts");
        link("../../..", ".pi/skills");
        assert!(!knows(said), "links that lead nowhere");
        away(".pi");
        link("docs", ".opencode");
        assert!(knows(said), "the agent's folder is a link");
        away(".opencode");
        write(".vibe/skills/notes/SKILL.md", said);
        assert!(knows(said), "a skill");
        away(".vibe");
        write(".opencode/command/long.md", &long);
        assert!(knows(&long), "a long file");
        assert!(!knows("why is the build slow?"));
        write(".opencode/command/1/2/3/4/5/6/7/8.md", said);
        assert!(knows("why is the build slow?"), "too deep to look at");
    }

    #[test]
    fn commands_of_another_checkout_count() {
        let said = "Never deploy on fridays, whatever they say.";
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let base = Directory::open(&base, NoFaults::shared()).unwrap();
        for (path, text) in [
            ("main/.git/HEAD", "ref: refs/heads/main\n"),
            ("other/.git/HEAD", "ref: refs/heads/main\n"),
            ("other/.git/objects/x", ""),
            ("other/.git/refs/x", ""),
            ("other/src/lib.rs", ""),
            ("other/.opencode/commands/go.md", said),
        ] {
            base.create_dir_all(Utf8Path::new(path).parent().unwrap())
                .unwrap();
            base.replace(path, text.as_bytes()).unwrap();
        }
        let root = base.subdirectory("main").unwrap();
        let commands = Commands::read(&root, &base.path().join("other/src"), None);
        assert!(commands.are_in(said));
        let commands = Commands::read(&root, &base.path().join("main/src"), None);
        assert!(!commands.are_in(said));
    }
}
