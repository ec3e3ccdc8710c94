//! Removes what names people and machines from text that a person hands to others: mail addresses, names of accounts, IP
//! addresses, and hosts that only their own network knows. Stricter than [`Redactor`], whose strict
//! setting it runs first: what it
//! takes for a name may be none, since a shared text is better short of a word than with one too many.
//!
//! Accounts are found in paths of home folders (`/home/ada`, `C:\Users\ada`), people in `Ada Lovelace <ada@…>`. After
//! [`PersonalRedactor::learn`] saw all texts that belong together, their names are removed wherever they stand in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Serialize;

use crate::{Counts, Redactor};

/// Accounts that name nobody: those of machine images and of the system.
const SHARED_ACCOUNTS: &[&str] = &[
    "admin",
    "app",
    "build",
    "circleci",
    "codespace",
    "debian",
    "default",
    "dev",
    "ec2-user",
    "gitpod",
    "guest",
    "jenkins",
    "name",
    "node",
    "public",
    "root",
    "runner",
    "shared",
    "ubuntu",
    "user",
    "username",
    "vagrant",
    "vscode",
    "you",
];

/// Minimum letters of an account's name that is removed outside of paths.
const NAME_LETTERS: usize = 3;

/// Top-level domains that no public name has (RFC 6762, RFC 9476, and by custom).
const PRIVATE_DOMAINS: &[&str] = &[
    "corp",
    "home",
    "internal",
    "intranet",
    "lan",
    "local",
    "localdomain",
    "private",
];

/// Removed text by kind. The kind is the rule of a secret, or `account`, `email`, `hidden`, `host`, `ip`, `person`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TakenOut(BTreeMap<&'static str, Kind>);

/// Removed texts of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Kind {
    pub times: u64,
    /// What was removed, and how often. Secrets are counted, and not kept.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, u64>,
}

impl TakenOut {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Kind)> {
        self.0.iter().map(|(name, kind)| (*name, kind))
    }

    fn record(&mut self, kind: &'static str, value: &str) {
        let kind = self.0.entry(kind).or_default();
        kind.times += 1;
        *kind.values.entry(value.to_owned()).or_default() += 1;
    }

    fn merge_secrets(&mut self, counts: &Counts) {
        for (rule, times) in counts.iter() {
            self.0.entry(rule).or_default().times += times;
        }
    }
}

/// Removes names of people and machines, and secrets.
#[derive(Debug)]
pub struct PersonalRedactor {
    secrets: Redactor,
    accounts: BTreeSet<String>,
    people: BTreeSet<String>,
    hidden: BTreeSet<String>,
    /// All of these names at once; `None` if they changed.
    names: Option<Regex>,
}

impl PersonalRedactor {
    /// `hidden` are further words to remove, in upper or lower case.
    pub fn new(secrets: &Redactor, hidden: &[String]) -> Self {
        let hidden = hidden.iter().map(|word| word.trim().to_lowercase());
        Self {
            secrets: secrets.strict(),
            accounts: BTreeSet::new(),
            people: BTreeSet::new(),
            hidden: hidden.filter(|word| !word.is_empty()).collect(),
            names: None,
        }
    }

    /// Notes the names of accounts and people that a text shows to be such.
    pub fn learn(&mut self, text: &str) {
        for found in HOME.captures_iter(text) {
            let account = found["account"].trim_end_matches('.').to_lowercase();
            let is_name = account.chars().filter(|it| it.is_alphanumeric()).count() >= NAME_LETTERS;
            if is_name
                && !SHARED_ACCOUNTS.contains(&account.as_str())
                && self.accounts.insert(account)
            {
                self.names = None;
            }
        }
        for found in PERSON.captures_iter(text) {
            let person = &found["person"];
            if person.contains(' ') && self.people.insert(person.to_lowercase()) {
                self.names = None;
            }
        }
    }

    /// Returns the text without secrets and without what names people and machines.
    pub fn clean<'t>(&mut self, text: &'t str, taken: &mut TakenOut) -> Cow<'t, str> {
        let mut counts = Counts::default();
        let text = self.secrets.redact_into(text, &mut counts);
        taken.merge_secrets(&counts);
        let mut finds: Vec<(Range<usize>, &'static str)> = Vec::new();
        find_all(&text, &mut finds);
        self.find_names(&text, &mut finds);
        if finds.is_empty() {
            return text;
        }
        // The first and longest counts, where several overlap.
        finds.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut clean = String::with_capacity(text.len());
        let mut at = 0;
        for (range, kind) in finds {
            if range.start < at {
                continue;
            }
            taken.record(kind, &text[range.clone()]);
            clean.push_str(&text[at..range.start]);
            clean.push_str("[redacted:");
            clean.push_str(kind);
            clean.push(']');
            at = range.end;
        }
        clean.push_str(&text[at..]);
        Cow::Owned(clean)
    }

    fn find_names(&mut self, text: &str, finds: &mut Vec<(Range<usize>, &'static str)>) {
        let all = [&self.hidden, &self.people, &self.accounts];
        if all.iter().all(|names| names.is_empty()) {
            return;
        }
        if self.names.is_none() {
            let mut all: Vec<&String> = all.into_iter().flatten().collect();
            // Of two names that start alike, the longer one.
            all.sort_by_key(|name| std::cmp::Reverse(name.len()));
            let all: Vec<String> = all.into_iter().map(|name| regex::escape(name)).collect();
            self.names = Regex::new(&format!("(?i){}", all.join("|"))).ok();
        }
        let Some(names) = &self.names else {
            return;
        };
        for found in names.find_iter(text) {
            let range = found.range();
            let is_inside = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            let is_part = is_inside(text[..range.start].chars().next_back())
                || is_inside(text[range.end..].chars().next());
            let name = found.as_str().to_lowercase();
            let kind = match (self.hidden.contains(&name), self.people.contains(&name)) {
                (true, _) => "hidden",
                (_, true) => "person",
                _ => "account",
            };
            // What the person named goes also as a part of a word.
            if !is_part || kind == "hidden" {
                finds.push((range, kind));
            }
        }
    }
}

