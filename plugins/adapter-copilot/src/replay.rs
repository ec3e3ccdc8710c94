//! A chat stored as a log of changes: the first line is the initial chat, every further line sets, extends or removes a
//! part of it. Replaying gives the current document.
//!
//! Parts that no change touches are not decoded: they are slices of the log itself.

use acreta_sdk::adapter::json::{Scanner, Value};

/// First bytes of a log.
const BEGINNING: &[u8] = b"{\"kind\":0,\"v\":";

/// Returns the chat at the beginning of a log, as far as the bytes go; `None` if this is not such a log.
pub(crate) fn snapshot(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(BEGINNING)
}

/// The span of an unusable line, and the reason.
pub(crate) type Problem = (u64, u64, &'static str);

/// Replays a log; returns the document and the unusable lines.
pub(crate) fn replay(bytes: &[u8]) -> (Vec<u8>, Vec<Problem>) {
    let mut root = Node::Raw(Value::Object(b"{}"));
    let mut problems = Vec::new();
    let mut start = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        let end = start + line.len();
        if !line.trim_ascii().is_empty()
            && let Err(problem) = apply(&mut root, line)
        {
            problems.push((start as u64, end as u64, problem));
        }
        start = end + 1;
    }
    let mut document = Vec::new();
    root.write(&mut document);
    (document, problems)
}

