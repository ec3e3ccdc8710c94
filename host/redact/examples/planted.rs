//! Searches for planted secrets in the redactor's output for session files: `cargo run --release -p acreta-redact
//! --example planted -- FOLDER`, where the folder has `planted.json` and `benign.json`, lists of texts with their
//! `session_file`.
//!
//! A file is redacted as it is, as the raw archive does, and text by text, as a trace does.

#![expect(clippy::print_stdout, reason = "its report is what it is for")]

use std::collections::HashMap;
use std::error::Error;
use std::fs;

use acreta_redact::Redactor;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let redactor = Redactor::new(&[])?;
    let list = |name: &str| -> Result<Vec<Value>, Box<dyn Error>> {
        Ok(serde_json::from_str(&fs::read_to_string(format!(
            "{folder}/{name}.json"
        ))?)?)
    };
    let mut files: HashMap<String, [(String, String); 2]> = HashMap::new();
    let mut counts = [0, 0, 0, 0];
    for (is_secret, entry) in list("planted")?
        .into_iter()
        .map(|entry| (true, entry))
        .chain(list("benign")?.into_iter().map(|entry| (false, entry)))
    {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let path = text("session_file");
        if !files.contains_key(&path) {
            let bytes = fs::read(format!("{folder}/{path}"))?;
            files.insert(
                path.clone(),
                redacted(&redactor, &String::from_utf8_lossy(&bytes)),
            );
        }
        for (way, (before, after)) in ["raw", "text"].into_iter().zip(&files[&path]) {
            if is_secret {
                counts[0] += 1;
                let parts = entry["parts"].as_array().into_iter().flatten();
                let parts = parts.filter_map(|part| part.as_str().map(str::to_owned));
                let forms: Vec<String> = [text("needle"), text("decoded")]
                    .into_iter()
                    .chain(parts)
                    .collect();
                let left = forms.iter().find_map(|form| part_in(form, after));
                if let Some(left) = left {
                    counts[1] += 1;
                    println!("LEFT in {way}: {} {left:?} {entry}", text("id"));
                }
            } else if before.contains(&text("text")) {
                counts[2] += 1;
                if after.matches(&text("text")).count() < before.matches(&text("text")).count() {
                    counts[3] += 1;
                    println!("TAKEN in {way}: {} {entry}", text("id"));
                }
            }
        }
    }
    let [planted, left, benign, taken] = counts;
    println!("{left} of {planted} left, {taken} of {benign} benign texts taken");
    Ok(())
}

/// Returns a part of a secret, at least two thirds of it, that occurs in a text.
fn part_in<'a>(secret: &'a str, text: &str) -> Option<&'a str> {
    let bounds: Vec<usize> = secret
        .char_indices()
        .map(|(at, _)| at)
        .chain([secret.len()])
        .collect();
    let length = (bounds.len() - 1) * 2 / 3 + 1;
    let length = length.min(bounds.len() - 1);
    let parts = bounds
        .windows(length + 1)
        .map(|bounds| &secret[bounds[0]..bounds[length]]);
    parts
        .into_iter()
        .find(|part| !part.trim().is_empty() && text.contains(*part))
}

/// Returns a file before and after redaction, as a whole and text by text.
fn redacted(redactor: &Redactor, file: &str) -> [(String, String); 2] {
    let mut texts = Vec::new();
    for value in serde_json::Deserializer::from_str(file).into_iter::<Value>() {
        let Ok(value) = value else { break };
        leaves(value, &mut texts);
    }
    let clean: Vec<String> = texts
        .iter()
        .map(|text| redactor.redact(text).text.into_owned())
        .collect();
    // Readers of the archive parse it as JSON.
    let raw = redactor.redact(file).text.into_owned();
    let mut read = Vec::new();
    for line in raw.lines() {
        if let Ok(value) = serde_json::from_str(line) {
            leaves(value, &mut read);
        }
    }
    [
        (file.to_owned(), format!("{raw}\n{}", read.join("\n"))),
        (texts.join("\n"), clean.join("\n")),
    ]
}

fn leaves(value: Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.into_iter().for_each(|value| leaves(value, texts)),
        Value::Object(values) => values
            .into_iter()
            .for_each(|(_, value)| leaves(value, texts)),
        _ => {}
    }
}
