//! Tokens of more vendors, generated from their form, and values identified by a name.

use super::{CAPITALS, DIGITS, HEX, LETTERS, random, redactor};

const SMALL: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

fn uuid() -> String {
    [8, 4, 4, 4, 12].map(|length| random(HEX, length)).join("-")
}

pub(super) fn tokens() -> Vec<(&'static str, String)> {
    let plain: &[(&'static str, &str, &str, usize, &str)] = &[
        ("1password-token", "ops_eyJ", LETTERS, 240, ""),
        ("adobe-secret", "p8e-", LETTERS, 32, ""),
        ("algolia-key", "algolia_", HEX, 32, ""),
        ("alibaba-key", "LTAI", LETTERS, 20, ""),
        ("artifactory-key", "AKCp", LETTERS, 69, ""),
        ("assemblyai-key", "aai_", LETTERS, 32, ""),
        ("bedrock-key", "ABSK", LETTERS, 120, ""),
        ("bitbucket-token", "ATBB", LETTERS, 32, ""),
        ("bitcoin-key", "xprv", BASE58, 107, ""),
        ("buildkite-token", "bkua_", HEX, 40, ""),
        ("cerebras-key", "csk-", SMALL, 48, ""),
        ("clickhouse-key", "4b1d", LETTERS, 38, ""),
        ("clojars-token", "CLOJARS_", SMALL, 60, ""),
        ("contentful-token", "CFPAT-", LETTERS, 43, ""),
        ("deno-token", "ddp_", LETTERS, 36, ""),
        ("doppler-token", "dp.pt.", LETTERS, 43, ""),
        ("dropbox-token", "sl.", LETTERS, 130, ""),
        ("duffel-token", "duffel_live_", LETTERS, 43, ""),
        ("easypost-key", "EZAK", LETTERS, 54, ""),
        ("elevenlabs-key", "sk_", HEX, 48, ""),
        ("expo-token", "expo_", LETTERS, 40, ""),
        ("facebook-token", "EAAC", LETTERS, 120, ""),
        ("figma-token", "figd_", LETTERS, 40, ""),
        ("fireworks-key", "fw_", LETTERS, 24, ""),
        ("flutterwave-key", "FLWSECK_TEST-", HEX, 32, "-X"),
        ("fly-token", "fo1_", LETTERS, 43, ""),
        ("frameio-token", "fio-u-", LETTERS, 64, ""),
        ("google-refresh-token", "1//0g", LETTERS, 60, ""),
        ("infracost-key", "ico-", LETTERS, 32, ""),
        ("intra42-secret", "s-s4t2ud-", HEX, 64, ""),
        ("keygen-token", "prod-", HEX, 64, "v3"),
        ("linear-webhook", "lin_wh_", LETTERS, 40, ""),
        ("neon-key", "napi_", SMALL, 64, ""),
        ("netlify-token", "nfp_", LETTERS, 40, ""),
        ("new-relic-key", "NRAK-", UPPER, 27, ""),
        ("notion-token", "secret_", LETTERS, 43, ""),
        ("nuget-key", "oy2", SMALL, 43, ""),
        ("nvidia-key", "nvapi-", LETTERS, 64, ""),
        ("octopus-key", "API-", UPPER, 26, ""),
        ("openshift-token", "sha256~", LETTERS, 43, ""),
        ("pinecone-key", "pcsk_", LETTERS, 64, ""),
        ("planetscale-token", "pscale_tkn_", LETTERS, 43, ""),
        ("posthog-key", "phx_", LETTERS, 43, ""),
        ("prefect-token", "pnu_", LETTERS, 36, ""),
        ("razorpay-key", "rzp_live_", LETTERS, 14, ""),
        ("readme-token", "rdme_", SMALL, 70, ""),
        ("render-key", "rnd_", LETTERS, 28, ""),
        ("scalingo-token", "tk-us-", LETTERS, 48, ""),
        ("settlemint-token", "sm_pat_", LETTERS, 16, ""),
        ("shippo-token", "shippo_live_", HEX, 40, ""),
        ("sonar-token", "squ_", HEX, 40, ""),
        ("sourcegraph-token", "sgp_", HEX, 40, ""),
        ("square-token", "sq0atp-", LETTERS, 22, ""),
        ("stytch-secret", "secret-live-", LETTERS, 36, ""),
        ("tavily-key", "tvly-dev-", LETTERS, 32, ""),
        ("tencent-key", "AKID", LETTERS, 32, ""),
        ("turnstile-secret", "0x4AAAA", LETTERS, 30, ""),
        ("typeform-token", "tfp_", LETTERS, 59, ""),
        ("vercel-token", "vcp_", LETTERS, 56, ""),
        ("wandb-key", "wandb_v1_", LETTERS, 60, ""),
        ("yandex-key", "AQVN", LETTERS, 36, ""),
    ];
    let mut tokens: Vec<(&'static str, String)> = plain
        .iter()
        .map(|(id, prefix, alphabet, length, suffix)| {
            (
                *id,
                format!("{prefix}{}{suffix}", random(alphabet, *length)),
            )
        })
        .collect();
    let parts = |lengths: &[usize], between: &str| -> String {
        let parts: Vec<String> = lengths.iter().map(|length| random(HEX, *length)).collect();
        parts.join(between)
    };
    let upper = |length| random(UPPER, length);
    tokens.extend([
        (
            "1password-key",
            format!(
                "A3-{}-{}-{}-{}-{}",
                upper(6),
                upper(11),
                upper(5),
                upper(5),
                upper(5)
            ),
        ),
        (
            "airtable-token",
            format!("pat{}.{}", random(LETTERS, 14), random(HEX, 64)),
        ),
        (
            "asana-token",
            format!("1/1{}:{}", random(DIGITS, 15), random(HEX, 32)),
        ),
        (
            "azure-client-secret",
            format!("q7h8Q~{}", random(LETTERS, 34)),
        ),
        (
            "azure-devops-token",
            format!("{}AZDO{}", random(LETTERS, 76), random(LETTERS, 4)),
        ),
        (
            "circleci-token",
            format!("CCIPAT_{}_{}", random(LETTERS, 22), random(HEX, 40)),
        ),
        (
            "dynatrace-token",
            format!("dt0c01.{}.{}", random(UPPER, 24), random(UPPER, 64)),
        ),
        (
            "firebase-key",
            format!("AAAA{}:{}", random(LETTERS, 7), random(LETTERS, 140)),
        ),
        (
            "harness-token",
            format!(
                "pat.{}.{}.{}",
                random(LETTERS, 22),
                random(LETTERS, 24),
                random(LETTERS, 20)
            ),
        ),
        ("hubspot-token", format!("pat-na1-{}", uuid())),
        ("langfuse-key", format!("sk-lf-{}", uuid())),
        (
            "langsmith-key",
            format!("lsv2_pt_{}", parts(&[32, 10], "_")),
        ),
        ("launchdarkly-key", format!("sdk-{}", uuid())),
        ("mailchimp-key", format!("{}-us14", random(HEX, 32))),
        (
            "mapbox-token",
            format!("sk.eyJ{}.{}", random(LETTERS, 60), random(LETTERS, 22)),
        ),
        (
            "paypal-token",
            format!(
                "access_token$production${}${}",
                random(SMALL, 16),
                random(HEX, 32)
            ),
        ),
        ("plaid-token", format!("access-sandbox-{}", uuid())),
        ("postman-key", format!("PMAK-{}", parts(&[24, 34], "-"))),
        (
            "recaptcha-secret",
            format!("6Lc{}AAAAA{}", random(LETTERS, 5), random(LETTERS, 27)),
        ),
        (
            "resend-key",
            format!("re_{}_{}", random(LETTERS, 8), random(LETTERS, 24)),
        ),
        (
            "sendinblue-key",
            format!("xkeysib-{}-{}", random(HEX, 64), random(LETTERS, 16)),
        ),
        (
            "terraform-token",
            format!("{}.atlasv1.{}", random(LETTERS, 14), random(LETTERS, 67)),
        ),
        ("password-hash", format!("$2b$12${}", random(LETTERS, 53))),
        (
            "password-hash",
            format!("$6${}${}", random(LETTERS, 12), random(LETTERS, 86)),
        ),
        (
            "password-hash",
            format!(
                "$argon2id$v=19$m=65536,t=3,p=4${}${}",
                random(LETTERS, 22),
                random(LETTERS, 43)
            ),
        ),
        (
            "password-hash",
            format!(
                "pbkdf2_sha256$600000${}${}=",
                random(LETTERS, 22),
                random(LETTERS, 43)
            ),
        ),
        ("password-hash", format!("{{SSHA}}{}", random(LETTERS, 40))),
        (
            "private-key",
            format!("MIIEpAIBAAKCAQEA{}", random(CAPITALS, 200)),
        ),
        (
            "private-key",
            format!("b3BlbnNzaC1rZXktdjEAAAA{}", random(LETTERS, 200)),
        ),
    ]);
    tokens
}

/// Rule, text before, alphabet and length of the secret, text after.
pub(super) const NAMED: &[(&str, &str, &str, usize, &str)] = &[
    (
        "aws-signature",
        "AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=host, Signature=",
        HEX,
        64,
        "\n",
    ),
    ("command-password", "sshpass -p ", LETTERS, 12, " ssh a@b"),
    ("datadog-key", "DD_APP_KEY=", HEX, 40, "\n"),
    (
        "jdbc-password",
        "jdbc:oracle:thin:scott/",
        LETTERS,
        12,
        "@//db:1521/x",
    ),
    (
        "kubernetes-secret",
        "kind: Secret\ndata:\n  a: ",
        LETTERS,
        16,
        "\n",
    ),
    ("maxmind-key", "maxmind: abc123_", LETTERS, 29, "_mmk"),
    ("named-uuid", "linode_cli = ", HEX, 64, ""),
    (
        "netrc-password",
        "machine a.test login b password ",
        LETTERS,
        12,
        "\n",
    ),
    ("okta-token", "okta: 00", LETTERS, 40, "\n"),
    (
        "otp-secret",
        "otpauth://totp/a?secret=",
        CAPITALS,
        32,
        "&issuer=b",
    ),
    ("pgpass-password", "db:5432:shop:app:", LETTERS, 12, "\n"),
    ("recovery-phrase", "", "", 0, ""),
    ("registry-auth", "_auth=", LETTERS, 24, "\n"),
    ("session-cookie", "Cookie: sid=", HEX, 32, "; a=b"),
    (
        "shared-access-signature",
        "?sv=2024&sig=",
        LETTERS,
        43,
        "%3D&se=1",
    ),
    ("signed-url", "?X-Amz-Signature=", HEX, 64, "&a=b"),
    ("teams-webhook", "", "", 0, ""),
    (
        "twitter-token",
        "twitter AAAAAAAAAAAAAAAAAAAAAA",
        LETTERS,
        80,
        "\n",
    ),
    (
        "upstash-token",
        "UPSTASH_REDIS_REST_TOKEN=",
        LETTERS,
        50,
        "\n",
    ),
    ("url-token", "https://", LETTERS, 40, "@git.test/a"),
    ("web-key", "{\"kty\":\"EC\",\"d\":\"", LETTERS, 43, "\"}"),
    (
        "zapier-webhook",
        "https://hooks.zapier.com/hooks/catch/123456/",
        SMALL,
        7,
        "/",
    ),
];

#[test]
fn tokens_of_all_vendors_go() {
    for (id, token) in tokens() {
        for (before, after) in [
            ("", ""),
            ("key ", " here"),
            ("\"", "\""),
            ("\\n", "\\n"),
            ("K=", "\n"),
            ("'", "',"),
        ] {
            let text = format!("{before}{token}{after}");
            let redacted = redactor().redact(&text);
            assert!(
                redacted.counts.of(id) > 0,
                "{id}: {text} -> {}",
                redacted.text
            );
            assert!(
                !redacted.text.contains(&token[token.len() / 2..]),
                "{id}: {text} -> {}",
                redacted.text
            );
        }
    }
}

#[test]
fn values_of_telling_names_go() {
    for (id, before, alphabet, length, after) in NAMED {
        if *length == 0 {
            continue;
        }
        let secret = random(alphabet, *length);
        let text = format!("{before}{secret}{after}");
        let redacted = redactor().redact(&text).text;
        assert!(!redacted.contains(&secret), "{id}: {text} -> {redacted}");
    }
}
