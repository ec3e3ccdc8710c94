//! Ends of tokens, keys of wallets and blocks, keys in URLs and sentences, and what looks like them.

use serde_json::json;

use super::{HEX, LETTERS, random, redactor};

#[test]
fn a_token_ends_at_its_end() {
    let atlassian = format!("ATATT3{}=7B1C0F3E", random(LETTERS, 180));
    let gitlab = format!("glpat-{}", random(LETTERS, 20));
    let key = random(HEX, 32);
    for (token, id) in [(&atlassian, "atlassian-token"), (&gitlab, "gitlab-token")] {
        for next in [
            "SEARCH_REGION1=eu2west3central4",
            "search.shards=a1b2c3d4e5f6",
            "Next2Steps",
        ] {
            let text = format!("CI_TOKEN={token}\n{next}\n");
            let clean = redactor().redact(&text).text;
            assert_eq!(clean, format!("CI_TOKEN=[redacted:{id}]\n{next}\n"));
        }
        // Each of several secrets is one.
        let text = format!("A_TOKEN={token}\nSEARCH_ADMIN_KEY={key}\nC_TOKEN={gitlab}\n");
        assert_eq!(
            redactor().redact(&text).text,
            format!(
                "A_TOKEN=[redacted:{id}]\nSEARCH_ADMIN_KEY=[redacted:secret-assignment]\nC_TOKEN=[redacted:gitlab-token]\n"
            )
        );
        let text = format!("{token}\n{gitlab}\nend");
        assert_eq!(
            redactor().redact(&text).text,
            format!("[redacted:{id}]\n[redacted:gitlab-token]\nend")
        );
        // A token that is wrapped is still put together.
        let (first, second) = token.split_at(token.len() - 12);
        let clean = redactor()
            .redact(&format!("token:\n{first}\n{second}\n"))
            .text
            .into_owned();
        assert!(!clean.contains(first), "{clean}");
    }
}

#[test]
fn expansions_of_a_shell_keep_messages_and_plain_words() {
    for text in [
        "      DB_PASSWORD: ${DB_PASSWORD:?missing}",
        "DB_PASSWORD: ${DB_PASSWORD:?set it in .env2 first!}",
        "password=${DB_PASSWORD?not set}",
        "password=${DB_PASSWORD:-}",
        "password=${DB_PASSWORD:-postgres}",
        "- API_TOKEN=${API_TOKEN:-disabled}",
        "- API_TOKEN=${API_TOKEN:+configured}",
        "X=${SERVICE_SECRET:=changeme}",
        "X=${SERVICE_SECRET:=$OTHER_SECRET1}",
    ] {
        stays(text);
    }
    for (text, secret) in [
        ("DB_PASSWORD: ${DB_PASSWORD:-§}", "Qz7!mordantRelay"),
        ("X=${SERVICE_SECRET:=§}", "kX9dQ2mV7rT4wZ8pL1nB6cY3"),
        ("X=\"${API_TOKEN-'§'}\"", "kX9dQ2mV7rT4wZ8pL1nB6cY3"),
    ] {
        gone(&text.replace('§', secret), secret);
    }
}

#[test]
fn blocks_go_by_their_label() {
    let hex: Vec<String> = (0..16)
        .map(|at| random(HEX, 33 + at)[..32].to_owned())
        .collect();
    let base64 = format!("{}\n{}==", random(LETTERS, 64), random(LETTERS, 22));
    for label in [
        "OpenVPN Static key V1",
        "OpenVPN tls-crypt-v2 client key",
        "SYMMETRIC KEY",
        "AGE ENCRYPTED SECRET",
        "Tarsnap secret",
        "RSA PRIVATE KEY",
    ] {
        for body in [hex.join("\n"), base64.clone()] {
            let last = body.lines().last().unwrap_or_default().to_owned();
            let block = format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----");
            gone(&format!("# key\n{block}\nafter"), &last);
            gone(&format!("# key\n{block}\nafter"), &body[..32]);
            // Without its first line.
            let (_, rest) = block.split_once('\n').unwrap();
            gone(&format!("\n{rest}\n"), &last);
        }
    }
    for label in [
        "PUBLIC KEY",
        "CERTIFICATE",
        "SSH2 PUBLIC KEY",
        "PGP PUBLIC KEY BLOCK",
        "PGP SIGNATURE",
        "CERTIFICATE REQUEST",
    ] {
        stays(&format!(
            "-----BEGIN {label}-----\n{base64}\n-----END {label}-----\n"
        ));
    }
}

#[test]
fn keys_in_paths_go() {
    let key = random(LETTERS, 32);
    let hex = random(HEX, 32);
    for (url, key) in [
        ("https://polygon-mainnet.g.alchemy.com/v2/§", &key),
        ("wss://mainnet.infura.io/ws/v3/§", &hex),
        ("https://sepolia.infura.io/v3/§\",", &hex),
        ("https://weathered-blue-moon.quiknode.pro/§/", &hex),
        ("https://rpc.ankr.com/eth/§", &hex),
        ("https://maker.ifttt.com/trigger/door/with/key/§", &key),
        ("https://hook.eu1.make.com/§", &key),
    ] {
        gone(&format!("url: \"{}", url.replace('§', key)), key);
    }
    for text in [
        "https://eth-mainnet.g.alchemy.com/v2/YOUR-API-KEY",
        "https://mainnet.infura.io/v3/${INFURA_KEY}",
        "https://docs.alchemy.com/v2/reference/getting-started-guide",
        "https://rpc.ankr.com/polygon_mumbai_testnet",
        "https://www.make.com/en/help/tools/webhooks",
    ] {
        stays(text);
    }
}

