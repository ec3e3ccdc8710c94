//! Strict parsing of untrusted TOML: an unknown key is an error that names file, line and key, because an ignored key
//! may have been a restriction.

use acreta_types::Role;
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{Document, Item, TableLike, Value};

use crate::identity::shown;

/// An invalid file. Displayed as `path:line: what`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {problem}")]
pub struct FileError {
    /// Path, or the URL it was fetched from.
    pub path: Utf8PathBuf,
    /// Counted from 1.
    pub line: usize,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("{message}")]
    Syntax { message: String },
    #[error("unknown key `{key}`")]
    UnknownKey { key: String, known: Vec<String> },
    #[error("`{key}` is missing")]
    Missing { key: String },
    #[error("`{key}` takes {expected}, not {found}")]
    WrongKind {
        key: String,
        expected: &'static str,
        found: &'static str,
    },
    #[error("`{key}`: {message}")]
    Invalid {
        key: String,
        message: String,
        hint: String,
    },
}

impl FileError {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> String {
        match &self.problem {
            Problem::Syntax { .. } => "correct the file; it is TOML".to_owned(),
            Problem::UnknownKey { known, .. } => format!(
                "expected one of {}; if a later acreta wrote the file, `acreta self check` says how to update this one",
                known.join(", ")
            ),
            Problem::Missing { key } => format!("add `{key}`"),
            Problem::WrongKind { key, expected, .. } => format!("write `{key}` as {expected}"),
            Problem::Invalid { hint, .. } => hint.clone(),
        }
    }
}

/// A parsed file.
pub(crate) struct TomlText {
    path: Utf8PathBuf,
    document: Document<String>,
}

impl TomlText {
    pub(crate) fn parse(path: &Utf8Path, text: &str) -> Result<Self, FileError> {
        let document = Document::parse(text.to_owned()).map_err(|error| FileError {
            path: path.to_owned(),
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            problem: Problem::Syntax {
                message: error.message().trim_end().replace('\n', ", "),
            },
        })?;
        Ok(Self {
            path: path.to_owned(),
            document,
        })
    }

    /// Returns the whole file as a table.
    pub(crate) fn section(&self) -> TomlSection<'_> {
        TomlSection {
            text: self,
            table: self.document.as_table(),
            name: String::new(),
            line: 1,
        }
    }
}

/// A table in a file, and its position.
pub(crate) struct TomlSection<'a> {
    text: &'a TomlText,
    table: &'a dyn TableLike,
    name: String,
    line: usize,
}

