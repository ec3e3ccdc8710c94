//! Command lines in the documents, held against the help texts of the program: each command, option and subcommand that
//! a page names has to exist.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Book, Page};

/// One command line that a page names, without `acreta`.
#[derive(Debug, PartialEq, Eq)]
struct Mention {
    line: usize,
    words: Vec<String>,
}

/// Gives the help text of a command by its words; `None` if there is no such command.
pub type HelpOf<'a> = &'a dyn Fn(&[&str]) -> Option<String>;

/// Names of subcommands and options, read from a help text.
#[derive(Debug, Clone, Default)]
struct Usage {
    subcommands: BTreeSet<String>,
    options: BTreeSet<String>,
    /// A subcommand has to be named.
    needs_subcommand: bool,
}

/// The commands of the program, read when they are first asked for.
struct Commands<'a> {
    help_of: HelpOf<'a>,
    known: BTreeMap<Vec<String>, Option<Usage>>,
}

/// Returns what the documents say about commands that do not exist, and the number of command lines that were checked.
/// Pages of `except` speak of the past.
pub fn problems(book: &Book, except: &[&str], help_of: HelpOf<'_>) -> (Vec<String>, usize) {
    let mut commands = Commands {
        help_of,
        known: BTreeMap::new(),
    };
    let (mut problems, mut checked) = (Vec::new(), 0);
    let is_checked = |page: &&Page| !except.iter().any(|path| page.path().starts_with(path));
    for page in book.pages().filter(is_checked) {
        for mention in mentions(page) {
            checked += 1;
            if let Err(problem) = commands.check(&mention.words) {
                let shown = mention.words.join(" ");
                let path = page.path();
                problems.push(format!(
                    "{path}:{}: `acreta {shown}`: {problem}",
                    mention.line
                ));
            }
        }
    }
    (problems, checked)
}

/// Returns all commands in the order of their help texts, each with its words and its help. `last` comes last: a command
/// that the list of commands does not always name.
pub fn all(help_of: HelpOf<'_>, last: &str) -> Vec<(Vec<String>, String)> {
    let mut all = Vec::new();
    let mut left = vec![vec![last.to_owned()], Vec::new()];
    while let Some(command) = left.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        if all.iter().any(|(known, _)| *known == command) {
            continue;
        }
        let Some(help) = help_of(&words) else {
            continue;
        };
        let subcommands = subcommands(&help).filter(|name| *name != last);
        let below = subcommands.map(|name| command.iter().cloned().chain([name.to_owned()]));
        let below: Vec<Vec<String>> = below.map(Iterator::collect).collect();
        left.extend(below.into_iter().rev());
        all.push((command, help));
    }
    all
}

fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    help.lines()
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
}

impl Commands<'_> {
    fn usage(&mut self, path: &[String]) -> Option<Usage> {
        if let Some(usage) = self.known.get(path) {
            return usage.clone();
        }
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let usage = (self.help_of)(&words).map(|help| Usage::read(&help));
        self.known.insert(path.to_owned(), usage.clone());
        usage
    }

    fn check(&mut self, words: &[String]) -> Result<(), String> {
        let mut path: Vec<String> = Vec::new();
        let mut usage = self.usage(&path).unwrap_or_default();
        let mut may_descend = true;
        for word in words {
            if let Some(option) = option(word) {
                if !usage.options.contains(&option) {
                    return Err(format!("no option `{option}`"));
                }
                continue;
            }
            if !may_descend || is_placeholder(word) {
                may_descend = false;
                continue;
            }
            let alternatives: Vec<&str> = word.split('|').collect();
            for name in &alternatives {
                let below: Vec<String> = path.iter().cloned().chain([(*name).to_owned()]).collect();
                let is_command = usage.subcommands.contains(*name)
                    || (path.is_empty() && self.usage(&below).is_some());
                if !is_command && (usage.needs_subcommand || alternatives.len() > 1) {
                    return Err(format!("no command `{name}`"));
                }
                may_descend &= is_command;
            }
            if may_descend {
                path.push(alternatives[0].to_owned());
                usage = self.usage(&path).ok_or("has no help text")?;
                may_descend = alternatives.len() == 1 && !usage.subcommands.is_empty();
            }
        }
        Ok(())
    }
}

impl Usage {
    fn read(help: &str) -> Self {
        let mut options = BTreeSet::new();
        for line in help.lines() {
            let line = line.trim_start();
            let names = line.split("  ").next().unwrap_or_default();
            if line.starts_with('-') {
                options.extend(names.split([' ', ',']).filter_map(option));
            }
        }
        // The front page names the options of every command in a sentence.
        for word in help.split([' ', ',', '\n']) {
            options.extend(option(word.trim_end_matches(['.', ';'])));
        }
        options.insert("--version".to_owned());
        let mut lines = help.lines();
        Self {
            subcommands: subcommands(help).map(str::to_owned).collect(),
            options,
            needs_subcommand: lines
                .any(|line| line.starts_with("Usage: ") && line.ends_with("<COMMAND>")),
        }
    }
}

