//! Adds one entry to JSON and removes it again. Only bytes of the entry, its comma and its line are added or removed;
//! the library's own editor would also reformat one-line objects.

use jsonc_parser::ast::Value as Node;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use crate::json::{Child, Container, JsonDocument, Trouble, plain};

const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Result of adding an entry.
#[derive(Debug, PartialEq)]
pub(crate) enum Put {
    Added {
        text: String,
        /// Number of objects and lists around the entry that were created for it.
        made: usize,
    },
    /// It already exists with the wanted value.
    There,
    /// Another value is in its place.
    Differs,
}

/// Sets `value` at a path of keys.
pub(crate) fn put_key(whole: &str, at: &[String], value: &Value) -> Result<Put, Trouble> {
    let document = JsonDocument::parse(whole)?;
    let found = PathLookup::walk(&document, at)?;
    match found.node {
        Some(node) if found.missing.is_empty() => Ok(match plain(node) == *value {
            true => Put::There,
            false => Put::Differs,
        }),
        _ => found.add(&document, value),
    }
}

/// Appends `value` to the list at a path of keys, unless an element is already `ours`.
pub(crate) fn put_item(
    whole: &str,
    at: &[String],
    value: &Value,
    ours: impl Fn(&Value) -> bool,
) -> Result<Put, Trouble> {
    let document = JsonDocument::parse(whole)?;
    let found = PathLookup::walk(&document, at)?;
    let Some(node) = found.node.filter(|_| found.missing.is_empty()) else {
        return found.add(&document, &Value::Array(vec![value.clone()]));
    };
    let Node::Array(array) = node else {
        return Err(Trouble::Unfit(at.join(".")));
    };
    let elements: Vec<Value> = array.elements.iter().map(plain).collect();
    if elements.contains(value) {
        return Ok(Put::There);
    }
    if elements.iter().any(ours) {
        return Ok(Put::Differs);
    }
    let container = Container::of(node).ok_or_else(|| Trouble::Unfit(at.join(".")))?;
    Ok(Put::Added {
        text: insert(&document, &container, None, value),
        made: 0,
    })
}

/// Removes what [`put_key`] added; `None` if it was changed or is missing.
pub(crate) fn take_key(
    whole: &str,
    at: &[String],
    value: &Value,
    made: usize,
) -> Result<Option<String>, Trouble> {
    let document = JsonDocument::parse(whole)?;
    let mut steps = Vec::new();
    if !descend(&document, at, &mut steps)? {
        return Ok(None);
    }
    match steps.last() {
        Some((container, index)) if plain(container.children[*index].value) == *value => {
            Ok(Some(remove(&document, &steps, made)))
        }
        _ => Ok(None),
    }
}

/// Removes what [`put_item`] added; `None` if it was changed or is missing.
pub(crate) fn take_item(
    whole: &str,
    at: &[String],
    value: &Value,
    made: usize,
) -> Result<Option<String>, Trouble> {
    let document = JsonDocument::parse(whole)?;
    let mut steps = Vec::new();
    if !descend(&document, at, &mut steps)? {
        return Ok(None);
    }
    let list = steps
        .last()
        .and_then(|(container, index)| Container::of(container.children[*index].value));
    let Some(list) = list else {
        return Ok(None);
    };
    let position = list
        .children
        .iter()
        .position(|child| child.key.is_none() && plain(child.value) == *value);
    let Some(position) = position else {
        return Ok(None);
    };
    steps.push((list, position));
    Ok(Some(remove(&document, &steps, made)))
}

/// The existing part of a path in a document.
struct PathLookup<'n, 'a> {
    /// The deepest existing value on the path.
    node: Option<&'n Node<'a>>,
    /// The keys that do not exist.
    missing: &'n [String],
    walked: String,
}

