//! Compares the scanner with `serde_json`: both read valid input alike, and nothing panics.

use proptest::prelude::*;
use serde_json::{Map, Value as Tree};

use super::{Fault, Scanner, Value, compact};

/// Builds the value that the scanner located.
fn build(value: Value<'_>) -> Result<Tree, Fault> {
    match value {
        Value::Text(text) => Ok(Tree::String(text.decode().0.into_owned())),
        Value::Scalar(raw) => serde_json::from_slice(raw).map_err(|_| Fault::Unexpected(0)),
        Value::Object(raw) => {
            let mut fields = Map::new();
            let mut scanner = Scanner::new(raw);
            scanner.each_field(|scanner, key| {
                let key = String::from_utf8_lossy(key).into_owned();
                fields.insert(key, build(scanner.value()?)?);
                Ok(())
            })?;
            assert_eq!(scanner.position(), raw.len());
            Ok(Tree::Object(fields))
        }
        Value::List(raw) => {
            let mut elements = Vec::new();
            let mut scanner = Scanner::new(raw);
            scanner.each_element(|scanner| {
                elements.push(build(scanner.value()?)?);
                Ok(())
            })?;
            assert_eq!(scanner.position(), raw.len());
            Ok(Tree::Array(elements))
        }
    }
}

fn scan(text: &[u8]) -> Result<Tree, Fault> {
    let mut scanner = Scanner::new(text);
    let value = scanner.value()?;
    match scanner.peek() {
        None => build(value),
        Some(_) => Err(Fault::Unexpected(scanner.position())),
    }
}

/// Text with the difficult parts of JSON: quotes, backslashes, control characters, all of Unicode.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("\\\"".to_owned()),
        Just("{[,:]}".to_owned()),
        Just("\n\t\r\u{8}\u{c}\u{0}\u{7f}".to_owned()),
        Just("\u{2028}\u{fffd}😀é".to_owned()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::from),
        any::<u64>().prop_map(Tree::from),
        (-1e9_f64..1e9).prop_map(Tree::from),
        text().prop_map(Tree::String),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Tree::Array),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|fields| Tree::Object(fields.into_iter().collect())),
        ]
    })
}

/// Writes JSON with every character in strings escaped that is not an ASCII letter or digit.
fn escape_all(value: &Tree) -> String {
    let string = |text: &str| {
        let mut escaped = String::from("\"");
        for unit in text.encode_utf16() {
            match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
                _ => escaped.push_str(&format!("\\u{unit:04X}")),
            }
        }
        escaped + "\""
    };
    match value {
        Tree::String(text) => string(text),
        Tree::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(escape_all).collect();
            format!("[ {} ]", elements.join(" , "))
        }
        Tree::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, value)| format!("{} : {}", string(key), escape_all(value)))
                .collect();
            format!("{{\n{}\t}}", fields.join("\r,"))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn what_serde_writes_is_read_the_same(tree in tree()) {
        for text in [tree.to_string(), serde_json::to_string_pretty(&tree).unwrap(), escape_all(&tree)] {
            let expected: Tree = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(scan(text.as_bytes()), Ok(expected), "{}", text);
        }
    }

    #[test]
    fn compact_takes_out_white_space_only(tree in tree()) {
        let pretty = serde_json::to_string_pretty(&tree).unwrap();
        prop_assert_eq!(compact(pretty.as_bytes()), tree.to_string().into_bytes());
    }

    #[test]
    fn a_beginning_is_told_from_a_whole(tree in tree(), part in 0.0..1.0_f64) {
        let text = Tree::Array(vec![tree]).to_string();
        let cut = (text.len() as f64 * part) as usize;
        let open = &text.as_bytes()[..cut];
        let is_open_string = {
            let (mut open_string, mut escaped) = (false, false);
            for byte in open {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if open_string => escaped = true,
                    b'"' => open_string = !open_string,
                    _ => {}
                }
            }
            open_string
        };
        let expected = if is_open_string { Fault::EndedInString } else { Fault::Ended };
        prop_assert_eq!(scan(open), Err(expected), "{:?}", String::from_utf8_lossy(open));
    }

    #[test]
    fn damaged_text_is_read_as_serde_reads_it_or_refused(
        tree in tree(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any::<u8>()), 1..4),
    ) {
        let mut text = tree.to_string().into_bytes();
        for (place, how, byte) in damage {
            let place = place.index(text.len().max(1));
            match how {
                0 if place < text.len() => { text.remove(place); }
                1 if place < text.len() => text[place] = byte,
                _ => text.insert(place.min(text.len()), byte),
            }
        }
        let found = scan(&text);
        if let Ok(expected) = serde_json::from_slice::<Tree>(&text) {
            prop_assert_eq!(found, Ok(expected), "{:?}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _either = scan(&bytes);
        let _copy = compact(&bytes);
    }
}

#[test]
fn faults_say_where_and_whether_more_may_come() {
    let table: &[(&str, Result<&str, Fault>)] = &[
        ("", Err(Fault::Ended)),
        ("  ", Err(Fault::Ended)),
        ("{", Err(Fault::Ended)),
        (r#"{"a""#, Err(Fault::Ended)),
        (r#"{"a":"#, Err(Fault::Ended)),
        (r#"{"a":1,"#, Err(Fault::Ended)),
        (r#"{"a"#, Err(Fault::EndedInString)),
        (r#""\"#, Err(Fault::EndedInString)),
        (r#""\""#, Err(Fault::EndedInString)),
        (r#""\\""#, Ok(r#""\\""#)),
        (r#""\\\"""#, Ok(r#""\\\"""#)),
        ("{]", Err(Fault::Unexpected(1))),
        ("x", Err(Fault::Unexpected(0))),
        ("1 2", Err(Fault::Unexpected(2))),
        (r#"{"a":1 "b":2}"#, Err(Fault::Unexpected(7))),
        (r#"{"a" 1}"#, Err(Fault::Unexpected(5))),
        (r#"{a:1}"#, Err(Fault::Unexpected(1))),
        ("[1,]", Err(Fault::Unexpected(3))),
        (r#" { "a" : [ 1 , {} ] } "#, Ok(r#"{"a":[1,{}]}"#)),
        (r#"{"a":1,"a":2}"#, Ok(r#"{"a":2}"#)),
        (r#"{"\u0061":1}"#, Ok(r#"{"a":1}"#)),
    ];
    for (text, expected) in table {
        let expected = expected.map(|tree| serde_json::from_str::<Tree>(tree).unwrap());
        assert_eq!(scan(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn fields_and_elements_are_found_in_a_value() {
    let value = Scanner::new(br#"{"a":{"b":["x",1,true,null]},"c":18446744073709551615}"#).value();
    let value = value.unwrap();
    let inner = value.field("a").and_then(|inner| inner.field("b")).unwrap();
    let elements = inner.elements();
    assert_eq!(elements.len(), 4);
    assert!(elements[0].text().is_some_and(|text| text.is("x")));
    assert_eq!(elements[1].number(), Some(1));
    assert!(elements[2].is_true() && !elements[3].is_true());
    assert_eq!(value.field("c").and_then(Value::number), Some(u64::MAX));
    assert_eq!(value.field("d"), None);
    assert_eq!(elements[0].field("a"), None);
    assert!(value.elements().is_empty());
}
