//! The strict setting: chosen secrets in sentences of many languages, and what looks like one. The table was written for
//! development; figures on texts that nobody looked at are in decision 0017.

use super::redactor;
use crate::chosen::RULE;

/// Chosen secrets and their sentences, in eighteen languages.
const SECRETS: &[(&str, &str)] = &[
    (
        "tulipe-42-azur",
        "Le mot de passe est tulipe-42-azur pour la base de recette.",
    ),
    ("kawauso-2291", "パスワードはkawauso-2291です。"),
    (
        "Sommerregen77",
        "Das Kennwort für den Testserver lautet Sommerregen77.",
    ),
    (
        "gato_negro88",
        "La contraseña del entorno de pruebas es gato_negro88.",
    ),
    ("jacare!azul9", "A senha do banco local é jacare!azul9."),
    (
        "Falco-Rosso-318",
        "La password del server è Falco-Rosso-318, non cambiarla.",
    ),
    (
        "fietsbel42",
        "Het wachtwoord is fietsbel42 voor de stagingomgeving.",
    ),
    ("Zubr1987!", "Hasło do bazy to Zubr1987!"),
    (
        "berezka_19x",
        "Пароль от стенда: berezka_19x, не меняй его.",
    ),
    ("Xiong9mao#", "密码是Xiong9mao#，别提交。"),
    ("horang2mountain", "비밀번호는 horang2mountain 입니다."),
    ("Bjork!blad", "Lösenordet är Bjork!blad till testdatabasen."),
    ("deniz41yildizi", "Şifre deniz41yildizi, bunu kullan."),
    (
        "Sahara7moon",
        "كلمة المرور هي Sahara7moon للبيئة التجريبية.",
    ),
    ("himalay2049x", "पासवर्ड himalay2049x है।"),
    (
        "Tr0ub4dor&3",
        "Log in with admin and Tr0ub4dor&3 when the page asks.",
    ),
    (
        "Gartenzwerg#19",
        "Nimm für den Nutzer ops einfach Gartenzwerg#19.",
    ),
    (
        "M1mosa!Ete",
        "Pour te connecter : utilisateur demo, puis M1mosa!Ete.",
    ),
    ("Nk7vR2pQ", "ログインは demo / Nk7vR2pQ を使ってください。"),
    ("Wisla!Krakow88", "Zaloguj się jako tester: Wisla!Krakow88."),
    (
        "Vesuvio$1944",
        "Accedi come root con Vesuvio$1944 dal bastione.",
    ),
    ("q8Zt4LmW2x", "Entra como soporte con q8Zt4LmW2x y prueba."),
    (
        "Gr0ene&Kikker",
        "Inloggen gaat met beheer en Gr0ene&Kikker.",
    ),
    ("Zh7!kLm2Qp", "登录用 admin 和 Zh7!kLm2Qp 就行。"),
    ("Vesna^2817ku", "Логинься как qa, а дальше Vesna^2817ku."),
    (
        "Zephyr-Quartz-4471",
        "Use Zephyr-Quartz-4471 at the VPN prompt.",
    ),
    ("Blue!Heron*63", "The wifi in the lab wants Blue!Heron*63."),
    ("Namsan88!tower", "로그인할 때 Namsan88!tower 를 쓰세요."),
    (
        "Hanoi#Pho36",
        "Đăng nhập bằng tài khoản thử với Hanoi#Pho36.",
    ),
    (
        "Revontuli%7k",
        "Kirjaudu sisään tunnuksella testi, Revontuli%7k.",
    ),
];

