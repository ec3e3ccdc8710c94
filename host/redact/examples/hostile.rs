//! Measures the redactor on texts that are made to slow it down:
//! `cargo run --release -p acreta-redact --example hostile -- [KILOBYTES]`.

#![expect(clippy::print_stdout, reason = "its report is what it is for")]

use std::error::Error;
use std::time::Instant;

use acreta_redact::Redactor;

/// Pieces that are repeated.
const PIECES: &[&str] = &[
    "A",
    "a",
    "0",
    "=",
    "\"",
    "'",
    "\\",
    "\\\"",
    "%",
    "&",
    "-",
    ":",
    "ab",
    "Ab1",
    "a=",
    "=\"",
    "YWFhYWFhYWFhYWFhYWFhYWFhYWFh",
    "6161616161616161",
    "WVdGaFlXRmhZV0ZoWVdGaA",
    "\\u0061",
    "%2561",
    "&#97;",
    "password",
    "password=",
    "password is ",
    "token ",
    "secret_key: ",
    "kind: Secret\n",
    "kind: Secret data: {",
    "\"kty\":\"a\",",
    "cookie=a; ",
    "insert into values (",
    "cat .vault_pass\n",
    "\"command\":\"op read\" \"text\":\"",
    "eyJ",
    "sk-ant-",
    "ghp_",
    "_phg",
    "twitter",
    "base64 password ",
    "recovery codes ",
    "accounts: [",
    "-----BEGIN PRIVATE KEY-----",
    "MIIEaAIBAA",
    "00000",
    ",107",
    "0x61,",
    "cnffjbeq ",
];

fn main() -> Result<(), Box<dyn Error>> {
    let kilobytes: usize = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 1024,
    };
    let redactor = Redactor::new(&[])?;
    redactor.redact("password = \"built before it is measured\"");
    for piece in PIECES {
        let text = piece.repeat(kilobytes * 1024 / piece.len());
        let started = Instant::now();
        let found = redactor.find(&text).len();
        let seconds = started.elapsed().as_secs_f64();
        let speed = text.len() as f64 / 1e6 / seconds;
        println!("{speed:9.2} MB/s  {found:8} found  {piece:?}");
    }
    Ok(())
}