impl<'a> TomlSection<'a> {
    pub(crate) fn keys(&self) -> Vec<&'a str> {
        self.table.iter().map(|(key, _)| key).collect()
    }

    /// Rejects every key except these.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), FileError> {
        match self.keys().into_iter().find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.error(
                key,
                Problem::UnknownKey {
                    key: self.dotted(key),
                    known: known.iter().map(|key| (*key).to_owned()).collect(),
                },
            )),
        }
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<&'a str>, FileError> {
        let read = |item: &'a Item| item.as_str();
        self.value(key, "a text", read)
    }

    pub(crate) fn required_text(&self, key: &str) -> Result<&'a str, FileError> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    /// Reads a required one-line text that a person bases a decision on; rejects invisible characters.
    pub(crate) fn sentence(&self, key: &str) -> Result<String, FileError> {
        let text = self.required_text(key)?.trim();
        let problem = if text.is_empty() {
            "it is empty"
        } else if text.chars().count() > SENTENCE {
            "it is longer than 300 characters"
        } else if text.contains('\n') || text.chars().any(acreta_text::is_hidden) {
            "it has line breaks or characters that cannot be seen"
        } else {
            return Ok(text.to_owned());
        };
        Err(self.invalid(key, problem, "say it in one plain sentence"))
    }

    pub(crate) fn boolean(&self, key: &str) -> Result<Option<bool>, FileError> {
        self.value(key, "true or false", Item::as_bool)
    }

    /// Reads a number of at least 1.
    pub(crate) fn number(&self, key: &str) -> Result<Option<u64>, FileError> {
        let read = |item: &Item| {
            let number = item.as_integer()?;
            u64::try_from(number).ok().filter(|number| *number > 0)
        };
        self.value(key, "a whole number above zero", read)
    }

    pub(crate) fn required_number(&self, key: &str) -> Result<u64, FileError> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    pub(crate) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, FileError> {
        let read = |item: &Item| {
            let texts = item.as_array()?.iter();
            texts
                .map(|value| value.as_str().map(str::to_owned))
                .collect()
        };
        self.value(key, "a list of texts", read)
    }

    pub(crate) fn required_texts(&self, key: &str) -> Result<Vec<String>, FileError> {
        let texts = self.texts(key)?.ok_or_else(|| self.missing(key))?;
        if texts.is_empty() {
            return Err(self.invalid(key, "it is empty", "name at least one"));
        }
        Ok(texts)
    }

    pub(crate) fn section(&self, key: &str) -> Result<Option<TomlSection<'a>>, FileError> {
        let table = self.value(key, "a table", |item: &'a Item| item.as_table_like())?;
        Ok(table.map(|table| TomlSection {
            text: self.text,
            table,
            name: self.dotted(key),
            line: self.line_of_key(key),
        }))
    }

    /// Reads the tables of a list, `[[key]]`.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<TomlSection<'a>>, FileError> {
        let read = |item: &'a Item| -> Option<Vec<(&'a dyn TableLike, Option<usize>)>> {
            match item {
                Item::ArrayOfTables(tables) => Some(
                    tables
                        .iter()
                        .map(|table| {
                            let start = table.span().map(|span| span.start);
                            (table as &dyn TableLike, start)
                        })
                        .collect(),
                ),
                Item::Value(Value::Array(values)) => values
                    .iter()
                    .map(|value| {
                        let table = value.as_inline_table()?;
                        let start = value.span().map(|span| span.start);
                        Some((table as &dyn TableLike, start))
                    })
                    .collect(),
                _ => None,
            }
        };
        let tables = self.value(key, "a list of tables", read)?;
        let sections = tables.unwrap_or_default().into_iter().enumerate();
        Ok(sections
            .map(|(index, (table, start))| TomlSection {
                text: self.text,
                table,
                name: format!("{}[{index}]", self.dotted(key)),
                line: start.map_or(self.line, |start| self.text.line_of(start)),
            })
            .collect())
    }

    /// Returns the item of a key, whatever its type.
    pub(crate) fn item(&self, key: &str) -> Option<&'a Item> {
        self.table.get(key).filter(|item| !item.is_none())
    }

    pub(crate) fn missing(&self, key: &str) -> FileError {
        self.error(
            key,
            Problem::Missing {
                key: self.dotted(key),
            },
        )
    }

    pub(crate) fn wrong_kind(&self, key: &str, expected: &'static str) -> FileError {
        let found = self.item(key).map_or("nothing", kind_of);
        self.error(
            key,
            Problem::WrongKind {
                key: self.dotted(key),
                expected,
                found,
            },
        )
    }

    pub(crate) fn invalid(
        &self,
        key: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.error(
            key,
            Problem::Invalid {
                key: self.dotted(key),
                message: message.into(),
                hint: hint.into(),
            },
        )
    }

    fn value<T>(
        &self,
        key: &str,
        expected: &'static str,
        read: impl Fn(&'a Item) -> Option<T>,
    ) -> Result<Option<T>, FileError> {
        match self.item(key) {
            None => Ok(None),
            Some(item) => match read(item) {
                Some(value) => Ok(Some(value)),
                None => Err(self.wrong_kind(key, expected)),
            },
        }
    }

    fn error(&self, key: &str, problem: Problem) -> FileError {
        FileError {
            path: self.text.path.clone(),
            line: self.line_of_key(key),
            problem,
        }
    }

    /// Returns the line of a key, or of the table if the key is missing.
    fn line_of_key(&self, key: &str) -> usize {
        let span = self.table.key(key).and_then(toml_edit::Key::span);
        let span = span.or_else(|| self.table.get(key).and_then(Item::span));
        span.map_or(self.line, |span| self.text.line_of(span.start))
    }

    fn dotted(&self, key: &str) -> String {
        let key = shown(key);
        if self.name.is_empty() {
            key
        } else {
            format!("{}.{key}", self.name)
        }
    }
}

impl TomlText {
    fn line_of(&self, start: usize) -> usize {
        line_of(self.document.raw(), start)
    }
}

/// Reads the name of a role.
pub(crate) fn role_of(section: &TomlSection<'_>, key: &str) -> Result<Role, FileError> {
    let name = section.required_text(key)?;
    let role = Role::ALL.into_iter().find(|role| role.name() == name);
    role.ok_or_else(|| {
        let known = Role::ALL.map(Role::name).join(", ");
        let message = format!("unknown role `{}`", shown(name));
        section.invalid(key, message, format!("roles are {known}"))
    })
}

/// Maximum length of a sentence, in characters.
const SENTENCE: usize = 300;

fn line_of(text: &str, start: usize) -> usize {
    text[..text.floor_char_boundary(start)]
        .matches('\n')
        .count()
        + 1
}

fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Table(_) | Item::Value(Value::InlineTable(_)) => "a table",
        Item::ArrayOfTables(_) => "a list of tables",
        Item::Value(Value::String(_)) => "a text",
        Item::Value(Value::Integer(_) | Value::Float(_)) => "that number",
        Item::Value(Value::Boolean(_)) => "true or false",
        Item::Value(Value::Datetime(_)) => "a date",
        Item::Value(Value::Array(_)) => "that list",
    }
}
