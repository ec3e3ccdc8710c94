//! Clouds and services in them.

use super::{CONTEXT, Finder, Rule, TOKEN};
use crate::value::{Likeness, has_run};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "aws-access-key-id",
        keywords: &["akia", "asia", "abia", "acca"],
        finder: Finder::Pattern(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
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
        finder: Finder::Pattern(concat!(
            r"[A-Za-z_ -]{10,24}",
            assigned!(),
            r#"([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|\z)"#
        )),
        likeness: Likeness::Entropy(3.5),
        ..CONTEXT
    },
    Rule {
        id: "google-api-key",
        keywords: &["aiza"],
        finder: Finder::Pattern(r"(AIza[0-9A-Za-z_-]{35})(?:[^0-9A-Za-z_-]|\z)"),
        ..TOKEN
    },
    Rule {
        id: "google-oauth",
        keywords: &["gocspx-", "ya29."],
        finder: Finder::Pattern(r"GOCSPX-[0-9A-Za-z_-]{28}|ya29\.[0-9A-Za-z_-]{20,1024}"),
        ..TOKEN
    },
    Rule {
        id: "azure-storage-key",
        keywords: &["accountkey=", "sharedaccesskey="],
        finder: Finder::Pattern(r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,88}={0,2})"),
        ..CONTEXT
    },
    Rule {
        id: "digitalocean-token",
        keywords: &["dop_v1_", "doo_v1_", "dor_v1_"],
        finder: Finder::Pattern(r"do[opr]_v1_[a-f0-9]{64}\b"),
        ..TOKEN
    },
    Rule {
        id: "cloudflare-token",
        keywords: &["cfk_", "cfut_", "cfat_", "v1.0-"],
        finder: Finder::Pattern(
            r"cf(?:k|ut|at)_[A-Za-z0-9_-]{40,64}|v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
        ),
        ..TOKEN
    },
    Rule {
        id: "cloudflare-token",
        keywords: &["cloudflare", "cf_api"],
        needs: |text| has_run(text, 37),
        finder: Finder::Pattern(concat!(
            r"(?i:cloudflare|cf)[A-Za-z_-]{0,24}",
            assigned!(),
            r#"([A-Za-z0-9_-]{40}|[a-f0-9]{37})(?:[^A-Za-z0-9_-]|\z)"#
        )),
        named: true,
        likeness: Likeness::Random(3.0),
        ..CONTEXT
    },
    Rule {
        id: "heroku-key",
        keywords: &["hrku-"],
        finder: Finder::Pattern(r"HRKU-[A-Za-z0-9_-]{36,80}"),
        ..TOKEN
    },
    Rule {
        id: "heroku-key",
        keywords: &["heroku"],
        finder: Finder::Pattern(concat!(
            r"(?i:heroku)[A-Za-z_-]{0,4}(?i:api|auth|token|key|oauth)[A-Za-z_-]{0,12}",
            assigned!(),
            r#"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\b"#
        )),
        ..CONTEXT
    },
    Rule {
        id: "databricks-token",
        keywords: &["dapi"],
        finder: Finder::Pattern(r"dapi[a-f0-9]{32}(?:-\d)?\b"),
        ..TOKEN
    },
    Rule {
        id: "vault-token",
        keywords: &["hvs.", "hvb.", "hvr."],
        finder: Finder::Pattern(r"hv[sbr]\.[A-Za-z0-9_-]{24,512}"),
        ..TOKEN
    },
    Rule {
        id: "pulumi-token",
        keywords: &["pul-"],
        finder: Finder::Pattern(r"pul-[a-f0-9]{40}\b"),
        ..TOKEN
    },
    Rule {
        id: "tailscale-key",
        keywords: &["tskey-"],
        finder: Finder::Pattern(r"tskey-[a-z]{2,12}-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),
        ..TOKEN
    },
];