/// Sentences as memories have them, with a word in each that mixes letters, digits or signs.
const LOOK_ALIKES: &[&str] = &[
    "Upgrade serde to 1.0.219 before the release.",
    "The image is node:20-alpine3.19 in CI.",
    "Deploys use ghcr.io/acme/api:v2.14.0-rc.1 only.",
    "Rename getUserById2 to findUserV2.",
    "OAuth2ClientFactory creates the HTTP2Transport.",
    "The brand colour is #1E90FF, hover #4169e1aa.",
    "The bug came with commit 9f3c2e1ab7.",
    "Revert 3b18e512dba79e4c8300dd08aeb37f8e728b8dad.",
    "Default model is gpt-5.1-codex, fallback claude-sonnet-4-5-20250929.",
    "Benchmarks run on Qwen2.5-Coder-32B-Instruct and Llama-3.1-70B.",
    "The pod api-7d9f8b6c5-x2x9z restarts.",
    "Node ip-10-0-12-57 drains at night.",
    "Set MAX_RETRIES_V2 and S3_BUCKET_EU1 in the environment.",
    "The dev server listens on localhost:5173 and 127.0.0.1:8080.",
    "The freeze starts on 2026-03-14T09:30:00Z.",
    "Backups are named db-20260314-0930.",
    "The test should_return_404_when_id_is_missing is flaky.",
    "TestParseRFC3339Nano2 fails on Windows.",
    "Docs use the id 550e8400-e29b-41d4-a716-446655440000.",
    "Pin pnpm@9.12.3 and typescript@5.6.",
    "Follow i18n, a11y and l10n rules.",
    "Build for x86_64 and aarch64-apple-darwin23.",
    "Files are utf-8, hashes sha256, text base64.",
    "Tokens are signed with HS256 or EdDSA25519.",
    "See CVE-2024-12345 and RFC-7519.",
    "Close PROJ-1234 and GH-5678 first.",
    "ES2022 modules need Node20 or newer.",
    r"The regex is ^v\d+\.\d+$ for tags.",
    "Call fetchPage1Async, then renderTable2D.",
    "Use Vec3f and Mat4x4 from the math module.",
    "The k3s cluster runs v1.30.2+k3s1.",
    "Ubuntu-24.04 and Debian12 runners are supported.",
    "macOS15 and iOS18.2 are tested by hand.",
    "The p99 is 250ms, p50 is 12ms at 10k rps.",
    "Allow 512MiB, fail above 2GiB.",
    "Screens are 1920x1080 or 2560x1440@2x.",
    "Migration 20240712153000_add_users_v2 must run first.",
    "The bundle is app.4f9d2c1b.js in dist.",
    "Sync from s3://acme-eu1/data2/raw.",
    "Branch feature/ABC-123-add-2fa is stale.",
    "Use E2E_BASE_URL2 in playwright tests.",
    "React18 and Next15 stay; Vue3 goes.",
    "Class Ipv4AddrParser2 handles it.",
    "Int32Array is faster than Float64Array here.",
    "The chart helm-chart-1.2.3 is frozen.",
    "python3.12 and pip24 are installed.",
    "Run cargo +nightly-2025-11-03 fuzz.",
    "Tag v2025.11.3-beta2 was wrong.",
    "The colour is rgba(30,144,255,0.5) or hsl(210deg).",
    "The user id is usr_8f14e45f in the fixtures.",
    "It is on port 5432, C++20 and C#12 compile.",
    "Error TS2345 and E0499 come from the same line.",
    "Use the AES256GCM cipher and X25519 keys.",
    "A password needs at least 12 characters and one digit.",
    "Passwords are hashed with argon2id or bcrypt.",
    "The password reset lives in src/auth/reset2.rs.",
    "Do not log the password in test_login_2fa.",
    "Questions? Ask @anna92 on #team-2.",
    "Log4Shell and Web3.js are out of scope.",
    "The form shows error!important and foo?.bar2 in CSS2.",
    "Flash the board with the STM32F411CEUx profile.",
    "NonZeroU64 and AVX2+BMI1 save 200ms+300ms.",
    "Continue in thread T-019ca7f0-aa01-7b11-8c22-3d44e5f60718 of acreta#35.",
];

#[test]
fn chosen_secrets_go_in_any_language() {
    let strict = redactor().strict();
    let is_left = |(secret, sentence): &&(&str, &str)| {
        assert!(sentence.contains(secret), "{sentence}");
        strict.redact(sentence).text.contains(secret)
    };
    let left: Vec<_> = SECRETS.iter().filter(is_left).collect();
    println!("{} of {} chosen secrets left", left.len(), SECRETS.len());
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn ordinary_sentences_stay_as_they_are() {
    let strict = redactor().strict();
    let changed: Vec<_> = { LOOK_ALIKES.iter() }
        .map(|sentence| strict.redact(sentence).text)
        .filter(|text| text.contains("[redacted:"))
        .collect();
    println!(
        "{} of {} ordinary sentences changed",
        changed.len(),
        LOOK_ALIKES.len()
    );
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn only_the_strict_setting_goes_by_form_alone() {
    let text = "Zaloguj się jako tester: Wisla!Krakow88.";
    assert_eq!(redactor().redact(text).text, text);
    let strict = redactor().strict().redact(text).text.into_owned();
    assert_eq!(
        strict,
        format!("Zaloguj się jako tester: [redacted:{RULE}].")
    );
    assert_eq!(redactor().strict().redact(&strict).text, strict);
}

#[test]
fn a_line_that_names_the_next_one_counts() {
    let strict = redactor().strict();
    let text = "Le mot de passe de recette :\n\n- tulipe-42-azur\n\nLa branche est fix-42-login.";
    let clean = strict.redact(text).text;
    assert!(!clean.contains("tulipe"), "{clean}");
    assert!(clean.contains("fix-42-login"), "{clean}");
}

#[test]
fn an_allowed_value_stays() {
    let allowed = crate::Redactor::new(&["Zephyr-Quartz-4471".to_owned()]).unwrap();
    let text = "Use Zephyr-Quartz-4471 at the VPN prompt.";
    assert_eq!(allowed.strict().redact(text).text, text);
}
