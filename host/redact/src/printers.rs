//! Commands that print a secret and nothing that names it: password managers, token helpers, generators. Their output
//! is judged like a file that consists of a secret (`files`).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::files::output;
use crate::view::RangeSink;
use crate::work;

/// Commands, in lower case. Arguments follow.
pub(crate) const COMMANDS: &[&str] = &[
    "ansible-vault decrypt",
    "ansible-vault view",
    "argocd admin initial-password",
    "auth print-access-token",
    "auth print-identity-token",
    "auth:token",
    "aws ecr get-login-password",
    "az account get-access-token",
    "bw get password",
    "bws secret get",
    "cast wallet decrypt-keystore",
    "cast wallet private-key",
    "chamber read",
    "consul keygen",
    "doppler secrets get",
    "dumpprivkey",
    "find-generic-password",
    "find-internet-password",
    "flyctl auth token",
    "fly auth token",
    "fly tokens create",
    "gh auth token",
    "gopass show",
    "gossip keyring generate",
    "heroku config:get",
    "infisical secrets get",
    "key:generate --show",
    "keyring get",
    "keyvault secret show",
    "kubectl create token",
    "kubectl get secret",
    "lpass show",
    "npm token create",
    "op item get",
    "op read",
    "openssl rand",
    "pass show",
    "pwgen",
    "rails secret",
    "rake secret",
    "rbw get",
    "secret-tool lookup",
    "secrets versions access",
    "secretsmanager get-secret-value",
    "sops decrypt",
    "sops -d",
    "vault kv get",
    "vault read",
    "wg genkey",
    "wg genpsk",
];

/// Literals of commands that only a pattern recognises.
pub(crate) const SIGNS: &[&str] = &[
    "/dev/urandom",
    "randombytes(",
    "token_hex(",
    "token_urlsafe(",
    "generate_key(",
    "printenv ",
    "echo ",
    "printf ",
];

static PRINTS: LazyLock<Regex> = LazyLock::new(|| {
    let commands: Vec<String> = COMMANDS.iter().map(|it| regex::escape(it)).collect();
    Regex::new(&format!(
        "(?:{}{})",
        commands.join("|"),
        concat!(
            r#"|/dev/urandom|node (?:-e|-p|-pe) [^\n]{0,80}?randomBytes\("#,
            r#"|python3? -c [^\n]{0,80}?(?:token_hex|token_urlsafe|generate_key)\("#,
            // A variable whose name says so.
            r#"|(?:echo|printf)(?: -[ne]+| \\*["']?%s(?:\\+n)?\\*["']?)? \\*["']?\$\{?[A-Z0-9_]*"#,
            r#"(?:PASSWORD|PASSWD|PASS|PASSPHRASE|PWD|PW|TOKEN|SECRET|API_?KEY|SECRET_KEY|PRIVATE_KEY)(?:[}"'\\\s|]|$)"#,
            r#"|printenv [A-Z0-9_]*(?:PASSWORD|PASSWD|PASS|PW|TOKEN|SECRET|API_?KEY|SECRET_KEY|PRIVATE_KEY)(?:["'\\\s|]|$)"#,
        )
    ))
    .expect("the tests compile it")
});

/// Reports whether a command, or the arguments of a call, print a secret.
pub(crate) fn prints_secret(command: &str) -> bool {
    PRINTS
        .find_iter(command)
        .any(|it| is_run(command, it.range()))
}

/// Reports whether the command at `span` runs for its output: not within another one, and not into a file.
fn is_run(text: &str, span: Range<usize>) -> bool {
    let before = &text[text.ceil_char_boundary(span.start.saturating_sub(24))..span.start];
    let starts = before
        .bytes()
        .next_back()
        .is_none_or(|it| !it.is_ascii_alphanumeric() && !b"_-.$".contains(&it))
        || before.ends_with("\\n");
    // `X=$(…)` prints nothing.
    let command = before.rsplit([';', '&', '|', '\n']).next().unwrap_or("");
    let is_within = command.contains("$(") || command.contains('`') || command.contains("<(");
    let end = text.floor_char_boundary((span.end + 160).min(text.len()));
    let after = text[span.end..end]
        .split(['\n', ';', '&'])
        .next()
        .unwrap_or("");
    let goes_on = text[span.end..].starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
    let ends_as_word = text[..span.end].ends_with(|it: char| it.is_ascii_alphanumeric());
    let is_cut = goes_on && ends_as_word;
    starts && !is_within && !is_cut && !after.contains('>')
}

/// Finds the output of the command around `keyword` in the same text.
pub(crate) fn printed(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    // Most texts that are printed have no variable.
    let end = (keyword.end + 16).min(text.len());
    let is_text = matches!(&text[keyword.clone()], "echo " | "printf ");
    if is_text && !text.as_bytes()[keyword.end..end].contains(&b'$') {
        return;
    }
    let from = text.floor_char_boundary(keyword.start.saturating_sub(320));
    let line = text[from..keyword.start]
        .rfind('\n')
        .map_or(from, |at| from + at + 1);
    let head = &text[line..keyword.start];
    let is_command = match head.contains("\":") {
        true => FIELDS.iter().any(|field| head.contains(field)),
        // At a prompt.
        false => {
            let prompt = head.rfind(['$', '#', '%', '❯', '>']);
            prompt.is_some_and(|at| line + at < keyword.start) && head.len() <= 80
        }
    };
    if !is_command {
        return;
    }
    let start = text
        .ceil_char_boundary(keyword.start.saturating_sub(96))
        .max(line);
    let end = text.floor_char_boundary((keyword.end + 160).min(text.len()));
    work::did(end - line);
    let near = PRINTS.find_iter(&text[start..end]);
    let of_keyword = |it: &regex::Match<'_>| {
        start + it.start() <= keyword.start && keyword.start < start + it.end()
    };
    if near
        .filter(of_keyword)
        .any(|it| is_run(text, start + it.start()..start + it.end()))
    {
        output(text, line, &keyword, found);
    }
}

/// Names of a command's text in the sessions of agents.
const FIELDS: &[&str] = &["\"command", "\"cmd", "\"script", "\"CommandLine"];
