//! Printing. Nothing a guest, a session or a file says reaches a terminal unescaped.

pub(crate) use acreta_service::counted as count;
use acreta_service::learn::Action;
use acreta_service::visible;
use serde::Serialize;

/// One JSON value on stdout, keys in their own order.
pub(crate) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => anstream::println!("{text}"),
        Err(error) => talk(&format!("the result cannot be shown as JSON: {error}")),
    }
}

/// A line of data.
pub(crate) fn line(text: &str) {
    anstream::println!("{}", visible(text));
}

/// Text that is data as a whole, as it is: a file, or what another program reads.
pub(crate) fn raw(text: &str) {
    anstream::print!("{text}");
}

/// A line for the person, not part of the data.
pub(crate) fn talk(text: &str) {
    anstream::eprintln!("{}", visible(text));
}

pub(crate) fn warn(text: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{style}warning{style:#}: {}", visible(text));
}

/// Rows with columns as wide as their widest cell; the last column is not padded.
pub(crate) fn table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        line(cells.join("  ").trim_end());
    }
}

/// How a change of memory is marked in lists.
pub(crate) fn sign(action: Action) -> &'static str {
    match action {
        Action::Add => "+",
        Action::Update => "~",
        Action::NoOp => "=",
        Action::Archive => "-",
    }
}
