//! Secrets identified by their position: columns of tables, arguments of calls, systems with specific words, characters
//! as numbers, compressed texts. And harmless text in the same positions. `§` is the secret.

use super::{HEX, LETTERS, random, redactor};

/// The rule, the text, and the alphabet and length of the secret.
pub(super) const PLACES: &[(&str, &str, &str, usize)] = &[
    (
        "secret-assignment",
        "| id | auth_token |\n|----|----|\n| 7 | § |\n",
        HEX,
        32,
    ),
    (
        "secret-assignment",
        "name\tapi_key\tlimit\nshop\t§\t100\n",
        LETTERS,
        32,
    ),
    (
        "password-assignment",
        "id,user,password,role\n1,anna,q7§,admin\n",
        LETTERS,
        14,
    ),
    (
        "password-assignment",
        "NAME      PASSWORD          AGE\npg-main   q7§  3d\n",
        LETTERS,
        14,
    ),
    (
        "password-assignment",
        "| Setting | Value |\n| --- | --- |\n| SMTP password | q7K§ |\n",
        LETTERS,
        14,
    ),
    (
        "secret-assignment",
        "key_secret: [-§-]{+<%= ENV.fetch('X') %>+}\n",
        LETTERS,
        24,
    ),
    (
        "password-assignment",
        "s:8:\"password\";s:16:\"q7§\";",
        LETTERS,
        14,
    ),
    (
        "password-assignment",
        "{default_pass, <<\"q7§\">>}",
        LETTERS,
        12,
    ),
    (
        "password-assignment",
        "CREATE LOGIN a WITH PASSWORD = N'q7§';",
        LETTERS,
        12,
    ),
    (
        "password-assignment",
        "username admin password 7 0§",
        HEX,
        21,
    ),
    ("password-assignment", "Password:\n  q7K§\n", LETTERS, 12),
    (
        "secret-assignment",
        "{\"name\":\"DD_API_KEY\",\"value\":\"§\"}",
        HEX,
        32,
    ),
    (
        "secret-assignment",
        "<machineKey validationKey=\"§\" />",
        HEX,
        64,
    ),
    (
        "secret-assignment",
        "<key>ApiKey</key>\n<string>§</string>",
        HEX,
        32,
    ),
    (
        "secret-assignment",
        "{\"username\": \"celine\", \"key\": \"§\"}",
        HEX,
        32,
    ),
    (
        "secret-assignment",
        "der Schlüssel lautet §, bitte merken",
        LETTERS,
        24,
    ),
    (
        "call-credential",
        "new PDO('mysql:host=db', 'app', 'q7K§');",
        LETTERS,
        12,
    ),
    (
        "call-credential",
        "ssh.connect('h', 22, 'deploy', 'q7K§')",
        LETTERS,
        12,
    ),
    ("call-credential", "new ethers.Wallet(\"0x§\")", HEX, 64),
    ("command-token", "wandb login §", HEX, 40),
    (
        "digest-response",
        "Digest username=\"eva\", response=\"§\"",
        HEX,
        32,
    ),
    ("mail-login", "AUTH PLAIN AGV2YQBxN0tkZnNkZnNk\n", "", 0),
    (
        "mail-login",
        "334 UGFzc3dvcmQ6\ncTdLZGZzZGZzZDEy\n235 ok",
        "",
        0,
    ),
    (
        "password-hash",
        "Administrator:500:aad3b435b51404eeaad3b435b51404ee:§:::",
        HEX,
        32,
    ),
    (
        "password-hash",
        "enable secret 9 $9$fxL/tCW94xyeyI$§",
        LETTERS,
        43,
    ),
    ("pin", "the door PIN is 4829 and", "", 0),
    (
        "product-key",
        "slmgr /ipk PTPB8-4MR28-K728V-PYRMG-YX9V4",
        "",
        0,
    ),
    (
        "recovery-key",
        "433697-324588-407561-401500-517022-409695-330308-108636",
        "",
        0,
    ),
    (
        "recovery-code",
        "Recovery codes:\n779da-f20d1\nf9720-e429d\nddd41-93042\na317b-2a3ce\n",
        "",
        0,
    ),
    (
        "recovery-phrase",
        "1. ethics\n2. lecture\n3. nephew\n4. rescue\n5. frost\n6. thumb\n7. vintage\n8. sponsor\n9. quantum\n10. clinic\n11. mosquito\n12. whisper",
        "",
        0,
    ),
    ("url-key", "https://maps.test/js?key=§&v=3", LETTERS, 36),
    (
        "url-password",
        "sql.Open(\"mysql\", \"app:§@tcp(10.0.0.4:3306)/shop\")",
        LETTERS,
        12,
    ),
    (
        "session-cookie",
        ".shop.test\tTRUE\t/\tTRUE\t1809043200\tsessionid\t§\n",
        LETTERS,
        32,
    ),
    (
        "otp-secret",
        "TOTP setup key: O37TSFQ5ANQC3LIBXHF4QKB3XXM2CFAU",
        "",
        0,
    ),
];