fn apply<'a>(root: &mut Node<'a>, line: &'a [u8]) -> Result<(), &'static str> {
    const UNFIT: &str = "a change that does not fit what it changes";
    let change = Scanner::new(line).object();
    let change = change.map_err(|_| "a change that is not valid JSON")?;
    let value = change.field("v");
    let keys = change.field("k").map(Value::elements).unwrap_or_default();
    let node = |root| {
        keys.iter()
            .try_fold(root, |node: &mut Node<'a>, key| node.child(*key))
    };
    match change.field("kind").and_then(Value::number) {
        Some(0) => *root = Node::Raw(value.ok_or(UNFIT)?),
        Some(1) => *node(root).ok_or(UNFIT)? = Node::Raw(value.unwrap_or(NULL)),
        Some(2) => {
            let list = node(root).and_then(Node::list).ok_or(UNFIT)?;
            if let Some(kept) = change.field("i").and_then(Value::number) {
                list.truncate(usize::try_from(kept).unwrap_or(usize::MAX));
            }
            let further = value.map(Value::elements).unwrap_or_default();
            list.extend(further.into_iter().map(Node::Raw));
        }
        Some(3) => *node(root).ok_or(UNFIT)? = Node::Raw(NULL),
        _ => return Err("a change of an unknown kind"),
    }
    Ok(())
}

const NULL: Value<'static> = Value::Scalar(b"null");

/// A part of the document: a slice of the log until a change touches it.
enum Node<'a> {
    Raw(Value<'a>),
    Object(Vec<(Vec<u8>, Node<'a>)>),
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    /// Parses an object or a list so that its parts can be changed.
    fn open(&mut self) {
        match *self {
            Node::Raw(Value::Object(raw)) => {
                let mut fields = Vec::new();
                // An object that was located has balanced braces; parsing stops at damage inside.
                let _damaged = Scanner::new(raw).each_field(|scanner, key| {
                    fields.push((key.to_owned(), Node::Raw(scanner.value()?)));
                    Ok(())
                });
                *self = Node::Object(fields);
            }
            Node::Raw(list @ Value::List(_)) => {
                *self = Node::List(list.elements().into_iter().map(Node::Raw).collect());
            }
            _ => {}
        }
    }

    /// Returns the part with a name or a number; a missing name is created.
    fn child(&mut self, key: Value<'_>) -> Option<&mut Self> {
        self.open();
        match (self, key) {
            (Node::Object(fields), Value::Text(name)) => {
                let place = fields.iter().position(|(key, _)| key == name.raw);
                let place = place.unwrap_or_else(|| {
                    fields.push((name.raw.to_owned(), Node::Raw(NULL)));
                    fields.len() - 1
                });
                Some(&mut fields[place].1)
            }
            (Node::List(elements), number) => {
                let place = usize::try_from(number.number()?).ok()?;
                if place == elements.len() {
                    elements.push(Node::Raw(NULL));
                }
                elements.get_mut(place)
            }
            _ => None,
        }
    }

    /// Returns the elements, if this is a list or still empty.
    fn list(&mut self) -> Option<&mut Vec<Self>> {
        if matches!(self, Node::Raw(Value::Scalar(b"null"))) {
            *self = Node::List(Vec::new());
        }
        self.open();
        match self {
            Node::List(elements) => Some(elements),
            _ => None,
        }
    }

    fn write(&self, text: &mut Vec<u8>) {
        match self {
            Node::Raw(Value::Text(raw)) => {
                text.push(b'"');
                text.extend_from_slice(raw.raw);
                text.push(b'"');
            }
            Node::Raw(value) => text.extend_from_slice(value.raw()),
            Node::Object(fields) => {
                text.push(b'{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    text.extend_from_slice(if index == 0 { b"\"" } else { b",\"" });
                    text.extend_from_slice(key);
                    text.extend_from_slice(b"\":");
                    value.write(text);
                }
                text.push(b'}');
            }
            Node::List(elements) => {
                text.push(b'[');
                for (index, value) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(b',');
                    }
                    value.write(text);
                }
                text.push(b']');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(changes: &[&str], expected: &str, problems: &[&str]) {
        let (document, found) = replay(changes.join("\n").as_bytes());
        assert_eq!(String::from_utf8_lossy(&document), expected, "{changes:?}");
        let found: Vec<_> = found.iter().map(|(.., why)| *why).collect();
        assert_eq!(found, problems, "{changes:?}");
    }

    #[test]
    fn changes_are_made_where_they_say() {
        let start = r#"{"kind":0,"v":{"a":1,"list":[{"x":"1"}]}}"#;
        check(&[start], r#"{"a":1,"list":[{"x":"1"}]}"#, &[]);
        check(
            &[
                start,
                r#"{"kind":1,"k":["a"],"v":"two"}"#,
                r#"{"kind":1,"k":["list",0,"x"],"v":{"deep":[]}}"#,
                r#"{"kind":2,"k":["list",0,"x","deep"],"v":[1,2]}"#,
                r#"{"kind":2,"k":["list"],"v":[{"y":1},{"z":1}]}"#,
                r#"{"kind":2,"k":["list"],"v":["end"],"i":2}"#,
                r#"{"kind":2,"k":["new"],"v":[0]}"#,
                r#"{"kind":3,"k":["a"]}"#,
                "",
            ],
            r#"{"a":null,"list":[{"x":{"deep":[1,2]}},{"y":1},"end"],"new":[0]}"#,
            &[],
        );
        check(&[start, r#"{"kind":0,"v":{"b":2}}"#], r#"{"b":2}"#, &[]);
    }

    #[test]
    fn a_change_that_does_not_fit_changes_nothing() {
        let start = r#"{"kind":0,"v":{"a":1,"list":[0]}}"#;
        let unfit = "a change that does not fit what it changes";
        check(
            &[
                start,
                r#"{"kind":1,"k":["list",5],"v":1}"#,
                r#"{"kind":1,"k":["a","b"],"v":1}"#,
                r#"{"kind":2,"k":["a"],"v":[1]}"#,
                r#"{"kind":9,"k":["a"],"v":[1]}"#,
                r#"{"kind":1,"k":["a"#,
            ],
            r#"{"a":1,"list":[0]}"#,
            &[
                unfit,
                unfit,
                unfit,
                "a change of an unknown kind",
                "a change that is not valid JSON",
            ],
        );
        check(&[""], "{}", &[]);
    }
}
