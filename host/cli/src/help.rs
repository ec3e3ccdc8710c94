//! The help of `acreta` itself: commands grouped by purpose, on one screen. Names and texts are taken from the
//! commands.

use std::fmt::Write;

use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, FromArgMatches};

use crate::args::Arguments;

/// Every visible command, once. `worker` is visible in a build with the feature `team`.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Start here", &["init", "run", "sync", "status", "doctor"]),
    (
        "Memory",
        &["ask", "memory", "review", "maintain", "brief", "context"],
    ),
    (
        "Sessions and readers",
        &["connect", "project", "sessions", "usage", "model"],
    ),
    (
        "Daemon",
        &["dashboard", "up", "down", "serve", "worker", "logs"],
    ),
    (
        "Inspect and extend",
        &["queue", "runs", "plugin", "config", "self"],
    ),
    (
        "For agents and shells",
        &["mcp", "hook", "completions", "man"],
    ),
];

/// Commands of `acreta memory` that work without that word.
const SHORT: [&str; 4] = ["search", "list", "show", "add"];

const END: &str = "\
Short for `acreta memory …`: `acreta search`, `list`, `show` and `add`.
Options of every command: --json, --format, --no-llm, --project, --plugin,
--cache-dir. `acreta COMMAND --help` explains them and the command's own.
Exit codes: 0 done, 1 failed or not found, 2 wrong usage, 3 partly done or with
warnings, 4 another run holds the project.";

/// Parses the arguments of this process; exits after printing help or an error.
pub(crate) fn parse() -> Arguments {
    let matches = command().try_get_matches();
    let matches = matches.unwrap_or_else(|error| with_memory_command(error).exit());
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Names `acreta memory NAME` to whoever typed `acreta NAME`.
fn with_memory_command(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let command = Arguments::command();
    let memory = command.find_subcommand("memory");
    if memory.is_some_and(|memory| memory.find_subcommand(name).is_some()) {
        let right = ContextValue::Strings(vec![format!("memory {name}")]);
        error.insert(ContextKind::SuggestedSubcommand, right);
    }
    error
}

/// Returns the definition of all commands.
pub(crate) fn command() -> Command {
    let mut command = Arguments::command();
    for name in SHORT {
        command = command.mut_subcommand(name, |short| short.hide(true));
    }
    // It answers with what to build; a list of what there is does not name it.
    if cfg!(not(feature = "team")) {
        command = command.mut_subcommand("worker", |worker| worker.hide(true));
    }
    let groups = groups(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}\n{END}\n"
    ))
}

fn groups(command: &Command) -> String {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let names = GROUPS.iter().flat_map(|(_, names)| *names);
    let width = names.map(|name| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{header}{group}:{header:#}");
        let commands = names
            .iter()
            .filter_map(|name| command.find_subcommand(name));
        for command in commands.filter(|one| !one.is_hide_set()) {
            let name = command.get_name();
            let about = command.get_about();
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:width$}{literal:#}  {about}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .filter(|name| *name != "worker" || cfg!(feature = "team"))
            .collect();
        assert_eq!(grouped.len(), shown.len(), "a command is in two groups");
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), shown);
    }

    #[test]
    fn the_help_fits_a_screen() {
        let help = command().render_long_help().to_string();
        assert!(help.lines().count() <= 50, "{} lines", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn the_arguments_fit_together() {
        command().debug_assert();
    }
}
