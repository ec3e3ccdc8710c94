//! Texts longer than a piece: the archived text equals the redaction of the whole, wherever the pieces end.

use crate::support::{TestTree, noise, redactor, token};

/// A piece is about 1 MiB, so each text is cut once.
const LONG: usize = 1_200_000;

#[test]
fn pieces_together_are_the_whole() {
    type Part = fn(usize) -> String;
    let texts: [(&str, Part); 11] = [
        ("lines with tokens", |number| {
            format!("{{\"n\":{number},\"text\":\"use {} now\"}}\n", token())
        }),
        ("one line with tokens", |number| {
            format!(
                "\\n{number} token={} ü, and {}",
                token(),
                "x".repeat(300 + number % 97)
            )
        }),
        ("passwords on a line of their own", |number| {
            format!(
                "{} \"password\":\n  \"hunter-{number}-Zz9!\",",
                "x".repeat(700)
            )
        }),
        ("keys over several lines", |number| pem("\n", 1_600, number)),
        ("keys on one line", |number| {
            format!("{} and ", pem("\\n", 3_200, number))
        }),
        ("long keys of many lines", |number| {
            pem("\n", 48_000, number)
        }),
        ("tokens without a gap", |number| {
            format!("{}/{}", noise(700 + number % 13, number as u64), token())
        }),
        ("escaped tokens", |number| {
            let escaped: String = token()
                .chars()
                .map(|it| format!("\\\\u{:04x}", it as u32))
                .collect();
            format!(
                "{{\"n\":{number},\"text\":\"{} {escaped}\"}}\n",
                "x".repeat(400)
            )
        }),
        ("tokens in base64", |number| {
            let text = base64(&format!("{number} the key is {} and no other", token()));
            format!(
                "{{\"n\":{number},\"text\":\"{} {text}\"}},",
                "x".repeat(300)
            )
        }),
        ("tokens in one run of base64", |number| {
            base64(&format!(
                "{number:08} {}{}\n",
                noise(900, number as u64),
                token()
            ))
        }),
        ("tokens over several lines", |number| {
            let token = token();
            let (left, right) = token.split_at(20);
            format!("{} {left}\n{right}\n{number}\n", "x".repeat(300))
        }),
    ];
    for (name, part) in texts {
        let mut text = String::new();
        for number in 0.. {
            if text.len() > LONG {
                break;
            }
            text.push_str(&part(number));
        }
        let whole = redactor().redact(&text);
        assert!(whole.counts.total() > 20, "{name}: {:?}", whole.counts);

        let tree = TestTree::new();
        let stored = tree.store(&text).unwrap();
        let archived = String::from_utf8(tree.read(&stored.digest)).unwrap();
        let differs = whole
            .text
            .bytes()
            .zip(archived.bytes())
            .position(|(left, right)| left != right);
        assert_eq!(differs, None, "{name}");
        assert_eq!(archived.len(), whole.text.len(), "{name}");
        assert_eq!(stored.redactions, whole.counts, "{name}");
        assert_eq!(stored.raw_bytes, text.len() as u64, "{name}");
    }
}

#[test]
fn of_a_secret_longer_than_a_piece_nothing_is_left() {
    let body = noise(64, 7).repeat(40_000);
    let lines: Vec<&str> = (0..body.len() / 64)
        .map(|line| &body[line * 64..line * 64 + 64])
        .collect();
    let texts = [
        format!("Authorization: Bearer {body}\nafter the end, all is well"),
        format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\nafter the end, all is well",
            lines.join("\n")
        ),
        format!(
            "-----BEGIN PRIVATE KEY-----\\n{}\\n-----END PRIVATE KEY-----\\nafter the end, all is well",
            lines.join("\\n")
        ),
    ];
    for text in texts {
        let head = acreta_text::head(&text, 40).to_owned();
        let tree = TestTree::new();
        let archived = tree.read(&tree.store(text).unwrap().digest);
        let archived = String::from_utf8(archived).unwrap();
        assert!(archived.len() < 200, "{head}: {} bytes", archived.len());
        assert!(archived.ends_with(", all is well"), "{head}: {archived}");
    }
}

#[test]
fn text_made_to_be_cut_in_secrets_is_left_out() {
    // Every token has maximum length and follows the last one directly, so almost every position is within one.
    let text: String = (0..9_000)
        .map(|number| format!("ghp_{}", noise(255, number)))
        .collect();
    let tree = TestTree::new();
    let archived = tree.read(&tree.store(&text).unwrap().digest);
    let archived = String::from_utf8(archived).unwrap();
    assert!(archived.contains("[redacted:"), "{} bytes", archived.len());
    let rest = archived
        .replace("[redacted:github-token]", "")
        .replace("[redacted:uncut]", "");
    assert!(rest.len() < 600, "{} bytes are left", rest.len());
}

#[test]
fn only_bytes_that_are_no_text_are_replaced() {
    // Longer than a read, so that characters and invalid bytes cross the ends of reads.
    let mut bytes = Vec::new();
    for number in 0..9_000 {
        bytes.extend_from_slice(format!("{number} ü€🦀 ").as_bytes());
        bytes.extend_from_slice(b"\xff\xc3");
        bytes.extend_from_slice(token().as_bytes());
        bytes.extend_from_slice(b"\xe2\x82 \xf0\x9f\n");
    }
    bytes.extend_from_slice(b"the end \xf0\x9f\xa6");
    let tree = TestTree::new();
    let stored = tree.store(&bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let whole = redactor().redact(&text);
    assert_eq!(whole.counts.of("github-token"), 9_000);
    assert!(tree.read(&stored.digest) == whole.text.as_bytes());
    assert_eq!(stored.redactions, whole.counts);
}

/// Encodes base64 without padding; spaces fill the text up to a multiple of three bytes.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = format!("{text}{}", " ".repeat((3 - text.len() % 3) % 3));
    text.as_bytes()
        .chunks_exact(3)
        .flat_map(|group| {
            let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
            [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift & 63) as usize]))
        })
        .collect()
}

/// Builds a private key of about `length` bytes with `newline` between its lines.
fn pem(newline: &str, length: usize, number: usize) -> String {
    let body = noise(length, number as u64);
    let lines: Vec<&str> = (0..length / 64)
        .map(|line| &body[line * 64..line * 64 + 64])
        .collect();
    format!(
        "{number}{newline}-----BEGIN RSA PRIVATE KEY-----{newline}{}{newline}-----END RSA PRIVATE KEY-----{newline}",
        lines.join(newline)
    )
}
