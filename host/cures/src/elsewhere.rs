//! Finds commands that fetch from a place of their own choice: another host, index, registry, proxy or mirror. Whoever
//! chose the place chose the code that runs.
//!
//! No word and no assignment of any line may hold an address of another host (`scheme://host`, `user@host:path`,
//! `host.tld/path`, `host.tld:port`), and none may name a source by its option, variable or setting. Programs that install
//! know many more ways to name one, some of them shortened at will (`npm --reg`, `gem -s`, `conda -c`), so of them only
//! what is known to name none is offered: an option that is not in a list is refused, and so is every variable. Nor is a
//! command that gives somebody leave: to approve a changed `.envrc` is a person's own word.

use crate::shell::{ShellCommand, ShellLine, is_option};
use crate::word_lists::word_list;

/// Reports whether a line names the place from which it or a later command fetches.
pub(crate) fn names_place(text: &str, line: &ShellLine) -> bool {
    holds_address(text)
        || line.commands().any(|command| {
            let mut words = command.words.iter().chain(&command.environment);
            words.any(|word| holds_address(word) || names_source(word))
                || changes_sources(&command)
                || names_repository(&command)
                || installs_freely(&command)
                || gives_leave(&command)
                || !is_known(&command)
        })
}

/// Reports whether a text holds the address of another host.
fn holds_address(text: &str) -> bool {
    let is_end = |letter: char| letter.is_whitespace() || "=,;&|()<>'\"".contains(letter);
    text.split(is_end).any(is_address)
}

fn is_address(token: &str) -> bool {
    match token.split_once("://") {
        Some((_, rest)) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let host = rest[..end].rsplit('@').next().unwrap_or_default();
            !host.is_empty() && !is_local(host)
        }
        None => is_remote_path(token) || is_host(token),
    }
}

/// `user@host:path`, and the names that npm gives to hosts: `github:user/repository`.
fn is_remote_path(token: &str) -> bool {
    const HOSTS: [&str; 5] = ["github:", "gitlab:", "bitbucket:", "gist:", "git:"];
    let behind = token.split_once('@').filter(|(user, _)| !user.is_empty());
    behind.is_some_and(|(_, rest)| rest.contains(':'))
        || HOSTS.iter().any(|host| token.starts_with(host))
}

