//! The rules: which literal gives a secret away, and what the secret looks like from there on.
//! One flat table, nothing else decides what is a secret.
//!
//! A pattern is matched where a keyword starts, whatever the keyword's case. What its first group
//! holds is replaced; without a group the whole match is. So that time stays linear, every
//! repetition is bounded or stops at a character that lets the keyword stand before it
//! (see [`Before::RunStart`]).

use crate::value::{Before, Likeness};

pub(crate) struct Rule {
    pub(crate) id: &'static str,
    /// Lower case; looked for in any case.
    pub(crate) keywords: &'static [&'static str],
    pub(crate) before: Before,
    pub(crate) pattern: &'static str,
    /// Whether the match starts with a name that may say it is no secret: `token_id`, `secretName`.
    pub(crate) named: bool,
    pub(crate) likeness: Likeness,
    /// Knows the name beside the secret, not the secret: any other rule's id is preferred.
    pub(crate) general: bool,
}

/// The common case: a token that its prefix gives away.
const TOKEN: Rule = Rule {
    id: "",
    keywords: &[],
    before: Before::WordStart,
    pattern: "",
    named: false,
    likeness: Likeness::Any,
    general: false,
};

/// From the end of a name to the start of its value: `="`, `": "`, `\": \"`, `: String = "`, ` => '`.
macro_rules! assigned {
    () => {
        r#"\\{0,3}["'`]?\]?(?:\s{0,2}:\s{0,2}&?[A-Za-z]{2,12}\s{0,2})?\s{0,3}(?:=>|:=|==?|:)\s{0,3}\\{0,3}"#
    };
}

/// What may stand between the lines of a key block: ends of lines as they are or escaped, quotes and
/// signs of source code, line numbers, the marks of a diff.
macro_rules! between {
    () => {
        r#"(?:[ \t\r\n"',+|:>→*#]|\\+[nrt"]?|\n-|[0-9]{1,6}[→|:\t])"#
    };
}

/// What follows a word in a longer name: `_KEY_PROD`, `AccessKey`.
macro_rules! name_rest {
    () => {
        r"(?:[_-][A-Za-z0-9_-]{1,24}|[A-Z][A-Za-z0-9]{1,24})?"
    };
}

