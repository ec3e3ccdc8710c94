//! Secrets announced by a sentence, a command, a table or a dump, and harmless text in the same positions. `§` is the
//! secret.

use std::fmt::Write as _;

use super::{HEX, LETTERS, random, redactor};
use crate::Counts;

/// Typical passwords, invented here.
const PASSWORDS: &[&str] = &["Maple-Orbit41?", "Copper.Lantern93!", "drift#walnut72"];

const SENTENCES: &[&str] = &[
    "测试环境的管理员密码是 § ，用户名 root",
    "后台的只读账号密码是§，建议换掉。",
    "密码：§",
    "数据库密码为“§”。",
    "口令是 §",
    "密码已经改成了 § 了",
    "管理員密碼是 §",
    "パスワードは § です",
    "管理者のパスワードは「§」です。",
    "パスワード：§",
    "비밀번호는 § 입니다",
    "관리자 비밀번호는 §입니다",
    "비밀번호: §",
    "Пароль от базы: § и логин root",
    "пароль — §",
    "пароль администратора это §",
    "Das Passwort lautet §",
    "das Kennwort für den Server ist §",
    "Passwort § für den Zugang",
    "la contraseña del servidor es §",
    "La contraseña: §",
    "le mot de passe du serveur est §",
    "Mot de passe : §",
    "a senha do banco é §",
    "la password del database è §",
    "hasło do bazy to §",
    "hasło: §",
    "yönetici şifresi: §",
    "Şifre § olarak ayarlandı",
    "het wachtwoord van de database is §",
    "lösenordet är §",
    "mật khẩu là §",
    "the password for the staging box is §",
    "my password is §",
];

#[test]
fn passwords_of_sentences_go_in_all_languages() {
    for sentence in SENTENCES {
        for password in PASSWORDS {
            let text = sentence.replace('§', password);
            gone(&text, password);
            gone(&serde_json::json!({ "text": text }).to_string(), password);
        }
    }
}

#[test]
fn words_of_sentences_stay() {
    let kept = [
        "密码不能为空，密码长度至少 8 位",
        "密码使用 bcrypt 加密，见 UserService.java",
        "密码是 required 字段",
        "パスワードは8文字以上で入力してください",
        "비밀번호는 8자 이상이어야 합니다",
        "Das Passwort ist erforderlich und lautet anders",
        "das Passwort wird mit sha256 geprüft: siehe src/auth/login2.rs",
        "la contraseña es obligatoria",
        "le mot de passe est obligatoire",
        "пароль должен быть не короче 8 символов",
        "пароль: обязательное поле",
        "hasło to ciąg znaków",
        "la clave es importante: user1@example.com",
        "base64 of the password hash is stored",
        "the password is base64 encoded with c29tZSBvcmRpbmFyeSB0ZXh0",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b\n9e107d9d372bb6826bd81d3542a419d6\n",
    ];
    for text in kept {
        assert_eq!(redactor().redact(text).text, text);
    }
}

#[test]
fn passwords_that_a_sentence_says_are_base64_go() {
    let encoded = "TWFwbGUtT3JiaXQ0MT8=";
    for sentence in [
        "user backup. Password, base64 so that nothing is lost: §",
        "the password (base64): §",
        "base64 of the login password is `§`",
        "echo § | base64 -d  # the vault password",
        "密码 base64 之后是 §",
    ] {
        gone(&sentence.replace('§', encoded), encoded);
    }
}

#[test]
fn rows_name_their_secrets() {
    let token = random("abcdefghijklmnopqrstuvwxyz0123456789", 40);
    for statement in [
        "INSERT INTO `accounts` VALUES (7,2,'personal_access_token','§',NULL,'x');",
        "INSERT INTO users (id, name, api_token, note) VALUES (1, 'dana', '§', 'x'), (2, 'kim', NULL, '')",
        "insert into api_tokens values (1, '§', '2026-01-01');",
        "REPLACE INTO `oauth_tokens` (`id`,`secret`) VALUES (1,'§');",
    ] {
        let text = statement.replace('§', &token);
        gone(&text, &token);
        gone(&serde_json::json!({ "text": text }).to_string(), &token);
    }
    let password = PASSWORDS[0];
    gone(
        &format!("INSERT INTO users (id, password) VALUES (1, '{password}')"),
        password,
    );
    let sum = random(HEX, 40);
    let kept = [
        format!("INSERT INTO commits (id, sha, token_count) VALUES (1, '{sum}', '12')"),
        format!("INSERT INTO files VALUES (1, '{sum}', 'src/token.rs')"),
        "INSERT INTO users (name, password) VALUES ('dana', 'password'), ('kim', '$1')".to_owned(),
    ];
    for text in kept {
        assert_eq!(redactor().redact(&text).text, text);
    }
}

