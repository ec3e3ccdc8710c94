//! Front matter with one defect.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Possible defects, for `draft-bad-front-matter`; `variant` picks one, otherwise the first is used.
pub const BAD_FRONT_MATTER: &[&str] = &[
    "duplicate-key",
    "none",
    "unclosed",
    "no-title",
    "wrong-type",
    "list",
    "bomb",
    "huge-scalar",
    "not-yaml",
    "not-utf8",
    "empty-file",
];

/// Rewrites a file with front matter that has the defect `variant`.
pub(crate) fn front_matter(path: &Path, variant: Option<&str>) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let (front_matter, body) = split(&text);
    let variant = variant.unwrap_or(BAD_FRONT_MATTER[0]);
    let spoilt: Vec<u8> = match variant {
        "duplicate-key" => fenced(&format!("{front_matter}id: 01FORGED\n"), body),
        "none" => body.into(),
        "unclosed" => format!("---\n{front_matter}\n{}", body.replace("---", "")).into(),
        "no-title" => fenced(&without(front_matter, "title"), body),
        "wrong-type" => fenced(
            &format!("{}title: [1, 2]\n", without(front_matter, "title")),
            body,
        ),
        "list" => fenced("- id\n- title\n", body),
        "bomb" => fenced(&format!("{front_matter}{}", bomb()), body),
        "huge-scalar" => fenced(
            &format!("{front_matter}note: {}\n", "x".repeat(8_000_000)),
            body,
        ),
        "not-yaml" => fenced(&format!("{front_matter}\t{{]: \"\n"), body),
        "not-utf8" => [&fenced(front_matter, body), b"\xff\xfe\xc0".as_slice()].concat(),
        "empty-file" => Vec::new(),
        other => return Err(io::Error::other(format!("no such variant: {other}"))),
    };
    File::create(path)?.write_all(&spoilt)
}

/// Rewrites a file with another memory's id.
pub(crate) fn id(path: &Path) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let (front_matter, body) = split(&text);
    let forged = format!(
        "id: 01FORGED00000000000000000Z\n{}",
        without(front_matter, "id")
    );
    File::create(path)?.write_all(&fenced(&forged, body))
}

fn split(text: &str) -> (&str, &str) {
    let inner = text.strip_prefix("---\n").unwrap_or(text);
    match inner.split_once("\n---\n") {
        Some((front_matter, body)) => (&inner[..front_matter.len() + 1], body),
        None => ("", inner),
    }
}

fn fenced(front_matter: &str, body: &str) -> Vec<u8> {
    format!("---\n{front_matter}---\n{body}").into()
}

fn without(front_matter: &str, key: &str) -> String {
    front_matter
        .split_inclusive('\n')
        .filter(|line| line.split(':').next() != Some(key))
        .collect()
}

/// Returns nine aliases, nine deep: 387 million nodes.
fn bomb() -> String {
    let mut text = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let below = format!("*l{}", level - 1);
        text.push_str(&format!(
            "l{level}: &l{level} [{}]\n",
            [below.as_str(); 9].join(", ")
        ));
    }
    text
}
