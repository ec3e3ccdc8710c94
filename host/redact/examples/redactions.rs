//! Lists every redaction in a folder of session files, with its context, so that a person can judge them all: `cargo
//! run --release -p acreta-redact --example redactions -- FOLDER [raw] [strict]`.
//!
//! JSON lines are read as an adapter reads them: every text in them separately, under its name. With `raw`, and for
//! files that are not JSON, the file is scanned as it is. With `strict` words that look like a chosen secret go as well.

#![expect(clippy::print_stdout, reason = "its report is what it is for")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use acreta_redact::Redactor;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder of session files")?;
    let options: Vec<String> = arguments.collect();
    let has = |name: &str| options.iter().any(|option| option == name);
    let raw = has("raw");
    let mut redactor = Redactor::new(&[])?;
    if has("strict") {
        redactor = redactor.strict();
    }
    let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut texts = 0;
    visit(Path::new(&folder), &mut |file, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut look = |text: &str| {
            texts += 1;
            for found in redactor.find(text) {
                let line = shown(text, found.range);
                let key = format!("{}\t{line}", found.rule);
                let entry = seen
                    .entry(key)
                    .or_insert_with(|| (0, file.display().to_string()));
                entry.0 += 1;
            }
        };
        if raw {
            return look(&text);
        }
        let mut values = 0;
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            let Ok(value) = value else { break };
            values += 1;
            leaves(&value, &mut look);
        }
        if values == 0 {
            look(&text);
        }
    })?;
    for (line, (count, file)) in &seen {
        println!("{count}\t{line}\t{file}");
    }
    println!("{} distinct redactions in {texts} texts", seen.len());
    Ok(())
}

fn visit(path: &Path, each: &mut impl FnMut(&Path, &[u8])) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries {
            visit(&entry.path(), each)?;
        }
        return Ok(());
    }
    each(path, &std::fs::read(path)?);
    Ok(())
}

fn leaves(value: &Value, look: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => look(text),
        Value::Array(values) => values.iter().for_each(|value| leaves(value, look)),
        Value::Object(values) => values.values().for_each(|value| leaves(value, look)),
        _ => {}
    }
}

/// Returns the found text with its context on both sides, on one line.
fn shown(text: &str, range: std::ops::Range<usize>) -> String {
    let start = text.floor_char_boundary(range.start.saturating_sub(60));
    let end = text.floor_char_boundary((range.end + 24).min(text.len()));
    let middle = &text[range.clone()];
    let middle: String = middle.chars().take(160).collect();
    format!(
        "{}⟦{middle}⟧{}",
        &text[start..range.start],
        &text[range.end..end]
    )
    .replace(['\n', '\r', '\t'], "⏎")
}
