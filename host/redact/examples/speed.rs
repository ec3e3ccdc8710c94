//! Measures the redactor on a folder of session files, as they are and text by text:
//! `cargo run --release -p acreta-redact --example speed -- FOLDER`.

#![expect(clippy::print_stdout, reason = "its report is what it is for")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use acreta_redact::Redactor;
use serde_json::Value;

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("name a folder of session files")?;
    let redactor = Redactor::new(&[])?;
    let (mut files, mut texts) = (Vec::new(), Vec::new());
    read(Path::new(&folder), &mut files)?;
    for file in &files {
        for value in serde_json::Deserializer::from_str(file).into_iter::<Value>() {
            let Ok(value) = value else { break };
            leaves(value, &mut texts);
        }
    }
    for (name, texts) in [("files", &files), ("texts", &texts)] {
        let bytes: usize = texts.iter().map(String::len).sum();
        let mut found = 0;
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                found = texts
                    .iter()
                    .map(|text| redactor.redact(text).counts.total())
                    .sum();
                started.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let best = times[0];
        println!(
            "{name}: {:.1} MB, {:.0} MB/s ({:.2} ns a byte), {found} redactions",
            bytes as f64 / 1e6,
            bytes as f64 / 1e6 / best,
            best * 1e9 / bytes as f64
        );
    }
    Ok(())
}

fn read(path: &Path, files: &mut Vec<String>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries {
            read(&entry.path(), files)?;
        }
        return Ok(());
    }
    let bytes = std::fs::read(path)?;
    files.push(String::from_utf8_lossy(&bytes).into_owned());
    Ok(())
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
