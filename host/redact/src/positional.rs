//! Commands that take a credential as an argument without a name: `snyk auth X`, `bw login mail X`. A table of commands
//! and positions; the argument must look like a token or a password.

use std::ops::Range;

use crate::judge::{is_address, is_named_thing, is_placeholder, is_variable};
use crate::letters::is_uuid;
use crate::value::Likeness;
use crate::view::RangeSink;

/// Maximum length of a command after its name.
const LONGEST: usize = 400;

/// Kind of credential, which determines how random it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Credential {
    Token,
    Password,
}

/// A command in lower case, the number of arguments before the credential, flags left out, and its kind.
type Command = (&'static str, usize, Credential);

const COMMANDS: &[Command] = {
    use Credential::{Password, Token};
    &[
        ("ansible-vault encrypt_string ", 0, Password),
        ("bw login ", 1, Password),
        ("bw unlock ", 0, Password),
        ("cargo login ", 0, Token),
        ("change_password ", 1, Password),
        ("config add-authtoken ", 0, Token),
        ("config host add ", 3, Token),
        ("doctl auth init -t ", 0, Token),
        ("mc alias set ", 3, Password),
        ("net use ", 1, Password),
        ("ngrok authtoken ", 0, Token),
        ("nuget setapikey ", 0, Token),
        ("operator unseal ", 0, Token),
        ("rabbitmqctl add_user ", 1, Password),
        ("rclone obscure ", 0, Password),
        ("reset-admin-password ", 0, Password),
        ("snyk auth ", 0, Token),
        ("snyk config set api=", 0, Token),
        ("twilio login ", 1, Token),
        ("vault login ", 0, Token),
        ("vault unseal ", 0, Token),
        ("wandb login ", 0, Token),
        ("wpa_passphrase ", 1, Password),
        // IMAP: a tag, then the command.
        (" login ", 1, Password),
    ]
};

/// The keywords of the rule: the commands.
pub(crate) const KEYWORDS: &[&str] = &{
    let mut keywords = [""; COMMANDS.len()];
    let mut at = 0;
    while at < keywords.len() {
        keywords[at] = COMMANDS[at].0;
        at += 1;
    }
    keywords
};

/// Finds the credential of the command at `keyword`.
pub(crate) fn argument(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let name = &text[keyword.clone()];
    let mut commands = COMMANDS.iter();
    let Some((command, position, kind)) = commands.find(|it| it.0.eq_ignore_ascii_case(name))
    else {
        return;
    };
    let is_mail = *command == " login ";
    if is_mail && (name != " LOGIN " || !is_tagged(&text[..keyword.start])) {
        return;
    }
    let end = text.floor_char_boundary((keyword.end + LONGEST).min(text.len()));
    let mut words = Words {
        text: &text[..end],
        at: keyword.end,
    };
    let mut left = *position;
    while let Some(word) = words.next() {
        let value = &text[word.clone()];
        if value.starts_with("--") || value.starts_with('-') && value.len() == 2 {
            continue;
        }
        if *command == "net use " && left == 1 {
            // The drive may be missing.
            if value.len() <= 2 {
                continue;
            }
            if !value.starts_with(['\\', '/']) {
                return;
            }
        }
        if left > 0 {
            left -= 1;
            continue;
        }
        if is_credential(value, *kind) && (!is_mail || words.is_at_end()) {
            found(word);
        }
        return;
    }
}

/// Reports whether a text ends with the tag of an IMAP command: letters and a number, `a001`.
fn is_tagged(before: &str) -> bool {
    let run = before.bytes().rev().take(10);
    let run = run.take_while(u8::is_ascii_alphanumeric).count();
    let start = before.len() - run;
    // The letter of `\n` is not part of a tag.
    let tag = &before[start + usize::from(run > 0 && before[..start].ends_with('\\'))..];
    let digits = tag.trim_start_matches(|it: char| it.is_ascii_alphabetic());
    (2..=8).contains(&tag.len())
        && digits.len() < tag.len()
        && !digits.is_empty()
        && digits.bytes().all(|it| it.is_ascii_digit())
}

/// Reports whether an argument is a credential rather than a name, an address or a variable.
fn is_credential(value: &str, kind: Credential) -> bool {
    if value.len() < 6
        || !value.bytes().all(|it| it.is_ascii_graphic())
        || value.starts_with(['-', '/', '$', '<', '*', '@', '%'])
        || is_variable(value)
        || is_placeholder(value)
        || is_address(value)
        || value.contains("://")
    {
        return false;
    }
    match kind {
        Credential::Token => {
            is_uuid(value) || value.len() >= 16 && Likeness::Random(2.8).holds(value)
        }
        Credential::Password => Likeness::Password.holds(value) && !is_named_thing(value),
    }
}

/// The words of a command line, which may be quoted and escaped. A line break ends it.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl Words<'_> {
    fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let escapes = bytes[self.at..].iter().take_while(|it| **it == b'\\');
        let escapes = escapes.count();
        let first = *bytes.get(self.at + escapes)?;
        if matches!(first, b'"' | b'\'') {
            // The end of the text that contains the command is no argument.
            let start = self.at + escapes + 1;
            let length = self.text[start..].find(char::from(first))?;
            let inner = self.text[start..start + length].trim_end_matches('\\');
            let is_one = !inner.is_empty() && !inner.contains([' ', ',', '\n', ':', '{', '}']);
            self.at = start + length + 1;
            return is_one.then(|| start..start + inner.len());
        }
        // One backslash and a letter is a line break, two are a share.
        if escapes == 1
            || matches!(
                first,
                b'\n' | b'\r' | b'|' | b';' | b'&' | b'#' | b'>' | b'<'
            )
        {
            return None;
        }
        let start = self.at;
        let is_share = escapes >= 2;
        let ends: &[u8] = match is_share {
            true => b" \t\r\n\"'`",
            false => b" \t\r\n\"'`\\|;<>",
        };
        let rest = bytes[start..].iter();
        let length = rest.take_while(|it| !ends.contains(it)).count();
        self.at = start + length;
        (length > 0).then_some(start..start + length)
    }
}
