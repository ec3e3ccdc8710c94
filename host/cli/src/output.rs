//! Printing. Text of guests, sessions and files never reaches a terminal unescaped.

pub(crate) use acreta_service::counted as count;
use acreta_service::learn::Action;
use acreta_service::visible;
use serde::Serialize;

/// Prints one JSON value on stdout, with keys in their own order.
pub(crate) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => anstream::println!("{text}"),
        Err(error) => talk(&format!("the result cannot be printed as JSON: {error}")),
    }
}

/// Prints a line of data.
pub(crate) fn line(text: &str) {
    anstream::println!("{}", visible(text));
}

/// Prints data unchanged: a file, or input for another program.
pub(crate) fn raw(text: &str) {
    anstream::print!("{text}");
}

/// Prints a line for the person on stderr, which is not part of the data.
pub(crate) fn talk(text: &str) {
    anstream::eprintln!("{}", visible(text));
}

pub(crate) fn warn(text: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{style}warning{style:#}: {}", visible(text));
}

/// Prints rows with columns as wide as their widest cell; the last column is not padded.
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

/// Returns the mark of a change of memory in lists.
pub(crate) fn sign(action: Action) -> &'static str {
    match action {
        Action::Add => "+",
        Action::Update => "~",
        Action::NoOp => "=",
        Action::Archive => "-",
    }
}
