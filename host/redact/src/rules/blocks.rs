//! Keys in blocks. The body may be escaped, quoted, numbered or marked as in a diff, and its start or its
//! end may be missing.

use super::{CONTEXT, Finder, Rule, TOKEN};
use crate::value::Before;
use crate::{armor, structures};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "private-key",
        keywords: &["-----begin"],
        finder: Finder::Code(armor::block),
        ..CONTEXT
    },
    Rule {
        id: "putty-key",
        keywords: &["private-lines:"],
        finder: Finder::Pattern(
            r"Private-Lines: \d{1,3}(?:\s|\\[nr]){1,4}([A-Za-z0-9+/=]{20,}(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{40,}){0,200})",
        ),
        ..TOKEN
    },
    Rule {
        id: "age-key",
        keywords: &["age-secret-key-1"],
        finder: Finder::Pattern(r"(?i)AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
        ..TOKEN
    },
    // Without its first line a key is recognised by its first bytes: a sequence, a version, an algorithm.
    Rule {
        id: "private-key",
        keywords: &[
            "mii",
            "mhcc",
            "mhqc",
            "migh",
            "miga",
            "migk",
            "mihc",
            "mihu",
            "mc4c",
            "b3blbnnzac1r",
        ],
        before: Before::WordStart,
        finder: Finder::Pattern(concat!(
            r"(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA[ADQ]|MII[A-Za-z0-9+/]{3,6}BgkqhkiG9w0BB[QD]|MH[cQ]CAQEE|MIG[HTk]AgE[AB]|MIH[cu]AgE[AB]|MIGkAgEB|MC4CAQAw|b3BlbnNzaC1rZXktdjE)",
            r"[A-Za-z0-9+/=]*(?:",
            between!(),
            r"{1,80}[A-Za-z0-9+/=]{40,})*(?:",
            between!(),
            r"{1,80}[A-Za-z0-9+/]{2,76}={0,2}(?:[^A-Za-z0-9+/=]|\z))?",
        )),
        ..CONTEXT
    },
    Rule {
        id: "private-key",
        keywords: &["-----end"],
        finder: Finder::Code(armor::before_end),
        ..CONTEXT
    },
    Rule {
        id: "web-key",
        keywords: &["\"kty", "\\\"kty", "'kty"],
        finder: Finder::Far(structures::web_key),
        ..CONTEXT
    },
    Rule {
        id: "kubernetes-secret",
        keywords: &["kind"],
        finder: Finder::Far(structures::kubernetes),
        ..CONTEXT
    },
    Rule {
        id: "password-hash",
        keywords: &[
            "$2a$", "$2b$", "$2x$", "$2y$", "$argon2", "$1$", "$5$", "$6$", "$y$", "$7$", "$apr1$",
            "$pbkdf2", "$scrypt$", "$2a\\$", "$2b\\$", "$2y\\$", "$$2a$$", "$$2b$$", "$$2y$$",
            "$6\\$",
        ],
        finder: Finder::Pattern(concat!(
            r"\$+(?:2[abxy]\\*\$+\d\d\\*\$+[./A-Za-z0-9]{53}",
            r"|argon2(?:id|i|d)\$(?:v=\d+\$)?[a-z0-9=,]{5,60}\$[A-Za-z0-9+/=]{8,}\$[A-Za-z0-9+/=]{16,}",
            r"|[1567]\\*\$+(?:rounds=\d{1,9}\\*\$+)?[./A-Za-z0-9]{1,16}\\*\$+[./A-Za-z0-9]{22,86}",
            r"|(?:y|7)\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{22,86}",
            r"|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}",
            r"|pbkdf2(?:-sha\d+)?\$[A-Za-z0-9=,]{1,30}\$[A-Za-z0-9./+=]{8,}\$[A-Za-z0-9./+=]{16,}",
            r"|scrypt\$[A-Za-z0-9=,]{1,40}\$[A-Za-z0-9./+=]{8,}\$[A-Za-z0-9./+=]{16,})",
        )),
        ..CONTEXT
    },
    Rule {
        id: "password-hash",
        keywords: &[
            "pbkdf2_sha",
            "pbkdf2:sha",
            "scrypt:",
            "{ssha",
            "{sha}",
            "bcrypt_sha256$",
            "argon2$",
        ],
        finder: Finder::Pattern(concat!(
            r"(?:pbkdf2_sha\d{1,3}\$\d{1,9}\$[A-Za-z0-9]{4,64}\$[A-Za-z0-9+/=]{20,}",
            r"|(?:pbkdf2:sha\d{1,3}|scrypt):[\d:]{1,24}\$[A-Za-z0-9]{4,64}\$[a-f0-9]{40,}",
            r"|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{20,}",
            r"|bcrypt_sha256\$\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}",
            r"|argon2\$argon2(?:id|i|d)\$[a-z0-9=,$]{5,80}\$[A-Za-z0-9+/=]{8,}\$[A-Za-z0-9+/=]{16,})",
        )),
        ..CONTEXT
    },
];
