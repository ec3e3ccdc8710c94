//! Changes one plugin's grant in a file that people also edit: everything else stays unchanged.

use camino::Utf8Path;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::{ASKED, Grant, items};
use crate::capabilities::Capabilities;
use crate::table::{FileError, Problem};

const HEADER: &str = "# What plugins may do; kept by `acreta connect` and `acreta plugin grant`.
# Edit it as you like: what a plugin is given may be less than what it asked for.
";

/// Returns the text with a new grant for `plugin`, or without one. `old` is its grant in the current text.
pub(crate) fn edited(
    file: &Utf8Path,
    text: &str,
    plugin: &str,
    old: Option<&Grant>,
    new: Option<&Grant>,
) -> Result<String, FileError> {
    let text = if text.trim().is_empty() { HEADER } else { text };
    let mut document: DocumentMut =
        text.parse()
            .map_err(|error: toml_edit::TomlError| FileError {
                path: file.to_owned(),
                line: 1,
                problem: Problem::Syntax {
                    message: error.message().to_owned(),
                },
            })?;
    let Some(new) = new else {
        remove(&mut document, plugin);
        return Ok(document.to_string());
    };
    // In a file that has only comments, toml_edit treats them as the trailer; keep them at the top.
    let mut opening = String::new();
    if document.is_empty() {
        opening = document.trailing().as_str().unwrap_or_default().to_owned();
        opening.truncate(opening.trim_end().len());
        opening.push_str("\n\n");
        document.set_trailing("");
    }
    let entry = document.entry(plugin);
    let item = entry.or_insert_with(|| Item::Table(Table::new()));
    if let Some(table) = item.as_table_like_mut() {
        let before = old.map(items).unwrap_or_default();
        put_all(table, &before, items(new));
        let asked = old.map(|old| &old.asked);
        put_asked(table, asked, &new.asked);
    }
    Ok(format!("{opening}{document}"))
}

/// Sets the values that changed; unchanged ones keep the person's formatting.
fn put_all(
    table: &mut dyn TableLike,
    before: &[(&'static str, Option<Item>)],
    items: impl IntoIterator<Item = (&'static str, Option<Item>)>,
) {
    for (key, item) in items {
        let shown = |item: &Option<Item>| item.as_ref().map(ToString::to_string);
        let old = before.iter().find(|(name, _)| *name == key);
        if old.is_some_and(|(_, old)| shown(old) == shown(&item))
            && table.contains_key(key) == item.is_some()
        {
            continue;
        }
        match item {
            None => {
                table.remove(key);
            }
            Some(Item::Value(mut fresh)) => {
                if let Some(Item::Value(old)) = table.get(key) {
                    *fresh.decor_mut() = old.decor().clone();
                }
                table.insert(key, Item::Value(fresh));
            }
            Some(item) => {
                table.insert(key, item);
            }
        }
    }
}

/// Writes the requested capabilities as a separate table, below the part that a person edits.
fn put_asked(table: &mut dyn TableLike, old: Option<&Capabilities>, new: &Capabilities) {
    if new.is_empty() {
        table.remove(ASKED);
        return;
    }
    let entry = table.entry(ASKED);
    let item = entry.or_insert_with(|| Item::Table(Table::new()));
    if let Some(asked) = item.as_table_like_mut() {
        let before = old.map(Capabilities::items);
        put_all(
            asked,
            before.as_ref().map_or(&[], |items| items),
            new.items(),
        );
    }
}

/// Removes a plugin. Comments directly above it are removed too; those separated by a blank line stay.
fn remove(document: &mut DocumentMut, plugin: &str) {
    let prefix = match document.get(plugin) {
        None => return,
        Some(Item::Table(table)) if !table.is_dotted() && !table.is_implicit() => {
            table.decor().prefix().cloned()
        }
        Some(_) => document
            .key(plugin)
            .and_then(|key| key.leaf_decor().prefix().cloned()),
    };
    let prefix = prefix.and_then(|prefix| prefix.as_str().map(str::to_owned));
    let position = document
        .get(plugin)
        .and_then(Item::as_table)
        .and_then(Table::position);
    document.remove(plugin);
    let prefix = prefix.unwrap_or_default();
    let kept = match prefix.rfind("\n\n") {
        Some(blank) if !prefix[..blank].trim().is_empty() => &prefix[..blank + 1],
        _ => return,
    };
    let next = document
        .iter_mut()
        .filter_map(|(_, item)| item.as_table_mut())
        .filter(|table| table.position() > position)
        .min_by_key(|table| table.position());
    match next {
        Some(table) => {
            let own = table.decor().prefix().and_then(|prefix| prefix.as_str());
            let joined = format!("{kept}{}", own.unwrap_or("\n"));
            table.decor_mut().set_prefix(joined);
        }
        None => {
            let own = document.trailing().as_str().unwrap_or_default();
            let joined = format!("{kept}{own}");
            document.set_trailing(joined);
        }
    }
}
