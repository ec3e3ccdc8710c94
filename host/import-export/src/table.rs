//! Converts rows of a table to sentences: each cell under the name of its column, so that a row is complete by itself.

use crate::text::in_one_line;

pub(crate) fn cells(row: &str) -> Vec<String> {
    row.trim()
        .trim_matches('|')
        .split('|')
        .map(in_one_line)
        .collect()
}

/// Reports whether a row is the line under the names of the columns.
pub(crate) fn is_ruler(row: &str) -> bool {
    row.contains('-')
        && row
            .chars()
            .all(|character| matches!(character, '|' | '-' | ':' | ' ' | '\t'))
}

/// Renders `Column: cell; Column: cell`; cells without a column's name are alone, empty ones are left out.
pub(crate) fn row_text(row: &[String], columns: &[String]) -> String {
    let named = |(index, cell): (usize, &String)| match columns.get(index) {
        Some(name) if !name.is_empty() => format!("{name}: {cell}"),
        _ => cell.clone(),
    };
    row.iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty())
        .map(named)
        .collect::<Vec<_>>()
        .join("; ")
}
