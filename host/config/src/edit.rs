//! Changes one setting in a file. Everything else in it stays: comments, order, blank lines.

use camino::Utf8Path;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use crate::file::{self, LinkPolicy};
use crate::keys::KeyEntry;
use crate::nearest::nearest_key;
use crate::{ConfigError, SetBy, Value};

const HEADER: &str = "# Settings of acreta. `acreta config list` shows every key, its value and where it came from.\n";

/// Sets `path` in the user's own file to a value given as text, checked against the table of keys.
pub fn set(file: &Utf8Path, path: &str, value_text: &str) -> Result<Value, ConfigError> {
    set_in(file, LinkPolicy::Followed, path, value_text)
}

/// Sets `path` in a project's file. Refuses to follow a link and to set a key that belongs to the user alone.
pub fn set_in_project(file: &Utf8Path, path: &str, value_text: &str) -> Result<Value, ConfigError> {
    if let Some((SetBy::User, reason)) = KeyEntry::of(path).map(KeyEntry::set_by) {
        return Err(ConfigError::UserOnly {
            key: path.to_owned(),
            reason,
        });
    }
    set_in(file, LinkPolicy::Refused, path, value_text)
}

fn set_in(
    file: &Utf8Path,
    links: LinkPolicy,
    path: &str,
    value_text: &str,
) -> Result<Value, ConfigError> {
    let Some(entry) = KeyEntry::of(path) else {
        return Err(ConfigError::UnknownKey {
            key: path.to_owned(),
            nearest: nearest_key(path),
        });
    };
    let given = Value::of_text(entry, value_text);
    let Some(value) = given.clone().checked(entry) else {
        return Err(ConfigError::WrongValue {
            key: path.to_owned(),
            expected: entry.expected(),
            found: given.short(),
        });
    };
    let text = file::read(file, links)?.unwrap_or_else(|| HEADER.to_owned());
    let mut document = file::parse(file, text)?.into_mut();
    // In a file of comments only, they are the trailing part; they have to stay at the beginning.
    let mut opening = String::new();
    if document.is_empty() {
        opening = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing("");
    }
    put(&mut document, path, &value).map_err(|key| ConfigError::NotTable {
        path: file.to_owned(),
        key,
    })?;
    if !opening.is_empty() {
        opening.truncate(opening.trim_end().len());
        opening.push_str("\n\n");
    }
    file::write(file, &format!("{opening}{document}"), links)?;
    Ok(value)
}

/// Removes `path` from the user's own file. Returns whether it was there.
pub fn unset(file: &Utf8Path, path: &str) -> Result<bool, ConfigError> {
    unset_in(file, LinkPolicy::Followed, path)
}

/// Removes `path` from a project's file. Refuses to follow a link.
pub fn unset_in_project(file: &Utf8Path, path: &str) -> Result<bool, ConfigError> {
    unset_in(file, LinkPolicy::Refused, path)
}

fn unset_in(file: &Utf8Path, links: LinkPolicy, path: &str) -> Result<bool, ConfigError> {
    let Some(text) = file::read(file, links)? else {
        return Ok(false);
    };
    let mut document = file::parse(file, text)?.into_mut();
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let (tables, name) = path.rsplit_once('.').unwrap_or(("", path));
    for part in tables.split('.').filter(|part| !part.is_empty()) {
        let Some(inner) = table.get_mut(part).and_then(Item::as_table_like_mut) else {
            return Ok(false);
        };
        table = inner;
    }
    let is_set = table.remove(name).is_some();
    if is_set {
        file::write(file, &document.to_string(), links)?;
    }
    Ok(is_set)
}

/// Sets a value at a dotted path. The error is the path of an item that is not a table.
fn put(document: &mut DocumentMut, path: &str, value: &Value) -> Result<(), String> {
    let mut parts: Vec<&str> = path.split('.').collect();
    let name = parts.pop().unwrap_or(path);
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut walked = String::new();
    for part in parts {
        if !walked.is_empty() {
            walked.push('.');
        }
        walked.push_str(part);
        let item = table.entry(part).or_insert_with(|| {
            // Printed only if it holds settings of its own: `[plugins]`, but not `[plugin]`.
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        table = item.as_table_like_mut().ok_or_else(|| walked.clone())?;
    }
    let mut fresh = value.to_toml();
    match table.get_mut(name) {
        Some(Item::Value(old)) => {
            *fresh.decor_mut() = old.decor().clone();
            *old = fresh;
        }
        Some(item) => *item = Item::Value(fresh),
        None => {
            table.insert(name, Item::Value(fresh));
        }
    }
    Ok(())
}
