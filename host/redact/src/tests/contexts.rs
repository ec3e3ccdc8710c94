//! Secrets identified only by their context, as in files and commands: `§` is the secret. Each line is also tested as
//! JSON, as JSON in JSON, and within a longer text.

use super::redactor;

/// A made-up secret for each form: weak and strong passwords, random keys.
const WEAK: &str = "hunter2-Zulu";
const STRONG: &str = "Tr0ub4dor&3!x";
const LETTERS: &str = "correcthorsebattery";
const HEX32: &str = "9f3ac71e5b0d48e6a2c4f7081b6d93e5";
const HEX40: &str = "1f0c9b3ad8e7425f6a1b0c9d8e7f6a5b4c3d2e1f";
const MIXED40: &str = "kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxR";
const UUID: &str = "3f2b8c1d-9e4a-4b7c-8d6f-1a2b3c4d5e6f";
const DJANGO: &str = "k#9z!q2@w5e^r8t&y1u*i4o(p7a)s-d+f=g3h6j0";
const BASIC: &str = "ZGVwbG95OmgwcjUzLWI0dHQzcnk=";

const PASSWORDS: &[&str] = &[
    "mysql -u root -p§ shop",
    "mysqldump --single-transaction -h db -u app -p'§' shop > dump.sql",
    "mysql --password=§ -u root",
    "mysql --password '§' -u root",
    "sshpass -p § ssh deploy@host",
    "sshpass -p '§' scp a b:",
    "sshpass -p\"§\" ssh a@b",
    "curl -u admin:§ https://api.test/v1",
    "curl -sS -X POST --user 'admin:§' https://api.test/v1",
    "curl --user=admin:§ https://api.test",
    "curl https://api.test/v1 -u \"admin:§\"",
    "wget --user=admin --password=§ https://files.test/a",
    "wget --http-password § https://files.test/a",
    "psql \"host=db user=app password=§ dbname=shop\"",
    "PGPASSWORD=§ psql -h db -U app",
    "export PGPASSWORD='§'",
    "docker login -u bot -p § registry.test",
    "redis-cli -h cache -a § ping",
    "mongosh -u root -p § --host db",
    "ldapsearch -x -D cn=admin -w § -b dc=x",
    "openssl rsa -in key.pem -passin pass:§",
    "echo '§' | sudo -S systemctl restart app",
    "echo 'deploy:§' | chpasswd",
    "htpasswd -bc .htpasswd admin §",
    "machine api.test login deploy password §",
    "machine api.test\n  login deploy\n  password §",
    "postgres://app:§@db.internal:5432/shop",
    "mongodb+srv://app:§@cluster0.test/shop",
    "DATABASE_URL=mysql://root:§@127.0.0.1/shop",
    "password: §",
    "  password: §\n  port: 5432",
    "db:\n  host: x\n  password: §\n",
    "password: \"§\"",
    "DB_PASSWORD=§",
    "export DB_PASS=§",
    "set DB_PASSWORD=§",
    "spring.datasource.password=§",
    "spring.datasource.password = §",
    "[client]\nuser=root\npassword=§",
    "password = \"§\"",
    "db_password = '§'",
    "\"password\": \"§\"",
    "'password' => '§',",
    "<password>§</password>",
    "<server><password>a&amp;b§</password></server>",
    "connectionString=\"Server=db;User Id=sa;Password=a&amp;b&lt;§;Encrypt=True\" />",
    "<add key=\"Password\" value=\"§\" />",
    "Server=db;Database=shop;User Id=sa;Password=§;",
    "Server=db;Uid=sa;Pwd=§;Encrypt=yes",
    "jdbc:postgresql://db/shop?user=app&password=§",
    "jdbc:oracle:thin:scott/§@//db:1521/x",
    "define('DB_PASSWORD', '§');",
    "define( \"DB_PASSWORD\", \"§\" );",
    "- name: DB_PASSWORD\n  value: §",
    "{\"name\": \"DB_PASSWORD\", \"value\": \"§\"}",
    "variable \"db_password\" {\n  default = \"§\"\n}",
    "const password: string = '§';",
    "ENV ADMIN_PASSWORD=§",
    "Environment=ADMIN_PASSWORD=§",
    "The password for the staging database is §",
    "my password is §",
    "db.internal:5432:shop:app:§",
    "smbclient //nas/share -U 'dana%§'",
    "ansible-playbook site.yml -e ansible_become_password=§",
    "[\"mysql\", \"-u\", \"root\", \"-p§\"]",
    "[\"--password\", \"§\"]",
    "gpg --batch --passphrase § -d x.gpg",
    "keystore_passphrase: §",
    "contraseña: §",
    "Passwort: §",
    "Das Passwort für deploy@bastion lautet §",
];

