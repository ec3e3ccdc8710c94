//! TOML that a person or a stranger wrote, read strictly: what is not understood is an error that
//! names file, line and key, since a key that is passed over may have been a refusal.

use acreta_model::Role;
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{Document, Item, TableLike, Value};

use crate::identity::shown;

/// A file that does not say what it should. Shown as `path:line: what`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {problem}")]
pub struct FileError {
    /// A path, or the address it was fetched from.
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
    /// What to do about it.
    pub fn hint(&self) -> String {
        match &self.problem {
            Problem::Syntax { .. } => "correct the file; it is TOML".to_owned(),
            Problem::UnknownKey { known, .. } => format!("known here are {}", known.join(", ")),
            Problem::Missing { key } => format!("add `{key}`"),
            Problem::WrongKind { key, expected, .. } => format!("write `{key}` as {expected}"),
            Problem::Invalid { hint, .. } => hint.clone(),
        }
    }
}

/// A parsed file.
pub(crate) struct Text {
    path: Utf8PathBuf,
    document: Document<String>,
}

impl Text {
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

    /// The whole file as a table.
    pub(crate) fn section(&self) -> Section<'_> {
        Section {
            text: self,
            table: self.document.as_table(),
            name: String::new(),
            line: 1,
        }
    }
}

/// A table in a file, and where it lies.
pub(crate) struct Section<'a> {
    text: &'a Text,
    table: &'a dyn TableLike,
    name: String,
    line: usize,
}

impl<'a> Section<'a> {
    pub(crate) fn keys(&self) -> Vec<&'a str> {
        self.table.iter().map(|(key, _)| key).collect()
    }

    /// Refuses every key but these.
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

    /// A required text of one line that a person decides by: nothing in it hides.
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

    /// A number from 1 on.
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

    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'a>>, FileError> {
        let table = self.value(key, "a table", |item: &'a Item| item.as_table_like())?;
        Ok(table.map(|table| Section {
            text: self.text,
            table,
            name: self.dotted(key),
            line: self.line_of_key(key),
        }))
    }

    /// The tables of a list, `[[key]]`.
    pub(crate) fn sections(&self, key: &str) -> Result<Vec<Section<'a>>, FileError> {
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
            .map(|(index, (table, start))| Section {
                text: self.text,
                table,
                name: format!("{}[{index}]", self.dotted(key)),
                line: start.map_or(self.line, |start| self.text.line_of(start)),
            })
            .collect())
    }

    /// The item of a key, whatever it is.
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

    /// The line of a key; that of the table where there is none.
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

impl Text {
    fn line_of(&self, start: usize) -> usize {
        line_of(self.document.raw(), start)
    }
}

/// The role that a text names.
pub(crate) fn role_of(section: &Section<'_>, key: &str) -> Result<Role, FileError> {
    let name = section.required_text(key)?;
    let role = Role::ALL.into_iter().find(|role| role.name() == name);
    role.ok_or_else(|| {
        let known = Role::ALL.map(Role::name).join(", ");
        let message = format!("there is no role `{}`", shown(name));
        section.invalid(key, message, format!("roles are {known}"))
    })
}

/// Longest sentence, in characters.
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
