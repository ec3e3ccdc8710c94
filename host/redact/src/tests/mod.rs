//! Tests every rule on invented secrets in several forms, and on text that must stay. Secrets are assembled at run
//! time, so that this file contains none.

mod announced;
mod chosen;
mod commands;
mod contexts;
mod encodings;
mod keys;
mod nearby;
mod properties;
mod systems;
mod vendors;
mod work;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::rules::{self, Finder};
use crate::{Counts, Redactor, rule_ids};

const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BECH32: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/// Pseudo-random characters, equal for equal arguments.
fn random(alphabet: &str, length: usize) -> String {
    let alphabet = alphabet.as_bytes();
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ length as u64;
    (0..length)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[(state >> 33) as usize % alphabet.len()])
        })
        .collect()
}

fn redactor() -> &'static Redactor {
    static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(&[]).unwrap());
    &REDACTOR
}

/// Secrets identified by their own form, in any position.
fn tokens() -> Vec<(&'static str, String)> {
    let letters = |prefix: &str, length| format!("{prefix}{}", random(LETTERS, length));
    let hex = |prefix: &str, length| format!("{prefix}{}", random(HEX, length));
    let jwt = [
        "eyJ",
        &random(LETTERS, 40),
        ".eyJ",
        &random(LETTERS, 90),
        ".",
        &random(LETTERS, 43),
    ]
    .concat();
    vec![
        ("age-key", format!("AGE-SECRET-KEY-1{}", random(BECH32, 58))),
        ("anthropic-key", letters("sk-ant-api03-", 93)),
        ("atlassian-token", letters("ATATT3", 180)),
        ("aws-access-key-id", format!("AKIA{}", random(CAPITALS, 16))),
        ("cloudflare-token", letters("cfut_", 48)),
        ("crates-io-token", letters("cio", 32)),
        ("databricks-token", hex("dapi", 32)),
        ("digitalocean-token", hex("dop_v1_", 64)),
        ("docker-token", letters("dckr_pat_", 27)),
        ("github-fine-grained-token", letters("github_pat_", 82)),
        ("github-token", letters("ghp_", 36)),
        ("github-token", letters("gho_", 36)),
        ("github-token", letters("ghu_", 36)),
        ("github-token", letters("ghs_", 36)),
        ("github-token", format!("ghs_123456_{jwt}")),
        ("gitlab-token", letters("glpat-", 20)),
        ("google-api-key", letters("AIza", 35)),
        ("google-oauth", letters("GOCSPX-", 28)),
        ("google-oauth", letters("ya29.", 120)),
        (
            "grafana-token",
            format!("{}_{}", letters("glsa_", 32), random(HEX, 8)),
        ),
        ("groq-key", letters("gsk_", 52)),
        ("heroku-key", letters("HRKU-", 60)),
        ("huggingface-token", letters("hf_", 34)),
        ("jwt", jwt),
        ("linear-key", letters("lin_api_", 40)),
        ("mailgun-key", hex("key-", 32)),
        ("notion-token", letters("ntn_", 46)),
        ("npm-token", letters("npm_", 36)),
        ("openai-key", letters("sk-proj-", 120)),
        ("openai-key", letters("sk-", 48)),
        ("openrouter-key", hex("sk-or-v1-", 64)),
        ("perplexity-key", letters("pplx-", 48)),
        ("pulumi-token", hex("pul-", 40)),
        ("pypi-token", letters("pypi-AgEIcHlwaS5vcmc", 120)),
        ("replicate-token", letters("r8_", 37)),
        ("rubygems-token", hex("rubygems_", 48)),
        (
            "sendgrid-key",
            format!("{}.{}", letters("SG.", 22), random(LETTERS, 43)),
        ),
        ("sentry-token", hex("sntryu_", 64)),
        ("shopify-token", hex("shpat_", 32)),
        (
            "slack-token",
            format!("xoxb-{}-{}", random(DIGITS, 12), random(LETTERS, 24)),
        ),
        ("stripe-key", letters("sk_live_", 24)),
        ("stripe-key", letters("rk_live_", 24)),
        ("supabase-key", hex("sbp_", 40)),
        (
            "tailscale-key",
            format!("{}-{}", letters("tskey-auth-", 12), random(LETTERS, 32)),
        ),
        ("twilio-key", hex("SK", 32)),
        ("vault-token", letters("hvs.", 90)),
        ("xai-key", letters("xai-", 80)),
    ]
}

