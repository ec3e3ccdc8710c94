//! Estimates the requests to a model for labelled sessions, and the cost of reading each in one window. No model is
//! used: it is `acreta run --estimate`.

use std::path::Path;

use serde_json::json;

use crate::Outcome;
use crate::extract::ExtractArguments;
use crate::extract::driver::Driver;
use crate::extract::labelled::read_labels;

/// A model that is never called.
const CONFIG: &str = "\
[llm.providers.nobody]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
[llm.roles.extract]\nprovider = \"nobody\"\nmodel = \"none\"\n\
[llm.roles.summarise]\nprovider = \"nobody\"\nmodel = \"none\"\n";

pub(crate) fn bench(asked: &ExtractArguments, labels: &Path, sessions: &Path) -> Outcome<()> {
    let mut driver = Driver::new(&asked.binary, &format!("{CONFIG}{}", asked.config))?;
    println!(
        "{:<30} {:>9} {:>6} {:>9} {:>11}",
        "session", "text kB", "calls", "tokens", "one window"
    );
    let (mut bytes, mut calls, mut tokens) = (0, 0, 0);
    for (name, label) in read_labels(labels)? {
        let session = sessions.join(&label.file);
        let estimate = driver.estimate(&session)?;
        println!(
            "{:<30} {:>9} {:>6} {:>9} {:>11}",
            name.chars().take(30).collect::<String>(),
            estimate.text_bytes / 1000,
            estimate.requests,
            estimate.input_tokens,
            estimate.text_bytes / BYTES_PER_TOKEN,
        );
        bytes += estimate.text_bytes;
        calls += estimate.requests;
        tokens += estimate.input_tokens;
    }
    let megabytes = (bytes as f64 / 1e6).max(f64::MIN_POSITIVE);
    let one_window = bytes / BYTES_PER_TOKEN;
    println!(
        "\n{:.1} MB of text: {:.1} calls and {:.0} tokens for each MB; whole in one window {:.0}",
        megabytes,
        calls as f64 / megabytes,
        tokens as f64 / megabytes,
        one_window as f64 / megabytes
    );
    println!(
        "{}",
        json!({
            "text_mb": megabytes,
            "calls_per_mb": calls as f64 / megabytes,
            "input_tokens_per_mb": tokens as f64 / megabytes,
            "one_window_tokens_per_mb": one_window as f64 / megabytes,
            "over_one_window": tokens as f64 / one_window.max(1) as f64,
        })
    );
    Ok(())
}

/// The approximate average for code and prose.
const BYTES_PER_TOKEN: u64 = 4;
