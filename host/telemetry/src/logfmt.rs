//! Formats a row as one line: `at=… level=… kind=… name=… request_id=… job_id=… run_id=… project=…`, then its fields.
//! The line contains no line breaks and no terminal control characters, whatever a value contains.

use std::fmt::Write;

use acreta_text::is_hidden;
use jiff::Timestamp;
use serde_json::Value;

use crate::Row;

/// Formats one row, including the newline.
pub fn line(row: &Row) -> String {
    let mut line = format!(
        "at={} level={} kind={}",
        time(row.at_ms),
        row.level,
        row.kind
    );
    let ids = [
        ("request_id", &row.request_id),
        ("job_id", &row.job_id),
        ("run_id", &row.run_id),
        ("project", &row.project),
    ];
    pair(&mut line, "name", &row.name);
    for (name, value) in ids {
        if let Some(value) = value {
            pair(&mut line, name, value);
        }
    }
    for (name, value) in &row.fields {
        match value {
            Value::String(text) => pair(&mut line, name, text),
            other => pair(&mut line, name, &other.to_string()),
        }
    }
    line.push('\n');
    line
}

fn time(at_ms: u64) -> Timestamp {
    i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}

fn pair(line: &mut String, name: &str, value: &str) {
    line.push(' ');
    line.extend(name.chars().map(|character| {
        let is_plain = character.is_ascii_alphanumeric() || "_.-".contains(character);
        if is_plain { character } else { '_' }
    }));
    line.push('=');
    if is_bare(value) {
        line.push_str(value);
        return;
    }
    line.push('"');
    for character in value.chars() {
        match character {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            hidden if is_hidden(hidden) => {
                // Escaped as in JSON, which every reader of quoted strings understands.
                for unit in hidden.encode_utf16(&mut [0; 2]) {
                    let _never_fails = write!(line, "\\u{unit:04x}");
                }
            }
            other => line.push(other),
        }
    }
    line.push('"');
}

/// Returns whether a value needs no quotes.
fn is_bare(value: &str) -> bool {
    let is_plain = |character: char| {
        !character.is_whitespace() && !is_hidden(character) && !"\"=\\".contains(character)
    };
    !value.is_empty() && value.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_value_stays_on_its_line() {
        let table = [
            ("plain", "plain"),
            ("", r#""""#),
            ("two words", r#""two words""#),
            (r#"say "no""#, r#""say \"no\"""#),
            ("a=b", r#""a=b""#),
            (r"C:\new", r#""C:\\new""#),
            ("one\r\ntwo\tthree", r#""one\r\ntwo\tthree""#),
            ("naïve 日本", "\"naïve 日本\""),
            ("日本", "日本"),
            ("\u{1b}[31mred", r#""\u001b[31mred""#),
            ("safe\u{202e}evil", r#""safe\u202eevil""#),
            ("tag\u{e0041}", r#""tag\udb40\udc41""#),
            ("line\u{2028}break\u{85}", r#""line\u2028break\u0085""#),
            ("\0", r#""\u0000""#),
        ];
        for (value, expected) in table {
            let mut line = String::new();
            pair(&mut line, "key", value);
            assert_eq!(line, format!(" key={expected}"), "{value:?}");
            if let Some(quoted) = line.strip_prefix(" key=\"") {
                let read: String = serde_json::from_str(&format!("\"{quoted}")).unwrap();
                assert_eq!(read, value);
            }
        }
    }

    #[test]
    fn a_row_is_one_line_in_a_fixed_order() {
        let mut row = Row {
            at_ms: 1_800_000_000_123,
            level: "warn",
            kind: "end",
            name: "run".to_owned(),
            run_id: Some("sync-1".to_owned()),
            request_id: Some("r 1".to_owned()),
            job_id: Some("job-1".to_owned()),
            project: Some("/src/app".to_owned()),
            fields: json!({"ok": true, "cost": 0.5, "odd key\n": "x", "none": null})
                .as_object()
                .unwrap()
                .clone(),
        };
        assert_eq!(
            line(&row),
            "at=2027-01-15T08:00:00.123Z level=warn kind=end name=run request_id=\"r 1\" job_id=job-1 run_id=sync-1 \
             project=/src/app ok=true cost=0.5 odd_key_=x none=null\n"
        );
        row.at_ms = u64::MAX;
        assert!(line(&row).starts_with("at=1970-01-01T00:00:00Z "));
    }
}