#[test]
fn keys_of_wallets_go_and_hashes_stay() {
    let key = format!("0x{}", random(HEX, 64));
    let other = format!("0x{}", &random(HEX, 65)[1..]);
    for text in [
        format!("    accounts: [\"{key}\", \"{other}\"],"),
        format!("accounts: ['{key}',\n  '{other}'\n]"),
        format!("Private Keys\n==================\n\n(0) {key}\n(1) {other}\n"),
        format!("privateKeys: [\"{key}\", \"{other}\"]"),
    ] {
        gone(&text, &key);
        gone(&text, &other);
    }
    for text in [
        format!("transactionHash: \"{key}\""),
        format!("blockHash {key}"),
        format!("The accounts changed in tx {key}."),
        format!("accounts: [], root: \"{key}\""),
        format!("{key}\n"),
    ] {
        stays(&text);
    }
    // Keys of nobody, made for this test: their bytes count up by seven.
    for key in WIF {
        gone(&format!("Output: {key}\n"), key);
        let mut wrong = (*key).to_owned();
        wrong.replace_range(10..12, "zz");
        stays(&format!("Output: {wrong}\n"));
    }
}

const WIF: &[&str] = &[
    "KwFiUgvQQQu2kaj6JEgqLbTEMfPe5SgRGdne5fAqv1iSNSwo7TAt",
    "5HpjvrNcfPBRsCii5MmpeyHpS5AfJmndmKksYR48unvo5Sf2wxq",
];

#[test]
fn key_pairs_as_lists_of_bytes_go() {
    let bytes = |count: u32| -> Vec<String> {
        let numbers = (0..count).map(|at| (at * 167 + at * at * 31 + 45) % 251);
        numbers.map(|it| it.to_string()).collect()
    };
    let pair = bytes(64).join(",");
    for text in [
        format!("[{pair}]"),
        format!("Output: [{pair}]\nProcess Group PGID: 1\n"),
        format!("$ cat id.json\n[{}]\n", bytes(64).join(", ")),
    ] {
        gone(&text, &pair[20..60]);
    }
    for list in [
        bytes(63).join(","),
        bytes(128).join(","),
        (0..64)
            .map(|it| (it % 12).to_string())
            .collect::<Vec<_>>()
            .join(","),
    ] {
        stays(&format!("[{list}]"));
    }
    stays(&format!("let table = [{pair}];"));
}

#[test]
fn keys_that_a_sentence_gives_go() {
    let key = "v+K7Rm2XqLtEw9Hs_4cd";
    for text in [
        "for the rotation: Acme REST key is §, and the rest stays",
        "The integration key is `§`.",
        "events key: §",
        "our new ingest key was § until May",
        "The token is §.",
        "the webhook secret is § now",
    ] {
        gone(&text.replace('§', key), key);
    }
    for text in [
        "The primary key is 507f1f77bcf86cd799439011, see below",
        "the cache key is user-v2-settingsPage7Beta",
        "The public key is v+K7Rm2XqLtEw9Hs_4cd",
        "the row key is v+K7Rm2XqLtEw9Hs_4cd",
        "the key is UserSettingsPage2Component",
        "the key is that nothing2Do1 happens",
        "The key is /srv/Data2/Keys9/fileX1Yz",
    ] {
        stays(text);
    }
}

#[test]
fn escaped_literals_of_code_go() {
    let key = "mK9/wT4xQz2bR7vLp0Hs8dFy3nGc6jUe";
    let escaped: String = key.bytes().map(|it| format!("\\x{it:02x}")).collect();
    for text in [
        format!("static const char API_SECRET[] = \"{escaped}\";"),
        format!("char auth_token[64] = \"{escaped}\";"),
        format!("+static const char API_KEY[] = \"{key}\";"),
    ] {
        let clean = redactor().redact(&text).text;
        assert!(
            !clean.contains(key) && !clean.contains(&escaped[..40]),
            "{clean}"
        );
    }
    let words: String = "nothing to hide in here"
        .bytes()
        .map(|it| format!("\\x{it:02x}"))
        .collect();
    let text = format!("static const char BANNER[] = \"{words}\";");
    assert_eq!(redactor().redact(&text).text, text);
}

fn gone(text: &str, secret: &str) {
    let raw = json!({ "text": text }).to_string();
    for text in [text, &raw] {
        let clean = redactor().redact(text).text;
        assert!(!clean.contains(secret), "{text} -> {clean}");
        assert_eq!(redactor().redact(&clean).text, clean);
    }
}

fn stays(text: &str) {
    let raw = json!({ "text": text }).to_string();
    for text in [text, &raw] {
        assert_eq!(redactor().redact(text).text, text);
    }
}

#[test]
fn a_private_key_of_a_tunnel_goes_and_its_public_keys_stay() {
    let key = |seed: char| format!("{seed}{}=", random(LETTERS, 42));
    let (private, public, shared) = (key('c'), key('d'), key('e'));
    for before in ["[Interface]", "Output: [Interface]"] {
        let text = format!(
            "{before}\nAddress = 10.8.0.14/24\nPrivateKey = {private}\n[Peer]\nPublicKey = {public}\nPresharedKey = {shared}\n"
        );
        for text in [text.clone(), json!({ "output": text }).to_string()] {
            let clean = redactor().redact(&text).text.into_owned();
            assert!(!clean.contains(&private), "{clean}");
            assert!(!clean.contains(&shared), "{clean}");
            assert!(clean.contains(&public), "{clean}");
        }
    }
}
