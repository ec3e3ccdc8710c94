//! Secrets that nothing but a word near them, their place or their parts give away, and harmless text in the same
//! places. `§` is the secret.

use super::{LETTERS, random, redactor};

const PASSWORDS: &[&str] = &["Ember-Tundra321", "373CopperKastanie#", "hlrTLvaV3BF0U!"];

const PLACES: &[&str] = &[
    "La parola d'ordine del NAS è §, così entri subito.",
    "zaloguj się jako jan z hasłem § i sprawdź logi",
    "зайди под root с паролем § и перезапусти",
    "Lozinka za bazu je §, promijeni je.",
    "رمز عبور سرور § است",
    "सर्वर का पासवर्ड § है",
    "prihlás sa s heslom § prosím",
    "ステージング環境のパスワードは「§」です。",
    "log in as deploy with § as the password and restart nginx",
    "ACL SETUSER worker on >§ ~jobs:* +@all",
    "keytool -importkeystore -srckeystore a.jks -srcstorepass § -destkeystore b.jks",
    "Enter passphrase for key '/home/a/.ssh/id': §\nIdentity added",
    "<property name=\"hibernate.connection.password\">§</property>",
    "<AdministratorPassword><Value>§</Value></AdministratorPassword>",
    "**Username:** admin\n**Password:** `§`",
    "{\"columns\": [\"id\", \"user\", \"password\"], \"rows\": [[1, \"app\", \"§\"]]}",
    "[{\"ParameterKey\": \"MasterUserPassword\", \"ParameterValue\": \"§\"}]",
    "Key         Value\n---         -----\npassword    §\nusername    app",
    "$ bw get password grafana\n§\n",
    "Content-Disposition: form-data; name=\"password\"\r\n\r\n§\r\n--b",
    "cy.get('input[name=password]').type('§')",
    "chpasswd:\n  list: |\n    root:§\n",
    "write(6, \"[sudo] password for elif: \", 26) = 26\nread(6, \"§\\n\", 1023) = 16",
    "Password for the [elastic] user successfully reset.\nNew value: §",
];

#[test]
fn passwords_go_near_a_word_for_one() {
    for place in PLACES {
        for password in PASSWORDS {
            gone(&place.replace('§', password), &[password]);
        }
    }
}

#[test]
fn both_values_of_a_change_go() {
    let (old, new) = ("orchard7Mango", "Copper-Walnut402");
    for place in [
        "      ~ password          = \"§1\" -> \"§2\"",
        "        ~ masterPassword: \"§1\" => \"§2\"",
        "I changed the root password from §1 to §2 yesterday",
    ] {
        gone(&place.replace("§1", old).replace("§2", new), &[old, new]);
    }
}

#[test]
fn values_in_parts_go() {
    let parts = [random(LETTERS, 14), random(LETTERS, 14)];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    for place in [
        "API_TOKEN = (\n    \"§1\"\n    \"§2\"\n)",
        "const token = ['§1', '§2'].join('');",
        "String secret = new StringBuilder(\"§1\").append(\"§2\").toString();",
        "api_token: >-\n  §1\n  §2\nregion: eu",
    ] {
        let text = place.replace("§1", parts[0]).replace("§2", parts[1]);
        let clean = redactor().redact(&text).text;
        assert!(parts.iter().all(|part| !clean.contains(part)), "{clean}");
    }
}

#[test]
fn lists_of_bytes_go_after_the_name_of_a_key() {
    let bytes: Vec<u8> = (0..32_u32).map(|it| (it * 89 + 41) as u8).collect();
    let list = |write: fn(&u8) -> String, between: &str| {
        bytes.iter().map(write).collect::<Vec<_>>().join(between)
    };
    for (head, list, end) in [
        (
            "const SIGNING_KEY: [u8; 32] = [\n    ",
            list(|it| format!("0x{it:02x}"), ", "),
            ",\n];",
        ),
        ("keypair = [", list(u8::to_string, ", "), "]"),
        ("AES key: ", list(|it| format!("{it:02X}"), " "), ""),
        (
            "SECRET_KEY = b'",
            list(|it| format!("\\x{it:02x}"), ""),
            "'",
        ),
    ] {
        gone(&format!("{head}{list}{end}"), &[&list]);
    }
}

#[test]
fn random_values_go_with_any_name() {
    let value = random(LETTERS, 36);
    for place in [
        "ALGOLIA_ADMIN=§",
        "> X-Acme-Pass-Through: §\n> Accept: */*",
        "{\"sendgrid\": \"§\"}",
        "curl 'https://api.weather.test/data?appcode=§'",
    ] {
        gone(&place.replace('§', &value), &[&value]);
    }
    for place in [
        "{\"request_id\":\"§\"}",
        "x-amz-id-2: §",
        "etag: \"§\"",
        "content_hash = \"§\"",
        "nextCursor: '§'",
        "https://docs.test/d/§/edit",
    ] {
        stays(&place.replace('§', &value));
    }
}

#[test]
fn harmless_words_near_a_password_stay() {
    for text in [
        "La password è stata cambiata ieri.",
        "passwords live in 1Password and Bitwarden2024",
        "PasswordHasher::new(Argon2::default())",
        "La clave primaria es customer_Id2",
        "{\"pl\": {\"password\": \"Hasło\"}, \"tr\": {\"password\": \"Şifre\"}}",
        "\"password\": \"\",\n\"host\": \"Node7-Alpha92\",",
        "DB_PASSWORD=\nREDIS_HOST1=cache-node1\n",
        "let mut memfd = MemoryImageSlot::create(mmap_base2, Size64Bit)",
        "pub fn password(this: &HtmlAnchorElement) -> String",
        "STATUS_WRONG_PASSWORD: NTSTATUS = 0xC000006A_u32 as _;",
        "description = \"reads a password\"\nlicense = \"Apache-2.0\"",
        "Google Passwords (Archive) (ID: xg7lqtwc2tzerycm3eu7zgpwzu)",
        "const sbox_keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];",
        "toolu_01MDpkP9JsMtEm3sPTwNyB8M",
    ] {
        stays(text);
    }
}

fn gone(text: &str, secrets: &[&str]) {
    let raw = serde_json::json!({ "text": text }).to_string();
    for text in [text, &raw] {
        let clean = redactor().redact(text).text;
        for secret in secrets {
            assert!(!clean.contains(secret), "{text} became {clean}");
        }
    }
}

fn stays(text: &str) {
    let raw = serde_json::json!({ "text": text }).to_string();
    for text in [text, &raw] {
        assert_eq!(redactor().redact(text).text, text);
    }
}