#[test]
fn dumps_are_read_and_go_line_by_line() {
    let token = format!("hf_{}", random(LETTERS, 34));
    let content = format!("some text before it, token: {token}\nand after it\n");
    for (name, dump) in [
        ("hexdump -C", hexdump(&content)),
        ("xxd", xxd(&content)),
        ("od", od(&content)),
    ] {
        let text = format!("$ {name} token\n{dump}\nend of it");
        let json = serde_json::json!({ "text": text, "n": 1 }).to_string();
        for text in [text, json] {
            let clean = redactor().redact(&text).text;
            for part in token.as_bytes()[3..].chunks(5).filter(|it| it.len() == 5) {
                let letters = String::from_utf8_lossy(part);
                let spaced = part.iter().fold(String::new(), |mut digits, byte| {
                    let _ = write!(digits, "{byte:02x} ");
                    digits
                });
                assert!(!clean.contains(&*letters), "{name}: {clean}");
                assert!(!clean.contains(spaced.trim()), "{name}: {clean}");
            }
            assert!(clean.contains("end of it"), "{name}: {clean}");
            assert!(clean.contains("00000000"), "{name}: {clean}");
            if text.starts_with('{') {
                let value: serde_json::Value = serde_json::from_str(&clean).unwrap();
                assert_eq!(value["n"], 1, "{clean}");
            }
        }
    }
    let plain = hexdump("nothing but a few lines of text, and none of them has a secret");
    assert_eq!(redactor().redact(&plain).text, plain);
}

#[test]
fn soft_ends_of_lines_break_no_token() {
    let token = format!("SG.{}.{}", random(LETTERS, 22), random(LETTERS, 43));
    let (first, second) = token.split_at(40);
    for end in ["=\n", "=\r\n"] {
        let text = format!(
            "Hallo,\n\nder neue Schl=C3=BCssel f=C3=BCr SendGrid: {first}{end}{second}\n\nGr=C3=BC=C3=9Fe"
        );
        for text in [
            text.clone(),
            serde_json::json!({ "text": text }).to_string(),
        ] {
            gone(&text, first);
            gone(&text, second);
        }
    }
    // A name without a value is not a secret.
    let text = "DB_PASSWORD=\nREDIS_HOST1=cache-node1\n";
    assert_eq!(redactor().redact(text).text, text);
}

#[test]
fn recovery_phrases_go_as_lists() {
    let words = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic";
    let list: Vec<&str> = words.split(' ').collect();
    let numbered: Vec<String> = (1..)
        .zip(&list)
        .map(|(at, it)| format!("{at}. {it}"))
        .collect();
    for text in [
        format!(
            "export const MNEMONIC = [\"{}\"].join(' ');",
            list.join("\", \"")
        ),
        format!("seedWords: ['{}']", list.join("','")),
        format!("mnemonic:\n  - {}\n", list.join("\n  - ")),
        format!("recovery words:\n{}\n", numbered.join("\n")),
    ] {
        for text in [
            text.clone(),
            serde_json::json!({ "text": text }).to_string(),
        ] {
            gone(&text, "pudding");
            gone(&text, "ozone");
            gone(&text, "picnic");
        }
    }
    let text = "const COLOURS = [\"black\", \"brown\", \"green\", \"white\", \"yellow\", \"purple\", \"pink\", \"cyan\", \"gray\", \"gold\", \"lime\", \"navy\"]; // no mnemonic";
    assert_eq!(redactor().redact(text).text, text);
}