impl<'n, 'a> PathLookup<'n, 'a> {
    fn walk(document: &'n JsonDocument<'a>, at: &'n [String]) -> Result<Self, Trouble> {
        let mut node = document.root.as_ref();
        let mut missing = at;
        while let (Some(current), [key, rest @ ..]) = (node, missing) {
            let walked = at[..at.len() - missing.len()].join(".");
            let Node::Object(_) = current else {
                return Err(Trouble::Unfit(walked));
            };
            let container = Container::of(current).ok_or(Trouble::Unfit(walked))?;
            match container.child(key)? {
                Some(child) => (node, missing) = (Some(child.value), rest),
                None => break,
            }
        }
        let walked = at[..at.len() - missing.len()].join(".");
        Ok(Self {
            node,
            missing,
            walked,
        })
    }

    /// Adds the missing keys with `value` within the last.
    fn add(&self, document: &JsonDocument<'_>, value: &Value) -> Result<Put, Trouble> {
        let (key, inner) = self
            .missing
            .split_first()
            .ok_or_else(|| Trouble::Unfit(self.walked.clone()))?;
        let nested = inner.iter().rev().fold(value.clone(), |value, key| {
            Value::Object([(key.clone(), value)].into_iter().collect())
        });
        // A list that was created for its first item counts like the objects around it.
        let made = inner.len() + usize::from(value.is_array());
        let text = match self.node {
            Some(node @ Node::Object(_)) => {
                let container =
                    Container::of(node).ok_or_else(|| Trouble::Unfit(self.walked.clone()))?;
                insert(document, &container, Some(key), &nested)
            }
            Some(_) => return Err(Trouble::Unfit(self.walked.clone())),
            None => {
                let style = Style::of(document);
                let root = Value::Object([(key.clone(), nested)].into_iter().collect());
                let (newline, before) = (style.newline, document.text);
                let gap = match before.is_empty() || before.ends_with('\n') {
                    true => "",
                    false => newline,
                };
                let rendered = style.spread(&root, "");
                format!("{}{before}{gap}{rendered}{newline}", document.mark)
            }
        };
        Ok(Put::Added { text, made })
    }
}

/// Follows a path to its end, and reports whether it exists; each step is a container and the index of the child.
fn descend<'n, 'a>(
    document: &'n JsonDocument<'a>,
    at: &[String],
    steps: &mut Vec<(Container<'n, 'a>, usize)>,
) -> Result<bool, Trouble> {
    let mut node = document.root.as_ref();
    for key in at {
        let Some(container) = node.and_then(Container::of) else {
            return Ok(false);
        };
        if container.child(key)?.is_none() {
            return Ok(false);
        }
        let named = |child: &Child<'_, '_>| child.key == Some(key);
        let Some(index) = container.children.iter().position(named) else {
            return Ok(false);
        };
        node = Some(container.children[index].value);
        steps.push((container, index));
    }
    Ok(true)
}

/// Inserts one more child into a container.
fn insert(
    document: &JsonDocument<'_>,
    container: &Container<'_, '_>,
    key: Option<&str>,
    value: &Value,
) -> String {
    let text = document.text;
    let style = Style::of(document);
    let close = container.end - 1;
    let inner = &text[container.start + 1..close];
    let at = container.start + 1 + inner.trim_end_matches(SPACE).len();
    let last = container.children.last().map(|child| child.end);
    let trailing = last.is_some_and(|last| document.comma_between(last, close).is_some());
    let spread = inner.contains('\n') || (last.is_none() && !style.packed);
    let label = |colon: &str| key.map_or(String::new(), |key| format!("{}{colon}", quoted(key)));

    let mut entry = String::new();
    if spread {
        let indent = style.indent_in(document, container);
        entry += &format!("{}{indent}{}", style.newline, label(": "));
        entry += &style.spread(value, &indent);
    } else {
        let gap = if style.packed || inner.is_empty() {
            ""
        } else {
            " "
        };
        entry += &format!(
            "{gap}{}{value}",
            label(if style.packed { ":" } else { ": " })
        );
    }
    if trailing {
        entry.push(',');
    }
    if spread && !text[at..close].contains('\n') {
        entry += &format!("{}{}", style.newline, line_indent(text, container.start));
    }

    let comma = last.filter(|_| !trailing);
    let (before, between) = match comma {
        Some(last) => (&text[..last], &text[last..at]),
        None => (&text[..at], ""),
    };
    let comma = if comma.is_some() { "," } else { "" };
    format!(
        "{}{before}{comma}{between}{entry}{}",
        document.mark,
        &text[at..]
    )
}

