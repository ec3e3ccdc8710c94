//! Finds commands that fetch from a place of their own choice: another host, index, registry, proxy or mirror. Whoever
//! chose the place chose the code that runs.
//!
//! The rule is about the place, not about the program: no word and no assignment of the line may hold an address of
//! another host (`scheme://host`, `user@host:path`, `host.tld/path`, `host.tld:port`), and none may name a source by its
//! option, variable or setting, since a source can be named without an address.

use crate::shell::{ShellCommand, ShellLine, is_option};

/// Reports whether a line names the place from which it or a later command fetches.
pub(crate) fn names_place(text: &str, line: &ShellLine) -> bool {
    holds_address(text)
        || line.commands().any(|command| {
            let mut words = command.words.iter().chain(&command.environment);
            words.any(|word| holds_address(word) || names_source(word))
                || changes_sources(&command)
                || names_repository(&command)
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

/// Parts of the names of options, variables and settings that name a source.
const SOURCES: [&str; 13] = [
    "channel",
    "find-links",
    "gosumdb",
    "goprivate",
    "goinsecure",
    "index",
    "insteadof",
    "mirror",
    "proxy",
    "registry",
    "repositor",
    "trusted-host",
    "substituter",
];

/// Reports whether an option, an assignment or a setting names a source: `--index-url`, `GOPROXY=…`, `registry=…`.
fn names_source(word: &str) -> bool {
    let (name, is_assigned) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    let name = name.to_lowercase().replace('_', "-");
    (is_assigned || is_option(word))
        && (SOURCES.iter().any(|part| name.contains(part))
            || matches!(&*name, "--source" | "--sources" | "--repo" | "--git"))
}

/// Reports whether a command changes the settings of a program or its list of sources.
fn changes_sources(command: &ShellCommand) -> bool {
    let plain = || command.words.iter().skip(1).filter(|word| !is_option(word));
    let is_setting = |word: &String| {
        matches!(
            word.as_str(),
            "config"
                | "config-manager"
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
        "git" => matches!(command.verb(), "config" | "remote" | "clone"),
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