/// Secrets identified by their context: before, secret, after.
fn surrounded() -> Vec<(&'static str, &'static str, String, &'static str)> {
    let letters = |length| random(LETTERS, length);
    let discord = format!("M{}.{}.{}", letters(25), letters(6), letters(38));
    let uuid = [8, 4, 4, 4, 12].map(|length| random(HEX, length)).join("-");
    let slack = format!("T{}/B{}/{}", letters(8), letters(8), letters(24));
    let password = ["corr3ct", "-horse"].concat();
    vec![
        (
            "authorization-header",
            "Authorization: token ",
            random(HEX, 40),
            "\n",
        ),
        (
            "authorization-header",
            r#"\"Authorization\": \"Bearer "#,
            letters(40),
            r#"\""#,
        ),
        (
            "aws-secret-access-key",
            "aws_secret_access_key = ",
            letters(40),
            "\n",
        ),
        (
            "aws-secret-access-key",
            r#""SecretAccessKey": ""#,
            letters(40),
            "\"",
        ),
        (
            "azure-storage-key",
            "AccountName=a;AccountKey=",
            format!("{}==", letters(86)),
            ";E=1",
        ),
        (
            "basic-auth",
            "authorization: Basic ",
            format!("{}=", letters(23)),
            "",
        ),
        ("bearer-token", "curl -H 'X-Auth: bearer ", letters(32), "'"),
        (
            "cloudflare-token",
            "CLOUDFLARE_API_TOKEN=",
            letters(40),
            "\n",
        ),
        ("discord-token", "DISCORD_TOKEN=", discord, "\n"),
        (
            "discord-webhook",
            "https://discord.com/api/webhooks/123456789012345678/",
            letters(68),
            "",
        ),
        (
            "encoded-password",
            "Password, base64 as ever: ",
            "TWFwbGUtT3JiaXQ0MT8=".to_owned(),
            "\n",
        ),
        ("heroku-key", "HEROKU_API_KEY=", uuid, "\n"),
        (
            "inserted-secret",
            "INSERT INTO t (id, api_token) VALUES (1, '",
            letters(40),
            "');",
        ),
        (
            "mailgun-key",
            "mailgun.client({key: '",
            [32, 8, 8].map(|length| random(HEX, length)).join("-"),
            "'})",
        ),
        (
            "wallet-key",
            "accounts: [\"",
            format!("0x{}", random(HEX, 64)),
            "\"]",
        ),
        (
            "password-assignment",
            "DB_PASSWORD=",
            password.clone(),
            "\n",
        ),
        (
            "password-assignment",
            r#""password": ""#,
            password.clone(),
            "\"",
        ),
        (
            "password-assignment",
            r#"\"password\":\""#,
            password.clone(),
            r#"\""#,
        ),
        (
            "password-assignment",
            "password = \"",
            ["don't-(L00k", "]at|me"].concat(),
            "\"",
        ),
        (
            "password-assignment",
            "export PGPASSWORD='",
            password.clone(),
            "'",
        ),
        (
            "password-assignment",
            "mysql --password=",
            password.clone(),
            " -u root",
        ),
        ("secret-assignment", "SESSION_SECRET=", letters(32), "\n"),
        (
            "secret-file",
            "$ cat config/master.key\n",
            random(HEX, 32),
            "\n",
        ),
        ("secret-assignment", "SECRET_GRID: ", letters(32), "\n"),
        ("secret-assignment", "api_key: ", random(HEX, 32), "\n"),
        (
            "secret-assignment",
            r#"{"accessToken":""#,
            letters(40),
            "\"}",
        ),
        (
            "secret-assignment",
            r#"{\"client_secret\": \""#,
            letters(40),
            r#"\"}"#,
        ),
        (
            "secret-assignment",
            r#"const apiKey: string = ""#,
            letters(24),
            "\";",
        ),
        (
            "secret-assignment",
            "https://x.test/cb?access_token=",
            letters(40),
            "&state=1",
        ),
        ("secret-assignment", "-H 'X-Api-Key: ", letters(32), "'"),
        ("secret-assignment", "config['token'] = '", letters(32), "'"),
        (
            "slack-webhook",
            "https://hooks.slack.com/services/",
            slack,
            "\n",
        ),
        (
            "telegram-token",
            "https://api.telegram.org/bot123456789:",
            format!("AA{}", letters(33)),
            "/getMe",
        ),
        (
            "url-password",
            "postgres://app:",
            password.clone(),
            "@db.internal:5432/app",
        ),
        ("url-password", "redis://:", password, "@cache:6379"),
    ]
}

