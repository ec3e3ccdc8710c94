//! Parses JSON with comments as agents do: accepts comments and trailing commas, and reports any other deviation as a
//! syntax error with its position. Records the span of each value, so that an edit can leave every other byte
//! unchanged.

use camino::Utf8Path;
use jsonc_parser::ast::{self, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use crate::Problem;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed text. Positions are byte offsets into `text`.
pub(crate) struct JsonDocument<'a> {
    /// The byte order mark, if there is one; not part of `text`.
    pub(crate) mark: &'a str,
    pub(crate) text: &'a str,
    pub(crate) root: Option<Node<'a>>,
    /// Offset of each comma.
    pub(crate) commas: Vec<usize>,
}

/// Reason why a text cannot be edited; [`Trouble::at`] adds the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Syntax {
        line: usize,
        column: usize,
        message: String,
    },
    Unfit(String),
    Twice(String),
}

/// An object or array: its span and its children.
pub(crate) struct Container<'n, 'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) children: Vec<Child<'n, 'a>>,
}

/// A property of an object or an element of an array.
pub(crate) struct Child<'n, 'a> {
    pub(crate) key: Option<&'n str>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: &'n Node<'a>,
}

impl<'a> JsonDocument<'a> {
    pub(crate) fn parse(whole: &'a str) -> Result<Self, Trouble> {
        let text = whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(whole);
        let collect = CollectOptions {
            tokens: true,
            ..CollectOptions::default()
        };
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &collect, &options).map_err(|error| Trouble::Syntax {
            line: error.line_display(),
            column: error.column_display(),
            message: error.kind().to_string(),
        })?;
        let comma = |token: TokenAndRange<'_>| {
            matches!(token.token, Token::Comma).then_some(token.range.start)
        };
        Ok(Self {
            mark: &whole[..whole.len() - text.len()],
            text,
            root: parsed.value,
            commas: parsed
                .tokens
                .unwrap_or_default()
                .into_iter()
                .filter_map(comma)
                .collect(),
        })
    }

    /// Returns the value without comments.
    pub(crate) fn value(&self) -> Value {
        self.root.as_ref().map_or(Value::Null, plain)
    }

    /// Returns the offset of a comma in this part of the text, outside of strings and comments.
    pub(crate) fn comma_between(&self, start: usize, end: usize) -> Option<usize> {
        self.commas
            .iter()
            .copied()
            .find(|comma| (start..end).contains(comma))
    }
}

impl<'n, 'a> Container<'n, 'a> {
    /// Returns `None` for a scalar value.
    pub(crate) fn of(node: &'n Node<'a>) -> Option<Self> {
        let range = node.range();
        let children = match node {
            Node::Object(object) => object.properties.iter().map(property).collect(),
            Node::Array(array) => array.elements.iter().map(element).collect(),
            _ => return None,
        };
        Some(Self {
            start: range.start,
            end: range.end,
            children,
        })
    }

    /// Returns the property of this name; fails if there are two, since programs differ in which one they use.
    pub(crate) fn child(&self, key: &str) -> Result<Option<&Child<'n, 'a>>, Trouble> {
        let mut named = self.children.iter().filter(|child| child.key == Some(key));
        match (named.next(), named.next()) {
            (_, Some(_)) => Err(Trouble::Twice(key.to_owned())),
            (first, None) => Ok(first),
        }
    }
}

impl Trouble {
    pub(crate) fn at(self, path: &Utf8Path) -> Problem {
        let path = path.to_owned();
        match self {
            Trouble::Syntax {
                line,
                column,
                message,
            } => Problem::Syntax {
                path,
                line,
                column,
                message,
            },
            Trouble::Unfit(key) if key.is_empty() => Problem::NoObject { path },
            Trouble::Unfit(key) => Problem::Unfit { path, key },
            Trouble::Twice(key) => Problem::Twice { path, key },
        }
    }
}

/// Converts a node to a value without comments.
pub(crate) fn plain(node: &Node<'_>) -> Value {
    Value::from(node.clone())
}

fn property<'n, 'a>(property: &'n ast::ObjectProp<'a>) -> Child<'n, 'a> {
    Child {
        key: Some(property.name.as_str()),
        start: property.range.start,
        end: property.range.end,
        value: &property.value,
    }
}

fn element<'n, 'a>(value: &'n Node<'a>) -> Child<'n, 'a> {
    let range = value.range();
    Child {
        key: None,
        start: range.start,
        end: range.end,
        value,
    }
}
