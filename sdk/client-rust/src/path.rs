//! Paths and queries of URLs, with every reserved byte escaped.

use std::fmt::Write;

use serde_json::{Map, Value};

/// Escapes one segment of a path.
pub(crate) fn part(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let _never_fails = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// Builds `?name=value&…`, or an empty string.
pub(crate) fn query(fields: &Map<String, Value>) -> String {
    let mut query = String::new();
    for (name, value) in fields {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        query.push(if query.is_empty() { '?' } else { '&' });
        query.push_str(&format!("{}={}", part(name), part(&value)));
    }
    query
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(part("a/b?c#d é"), "a%2Fb%3Fc%23d%20%C3%A9");
        let fields = json!({"limit": 3, "q": "a & b=c", "stale": false});
        let fields = fields.as_object().unwrap();
        assert_eq!(query(fields), "?limit=3&q=a%20%26%20b%3Dc&stale=false");
        assert_eq!(query(&Map::new()), "");
    }
}