#[test]
fn secrets_go_where_their_place_names_them() {
    let redactor = redactor();
    let mut left = Vec::new();
    for (id, place, letters, length) in PLACES {
        let secret = match length {
            0 => String::new(),
            _ => random(letters, *length),
        };
        let text = place.replace('§', &secret);
        let once = serde_json::to_string(&text).expect("a text is JSON");
        let twice = serde_json::to_string(&once).expect("a text is JSON");
        for text in [text, once, twice] {
            let clean = redactor.redact(&text);
            let is_left = !secret.is_empty() && clean.text.contains(&secret);
            if clean.counts.of(id) == 0 || is_left {
                left.push(format!("{id}: {text} became {}", clean.text));
            }
        }
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn tokens_go_however_their_characters_are_written() {
    let redactor = redactor();
    let token = format!("ghp_{}", random(LETTERS, 36));
    let list = |form: fn(u8) -> String, gap: &str| {
        let codes: Vec<String> = token.bytes().map(form).collect();
        codes.join(gap)
    };
    let turned = |it: char| match it {
        'a'..='m' | 'A'..='M' => char::from(it as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(it as u8 - 13),
        _ => it,
    };
    let rows: String = token
        .as_bytes()
        .chunks(14)
        .enumerate()
        .map(|(at, piece)| {
            let name = if at == 0 { "ci" } else { "  " };
            format!("│ {name} │ {:14} │\n", String::from_utf8_lossy(piece))
        })
        .collect();
    for text in [
        format!("String.fromCharCode({})", list(|it| it.to_string(), ", ")),
        format!("[{}]", list(|it| it.to_string(), ",")),
        format!(
            "char k[] = {{ {} }};",
            list(|it| format!("0x{it:02x}"), ", ")
        ),
        list(|it| format!("{it:02x}"), " "),
        list(|it| format!("{it:02x}"), ":"),
        list(|it| format!("{it:08b}"), " "),
        format!("printf '{}'", list(|it| format!("\\{it:03o}"), "")),
        token.chars().map(turned).collect(),
        rows,
    ] {
        let clean = redactor.redact(&text);
        assert!(
            clean.counts.of("github-token") > 0,
            "{text} became {}",
            clean.text
        );
    }
}

/// `export GH=` and a token, compressed by gzip and zlib; a list of two settings in base32.
#[test]
fn compressed_texts_are_read() {
    let redactor = redactor();
    for text in [
        "eJxLrSjILypRcPewTc8oiM8t9q9MivI1yXEPrAoI9cnNjCwNza6KKsgM9PCpCPV0Sa4syOYCAOq2EpI=",
        "H4sIAAAAAAACA6tWSiwtyVCyUqhWKi1OLQIylCqUdBSUChKLi8vzi1JAAm7+vsVl3sbhuoZVuSC5kvzs1DyQRHpGQXyYX6iJb0l+aFGwu2mUYU5aSqqxY2VWtrOba0mkZ1BIVlJOsLdSbS0AKeFDZ2gAAAA=",
        "ORXWWZLOHVTWQ4C7GM2VK6KPIRMTGMDRJFXUSTDKN5CGUWCOKRNGWMDJNBFGIR2NJFIHEOLCOI======",
    ] {
        let clean = redactor.redact(text);
        assert!(!clean.counts.is_empty(), "{text}");
    }
}

#[test]
fn what_stands_in_such_places_and_is_none_stays() {
    let redactor = redactor();
    for text in [
        "| token | count |\n|---|---|\n| input_tokens | 12345 |",
        "| user | password |\n|---|---|\n| eva | required |\n| bob | optional |",
        "id,password_policy,role\n1,strong,admin\n",
        "status: 'pass' | 'investigate' | 'bug';",
        "const sourceBundleKey = sourceBundleR2Key(workspaceId, parsed);",
        "[1, 2, 3, 45, 67, 89, 100, 101, 102, 103, 104, 105, 110]",
        "1. setup\n2. install\n3. build\n4. test\n5. deploy\n6. verify\n7. monitor\n8. review\n9. release\n10. announce\n11. measure\n12. improve",
        "connect('localhost', 'root', password)",
        "AUTH PLAIN LOGIN",
        "const key = \"user.profile.title\"",
        "비밀번호는 8자 이상이어야 합니다",
        "пароль должен содержать 8 символов",
        "ALTER USER app PASSWORD EXPIRE;",
        "{\"name\":\"file\",\"key\":\"5d8376ccc469d827abc20f15e08a51fe.png\"}",
        "data:application/gzip;base64,H4sIAAAAAAAAA8tIzcnJVyjPL8pJUSjJyCxWKMhJzMwDAO1TRJ4YAAAA",
        "Set a PIN: 4 to 8 digits",
    ] {
        let clean = redactor.redact(text);
        assert!(clean.counts.is_empty(), "{text} became {}", clean.text);
    }
}