pub(crate) const RULES: &[Rule] = &[
    // Keys in blocks. The body may be escaped, quoted, numbered or marked as in a diff, and its end
    // may be missing.
    Rule {
        id: "private-key",
        keywords: &["-----begin"],
        before: Before::Anything,
        pattern: concat!(
            r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----",
            r"(?:",
            between!(),
            r"+(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]{0,80}){0,4}",
            r"(?:",
            between!(),
            r"*[A-Za-z0-9+/=]{20,})+",
            r"(?:(?:",
            between!(),
            r"*[A-Za-z0-9+/=]{1,64}){0,2}",
            between!(),
            r"*-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        ),
        ..TOKEN
    },
    Rule {
        id: "putty-key",
        keywords: &["private-lines:"],
        pattern: r"Private-Lines: \d{1,3}(?:\s|\\[nr]){1,4}([A-Za-z0-9+/=]{20,}(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{40,}){0,200})",
        ..TOKEN
    },
    Rule {
        id: "age-key",
        keywords: &["age-secret-key-1"],
        pattern: r"(?i)AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
        ..TOKEN
    },
    // Clouds.
    Rule {
        id: "aws-access-key-id",
        keywords: &["akia", "asia", "abia", "acca"],
        pattern: r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "aws-secret-access-key",
        keywords: &[
            "secret_access_key",
            "secretaccesskey",
            "secret-access-key",
            "secret access key",
            "aws_secret",
        ],
        before: Before::Anything,
        pattern: concat!(
            r"[A-Za-z_ -]{10,24}",
            assigned!(),
            r#"["'`]?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|\z)"#
        ),
        likeness: Likeness::Entropy(3.5),
        ..TOKEN
    },
    Rule {
        id: "google-api-key",
        keywords: &["aiza"],
        pattern: r"(AIza[0-9A-Za-z_-]{35})(?:[^0-9A-Za-z_-]|\z)",
        ..TOKEN
    },
    Rule {
        id: "google-oauth",
        keywords: &["gocspx-", "ya29."],
        pattern: r"GOCSPX-[0-9A-Za-z_-]{28}|ya29\.[0-9A-Za-z_-]{20,1024}",
        ..TOKEN
    },
    Rule {
        id: "azure-storage-key",
        keywords: &["accountkey=", "sharedaccesskey="],
        before: Before::Anything,
        pattern: r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,88}={0,2})",
        ..TOKEN
    },
    Rule {
        id: "digitalocean-token",
        keywords: &["dop_v1_", "doo_v1_", "dor_v1_"],
        pattern: r"do[opr]_v1_[a-f0-9]{64}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "cloudflare-token",
        keywords: &["cfk_", "cfut_", "cfat_", "v1.0-"],
        pattern: r"cf(?:k|ut|at)_[A-Za-z0-9_-]{40,64}|v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
        ..TOKEN
    },
    Rule {
        id: "cloudflare-token",
        keywords: &["cloudflare", "cf_api"],
        before: Before::Anything,
        pattern: concat!(
            r"(?i:cloudflare|cf)[A-Za-z_-]{0,24}",
            assigned!(),
            r#"["'`]?([A-Za-z0-9_-]{40}|[a-f0-9]{37})(?:[^A-Za-z0-9_-]|\z)"#
        ),
        named: true,
        likeness: Likeness::Random(3.0),
        ..TOKEN
    },
    Rule {
        id: "heroku-key",
        keywords: &["hrku-"],
        pattern: r"HRKU-[A-Za-z0-9_-]{36,80}",
        ..TOKEN
    },
    Rule {
        id: "heroku-key",
        keywords: &["heroku"],
        before: Before::Anything,
        pattern: concat!(
            r"(?i:heroku)[A-Za-z_-]{0,4}(?i:api|auth|token|key|oauth)[A-Za-z_-]{0,12}",
            assigned!(),
            r#"["'`]?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?-u:\b)"#
        ),
        ..TOKEN
    },
    Rule {
        id: "databricks-token",
        keywords: &["dapi"],
        pattern: r"dapi[a-f0-9]{32}(?:-\d)?(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "vault-token",
        keywords: &["hvs.", "hvb.", "hvr."],
        pattern: r"hv[sbr]\.[A-Za-z0-9_-]{24,512}",
        ..TOKEN
    },
    Rule {
        id: "pulumi-token",
        keywords: &["pul-"],
        pattern: r"pul-[a-f0-9]{40}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "tailscale-key",
        keywords: &["tskey-"],
        pattern: r"tskey-[a-z]{2,12}-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}",
        ..TOKEN
    },
    // Code hosts and package registries.
    Rule {
        id: "github-token",
        keywords: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        before: Before::Anything,
        pattern: r"gh[pousr]_[A-Za-z0-9]{36,255}",
        ..TOKEN
    },
    // Since 2026 an installation token holds a JWT.
    Rule {
        id: "github-token",
        keywords: &["ghs_", "ghu_"],
        before: Before::RunStart,
        pattern: r"gh[su]_[A-Za-z0-9_]{1,40}_eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        ..TOKEN
    },
    Rule {
        id: "github-fine-grained-token",
        keywords: &["github_pat_"],
        before: Before::Anything,
        pattern: r"github_pat_[A-Za-z0-9_]{22,255}",
        likeness: Likeness::Entropy(3.0),
        ..TOKEN
    },
    Rule {
        id: "gitlab-token",
        keywords: &[
            "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glagent-",
            "glimt-", "gloas-",
        ],
        pattern: r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[A-Za-z0-9_-]{20,300}(?:\.[A-Za-z0-9]{2}\.[A-Za-z0-9]{9})?",
        likeness: Likeness::Entropy(3.2),
        ..TOKEN
    },
    Rule {
        id: "npm-token",
        keywords: &["npm_"],
        pattern: r"npm_[A-Za-z0-9]{36}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "pypi-token",
        keywords: &["pypi-age"],
        pattern: r"pypi-AgE[A-Za-z0-9_-]{50,1000}",
        ..TOKEN
    },
    Rule {
        id: "rubygems-token",
        keywords: &["rubygems_"],
        pattern: r"rubygems_[a-f0-9]{48}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "crates-io-token",
        keywords: &["cio"],
        pattern: r"cio[A-Za-z0-9]{32}(?-u:\b)",
        likeness: Likeness::Random(3.5),
        ..TOKEN
    },
    Rule {
        id: "docker-token",
        keywords: &["dckr_pat_", "dckr_oat_"],
        pattern: r"dckr_[po]at_[A-Za-z0-9_-]{24,64}",
        ..TOKEN
    },
    // Models.
    Rule {
        id: "anthropic-key",
        keywords: &["sk-ant-"],
        before: Before::RunStart,
        pattern: r"sk-ant-[A-Za-z0-9_-]{24,400}",
        likeness: Likeness::Entropy(3.5),
        ..TOKEN
    },
    Rule {
        id: "openrouter-key",
        keywords: &["sk-or-"],
        before: Before::RunStart,
        pattern: r"sk-or-(?:v\d-)?[A-Za-z0-9]{32,128}",
        ..TOKEN
    },
    Rule {
        id: "openai-key",
        keywords: &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"],
        before: Before::RunStart,
        pattern: r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{24,400}",
        likeness: Likeness::Random(3.5),
        ..TOKEN
    },
    // Other vendors write theirs the same way.
    Rule {
        id: "openai-key",
        keywords: &["sk-"],
        before: Before::RunStart,
        pattern: r"sk-[A-Za-z0-9]{32,128}(?-u:\b)",
        likeness: Likeness::Random(3.2),
        ..TOKEN
    },
    Rule {
        id: "huggingface-token",
        keywords: &["hf_"],
        pattern: r"hf_[A-Za-z0-9]{30,40}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "groq-key",
        keywords: &["gsk_"],
        pattern: r"gsk_[A-Za-z0-9]{40,64}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "xai-key",
        keywords: &["xai-"],
        pattern: r"xai-[A-Za-z0-9]{64,96}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "perplexity-key",
        keywords: &["pplx-"],
        pattern: r"pplx-[A-Za-z0-9]{40,64}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "replicate-token",
        keywords: &["r8_"],
        pattern: r"r8_[A-Za-z0-9]{37}(?-u:\b)",
        ..TOKEN
    },
    // Talk, mail, money and the rest.
    Rule {
        id: "slack-token",
        keywords: &[
            "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-",
            "xoxs-", "xapp-",
        ],
        pattern: r"(?:xox[a-eoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9]{1,20}-[A-Za-z0-9/+=-]{10,400}",
        likeness: Likeness::Password,
        ..TOKEN
    },
    Rule {
        id: "slack-webhook",
        keywords: &["hooks.slack.com/"],
        before: Before::Anything,
        pattern: r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,120})",
        likeness: Likeness::Entropy(3.2),
        ..TOKEN
    },
    Rule {
        id: "discord-webhook",
        keywords: &["/api/webhooks/"],
        before: Before::Anything,
        pattern: r"/api/webhooks/\d{16,20}/([A-Za-z0-9_-]{60,80})",
        ..TOKEN
    },
    Rule {
        id: "discord-token",
        keywords: &["discord"],
        before: Before::Anything,
        pattern: r"(?is)discord.{0,120}?(?-u:\b)((?-i)[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})",
        ..TOKEN
    },
    Rule {
        id: "telegram-token",
        keywords: &[":aa"],
        before: Before::Digits(8),
        pattern: r":(AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|\z)",
        ..TOKEN
    },
    Rule {
        id: "twilio-key",
        keywords: &[
            "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb",
            "skc", "skd", "ske", "skf",
        ],
        pattern: r"SK[0-9a-f]{32}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "sendgrid-key",
        keywords: &["sg."],
        pattern: r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}",
        ..TOKEN
    },
    Rule {
        id: "mailgun-key",
        keywords: &["key-"],
        pattern: r"key-[0-9a-f]{32}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "mailgun-key",
        keywords: &["mailgun"],
        before: Before::Anything,
        pattern: r"(?is)mailgun.{0,60}?(?-u:\b)([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "stripe-key",
        keywords: &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"],
        pattern: r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/=]{24,128})",
        likeness: Likeness::Entropy(3.2),
        ..TOKEN
    },
    Rule {
        id: "shopify-token",
        keywords: &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
        pattern: r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32,38}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "linear-key",
        keywords: &["lin_api_", "lin_oauth_"],
        pattern: r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "notion-token",
        keywords: &["ntn_"],
        pattern: r"ntn_[A-Za-z0-9]{40,50}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "atlassian-token",
        keywords: &["atatt3"],
        pattern: r"ATATT3[A-Za-z0-9_=-]{60,400}",
        ..TOKEN
    },
    Rule {
        id: "sentry-token",
        keywords: &["sntrys_", "sntryu_"],
        pattern: r"sntrys_eyJ[A-Za-z0-9_=+/-]{40,400}|sntryu_[a-f0-9]{64}(?-u:\b)",
        ..TOKEN
    },
    Rule {
        id: "grafana-token",
        keywords: &["glsa_", "glc_eyj"],
        pattern: r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?-u:\b)|glc_eyJ[A-Za-z0-9+/=]{32,400}",
        ..TOKEN
    },
    Rule {
        id: "supabase-key",
        keywords: &["sbp_", "sb_secret_"],
        pattern: r"sbp_[a-f0-9]{40}(?-u:\b)|sb_secret_[A-Za-z0-9_-]{24,64}",
        ..TOKEN
    },
    // Forms that any issuer's secret may take.
    Rule {
        id: "jwt",
        keywords: &["eyj"],
        before: Before::RunStart,
        pattern: r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){1,3}",
        ..TOKEN
    },
    Rule {
        id: "url-password",
        keywords: &["://"],
        before: Before::Anything,
        pattern: r##"://[^\s/:@"'`<>\[\](){}|\\,;]{0,80}:([^\s/:@"'`<>\[\](){}|\\,;$*?#%][^\s/:@"'`<>\[\](){}|\\,;?#]{2,127})@[A-Za-z0-9\[]"##,
        named: false,
        likeness: Likeness::Phrase,
        general: true,
    },
    Rule {
        id: "basic-auth",
        keywords: &["authorization"],
        before: Before::Anything,
        pattern: r#"(?i:authorization)[\\"'`]{0,4}\]?\s{0,3}[:=,]\s{0,3}[\\"'`]{0,4}(?i:basic)\s{1,4}([A-Za-z0-9+/=_-]{8,})"#,
        named: false,
        likeness: Likeness::Entropy(2.75),
        general: true,
    },
    Rule {
        id: "authorization-header",
        keywords: &["authorization"],
        before: Before::Anything,
        pattern: r#"(?i:authorization)[\\"'`]{0,4}\]?\s{0,3}[:=,]\s{0,3}[\\"'`]{0,4}(?i:bearer|token|bot|apikey|api-key|key)\s{1,4}([A-Za-z0-9._~+/=-]{8,})"#,
        named: false,
        likeness: Likeness::Password,
        general: true,
    },
    Rule {
        id: "bearer-token",
        keywords: &["bearer"],
        before: Before::WordStart,
        pattern: r"(?i:bearer)\s{1,4}([A-Za-z0-9._~+/=-]{16,})",
        named: false,
        likeness: Likeness::Random(3.0),
        general: true,
    },
    Rule {
        id: "secret-assignment",
        keywords: &[
            "secret",
            "token",
            "api_key",
            "apikey",
            "api-key",
            "access_key",
            "accesskey",
            "auth_key",
            "authkey",
            "encryption_key",
            "encryptionkey",
            "signing_key",
            "private_key",
            "privatekey",
            "credential",
        ],
        before: Before::Anything,
        pattern: concat!(
            r"(?i:secret|token|api[_-]?key|access_?key|auth_?key|encryption_?key|signing_key|private_?key|credential)",
            name_rest!(),
            assigned!(),
            r#"(?:["'`]([!-~&&[^"'`\\<>\[\](){}$,;]]{16,1000})\\{0,3}["'`]|([A-Za-z0-9_+/~.-]{16,1000}={0,3})(?:[\s"'`;&\\]|\z))"#,
        ),
        named: true,
        likeness: Likeness::Random(2.8),
        general: true,
    },
    Rule {
        id: "password-assignment",
        keywords: &["password", "passwd", "passphrase", "_pwd", "_pass"],
        before: Before::Anything,
        pattern: concat!(
            r"(?i:password|passwd|passphrase|_pwd|_pass)",
            r"(?:[_-][A-Za-z0-9_-]{1,24}|\d{1,3})?",
            r#"(?:"#,
            assigned!(),
            r#"(?:"([!-~&&[^"\\]]{8,200})\\{0,3}"|'([!-~&&[^'\\]]{8,200})\\{0,3}'|`([!-~&&[^`\\]]{8,200})`)|=([A-Za-z0-9_+/=~!@#%^*.:-]{8,200})(?:[\s"'`;&\\]|\z))"#,
        ),
        named: true,
        likeness: Likeness::Password,
        general: true,
    },
];