const KEYS: &[(&str, &str)] = &[
    ("SECRET_KEY = '§'", DJANGO),
    ("SECRET_KEY = \"django-insecure-§\"", DJANGO),
    ("DATADOG_APP_KEY=§", HEX40),
    ("DD_API_KEY: §", HEX32),
    ("DD-API-KEY: §", HEX32),
    ("X-Api-Key: §", MIXED40),
    ("x-api-key: §", HEX32),
    ("-H 'X-Auth-Token: §'", MIXED40),
    ("Authorization: §", MIXED40),
    ("Authorization: Basic §", BASIC),
    ("Proxy-Authorization: Basic §", BASIC),
    ("\"auth\": \"§\"", BASIC),
    ("//registry.npmjs.org/:_authToken=§", UUID),
    ("_auth=§", BASIC),
    ("_password=§", BASIC),
    (
        "https://x.blob.core.windows.net/c/f?sv=2024&sp=r&sig=§%3D&se=2027",
        MIXED40,
    ),
    ("Cookie: theme=dark; sessionid=§; lang=de", HEX32),
    ("Set-Cookie: connect.sid=§; Path=/", MIXED40),
    (
        "AccountKey=§",
        "Zx9kQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2==",
    ),
    (
        "AZURE_STORAGE_KEY=§",
        "Zx9kQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2==",
    ),
    (
        "client_secret: §",
        "q7h8Q~kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sA.e",
    ),
    (
        "the app secret §",
        "q7h8Q~kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sA.e",
    ),
    (
        "bot token §",
        "MTE5ODM0NTYxMjM0NTY3ODkw.GaBcDe.kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqW",
    ),
    (
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  uri: §\ntype: Opaque",
        "cG9zdGdyZXM6Ly8=",
    ),
    (
        "apiVersion: v1\ndata:\n  some-name: §\nkind: Secret",
        "aHVudGVyMg==",
    ),
    (
        "{\"kind\":\"Secret\",\"data\":{\"a\":\"§\"}}",
        "aHVudGVyMg==",
    ),
    (
        "root:§:19000:0:99999:7:::",
        "$6$rounds=5000$saltsalt$kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2",
    ),
    (
        "hash is §",
        "$2b$12$kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4w",
    ),
    (
        "hash is §",
        "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sA",
    ),
    (
        "§ in the table",
        "pbkdf2_sha256$600000$kX9dQ2mV7rT4$wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4wZ8=",
    ),
    ("admin:§", "$apr1$kX9dQ2mV$7rT4wZ8pL1nB6cY3hJ5gF0"),
    (
        "APP_KEY=base64:§",
        "kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX8=",
    ),
    (
        "define('AUTH_KEY', '§');",
        "k#9z!q2@w5e^r8t&y1u*i4o(p7a)s-d+f=g3h6j0~|{[.,:X9dQ2mV7rT4w",
    ),
    (
        "PrivateKey = §",
        "kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX8=",
    ),
    (
        "PresharedKey = §",
        "kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX8=",
    ),
    (
        "otpauth://totp/Acme:dana?secret=§&issuer=Acme",
        "JBSWY3DPEHPK3PXPJBSWY3DP",
    ),
    (
        "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"d\":\"§\",\"n\":\"0vx7\"}",
        MIXED40,
    ),
    ("?access_token=§&x=1", HEX40),
    ("secret_key_base: §", HEX40),
    ("TWILIO_AUTH_TOKEN=§", HEX32),
    ("JWT_SECRET=§", MIXED40),
    (
        "NEXTAUTH_SECRET=\"§\"",
        "kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX8=",
    ),
    (
        "aws_session_token = §",
        "IQoJb3JpZ2luX2VjEKX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxR",
    ),
    ("SPLUNK_HEC_TOKEN=§", UUID),
    ("--token § --server", MIXED40),
    ("--api-key=§", HEX32),
    ("--client-secret '§'", MIXED40),
    ("token: §", HEX40),
    ("the api key is §", HEX32),
    (
        "mnemonic: \"§\"",
        "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
    ),
    (
        "x.atlasv1 §",
        "kX9dQ2mV7rT4wZ.atlasv1.kX9dQ2mV7rT4wZ8pL1nB6cY3hJ5gF0sAeUiOqWxRkX9dQ2mV7rT4wZ8pL1nB6cY",
    ),
    ("key §", "9f3ac71e5b0d48e6a2c4f7081b6d93e5-us14"),
];

#[test]
fn passwords_go_whatever_gives_them_away() {
    let mut missed = Vec::new();
    for line in PASSWORDS {
        for secret in [WEAK, STRONG, LETTERS] {
            // The password must not contain a character with a meaning to the shell or the form.
            let secret = match line.contains(['\'', '"'])
                || line.contains(": §")
                || line.starts_with("DB_PASSWORD")
            {
                true => secret.to_owned(),
                false => secret.replace(['&', '!'], "-"),
            };
            try_line(line, &secret, &mut missed);
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn keys_go_whatever_gives_them_away() {
    let mut missed = Vec::new();
    for (line, secret) in KEYS {
        try_line(line, secret, &mut missed);
    }
    assert!(
        missed.is_empty(),
        "{} missed\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// Returns every line with a secret in it.
pub(super) fn lines() -> Vec<String> {
    let passwords = PASSWORDS.iter().map(|line| line.replace('§', STRONG));
    let keys = KEYS.iter().map(|(line, secret)| line.replace('§', secret));
    passwords.chain(keys).collect()
}

fn try_line(line: &str, secret: &str, missed: &mut Vec<String>) {
    let line = line.replace('§', secret);
    let mut texts = vec![
        line.clone(),
        format!("first we did this:\n{line}\nand then that\n"),
        format!("```\n{line}\n```"),
        format!("     7→{line}\n     8→end"),
    ];
    for depth in 0..3 {
        let last = texts[if depth == 0 { 1 } else { texts.len() - 1 }].clone();
        texts.push(serde_json::to_string(&serde_json::json!({ "text": last })).unwrap());
    }
    for text in texts {
        let redacted = redactor().redact(&text).text;
        let mut escaped = secret.to_owned();
        for _ in 0..4 {
            if redacted.contains(&escaped) {
                missed.push(format!("{line:?} in {text:?} -> {redacted:?}"));
                return;
            }
            let quoted = serde_json::to_string(&escaped).unwrap();
            escaped = quoted[1..quoted.len() - 1].to_owned();
        }
        // Other text of the file must not be taken for part of the secret.
        for kept in ["first we did this", "and then that", "8→end", "```"] {
            assert_eq!(
                text.contains(kept),
                redacted.contains(kept),
                "{text:?} -> {redacted:?}"
            );
        }
    }
}
