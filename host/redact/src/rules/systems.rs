//! Systems whose secrets are identified by a specific word: databases, routers, mail servers, wallets, calls of
//! libraries.

use super::{CONTEXT, Finder, Rule, beside};
use crate::value::{Before, Likeness, has_run};
use crate::{calls, paths, phrases, positional, spoken, structures, wallets};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "call-credential",
        keywords: &[
            "connect(",
            "connection(",
            "login(",
            "authenticate(",
            "authentication(",
            "auth(",
            "client(",
            "credential(",
            "credentials(",
            "pdo(",
            "mysqli(",
            "wallet(",
            "signer(",
            "fernet(",
            "hmac(",
            "hmac.new(",
            "jwt.sign(",
            "jwt.encode(",
            "jwt.verify(",
            "jwt.decode(",
            "cipheriv(",
        ],
        finder: Finder::Code(calls::arguments),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "recovery-phrase",
        keywords: &[
            "mnemonic",
            "seed phrase",
            "seedphrase",
            "seed words",
            "recovery",
            "wallet",
            "write these",
            "backup phrase",
            "bip39",
            "bip-39",
            "secret phrase",
            "ledger",
            "trezor",
            "metamask",
            "12. ",
            "12) ",
            " 12.",
            "| 12 ",
            "кошел",
            "助记词",
            "シード",
            "니모닉",
        ],
        finder: Finder::Code(phrases::phrases),
        ..CONTEXT
    },
    Rule {
        id: "recovery-code",
        keywords: &[
            "recovery code",
            "backup code",
            "recovery-code",
            "backup-code",
            "recovery_code",
            "backup_code",
            "scratch code",
        ],
        finder: Finder::Code(spoken::codes),
        ..CONTEXT
    },
    Rule {
        id: "recovery-key",
        keywords: &["recovery key", "recoverykey", "recovery_key"],
        finder: Finder::Pattern(
            r"(?i:recovery[ _]?key)[^\n]{0,40}?((?:[A-Z0-9]{4,8}-){3,9}[A-Z0-9]{4,8})",
        ),
        likeness: Likeness::Entropy(2.5),
        ..CONTEXT
    },
    Rule {
        id: "product-key",
        keywords: &["product key", "license key", "licence key", "serial number"],
        finder: Finder::Pattern(
            r"(?i:product key|licen[sc]e key|serial number)[^\n]{0,24}?((?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8})",
        ),
        likeness: Likeness::Entropy(2.5),
        ..CONTEXT
    },
    Rule {
        id: "pin",
        keywords: &[
            "puk is",
            "puk:",
            "pin is",
            "pin:",
            "pin code",
            "pin ist",
            "pin=",
            "pin number",
            "pin-code",
            "pin est",
            "pin es ",
        ],
        before: Before::WordStart,
        finder: Finder::Pattern(
            r"(?i:pin|puk)(?:[ -](?i:code|number))?(?:\s(?:is|ist|es|est))?\s?[:=]?\s{0,2}[\x22'`]?(\d{4,8})(?:[^\d.]|\.\s|\.?\z)",
        ),
        ..CONTEXT
    },
    Rule {
        id: "otp-secret",
        keywords: &[
            "setup key",
            "totp",
            "otp_",
            "otp-",
            "authenticator",
            "2fa",
            "mfa_",
            "two-factor",
            "this secret",
            "enter this",
            "autentic",
            "authentif",
            "uwierzyt",
            "аутентиф",
            "認証",
            "验证",
            "인증",
        ],
        // A random value has a number.
        needs: |text| {
            let sentence = text.iter().skip(3).take(360);
            sentence
                .take_while(|it| !b"\n\\".contains(it))
                .any(|it| matches!(it, b'2'..=b'7'))
        },
        finder: Finder::Pattern(
            r"(?i:setup key|totp|otp|authenticator|2fa|mfa|two-factor|this|autentic|authentif|uwierzyt|аутентиф|認証|验证|인증)[^\n\\]{0,60}?\b((?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}|[A-Z2-7]{16,64})\b",
        ),
        likeness: Likeness::Random(2.8),
        ..CONTEXT
    },
    // Databases.
    Rule {
        id: "command-password",
        keywords: &["requirepass ", "masterauth ", "identified by "],
        finder: Finder::Pattern(
            r#"(?i:requirepass|masterauth|identified by) ([^\s"'\\;,<>$(]{4,200})"#,
        ),
        likeness: Likeness::Password,
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "command-password",
        keywords: &["> auth ", "cli auth "],
        finder: Finder::Pattern(
            r#"(?i:>|cli) (?i:auth) (?:[A-Za-z0-9_-]{1,40} )?([^\s"'\\]{6,200})"#,
        ),
        likeness: Likeness::Password,
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "url-password",
        keywords: &["@tcp(", "@unix("],
        finder: Finder::Code(structures::dsn),
        general: true,
        ..CONTEXT
    },
    // Routers.
    Rule {
        id: "command-password",
        keywords: &[
            "server community ",
            "key-string ",
            "pre-shared-key ",
            "server key ",
            "-md5 ",
        ],
        finder: Finder::Pattern(
            r#"(?i:server community|key-string|pre-shared-key(?: (?:local|remote|address \S{1,60} key|ascii-text))?|server key|-md5) (?:[0-9] )?\\{0,7}"?([^\s"'\\]{6,120})"#,
        ),
        likeness: Likeness::Password,
        general: true,
        ..CONTEXT
    },
    // Mail.
    Rule {
        id: "mail-login",
        keywords: &[
            "auth plain",
            "auth login",
            "authenticate plain",
            "auth xoauth2",
            "ugfzc3dvcmq6",
        ],
        finder: Finder::Code(structures::mail_login),
        ..CONTEXT
    },
    // Hashes.
    Rule {
        id: "password-hash",
        keywords: &[
            "$krb5",
            "$9$",
            "$8$",
            "$14$",
            "$p$",
            "$h$",
            "$s$",
            "$dcc2$",
            "$sha1$",
            "$a$005$",
            "$md5$",
            "$ml$",
            "$pbkdf2$",
            "scram-sha-",
            "{crypt}",
            "{md5}",
            "{smd5}",
            "{pbkdf2",
            "{x-pbkdf2",
        ],
        finder: Finder::Pattern(concat!(
            r"(?:(?i)\$krb5[a-z]{2,6}\$\d{1,2}\$[^\s]{16,4000}",
            r"|\$(?:8|9|14)\$[./A-Za-z0-9-]{1,20}\$?[./A-Za-z0-9-]{16,100}",
            r"|\$[PH]\$[./A-Za-z0-9]{31}|\$S\$[./A-Za-z0-9]{52}",
            r"|\$dcc2\$\d{1,8}#[^#\s]{1,60}#[a-f0-9]{32}|\$sha1\$\d{1,8}\$[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{28}",
            r"|\$A\$005\$[^\s\x22']{40,70}|\$md5\$[^\s\x22']{16,60}|\$ml\$\d{1,8}\$[a-f0-9]{64}\$[a-f0-9]{64,256}",
            r"|SCRAM-SHA-(?:1|256|512)\$\d{1,8}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}",
            r"|\{(?:CRYPT|MD5|SMD5|(?:X-)?PBKDF2[A-Z0-9-]{0,12})\}[./$A-Za-z0-9+=]{16,200})",
        )),
        likeness: Likeness::Entropy(3.0),
        ..CONTEXT
    },
    Rule {
        id: "digest-response",
        keywords: &["response=\"", "response=\\"],
        finder: Finder::Pattern(r#"(?i:response)=\\{0,7}"([a-f0-9]{32})\\{0,7}""#),
        ..CONTEXT
    },
    // Addresses and jars of cookies.
    beside(
        "url-key",
        &[
            "?key=", "&key=", "?code=", "&code=", "?auth=", "&auth=", "?sig=", "&hash=",
            "?apikey=", "&appid=", "?appid=",
        ],
        r"[?&][A-Za-z]{3,6}=([A-Za-z0-9_-]{20,200}={0,2})(?:[^A-Za-z0-9_.%-]|\z)",
    ),
    Rule {
        id: "session-cookie",
        keywords: &["\ttrue\t", "\tfalse\t", "\\ttrue\\", "\\tfalse\\"],
        finder: Finder::Code(structures::cookie_jar),
        general: true,
        ..CONTEXT
    },
    Rule {
        needs: |text| has_run(text, 24),
        ..beside(
            "command-token",
            &["login ", "auth ", "importprivkey ", "set-token "],
            r"(?i:login|auth|importprivkey|set-token) (?:--?[a-z-]{1,20}[ =])?(?:[A-Za-z0-9._-]{1,40}:)?([A-Za-z0-9_-]{24,200})(?:[\s\x22'\\`]|\z)",
        )
    },
    // `{"username": "…", "key": "…"}`
    Rule {
        id: "secret-assignment",
        keywords: &["\"key\"", "\\\"key", "'key'"],
        finder: Finder::Code(structures::key_of_user),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "command-token",
        keywords: positional::KEYWORDS,
        finder: Finder::Code(positional::argument),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "url-key",
        keywords: paths::HOSTS,
        finder: Finder::Code(paths::key),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "wallet-key",
        keywords: &["accounts", "private key", "privatekey", "private_key"],
        finder: Finder::Code(wallets::listed),
        ..CONTEXT
    },
];
