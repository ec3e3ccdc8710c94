//! Secrets in URLs and headers, and self-describing tokens: signatures, cookies, JWTs.

use super::{CONTEXT, Finder, Rule};
use crate::structures;
use crate::value::{Before, Likeness, has_in_word};

pub(crate) const RULES: &[Rule] = &[
    // Addresses.
    Rule {
        id: "url-password",
        needs: |text| has_in_word(text, b'@'),
        keywords: &["://"],
        finder: Finder::Pattern(
            r##"://[^\s/:@"'`<>\[\](){}|\\,;]{0,120}:([^\s/:@"'`<>\[\](){}|\\,;$*?#][^\s/"'`<>\\,;?#]{2,160})@[A-Za-z0-9\[_]"##,
        ),
        likeness: Likeness::Phrase,
        general: true,
        ..CONTEXT
    },
    // The same for a password with characters that end a URL.
    Rule {
        id: "url-password",
        needs: |text| has_in_word(text, b'@'),
        keywords: &[
            "postgres://",
            "postgresql://",
            "mysql://",
            "mongodb://",
            "mongodb+srv://",
            "redis://",
            "rediss://",
            "amqp://",
            "amqps://",
            "mssql://",
            "sqlserver://",
            "ftp://",
            "sftp://",
            "smtp://",
            "smtps://",
            "ldap://",
            "ldaps://",
            "mariadb://",
        ],
        finder: Finder::Pattern(
            r##"[a-z+]{3,14}://[^\s/:@"'`<>\\]{0,120}:([^\s"'`<>\\$][^\s"'`<>\\]{2,160})@[A-Za-z0-9._-]+(?::\d{2,5})?(?:[/?,\s"'`\\]|\z)"##,
        ),
        likeness: Likeness::Phrase,
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "url-token",
        needs: |text| has_in_word(text, b'@'),
        keywords: &["https://"],
        finder: Finder::Pattern(r##"https://([A-Za-z0-9_-]{20,255})@[A-Za-z0-9]"##),
        likeness: Likeness::Random(3.0),
        ..CONTEXT
    },
    Rule {
        id: "jdbc-password",
        keywords: &[":thin:", "isql ", "sqlplus "],
        finder: Finder::Pattern(
            r##"(?::thin:|isql |sqlplus )[^\s/@"'\\]{1,60}/([^\s/@"'\\]{3,100})@"##,
        ),
        likeness: Likeness::Phrase,
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "shared-access-signature",
        keywords: &["sig="],
        finder: Finder::Pattern(r"sig=([A-Za-z0-9%+/_-]{40,120}(?:=|%3D|%3d){0,2})"),
        likeness: Likeness::Entropy(3.5),
        ..CONTEXT
    },
    Rule {
        id: "signed-url",
        keywords: &[
            "x-amz-signature=",
            "x-goog-signature=",
            "x-amz-security-token=",
            "signature=",
        ],
        finder: Finder::Pattern(
            r"(?i)(?:x-(?:amz|goog)-(?:signature|security-token)|signature)=([A-Za-z0-9%+/_-]{32,2000}(?:=|%3D){0,2})",
        ),
        likeness: Likeness::Random(2.8),
        ..CONTEXT
    },
    // Headers.
    Rule {
        id: "basic-auth",
        keywords: &["authorization", "basic "],
        before: Before::WordStart,
        finder: Finder::Pattern(
            r#"(?i:(?:proxy-)?authorization)[\\"'`]{0,16}\]?\s{0,3}[:=,]\s{0,3}[\\"'`]{0,16}(?i:basic)\s{1,4}([A-Za-z0-9+/=_-]{8,})"#,
        ),
        likeness: Likeness::Entropy(2.5),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "basic-auth",
        keywords: &["basic "],
        before: Before::WordStart,
        finder: Finder::Pattern(r"(?i:basic) ([A-Za-z0-9+/=_-]{8,})"),
        likeness: Likeness::Login,
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "authorization-header",
        keywords: &["authorization"],
        finder: Finder::Pattern(
            r#"(?i:authorization)[\\"'`]{0,16}\]?\s{0,3}[:=,]\s{0,3}[\\"'`]{0,16}(?i:bearer|token|bot|apikey|api-key|key|digest|negotiate|ssws|splunk|geniekey|hmac|sso-key|jwt|klaviyo-api-key|user)\s{1,4}([A-Za-z0-9._~+/=:-]{8,})"#,
        ),
        likeness: Likeness::Password,
        general: true,
        ..CONTEXT
    },
    // Without a scheme before it.
    Rule {
        id: "authorization-header",
        keywords: &["authorization", "x-auth"],
        before: Before::WordStart,
        finder: Finder::Pattern(
            r#"(?i:authorization|x-auth[a-z-]{0,12})[\\"'`]{0,16}\]?\s{0,3}[:=,]\s{0,3}[\\"'`]{0,16}([A-Za-z0-9._~+/=:-]{16,})"#,
        ),
        likeness: Likeness::Random(3.0),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "aws-signature",
        keywords: &["aws4-hmac-sha256"],
        finder: Finder::Pattern(r"AWS4-HMAC-SHA256[ -~\n]{0,300}?Signature=([a-f0-9]{64})"),
        ..CONTEXT
    },
    Rule {
        id: "bearer-token",
        keywords: &["bearer"],
        before: Before::WordStart,
        finder: Finder::Pattern(r"(?i:bearer)(?:\s|%20|\+){1,4}([A-Za-z0-9._~+/=-]{16,})"),
        likeness: Likeness::Random(3.0),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "session-cookie",
        keywords: &["cookie"],
        finder: Finder::Far(structures::cookies),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "session-cookie",
        keywords: &[
            "phpsessid",
            "jsessionid",
            "connect.sid",
            "sessionid=",
            "asp.net_sessionid",
            "laravel_session",
            "_session=",
            "_gh_sess",
            "remember_token=",
        ],
        finder: Finder::Pattern(
            r#"(?i:phpsessid|jsessionid|connect\.sid|sessionid|asp\.net_sessionid|laravel_session|_session|_gh_sess|remember_token)\\{0,7}["']?\s{0,2}[=:]\s{0,2}\\{0,7}["']?([A-Za-z0-9%._~+/=!-]{16,600})"#,
        ),
        likeness: Likeness::Random(2.8),
        general: true,
        ..CONTEXT
    },
    Rule {
        id: "jwt",
        keywords: &["eyj"],
        before: Before::RunStart,
        finder: Finder::Pattern(
            r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){1,3}",
        ),
        token: true,
        ..CONTEXT
    },
    // An encrypted one has no key in its second part.
    Rule {
        id: "jwt",
        keywords: &["eyj"],
        before: Before::RunStart,
        finder: Finder::Pattern(
            r"eyJ[A-Za-z0-9_-]{10,}\.\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){1,2}",
        ),
        token: true,
        ..CONTEXT
    },
    Rule {
        id: "recovery-phrase",
        keywords: &[
            "mnemonic",
            "seed phrase",
            "recovery phrase",
            "seed_phrase",
            "secret phrase",
            "wallet seed",
            "seedphrase",
            "recoveryphrase",
            "seedwords",
            "seed_words",
            "seed words",
            "recovery_words",
            "recovery words",
            "recoverywords",
            "bip39",
        ],
        // In one text; or as a list, with quotes, commas, numbers or dashes between the words.
        finder: Finder::Pattern(concat!(
            r#"(?i:mnemonic|(?:seed|recovery|secret)[ _]?(?:phrase|words)|wallet seed|bip39)(?:"#,
            r#"[^\n]{0,24}?[:=]\s{0,3}\\{0,7}["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})"#,
            r#"|[^\n]{0,32}?[:=(\[](?:\s|\\+[nrt]|[\[({]|\\*["'`]|-|\d{1,2}[.):]){0,24}"#,
            r#"((?:[a-z]{3,8}\\*["'`]?(?:,|\s{0,2}\n|\s{0,2}\\+n|\s{1,4}\d{1,2}[.):])(?:\s|\\+[nrt]|\\*["'`]|-|\d{1,2}[.):]){0,24}){11,23}[a-z]{3,8})"#,
            r#")"#,
        )),
        ..CONTEXT
    },
];