/// Returns the name of an option, without a value.
fn option(word: &str) -> Option<String> {
    let name: String = word
        .chars()
        .take_while(|one| *one == '-' || one.is_ascii_alphanumeric())
        .collect();
    let is_long = name.strip_prefix("--").is_some_and(|rest| !rest.is_empty());
    let is_short = name.len() == 2 && name.starts_with('-') && !name.starts_with("--");
    (is_long || is_short).then_some(name)
}

/// Reports whether a word stands for something that the reader puts in.
fn is_placeholder(word: &str) -> bool {
    !word.starts_with(|first: char| first.is_ascii_lowercase())
        || word.contains(|one: char| "<>[]…=$*/.:\"'".contains(one))
}

fn mentions(page: &Page) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut add = |line: usize, text: &str| {
        if let Some(rest) = command_line(text) {
            mentions.push(Mention {
                line,
                words: words(rest),
            });
        }
    };
    for block in page.blocks() {
        let text = block.text.replace("\\\n", " ");
        for (offset, line) in text.lines().enumerate() {
            add(block.line + 1 + offset, line);
        }
    }
    for (line, span) in page.code_spans() {
        add(line, &span);
    }
    for (line, text) in page.indented_code() {
        add(line, text);
    }
    mentions
}

/// Returns what follows `acreta` on a line that runs it, with or without a prompt.
fn command_line(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.split_once("$ ").map_or(text, |(before, after)| {
        match before.is_empty() || before.starts_with(['~', '/']) {
            true => after,
            false => text,
        }
    });
    text.strip_prefix("acreta ")
        .or((text == "acreta").then_some(""))
}

/// Splits a command line as a shell does, up to a comment, a pipe, or a column of explanation.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let text = text.split("   ").next().unwrap_or_default();
    for one in text.chars() {
        match (quote, one) {
            (Some(open), one) if one == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(one);
                // A quoted word is no command.
                word.push(one);
            }
            (None, ' ') => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (_, one) => word.push(one),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    let is_end = |word: &String| {
        ["|", "||", "&&", "&", ";", ">", "<", "·", "…"].contains(&word.as_str())
            || word.starts_with(['#', '('])
            || word.starts_with("2>")
    };
    let end = words.iter().position(is_end).unwrap_or(words.len());
    words.truncate(end);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(words: &[&str]) -> Option<String> {
        let text = match words {
            [] => {
                "Usage: acreta [OPTIONS] <COMMAND>\n\nStart here:\n  memory  Memories\n  run     Learn\n\nOptions:\n      --json  Print JSON\n"
            }
            ["memory"] => {
                "Usage: acreta memory [OPTIONS] <COMMAND>\n\nCommands:\n  list  List\n  show  Show\n\nOptions:\n      --json  Print JSON\n"
            }
            ["memory", "list"] => {
                "Usage: acreta memory list\n\nOptions:\n      --type <TYPE>  Of this type\n"
            }
            ["memory", "show"] => {
                "Usage: acreta memory show <ID>\n\nOptions:\n  -h, --help  Help\n"
            }
            ["run"] => "Usage: acreta run [TRACE]\n\nOptions:\n      --explain  Explain\n",
            ["search"] => "Usage: acreta search [WORDS]...\n",
            _ => return None,
        };
        Some(text.to_owned())
    }

    #[test]
    fn a_command_that_does_not_exist_is_found() {
        let cases = [
            ("run FILE --explain", ""),
            ("run --explain    the last words are a column", ""),
            ("run FILE --explane", "no option `--explane`"),
            ("memory list --type=poem | less --fast", ""),
            ("memory list|show", ""),
            ("memory list|shew", "no command `shew`"),
            ("memory purge", "no command `purge`"),
            ("memory …", ""),
            ("purge", "no command `purge`"),
            ("search any words 'and --more'", ""),
            ("run session.jsonl # --explode", ""),
            ("--json memory list", ""),
        ];
        for (line, expected) in cases {
            let mut commands = Commands {
                help_of: &help,
                known: BTreeMap::new(),
            };
            let found = commands.check(&words(line)).err().unwrap_or_default();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn lines_that_run_acreta_are_recognised() {
        for (line, expected) in [
            ("acreta run", Some("run")),
            ("$ acreta run", Some("run")),
            ("~/tidewatch $ acreta run", Some("run")),
            ("acretas run", None),
            ("the $ acreta run", None),
            ("acreta", Some("")),
        ] {
            assert_eq!(command_line(line), expected, "{line}");
        }
    }

    #[test]
    fn all_commands_are_listed_once_and_one_last() {
        let all: Vec<String> = all(&help, "search")
            .into_iter()
            .map(|(words, _)| words.join(" "))
            .collect();
        assert_eq!(
            all,
            ["", "memory", "memory list", "memory show", "run", "search"]
        );
    }
}
