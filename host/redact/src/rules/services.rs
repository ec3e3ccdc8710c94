//! Chat, mail, payment and other services.

use super::{CONTEXT, Finder, Rule, TOKEN};
use crate::value::{Before, Likeness, has_run};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "slack-token",
        keywords: &[
            "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-",
            "xoxs-", "xapp-",
        ],
        finder: Finder::Pattern(
            r"(?:xox[a-eoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9]{1,20}-[A-Za-z0-9/+=-]{10,400}",
        ),
        likeness: Likeness::Password,
        ..TOKEN
    },
    Rule {
        id: "slack-webhook",
        keywords: &["hooks.slack.com/"],
        finder: Finder::Pattern(
            r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,120})",
        ),
        likeness: Likeness::Entropy(3.2),
        ..CONTEXT
    },
    Rule {
        id: "discord-webhook",
        keywords: &["/api/webhooks/"],
        finder: Finder::Pattern(r"/api/webhooks/\d{16,20}/([A-Za-z0-9_-]{60,80})"),
        ..CONTEXT
    },
    Rule {
        id: "discord-token",
        keywords: &["discord"],
        needs: |text| has_run(text, 27),
        finder: Finder::Pattern(
            r"(?i)discord[ -~\s]{0,120}?\b((?-i)[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})",
        ),
        ..CONTEXT
    },
    Rule {
        id: "telegram-token",
        keywords: &[":aa"],
        before: Before::Digits(8),
        finder: Finder::Pattern(r":(AA[A-Za-z0-9_-]{33})(?:[^A-Za-z0-9_-]|\z)"),
        ..TOKEN
    },
    Rule {
        id: "twilio-key",
        keywords: &[
            "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb",
            "skc", "skd", "ske", "skf",
        ],
        finder: Finder::Pattern(r"SK[0-9a-f]{32}\b"),
        ..TOKEN
    },
    Rule {
        id: "sendgrid-key",
        keywords: &["sg."],
        finder: Finder::Pattern(r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
        ..TOKEN
    },
    Rule {
        id: "mailgun-key",
        keywords: &["key-"],
        finder: Finder::Pattern(r"key-[0-9a-f]{32}\b"),
        ..TOKEN
    },
    Rule {
        id: "mailgun-key",
        keywords: &["mailgun"],
        finder: Finder::Pattern(
            r"(?i)mailgun[ -~\s]{0,60}?\b([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b",
        ),
        ..CONTEXT
    },
    Rule {
        id: "stripe-key",
        keywords: &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"],
        finder: Finder::Pattern(
            r"(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{14,247}|whsec_[A-Za-z0-9+/=]{24,128})",
        ),
        likeness: Likeness::Entropy(3.2),
        ..TOKEN
    },
    Rule {
        id: "shopify-token",
        keywords: &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
        finder: Finder::Pattern(r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32,38}\b"),
        ..TOKEN
    },
    Rule {
        id: "linear-key",
        keywords: &["lin_api_", "lin_oauth_"],
        finder: Finder::Pattern(r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b"),
        ..TOKEN
    },
    Rule {
        id: "notion-token",
        keywords: &["ntn_"],
        finder: Finder::Pattern(r"ntn_[A-Za-z0-9]{40,50}\b"),
        ..TOKEN
    },
    Rule {
        id: "atlassian-token",
        keywords: &["atatt3"],
        finder: Finder::Pattern(r"ATATT3[A-Za-z0-9_-]{60,400}(?:=[0-9A-Fa-f]{8}\b)?"),
        ..TOKEN
    },
    Rule {
        id: "sentry-token",
        keywords: &["sntrys_", "sntryu_"],
        finder: Finder::Pattern(r"sntrys_eyJ[A-Za-z0-9_=+/-]{40,400}|sntryu_[a-f0-9]{64}\b"),
        ..TOKEN
    },
    Rule {
        id: "grafana-token",
        keywords: &["glsa_", "glc_eyj"],
        finder: Finder::Pattern(
            r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b|glc_eyJ[A-Za-z0-9+/=]{32,400}",
        ),
        ..TOKEN
    },
    Rule {
        id: "supabase-key",
        keywords: &["sbp_", "sb_secret_"],
        finder: Finder::Pattern(r"sbp_[a-f0-9]{40}\b|sb_secret_[A-Za-z0-9_-]{24,64}"),
        ..TOKEN
    },
];
