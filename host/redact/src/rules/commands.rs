//! Passwords on command lines and in files of credentials.

use super::{CONTEXT, Finder, Rule};
use crate::value::{Before, Likeness};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "command-password",
        keywords: &["sshpass"],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"sshpass",
            gap!(),
            r"{1,8}(?:-[vVhe]",
            gap!(),
            r"{1,8})?-p",
            gap!(),
            r"{0,8}",
            word!()
        )),
        ..PASSWORD
    },
    // `-p` and the password are one word: separated, a prompt asks for it.
    Rule {
        id: "command-password",
        keywords: &["mysql", "mariadb"],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"(?:mysql|mariadb)(?:-?dump|admin|import|show|check|pump|sh|-admin|-backup)?(?:\.exe)?",
            words!(),
            gap!(),
            r"{1,8}\\{0,15}",
            r#"["']?-p"#,
            word!()
        )),
        ..PASSWORD
    },
    // `-p`, and the password is the next word.
    Rule {
        id: "command-password",
        keywords: &[
            "mongosh",
            "mongo ",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "docker login",
            "podman login",
            "helm registry",
            "az login",
            "az acr",
            "oc login",
            "ftp ",
            "redis-cli",
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapwhoami",
            "sqlcmd",
            "influx ",
            "clickhouse-client",
            "7z ",
            "zip ",
            "unzip ",
            "unrar ",
            "rclone obscure",
            "smbclient",
            "net use",
            "cqlsh",
            "bteq",
            "isql",
            "psexec",
            "winexe",
            "wmic",
            "rpcclient",
            "crackmapexec",
            "netexec",
            "ipmitool",
            "snmpget",
            "htpasswd",
            "vncpasswd",
            "xfreerdp",
            "rdesktop",
            "keytool",
            "jarsigner",
        ],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"(?i:mongo[a-z]*|(?:docker|podman|az|oc|helm registry) login|az acr login|ftp|redis-cli|ldap[a-z]+|sqlcmd|influx|clickhouse-client|cqlsh|psexec|winexe|rpcclient|crackmapexec|netexec|ipmitool|xfreerdp|keytool|jarsigner|7z|zip|unzip|unrar)",
            words!(),
            gap!(),
            r"{1,8}(?:(?:-p|-a|-w|-P|-storepass|-keypass|/p:)",
            gap!(),
            r"{1,8}|(?:-P|-p|/p:))",
            word!()
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["htpasswd"],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"htpasswd",
            gap!(),
            r"{1,8}-[a-zA-Z]*b[a-zA-Z]*",
            gap!(),
            r"{1,8}(?:-C",
            gap!(),
            r"{1,8}\d+",
            gap!(),
            r"{1,8})?(?:[^\s\\]{1,100}",
            gap!(),
            r"{1,8}){1,2}",
            word!()
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["-passin", "-passout", "-pass "],
        finder: Finder::Pattern(concat!(
            r#"-pass(?:in|out)?\s{1,3}\\{0,15}["']?pass:"#,
            word!()
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &[
            "chpasswd",
            "smbclient",
            "passwd --stdin",
            "sudo -s",
            "kinit",
            "gh secret",
            "docker login",
            "podman login",
            "secret put",
            "secrets versions add",
            "secret create",
            "ansible-vault",
            "cryptsetup",
            "pass insert",
            "gpg --",
        ],
        before: Before::WordStart,
        finder: Finder::Code(piped_password),
        ..PASSWORD
    },
    // `curl -u user:password`, `http -a user:password`.
    Rule {
        id: "command-password",
        keywords: &["curl", "http ", "https ", "xh "],
        needs: has_user,
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"(?:curl(?:\.exe)?|https?|xh)(?:(?:[ -\[\]-~\t]|,\s|,\\+[nr]|\\+[^nr\\]){0,600}?)[ \t'\x22,](?:-u|--user|--proxy-user|-U|-a|--auth|-[a-zA-Z]{1,6}u)[ \t\r\n=\x22',\\]{0,24}",
            r#"[^\s:"'\\@/$]{1,80}:(?:([^\s"'\\]{1,200})\\{0,15}["']|([^\s"'\\`|;&<>(){}\[\],$]{1,200}))"#
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["smbclient", "cifs"],
        before: Before::Anything,
        finder: Finder::Pattern(
            r#"(?:smbclient[ -~]{0,120}?\s-U\s*['"]?[^\s%'"]{1,60}%([^\s"'\\]{1,100})|(?:mount\.)?cifs[ -~\n]{0,160}?pass(?:word)?=([^\s,"'\\]{1,100}))"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["identified by", "identified with"],
        finder: Finder::Pattern(
            r#"(?i)identified (?:by|with \S{1,40} by)(?: password)?\s{1,3}\\{0,15}["']([^"'\\]{3,100})\\{0,15}["']"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &[
            "auth=(",
            "basicauth(",
            "basic_auth(",
            "auth: {",
            "pscredential(",
            "networkcredential(",
        ],
        finder: Finder::Pattern(
            r#"(?i:auth=\(|basic_?auth\(|pscredential\(|networkcredential\()\s{0,4}\\{0,15}["'][^"'\\]{1,80}\\{0,15}["'],\s{0,4}\\{0,15}["']([^"'\\]{4,100})\\{0,15}["']"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["convertto-securestring"],
        finder: Finder::Pattern(
            r#"(?i:convertto-securestring)\s{1,3}(?:-\w+\s{1,3}){0,2}\\{0,15}["']([^"'\\]{3,100})\\{0,15}["']"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["ssh-keygen"],
        finder: Finder::Pattern(concat!(
            r"ssh-keygen",
            words!(),
            gap!(),
            r"{1,8}-[NP]",
            gap!(),
            "{1,8}",
            word!()
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["net user", "net use ", "cmdkey"],
        finder: Finder::Pattern(
            r#"(?i)(?:net user [^\s/"'\\]{1,40} ([^\s/*"'\\]{4,80})|net use [ -~]{1,120}?/user:\S{1,60} ([^\s/*"'\\]{4,80})|cmdkey [ -~]{1,160}?/pass:"?([^\s"'\\]{4,80}))"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &["secret set"],
        finder: Finder::Pattern(concat!(
            r"secret set (?:[^\s\\|;&]{1,80}\s){1,6}?(?:--body|-b|--value)[\s=]",
            word!()
        )),
        ..PASSWORD
    },
    Rule {
        id: "command-password",
        keywords: &[
            "send \"",
            "send -- \"",
            "send \\\"",
            "sendline(",
            "send_keys(",
        ],
        finder: Finder::Pattern(
            r#"(?:send (?:-- )?\\{0,15}"|sendline\(b?["']|send_keys\(["'])([^"'\\\s]{6,80})(?:\\+r|["'])"#,
        ),
        likeness: Likeness::Strong,
        ..PASSWORD
    },
    // `admin / password`, after a word that announces it.
    Rule {
        id: "command-password",
        keywords: &[
            "credential",
            "creds",
            "login",
            "log in",
            "sign in",
            "basic auth",
        ],
        before: Before::WordStart,
        needs: has_login,
        finder: Finder::Pattern(
            r#"(?i:credentials?|creds|logins?|log in|sign in|basic auth)\b[^\n\\]{0,48}?[:\s(][`'"]?[A-Za-z0-9._@+-]{2,40}[`'"]?\s?[/:]\s?[`'"]?([^\s`'"\\]{8,60})"#,
        ),
        likeness: Likeness::Strong,
        ..PASSWORD
    },
    // Files of credentials.
    Rule {
        id: "netrc-password",
        keywords: &["machine ", "machine\\n", "machine\n", "default login"],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"(?:machine",
            gap!(),
            r"{1,8}[^\s\\]{1,120}|default)",
            gap!(),
            r"{1,16}(?:login",
            gap!(),
            r"{1,8}[^\s\\]{1,120}",
            gap!(),
            r"{1,16})?(?:account",
            gap!(),
            r"{1,8}[^\s\\]{1,120}",
            gap!(),
            r"{1,16})?password",
            gap!(),
            r#"{1,8}([^\s\\"]{1,200})"#
        )),
        ..PASSWORD
    },
    Rule {
        id: "pgpass-password",
        keywords: &[":5432:", ":3306:", ":6432:", ":*:"],
        finder: Finder::Pattern(
            r#":(?:\d{4}|\*):[A-Za-z0-9_*-]{1,60}:[A-Za-z0-9_*.-]{1,60}:([^\s"'\\:]{3,100})"#,
        ),
        ..PASSWORD
    },
    Rule {
        id: "registry-auth",
        keywords: &["\"auth", "'auth"],
        finder: Finder::Pattern(
            r#"["']auth\\{0,15}["']\s{0,3}:\s{0,3}\\{0,15}["']([A-Za-z0-9+/=_-]{8,2000})\\{0,15}["']"#,
        ),
        likeness: Likeness::Login,
        ..PASSWORD
    },
    Rule {
        id: "registry-auth",
        keywords: &["_auth", "_password"],
        finder: Finder::Pattern(
            r#"_(?:auth|password)\s{0,2}=\s{0,2}\\{0,15}["']?([A-Za-z0-9+/=_-]{8,2000})"#,
        ),
        likeness: Likeness::Entropy(2.5),
        ..PASSWORD
    },
];

/// A password identified by its position, in any form.
const PASSWORD: Rule = Rule {
    likeness: Likeness::Phrase,
    general: true,
    ..CONTEXT
};

/// Reports whether the command at the start of a text may have an option for a user: `-u`, `--auth`. A comma continues a
/// list on the next line.
fn has_user(text: &[u8]) -> bool {
    let mut end = text.len();
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'\n', b'\\', &text[at..]) {
        let stop = at + next;
        let slashes = text[stop..].iter().take_while(|it| **it == b'\\').count();
        let is_break = slashes == 0 || matches!(text.get(stop + slashes), Some(b'n' | b'r'));
        if is_break && !text[..stop].ends_with(b",") {
            end = stop;
            break;
        }
        at = stop + slashes.max(1);
    }
    let line = &text[..end];
    memchr::memchr_iter(b'-', line).any(|at| {
        let option = &line[at + 1..];
        at > 0
            && b" \t'\",".contains(&line[at - 1])
            && (matches!(option, [b'-', b'u' | b'p' | b'a', ..] | [b'U' | b'a', ..])
                || option[..option.len().min(7)].contains(&b'u'))
    })
}

/// Reports whether a sign and a word of eight characters follow within the sentence at the start of a text, as in
/// `admin / password`.
fn has_login(text: &[u8]) -> bool {
    let near = &text[..text.len().min(272)];
    let near = &near[..memchr::memchr(b'\\', near).unwrap_or(near.len())];
    let is_end = |it: &u8| it.is_ascii_whitespace() || b"`'\"".contains(it);
    memchr::memchr2_iter(b'/', b':', near).any(|at| {
        let rest = &near[at + 1..];
        let lead = rest.iter().take(2).take_while(|it| is_end(it)).count();
        let word = rest[lead..].iter().take(8).take_while(|it| !is_end(it));
        word.count() == 8
    })
}

/// `echo user:password | chpasswd`, `echo password | sudo -S`.
fn piped_password(
    text: &str,
    keyword: std::ops::Range<usize>,
    found: &mut dyn FnMut(std::ops::Range<usize>),
) {
    let from = text.floor_char_boundary(keyword.start.saturating_sub(200));
    let before =
        text[from..keyword.start].trim_end_matches([' ', '/', 's', 'b', 'i', 'n', 'u', 'r']);
    let Some(before) = before.strip_suffix('|').map(str::trim_end) else {
        return;
    };
    let before = before.trim_end_matches('\\');
    let (before, start) = match before.chars().next_back() {
        Some(quote @ ('"' | '\'')) => {
            let inner = &before[..before.len() - 1];
            let Some(start) = inner.rfind(quote) else {
                return;
            };
            (inner.trim_end_matches('\\'), start + 1)
        }
        _ => {
            let start = before.rfind([' ', '\n', '|', ';', '&']);
            (before, start.map_or(0, |at| at + 1))
        }
    };
    let word = &before[start..];
    let word_start = match text[keyword].starts_with("chpasswd") {
        true => word.find(':').map_or(start, |colon| start + colon + 1),
        false => start,
    };
    let head = before[..start].trim_end_matches(['"', '\'', '\\', ' ']);
    let is_echo = ["echo", "printf", "-n", "-e", "%s", "%s\\n"]
        .iter()
        .any(|command| head.ends_with(command));
    if is_echo && before.len() > word_start && Likeness::Phrase.holds(&before[word_start..]) {
        found(from + word_start..from + before.len());
    }
}