/// Key blocks, plain and as in traces.
fn key_blocks() -> Vec<(&'static str, String)> {
    let lines: Vec<String> = (0..6)
        .map(|line| random(LETTERS, 64 - usize::from(line == 5) * 21))
        .collect();
    let begin = |name: &str| format!("-----BEGIN {name}PRIVATE KEY-----");
    let end = |name: &str| format!("-----END {name}PRIVATE KEY-----");
    let block = |name: &str, between: &str| {
        [vec![begin(name)], lines.clone(), vec![end(name)]]
            .concat()
            .join(between)
    };
    let numbered: Vec<String> = block("RSA ", "\n")
        .lines()
        .enumerate()
        .map(|(number, line)| format!("{:>6}→{line}", number + 1))
        .collect();
    let quoted: Vec<String> = block("EC ", "\n")
        .lines()
        .map(|line| format!("    \"{line}\\n\" +"))
        .collect();
    let removed: Vec<String> = block("", "\n")
        .lines()
        .map(|line| format!("-{line}"))
        .collect();
    let headers = [
        vec![
            begin("RSA "),
            "Proc-Type: 4,ENCRYPTED".to_owned(),
            "DEK-Info: AES-128-CBC,00FF".to_owned(),
            String::new(),
        ],
        lines.clone(),
        vec![end("RSA ")],
    ];
    let cut = [vec![begin("OPENSSH ")], lines[..3].to_vec()].concat();
    let putty = [vec!["Private-Lines: 6".to_owned()], lines.clone()].concat();
    vec![
        ("private-key", block("", "\n")),
        ("private-key", block("RSA ", "\r\n")),
        (
            "private-key",
            format!(r#"{{"private_key": "{}\n"}}"#, block("", r"\n")),
        ),
        (
            "private-key",
            format!(r#"{{\"private_key\": \"{}\\n\"}}"#, block("", r"\\n")),
        ),
        ("private-key", numbered.join("\n")),
        ("private-key", quoted.join("\n")),
        ("private-key", removed.join("\n")),
        ("private-key", headers.concat().join("\n")),
        ("private-key", cut.join("\n")),
        ("putty-key", putty.join("\n")),
    ]
}

/// Texts that look like a secret but are not.
const KEPT: &[&str] = &[
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "\"sessionId\":\"123e4567-e89b-12d3-a456-426614174000\"",
    "\"token_id\": \"123e4567-e89b-12d3-a456-426614174000\"",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "integrity sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "[image: 1234 bytes]",
    "\"input_tokens\": 1234567890123456",
    "max_tokens = self.config.max_output_tokens_v2",
    "let token = parse_token_from_header2(&headers);",
    "token: string; secretName = projectSecretName2Id",
    "secret_name: my-app-secret-v2-production",
    "api_key = os.environ[\"OPENAI_API_KEY\"]",
    "apiKey: process.env.ANTHROPIC_API_KEY,",
    "API_KEY=your-api-key-here-1234",
    "ANTHROPIC_API_KEY=${ANTHROPIC_API_KEY_2}",
    "OPENAI_API_KEY=sk-...",
    "password: { type: String, required: true }",
    "password = getpass.getpass()",
    "password: \"<your password 1>\"",
    "assert password_hash == \"5f4dcc3b5aa765d61d8327deb882cf99\"",
    "PASSWORD_FILE=/run/secrets/db_password1",
    "Enter passphrase for key '/home/a/.ssh/id_ed25519':",
    "postgres://user:password@localhost:5432/app",
    "https://${USER}:${PASS}@example.org/repo.git",
    "https://github.com/a/b@v1.2.3",
    "git@github.com:a/b.git ssh://git@host:22/x",
    "http://localhost:8080/users/a@b.org",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "uses bearer authentication-with-long-names",
    "the task-3f786850e387550fdab836ed7e6dc881de23001b folder, risk-assessment-2024-01-long-name",
    "msg.payload.something_long_enough.and_more_of_the_same_kind_of_name",
    "hf_model_name_that_is_quite_long_but_a_name",
    "npm_config_user_agent npm_package_version",
    "ghp_ tokens start with ghp_xxxx",
    "cache-key-3f786850e387550fdab836ed7e6dc881de23001b",
    "Asiatische ASIAN MARKETS AKIA",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEx\n-----END PUBLIC KEY-----",
    "looks for -----BEGIN RSA PRIVATE KEY----- and -----END RSA PRIVATE KEY-----",
    "10:30:12345678:AAnother time",
    "eyJ.not.a.token eyJhbGciOiJIUzI1NiJ9",
    "Token::new(TokenKind::Identifier, span)",
    "xoxb-your-token-here",
    "tokenizer=\"claude-sonnet-4-5-20250929\"",
    "next_page_token: \"\"",
    "'password' => 'required|string|min:8|confirmed'",
    "password: \"VARCHAR(255)\", PASSWORD=\"${Db_Passw0rd}\", password: '{{ .Values.Passw0rd }}'",
    "secretKeyRef: aB3dE6gH9kL2mN5pQ8rS, tokenHash = \"aB3dE6gH9kL2mN5pQ8rS\"",
    "SECRET_IDS=aB3dE6gH9kL2mN5pQ8rS",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKb0n7QISGvEwYymK5g5ndqXfSTjLOsvc4TXwpxKYbSd dana@build",
    "\"integrity\": \"sha512-k2Xg1NbrLbmBSCuYKqSJdV4fYz0pSMfLbWzFeFlC5yGHjKo2dNKl3x1Tx0ZGL2vBwq7m2r6hHcU0Y9aR5tQ0aQ==\"",
    "checksum = \"2b1a3f2c9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b7a6f5e4d3c2b\"",
    "h1:q9RfDDsJbwBfsYxYbrKlbOEtwSnzYbYFvZg2xqZ0TEM= github.com/a/b v1.2.3",
    "main.4a744b6064e75677932f.css chunk-7ZQ2XK3M.js index-BxKq9d2R.js",
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "SHA256:iKqb0n7QISGvEwYymK5g5ndqXfSTjLOsvc4TXwpxKYs dana@build (ED25519)",
    "PublicKey = 0d4tIda67wy2nCzsnlxkKryxGMwUqYKlTc0kqDlmyFU=",
    "bmV4dF9wYWdlOmNoYW5uZWwtb3ZlcnZpZXc6b2Zmc2V0PTIwMA== is the cursor of the next page",
    "--- PASS: TestManualCommitStrategy/7_hex_chars_numeric (0.00s)\nPASS: 15/15",
    "\"PWD\": \"/home/dana/src/app2\", PWD=/home/dana/src/App2 docker run -v \"$PWD:/workspace\"",
    "pass `mode:autofix` to the tool, pass --verbose, and pass it on to `printResults2`",
    "the password is required, the password was reset, the password must be long",
    "password: required, minimum 8 characters",
    "curl -u \"$USER:$PASS\" https://api.test && curl -u ${USER}:${TOKEN} https://api.test",
    "mysql -u root -p shop; mysql -p; docker run -p 8080:80 nginx; ssh -p 2222 host",
    "token: abc, \"max_tokens\": 4096, \"input_tokens\":123456789012",
    "const token = await getToken(user2, options3);",
    "cargo test -p acreta-redact -- --nocapture password",
    "C:\\new\\token\\path\\users\\x64",
    "SELECT password FROM users WHERE name = 'dana'",
    "password = hashlib.sha256(password.encode()).hexdigest()",
    "kind: ConfigMap\ndata:\n  a: aHVudGVyMg==\n",
    "log in: open https://example.org/login/2 and sign in with your account",
];

#[test]
fn every_pattern_compiles_and_every_rule_has_a_secret() {
    for rule in rules::all() {
        assert!(
            rule.keywords.iter().all(|keyword| keyword.len() >= 3),
            "{}",
            rule.id
        );
        if let Finder::Pattern(pattern) = rule.finder
            && let Err(error) = regex_lite::Regex::new(pattern)
        {
            panic!("{}: {error}", rule.id);
        }
    }
    let tried: BTreeSet<&str> = tokens()
        .iter()
        .map(|(id, _)| *id)
        .chain(surrounded().iter().map(|(id, ..)| *id))
        .chain(key_blocks().iter().map(|(id, _)| *id))
        .chain(vendors::tokens().iter().map(|(id, _)| *id))
        .chain(vendors::NAMED.iter().map(|(id, ..)| *id))
        .chain(systems::PLACES.iter().map(|(id, ..)| *id))
        .chain([crate::chosen::RULE])
        .collect();
    assert_eq!(tried, rule_ids().collect());
}

#[test]
fn tokens_go_wherever_they_stand() {
    let redactor = redactor();
    let dresses = [
        ("", ""),
        ("use ", " please"),
        ("`", "`"),
        ("\"", "\""),
        (r#"\""#, r#"\""#),
        (r"first\n", r"\nlast"),
        ("KEY=", "\n"),
        ("https://x.test/?q=", "&b=1"),
        ("a%3D", "%26"),
        ("\u{1b}[32m", "\u{1b}[0m"),
        ("ümläut→", "→ä"),
        ("(", ")."),
    ];
    for (id, token) in tokens() {
        for (before, after) in dresses {
            let text = format!("{before}{token}{after}");
            let redacted = redactor.redact(&text);
            assert_eq!(
                redacted.text,
                format!("{before}[redacted:{id}]{after}"),
                "{text}"
            );
            assert_eq!(
                (redacted.counts.of(id), redacted.counts.total()),
                (1, 1),
                "{text}"
            );
        }
        // Next to the name of a secret, the more specific id wins.
        let named = format!("export SOME_API_KEY=\"{token}\"");
        assert_eq!(
            redactor.redact(&named).text,
            format!("export SOME_API_KEY=\"[redacted:{id}]\"")
        );
    }
}

#[test]
fn names_beside_a_secret_give_it_away() {
    let redactor = redactor();
    for (id, before, secret, after) in surrounded() {
        let text = format!("first line\n{before}{secret}{after}");
        let redacted = redactor.redact(&text);
        assert_eq!(
            redacted.text,
            format!("first line\n{before}[redacted:{id}]{after}"),
            "{text}"
        );
    }
}

#[test]
fn key_blocks_go_whole() {
    let redactor = redactor();
    for (id, block) in key_blocks() {
        let text = format!("before\n{block}\nafter");
        let redacted = redactor.redact(&text);
        assert_eq!(redacted.counts.of(id), 1, "{text}");
        let longest = redacted
            .text
            .split(|character: char| !character.is_ascii_alphanumeric());
        assert!(longest.map(str::len).max() < Some(20), "{}", redacted.text);
        assert!(
            redacted.text.starts_with("before\n") && redacted.text.ends_with("\nafter"),
            "{}",
            redacted.text
        );
    }
}

#[test]
fn what_is_no_secret_stays() {
    let redactor = redactor();
    for text in KEPT {
        assert_eq!(redactor.redact(text).text, *text);
    }
}

#[test]
fn allowed_values_stay() {
    let (first, second) = (
        format!("ghp_{}", random(LETTERS, 36)),
        format!("hf_{}", random(LETTERS, 34)),
    );
    let allow = [first.clone(), "/hf_[A-Za-z0-9]+/".to_owned()];
    let redactor = Redactor::new(&allow).unwrap();
    let text = format!("{first} {second} {first}x");
    // An entry matches a whole value: a longer value is a different one.
    assert_eq!(
        redactor.redact(&text).text,
        format!("{first} {second} [redacted:github-token]")
    );

    let error = Redactor::new(&["/(/".to_owned()]).unwrap_err();
    assert_eq!(error.to_string(), "`/(/` is not a regular expression");
}

#[test]
fn counts_add_up() {
    let redactor = redactor();
    let text = format!("npm_{} npm_{}", random(LETTERS, 36), random(LETTERS, 36));
    let mut counts = Counts::default();
    redactor.redact_into(&text, &mut counts);
    counts.merge(&redactor.redact(&text).counts);
    assert_eq!(counts.iter().collect::<Vec<_>>(), [("npm-token", 4)]);
}
