//! A minimal JSON parser for the input of tool calls. Bad or truncated input gives the part that was read, never a
//! failure; depth and size are bounded.

use memchr::memchr2;

/// A JSON value; an extractor does not need numbers, booleans and null.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
    Other,
}

impl Json {
    /// Parses the first value in a text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut reader = JsonReader {
            rest: acreta_text::head(text, LONGEST_INPUT),
        };
        reader.value(0)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the text of the first of the keys that has one.
    pub(crate) fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| match self.get(key) {
            Some(Json::Text(text)) => Some(text.as_str()),
            _ => None,
        })
    }

    pub(crate) fn list(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Some(Json::List(items)) => items,
            _ => &[],
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

const LONGEST_INPUT: usize = 64 * 1024;
const DEEPEST: usize = 24;

struct JsonReader<'a> {
    rest: &'a str,
}

impl JsonReader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, character: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: usize) -> Json {
        self.skip_space();
        if depth > DEEPEST {
            self.rest = "";
            return Json::Other;
        }
        if self.eat('"') {
            return Json::Text(self.string());
        }
        if self.eat('[') {
            let mut items = Vec::new();
            while !self.rest.trim_start().is_empty() && !self.eat(']') {
                items.push(self.value(depth + 1));
                self.eat(',');
            }
            return Json::List(items);
        }
        if self.eat('{') {
            let mut entries = Vec::new();
            while !self.rest.trim_start().is_empty() && !self.eat('}') {
                if !self.eat('"') {
                    self.rest = "";
                    break;
                }
                let key = self.string();
                self.eat(':');
                entries.push((key, self.value(depth + 1)));
                self.eat(',');
            }
            return Json::Map(entries);
        }
        let end = self
            .rest
            .find([',', '}', ']', ' ', '\n'])
            .unwrap_or(self.rest.len());
        // Always advance, also past a character that is not valid here.
        let step = end.max(self.rest.chars().next().map_or(0, char::len_utf8));
        self.rest = &self.rest[step..];
        Json::Other
    }

    /// Reads the rest of a string whose opening quote was read.
    fn string(&mut self) -> String {
        let mut text = String::new();
        while let Some(stop) = memchr2(b'"', b'\\', self.rest.as_bytes()) {
            let (run, after) = self.rest.split_at(stop);
            text.push_str(run);
            let mut characters = after.chars();
            if characters.next() == Some('"') {
                self.rest = characters.as_str();
                return text;
            }
            match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r' | 'b' | 'f') | None => {}
                Some('u') => {
                    let digits: String = characters.by_ref().take(4).collect();
                    text.extend(
                        u32::from_str_radix(&digits, 16)
                            .ok()
                            .and_then(char::from_u32),
                    );
                }
                Some(other) => text.push(other),
            }
            self.rest = characters.as_str();
        }
        text.push_str(self.rest);
        self.rest = "";
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_a_tool_call_holds() {
        let input = Json::parse(
            r#"{"command":"cargo test\n","n":1,"list":["a",{"b":"c\u00e9"}],"x":null}"#,
        );
        assert_eq!(input.text(&["cmd", "command"]), Some("cargo test\n"));
        assert_eq!(input.list("list")[1].text(&["b"]), Some("cé"));
        assert_eq!(input.get("x"), Some(&Json::Other));
    }

    #[test]
    fn bad_input_ends_and_gives_what_there_was() {
        for text in [
            "",
            "{",
            "{\"a\":\"b",
            "[1,2",
            "}",
            "{a:1}",
            "[}]",
            &"[".repeat(1000),
        ] {
            let _ = Json::parse(text);
        }
        assert_eq!(Json::parse("{\"a\":\"b").text(&["a"]), Some("b"));
    }
}