/// Compiles a constant; tests use each.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

static HOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:/|\\{1,4}|%2f)(?:home|users)(?:/|\\{1,4}|%2f)(?P<account>[a-z0-9_][a-z0-9._-]{0,63})",
    )
});
static MAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}",
    )
});
static PERSON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<person>\p{Lu}[\p{L}.'’-]{1,40}(?: \p{L}[\p{L}.'’-]{0,40}){0,3}) <[A-Za-z0-9._%+-]{1,64}@",
    )
});
static IPV4: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d{1,3}(?:\.\d{1,3}){3}"));
static IPV6: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9A-Fa-f:]{3,39}"));
static URL_HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"://(?:[^\s/@\x22'<>]{1,120}@)?(?P<host>[A-Za-z0-9_][A-Za-z0-9._-]{0,200})")
});
static SHELL_HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s\[(\x22'`])(?P<account>[A-Za-z_][A-Za-z0-9._-]{0,31})@(?P<host>[A-Za-z][A-Za-z0-9-]{0,62})(?::[~/]| [^\s\]]{1,80}\][$#%]|[$#%] )",
    )
});
static SSH_HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:ssh|scp|sftp|mosh|ssh-copy-id) (?:-\S+ (?:\d+ )?){0,4}(?:(?P<account>[A-Za-z_][A-Za-z0-9._-]{0,31})@)(?P<host>[A-Za-z][A-Za-z0-9.-]{0,200})",
    )
});
static PRIVATE_HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.(?:corp|internal|intranet|lan|local|localdomain)\b",
    )
});