/// Removes the child of the last step, or the outermost of up to `made` containers around it that hold nothing else.
fn remove(
    document: &JsonDocument<'_>,
    steps: &[(Container<'_, '_>, usize)],
    made: usize,
) -> String {
    let mut depth = steps.len() - 1;
    let lowest = depth.saturating_sub(made);
    while depth > lowest && steps[depth].0.children.len() == 1 {
        depth -= 1;
    }
    let (container, index) = &steps[depth];
    let text = document.text;
    let child = &container.children[*index];
    let close = container.end - 1;
    let next = container
        .children
        .get(index + 1)
        .map_or(close, |next| next.start);
    let end = document
        .comma_between(child.end, next)
        .map_or(child.end, |comma| comma + 1);
    let kept = text[..child.start].trim_end_matches(SPACE).len();
    // The line of a comment before the child must keep its end.
    let rest = &text[end..];
    let start = match rest.starts_with(['\n', '\r']) || !ends_in_line_comment(&text[..kept]) {
        true => kept,
        false => child.start,
    };
    // The last child also removes the comma before it.
    let comma = (end == child.end && *index > 0)
        .then(|| document.comma_between(container.children[index - 1].end, child.start))
        .flatten();
    match comma {
        Some(comma) => format!(
            "{}{}{}{rest}",
            document.mark,
            &text[..comma],
            &text[comma + 1..start]
        ),
        None => format!("{}{}{rest}", document.mark, &text[..start]),
    }
}

/// Reports whether the last line of a text may be a comment. A `//` within a string counts too, which only costs a line
/// break.
fn ends_in_line_comment(text: &str) -> bool {
    let line = text.rfind('\n').map_or(0, |newline| newline + 1);
    text[line..].contains("//")
}

/// Formatting of a file.
struct Style<'a> {
    newline: &'static str,
    unit: &'a str,
    /// Without any spaces, as programs write it.
    packed: bool,
}

impl<'a> Style<'a> {
    fn of(document: &JsonDocument<'a>) -> Self {
        let text = document.text;
        let root = document.root.as_ref().and_then(Container::of);
        let children = root.map_or(Vec::new(), |root| root.children);
        let unit = children
            .iter()
            .find_map(|child| own_line_indent(text, child.start))
            .filter(|indent| !indent.is_empty());
        Self {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: unit.unwrap_or("  "),
            packed: !children.is_empty() && !text.trim_matches(SPACE).contains(SPACE),
        }
    }

    /// Returns the indentation of a new child of a container: that of its siblings, or one unit deeper.
    fn indent_in(&self, document: &JsonDocument<'_>, container: &Container<'_, '_>) -> String {
        container
            .children
            .iter()
            .find_map(|child| own_line_indent(document.text, child.start))
            .map_or_else(
                || {
                    format!(
                        "{}{}",
                        line_indent(document.text, container.start),
                        self.unit
                    )
                },
                str::to_owned,
            )
    }

    /// Formats a value over several lines, all but the first indented.
    fn spread(&self, value: &Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
        value
            .serialize(&mut serializer)
            .expect("a value in memory can be written to memory");
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{indent}", self.newline))
    }
}

/// Returns the space before a position, if nothing else is on its line before it.
fn own_line_indent(text: &str, position: usize) -> Option<&str> {
    let line = text[..position].rfind('\n')? + 1;
    let before = &text[line..position];
    before
        .trim_matches([' ', '\t'])
        .is_empty()
        .then_some(before)
}

/// Returns the space at the beginning of a position's line.
fn line_indent(text: &str, position: usize) -> &str {
    let line = text[..position]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

fn quoted(key: &str) -> String {
    Value::String(key.to_owned()).to_string()
}