/// `host.tld/path`, `host.tld:8080`, `10.0.0.5/path`. A file alone (`setup.py`) looks like a host, too, and is none.
fn is_host(token: &str) -> bool {
    let end = token.find(['/', ':']).unwrap_or(token.len());
    let (host, rest) = token.split_at(end);
    let is_port = rest.strip_prefix(':').is_some_and(|port| {
        let digits = port.split('/').next().unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let mut labels = host.split('.');
    let is_label = |label: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_letter)
    };
    let is_domain = host.contains('.')
        && labels.all(is_label)
        && host.rsplit('.').next().is_some_and(|last| {
            last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
    let is_ip = host.parse::<std::net::Ipv4Addr>().is_ok();
    (rest.starts_with('/') || is_port) && (is_domain || is_ip) && !is_local(host)
}

fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    matches!(name, "localhost" | "127.0.0.1" | "::1" | "0.0.0.0")
}

/// Reports whether an option, an assignment or a setting names a source: `--index-url`, `GOPROXY=…`, `registry=…`.
fn names_source(word: &str) -> bool {
    let (name, is_assigned) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    let name = name.to_lowercase().replace('_', "-");
    let is_variable = is_assigned && !is_option(word);
    (is_assigned || is_option(word))
        && (word_list("sources").iter().any(|part| name.contains(part))
            || is_variable && word_list("steering").iter().any(|part| name.contains(part))
            || matches!(
                &*name,
                "--source" | "--sources" | "--repo" | "--git" | "--server"
            ))
}

/// Reports whether a command changes the settings of a program or its list of sources.
fn changes_sources(command: &ShellCommand) -> bool {
    let plain = || command.words.iter().skip(1).filter(|word| !is_option(word));
    let is_setting = |word: &String| {
        matches!(
            word.as_str(),
            "channel"
                | "config"
                | "config-manager"
                | "copr"
                | "pin"
                | "remote"
                | "remote-add"
                | "repo"
                | "set"
                | "source"
                | "sources"
                | "tap"
        )
    };
    match command.program() {
        "go" => command.verb() == "env",
        "git" => match command.verb() {
            "add" | "am" | "apply" | "cherry-pick" | "commit" | "init" | "mv" | "push"
            | "revert" | "stash" | "status" | "tag" | "worktree" => false,
            "submodule" => !command.has("update") && !command.has("sync"),
            "lfs" => plain().nth(2).is_some(),
            "checkout" | "switch" | "branch" => plain().any(|name| name.contains('/')),
            // From the usual place, without naming another.
            "fetch" | "pull" | "merge" | "rebase" => {
                plain().nth(1).is_some_and(|place| place != "origin")
            }
            _ => true,
        },
        "add-apt-repository" | "apt-add-repository" | "apt-key" | "yum-config-manager" => true,
        _ => plain().take(3).any(is_setting),
    }
}

/// Reports whether a package manager is given a repository in place of a package: `npm install user/repository`.
fn names_repository(command: &ShellCommand) -> bool {
    let is_manager = matches!(
        command.program(),
        "npm" | "npx" | "pnpm" | "pnpx" | "yarn" | "bun" | "bunx" | "brew"
    );
    let fetches = |word: &String| {
        matches!(
            word.as_str(),
            "i" | "install" | "add" | "exec" | "dlx" | "create" | "x"
        )
    };
    let fetches = command.program().ends_with('x') || command.words.iter().any(fetches);
    let is_repository = |word: &String| {
        word.contains('/') && !is_option(word) && !word.starts_with(['@', '.', '/', '~'])
    };
    // The value of an option is a folder: `--prefix packages/a`.
    let takes_folder = |word: &String| {
        matches!(
            word.as_str(),
            "-C" | "-F" | "-w" | "--cwd" | "--dir" | "--filter" | "--prefix" | "--workspace"
        )
    };
    let mut pairs = command.words.windows(2);
    is_manager && fetches && pairs.any(|pair| is_repository(&pair[1]) && !takes_folder(&pair[0]))
}

/// Reports whether an installer is given an option, a variable or a name of which it is not known that it names no source.
/// `python -m pip` is pip.
fn installs_freely(command: &ShellCommand) -> bool {
    let words = command.words.as_slice();
    let (program, words) = match words {
        [_, flag, module, rest @ ..] if flag == "-m" => (module.as_str(), rest),
        [_, rest @ ..] => (command.program(), rest),
        [] => return false,
    };
    // What follows the name of a program that is run are its own words.
    let words = match matches!(program, "npx" | "uvx" | "bunx" | "pnpx") {
        true => {
            let named = words.iter().position(|word| !is_option(word));
            &words[..named.map_or(words.len(), |at| at + 1)]
        }
        false => words,
    };
    let verb = words.iter().find(|word| !is_option(word));
    let runs = verb.is_some_and(|verb| word_list("running").contains(&verb.as_str()))
        && !matches!(program, "gradle" | "gradlew" | "mvn" | "mvnw");
    let is_unknown = |word: &String| {
        let name = word.split('=').next().unwrap_or(word);
        is_option(word) && !word_list("harmless-options").contains(&name)
    };
    // `channel::package`, `alias@npm:package`, `host:repository`
    let names_other = |word: &String| !is_option(word) && word.contains(':');
    let configures = |word: &String| is_option(word) && word.contains("config");
    word_list("installers").contains(&program)
        && match runs {
            true => words.iter().any(configures),
            false => {
                !command.environment.is_empty()
                    || words
                        .iter()
                        .any(|word| is_unknown(word) || names_other(word))
            }
        }
}

/// Reports whether a command lets something run that would not run unasked: code of a folder, a server or plugin of an agent,
/// an extension of an editor.
fn gives_leave(command: &ShellCommand) -> bool {
    let has = |word: &str| command.has(word);
    match command.program() {
        "direnv" => matches!(command.verb(), "allow" | "permit" | "grant"),
        "mise" | "asdf" => has("trust") || has("plugin") || has("plugins"),
        "gh" => matches!(command.verb(), "extension" | "repo" | "pr"),
        _ => {
            let installs = [
                "mcp",
                "plugin",
                "plugins",
                "extension",
                "extensions",
                "approve-builds",
            ];
            let extension = |word: &String| word.starts_with("--install-extension");
            installs.contains(&command.verb()) || command.words.iter().any(extension)
        }
    }
}

/// Reports whether it is known what a program does. A script of the repository, named by its path, is the repository's own. Of
/// other programs nobody knows which of their options and variables choose a source, so they may have none.
fn is_known(command: &ShellCommand) -> bool {
    let program = command.program();
    let word = command.words.first().map_or("", String::as_str);
    let is_script = |word: &str| word.contains('/') && !word.starts_with(['/', '~']);
    let runs_script = matches!(program, "bash" | "sh" | "source" | ".")
        && command
            .words
            .get(1)
            .is_some_and(|script| !is_option(script));
    let is_plain = |word: &String| !is_option(word) && !word.contains('=');
    let says_little = command.environment.is_empty() && command.words.iter().all(is_plain);
    says_little
        || word_list("installers").contains(&program)
        || word_list("known").contains(&program)
        || is_script(word)
        || runs_script
        || program == "export"
}