#[test]
fn fingerprints_of_public_keys_stay() {
    let capitals = random(HEX, 40).to_uppercase();
    for text in [
        format!("[\"GPG_KEYS={capitals}\"]"),
        format!("GPG_KEY={capitals}\n"),
        format!("user.signingkey={capitals}\n"),
        format!("key_fingerprint = \"{}\"", random(HEX, 40)),
        format!("Primary key fingerprint: {capitals}"),
    ] {
        assert_eq!(redactor().redact(&text).text, text);
    }
    for text in [
        format!("GPG_SECRET_KEY={capitals}\n"),
        format!("GPG_API_TOKEN={capitals}\n"),
        format!("API_KEY={capitals}\n"),
        format!("GPG_KEY={}\n", random(LETTERS, 40)),
    ] {
        assert_ne!(redactor().redact(&text).text, text);
    }
}

#[test]
fn files_of_secrets_go_with_the_command_that_prints_them() {
    let password = "qx93Lm!TrvBn20Kd";
    let key = random(HEX, 32);
    let reading = [
        "cat .vault_pass ../app/config/master.key",
        "sudo cat /run/secrets/db_password",
        "head -1 ~/.vault-token",
        "{\"command\":\"cat config/master.key; ls\"}",
        "{\"file_path\":\"/srv/app/.vault_pass.txt\"}",
        "Get-Content deploy.token",
    ];
    let others = [
        "cat src/token.rs",
        "ls config/master.key",
        "git rev-parse HEAD",
        "cat README.md; echo type of token",
        "grep -rn secret src",
    ];
    for command in reading {
        assert!(redactor().reads_secret(command), "{command}");
    }
    for command in others {
        assert!(!redactor().reads_secret(command), "{command}");
    }
    let printed = format!("{password}\n{key}\n../app/config/credentials.yml.enc\n");
    let mut counts = Counts::default();
    let clean = redactor().redact_contents(&printed, &mut counts);
    assert_eq!(
        clean,
        "[redacted:secret-file]\n[redacted:secret-file]\n../app/config/credentials.yml.enc\n"
    );
    assert_eq!(counts.of("secret-file"), 2);
    // In a terminal, and in a file of JSON lines.
    let terminal = format!("$ cat .vault_pass config/master.key\n{printed}");
    let call = serde_json::json!({ "input": { "command": "cat .vault_pass config/master.key" } });
    let result = serde_json::json!({ "type": "tool_result", "content": printed, "uuid": key.replace('a', "b") });
    for text in [terminal, format!("{call}\n{result}\n")] {
        gone(&text, password);
        gone(&text, &key);
        assert!(
            redactor()
                .redact(&text)
                .text
                .contains("credentials.yml.enc")
        );
    }
    // Without such a command the lines are not secrets.
    let text = format!("$ git log\n{key}\n");
    assert_eq!(redactor().redact(&text).text, text);
}

/// Fails if a secret remains; redacting again changes nothing.
fn gone(text: &str, secret: &str) {
    let clean = redactor().redact(text).text;
    assert!(!clean.contains(secret), "{text} -> {clean}");
    assert_eq!(redactor().redact(&clean).text, clean);
}

fn hexdump(content: &str) -> String {
    lines(content, |at, row| {
        let digits: Vec<String> = row.iter().map(|it| format!("{it:02x}")).collect();
        let (left, right) = digits.split_at(digits.len().min(8));
        let digits = format!("{}  {}", left.join(" "), right.join(" "));
        format!("{at:08x}  {digits:<48}  |{}|", letters(row))
    })
}

fn xxd(content: &str) -> String {
    lines(content, |at, row| {
        let digits: Vec<String> = row
            .chunks(2)
            .map(|pair| pair.iter().map(|it| format!("{it:02x}")).collect())
            .collect();
        format!("{at:08x}: {:<39}  {}", digits.join(" "), letters(row))
    })
}

fn od(content: &str) -> String {
    lines(content, |at, row| {
        let digits: Vec<String> = row.iter().map(|it| format!("{it:02x}")).collect();
        format!("{at:08x} {:<47}  >{}<", digits.join(" "), letters(row))
    })
}

fn lines(content: &str, line: impl Fn(usize, &[u8]) -> String) -> String {
    let rows = content.as_bytes().chunks(16).enumerate();
    let lines: Vec<String> = rows.map(|(at, row)| line(at * 16, row)).collect();
    lines.join("\n")
}

fn letters(row: &[u8]) -> String {
    row.iter()
        .map(|it| match it {
            b' '..=b'~' => char::from(*it),
            _ => '.',
        })
        .collect()
}