fn find_all(text: &str, finds: &mut Vec<(Range<usize>, &'static str)>) {
    let mut group = |found: &Captures<'_>, name: &str, kind: &'static str| {
        finds.extend(found.name(name).map(|part| (part.range(), kind)));
    };
    HOME.captures_iter(text).for_each(|found| {
        if !SHARED_ACCOUNTS.contains(&found["account"].to_lowercase().as_str()) {
            group(&found, "account", "account");
        }
    });
    PERSON
        .captures_iter(text)
        .for_each(|found| group(&found, "person", "person"));
    for found in SHELL_HOST
        .captures_iter(text)
        .chain(SSH_HOST.captures_iter(text))
    {
        group(&found, "account", "account");
        group(&found, "host", "host");
    }
    URL_HOST.captures_iter(text).for_each(|found| {
        if is_private(&found["host"]) {
            group(&found, "host", "host");
        }
    });
    finds.extend(MAIL.find_iter(text).map(|found| (found.range(), "email")));
    let hosts = PRIVATE_HOST.find_iter(text).map(|found| found.range());
    finds.extend(
        hosts
            .filter(|range| is_host(text, range))
            .map(|range| (range, "host")),
    );
    let addresses = IPV4.find_iter(text).map(|found| found.range());
    let addresses = addresses.filter(|range| {
        let is_told = text[range.clone()].parse().is_ok_and(|address: Ipv4Addr| {
            !address.is_loopback() && !address.is_unspecified() && !address.is_broadcast()
        });
        is_told && stands_alone(text, range, &['.', '-', '_'])
    });
    finds.extend(addresses.map(|range| (range, "ip")));
    let addresses = IPV6.find_iter(text).map(|found| found.range());
    let addresses = addresses.filter(|range| {
        let address = &text[range.clone()];
        // `fe::ed` is also a path of a module.
        address.contains(|it: char| it.is_ascii_digit())
            && address
                .parse()
                .is_ok_and(|it: Ipv6Addr| !it.is_loopback() && !it.is_unspecified())
            && stands_alone(text, range, &['_'])
    });
    finds.extend(addresses.map(|range| (range, "ip")));
}

/// Reports whether the host of an address is one of a network of its own: without a domain, or with a private one.
fn is_private(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    match host.rsplit_once('.') {
        None => host != "localhost" && !host.bytes().all(|it| it.is_ascii_digit()),
        Some((_, domain)) => PRIVATE_DOMAINS.contains(&domain),
    }
}

/// Reports whether a name with a private domain is a host, and not a file (`.env.local`) or a field (`self.local`).
fn is_host(text: &str, range: &Range<usize>) -> bool {
    let name = &text[range.clone()];
    let is_local = name.to_lowercase().ends_with(".local");
    let names_machine = name.contains('-') || name.matches('.').count() > 1;
    (!is_local || names_machine)
        && stands_alone(text, range, &['.', '-', '_', '/'])
        && !text[range.end..].starts_with('(')
}

/// Reports whether neither a letter nor one of `more` comes before or after a find; a full stop may end a sentence.
fn stands_alone(text: &str, range: &Range<usize>, more: &[char]) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || more.contains(&it);
    let before = text[..range.start].chars().next_back();
    let mut after = text[range.end..].chars();
    let follows = match after.next() {
        Some('.') => after.next().is_some_and(char::is_alphanumeric),
        // A path, or a port.
        Some('/') => false,
        other => other.is_some_and(is_part),
    };
    !before.is_some_and(is_part) && !follows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str, hidden: &[&str]) -> String {
        let secrets = Redactor::new(&[]).unwrap();
        let hidden: Vec<String> = hidden.iter().map(|it| (*it).to_owned()).collect();
        let mut redactor = PersonalRedactor::new(&secrets, &hidden);
        redactor.learn(text);
        let clean = redactor.clean(text, &mut TakenOut::default()).into_owned();
        let again = redactor.clean(&clean, &mut TakenOut::default());
        assert_eq!(again, clean, "twice changes nothing");
        clean
    }

    #[test]
    fn names_of_people_and_machines_are_removed() {
        let table = [
            ("mail ada.l@example.org now", "mail [redacted:email] now"),
            (
                "cat /home/ada/x; ls -l: ada ada",
                "cat /home/[redacted:account]/x; ls -l: [redacted:account] [redacted:account]",
            ),
            (r"C:\\Users\\ada\\x", r"C:\\Users\\[redacted:account]\\x"),
            (
                "~/.claude/projects/-home-ada-x and /Users/ada",
                "~/.claude/projects/-home-[redacted:account]-x and /Users/[redacted:account]",
            ),
            (
                "Author: Ada Lovelace <ada@x.org>\nby Ada Lovelace",
                "Author: [redacted:person] <[redacted:email]>\nby [redacted:person]",
            ),
            (
                "ada@laptop:~/src$ ls",
                "[redacted:account]@[redacted:host]:~/src$ ls",
            ),
            (
                "ssh -p 22 deploy@web-1 uptime",
                "ssh -p 22 [redacted:account]@[redacted:host] uptime",
            ),
            ("http://jenkins:8080/job", "http://[redacted:host]:8080/job"),
            ("https://git.acme.internal/x.", "https://[redacted:host]/x."),
            ("ping db.prod.internal.", "ping [redacted:host]."),
            (
                "at 192.168.1.20, 2001:db8::1 too",
                "at [redacted:ip], [redacted:ip] too",
            ),
            ("http://10.0.0.7:80/", "http://[redacted:ip]:80/"),
        ];
        for (text, expected) in table {
            assert_eq!(cleaned(text, &[]), expected, "{text}");
        }
    }

    #[test]
    fn what_names_nobody_stays() {
        let table = [
            "http://localhost:3000 and 127.0.0.1, 0.0.0.0, ::1",
            "/home/user/x, /Users/runner/work, the user said so",
            "https://docs.rs/serde npm i react@latest actions/checkout@v4",
            "cp .env.local settings.local.json; self.local = 1",
            "at 12:34:56 std::fs::read version 1.2.3",
            "@decorator @param name",
        ];
        for text in table {
            assert_eq!(cleaned(text, &[]), text);
        }
    }

    #[test]
    fn chosen_words_are_removed_in_any_case_and_within_words() {
        assert_eq!(
            cleaned("Acme, acmeClient, MACME", &["acme"]),
            "[redacted:hidden], [redacted:hidden]Client, M[redacted:hidden]"
        );
    }

    #[test]
    fn secrets_are_counted_and_not_kept() {
        let secrets = Redactor::new(&[]).unwrap();
        let mut redactor = PersonalRedactor::new(&secrets, &[]);
        let mut taken = TakenOut::default();
        let key = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
        let clean = redactor
            .clean(&format!("key {key} of a@b.org, a@b.org"), &mut taken)
            .into_owned();
        assert!(!clean.contains(&key), "{clean}");
        let taken: Vec<_> = taken.iter().collect();
        assert_eq!(taken.len(), 2, "{taken:?}");
        for (name, kind) in taken {
            match name {
                "email" => assert_eq!(kind.values["a@b.org"], 2),
                _ => assert!(kind.values.is_empty() && kind.times == 1, "{name} {kind:?}"),
            }
        }
    }
}
