//! Counts over sessions that were written without knowledge of the code. `ACRETA_QUOTATION` names a JSON file of cases;
//! without it the test prints that it is skipped. Each case is told or not; a line per case goes to stdout for readers.

use acreta_types::Event;
use serde_json::{Value, json};

use super::{Proven, Speaker, candidate, event, judged};

#[test]
fn cases_of_a_file_are_told_or_not() {
    let Some(file) = std::env::var_os("ACRETA_QUOTATION") else {
        acreta_testing::skip(acreta_testing::QUOTATION, "no file of cases is named");
        return;
    };
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("an array of cases");
    assert!(!cases.is_empty(), "there are cases");
    for case in &cases {
        let events = case["events"].as_array().expect("events");
        let events: Vec<Event> = events
            .iter()
            .enumerate()
            .map(|(index, value)| said(index, value))
            .collect();
        let part = |name: &str| case["candidate"][name].as_str().unwrap_or_default();
        let quotes = case["candidate"]["quotes"].as_array().expect("quotes");
        let quotes: Vec<(usize, &str)> = quotes
            .iter()
            .map(|quote| {
                let index = quote["event"].as_u64().unwrap_or_default() as usize;
                (index, quote["text"].as_str().unwrap_or_default())
            })
            .collect();
        let candidate = candidate(part("kind"), part("title"), part("body"), &quotes);
        let line = match judged(events, &candidate) {
            Ok(Speaker::Person(Proven {
                title, quotation, ..
            })) => json!({
                "told": quotation.told(&title), "title": title, "quotes": quotation.quotes, "about": quotation.about,
            }),
            Ok(other) => json!({"refused": format!("{other:?}")}),
            Err(reason) => json!({"refused": reason}),
        };
        println!(
            "CASE {}",
            json!({"id": case["id"], "class": case["class"], "kind": case["kind"], "lang": case["lang"], "result": line})
        );
    }
}

/// An event as adapters make it.
fn said(index: usize, value: &Value) -> Event {
    let text = value["text"].as_str().map(str::to_owned);
    let text = text.unwrap_or_else(|| value["input"].to_string());
    let (role, kind) = match value["role"].as_str().unwrap_or_default() {
        "user" => ("user", "text"),
        "assistant" => ("assistant", "text"),
        "tool_call" => ("assistant", "tool-call"),
        "tool_result" | "tool" => ("tool", "tool-result"),
        "injected" => ("user", "injected"),
        "compaction" => ("system", "compaction"),
        other => panic!("unknown role `{other}`"),
    };
    let mut event = event(index, role, kind, &text);
    if let Some(tool) = value["tool"].as_str() {
        event.attrs.0.push(("tool".to_owned(), tool.to_owned()));
    }
    event
}
