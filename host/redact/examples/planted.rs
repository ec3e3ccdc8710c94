//! Searches for planted secrets in the redactor's output: `cargo run --release -p acreta-redact --example planted --
//! FOLDER`, where the folder has `planted.json` and `benign.json`, lists of texts with their `session_file`, or
//! `planted.json` and `harmless.json`, lists of single events with their `text` and `secret` (one or several).
//!
//! A file is redacted as it is, as the raw archive does, and text by text, as a trace does; a single event as text, and
//! as a line of JSON.

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
    if !fs::exists(format!("{folder}/benign.json"))? {
        report_events(&redactor, &list("planted")?, &list("harmless")?);
        return Ok(());
    }
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

/// Redacts single events, and prints the secrets that are left and the harmless texts that changed.
fn report_events(redactor: &Redactor, planted: &[Value], harmless: &[Value]) {
    let ways = |entry: &Value| {
        let text = entry["text"].as_str().unwrap_or_default().to_owned();
        let line = serde_json::json!({ "type": "message", "content": text }).to_string();
        [("text", text), ("raw", line)]
    };
    let (mut left, mut taken) = (0, 0);
    for entry in planted {
        let secrets: Vec<&str> = match &entry["secret"] {
            Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect(),
            secret => secret.as_str().into_iter().collect(),
        };
        for (way, text) in ways(entry) {
            let clean = redactor.redact(&text).text;
            let read: Value = serde_json::from_str(&clean).unwrap_or_default();
            let read = read["content"].as_str().unwrap_or_default();
            let part = secrets
                .iter()
                .find_map(|secret| part_in(secret, &clean).or_else(|| part_in(secret, read)));
            if let Some(part) = part {
                left += 1;
                println!("LEFT in {way}: {} {part:?} {entry}", entry["id"]);
            }
        }
    }
    for entry in harmless {
        for (way, text) in ways(entry) {
            for found in redactor.find(&text) {
                taken += 1;
                let part = &text[found.range];
                println!(
                    "TAKEN in {way}: {} {part:?} by {} {entry}",
                    entry["id"], found.rule
                );
            }
        }
    }
    println!(
        "{left} of {} left, {taken} places in {} harmless texts taken",
        2 * planted.len(),
        2 * harmless.len()
    );
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
