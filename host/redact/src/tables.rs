//! Values named by a table: in the column below a header that is the name of a credential, or in the cell after the
//! name. Cells are separated by bars, commas, semicolons or tabs, or aligned by spaces. A value may continue in the
//! next rows, if their other cells are empty.

use std::ops::Range;

use crate::view::RangeSink;
use crate::work;

/// Maximum length of a row, number of rows, and total bytes.
const ROW: usize = 512;
const ROWS: usize = 48;
const TABLE: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableLayout {
    Bars(char),
    /// Commas or semicolons.
    Values(char),
    /// Tabs, escaped with this many backslashes.
    Tabs(usize),
    /// Aligned by spaces; start and end of the column, in characters.
    Aligned(usize, usize),
}

/// Finds the values of the name at `name`, if it is in a table.
pub(crate) fn values(
    text: &str,
    name: &Range<usize>,
    is_value: &dyn Fn(&str) -> bool,
    found: RangeSink<'_>,
) {
    let Some(layout) = layout(text, name) else {
        return;
    };
    let line = line_around(text, name);
    work::did(line.len());
    let header = cells(text, &line, layout);
    let Some(column) = header
        .iter()
        .position(|cell| cell.start <= name.start && name.end <= cell.end)
    else {
        return;
    };
    if header[column].len() > name.len() + 24 || !fits(text, &header, layout) {
        return;
    }
    let rows = rows(text, line.end, layout);
    if matches!(layout, TableLayout::Bars(_))
        && let Some(cell) = header.get(column + 1).filter(|cell| !cell.is_empty())
    {
        let mut pieces = vec![cell.clone()];
        pieces.extend(
            rows.iter()
                .take_while(|row| goes_on(row, column + 1))
                .map(|row| row[column + 1].clone()),
        );
        tell(text, &pieces, is_value, found);
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for row in &rows {
        let Some(cell) = row.get(column).filter(|cell| !cell.is_empty()) else {
            continue;
        };
        if pieces.is_empty() || !goes_on(row, column) {
            tell(text, &pieces, is_value, found);
            pieces.clear();
        }
        pieces.push(cell.clone());
    }
    tell(text, &pieces, is_value, found);
}

/// Reports the pieces of a value: all of them if they form a value together, else the first if it is one.
fn tell(
    text: &str,
    pieces: &[Range<usize>],
    is_value: &dyn Fn(&str) -> bool,
    found: RangeSink<'_>,
) {
    let Some(first) = pieces.first() else {
        return;
    };
    let whole: String = pieces.iter().map(|piece| &text[piece.clone()]).collect();
    if is_value(&whole) {
        pieces.iter().cloned().for_each(found);
    } else if is_value(&text[first.clone()]) {
        found(first.clone());
    }
}

/// Reports whether a row only continues the value in `column`.
fn goes_on(row: &[Range<usize>], column: usize) -> bool {
    row.len() > column
        && row.len() > 1
        && !row[column].is_empty()
        && row
            .iter()
            .enumerate()
            .all(|(index, cell)| index == column || cell.is_empty())
}

/// Reports whether the cells of a header are names, since commas alone may be in any sentence.
fn fits(text: &str, header: &[Range<usize>], layout: TableLayout) -> bool {
    let is_name = |cell: &Range<usize>| {
        let cell = &text[cell.clone()];
        cell.len() <= 40
            && !cell.is_empty()
            && cell
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ' '))
            && cell.split(' ').count() <= 3
    };
    match layout {
        TableLayout::Bars(_) | TableLayout::Aligned(..) => true,
        TableLayout::Values(_) | TableLayout::Tabs(_) => {
            header.len() > 1 && header.iter().all(is_name)
        }
    }
}

/// Determines the layout of the table around a name from the text next to the name.
fn layout(text: &str, name: &Range<usize>) -> Option<TableLayout> {
    let after = text[name.end..].trim_start_matches(['"', '\'', '`', '*']);
    let spaces = after.bytes().take(64).take_while(|it| *it == b' ').count();
    let rest = &after[spaces..];
    let bars = ['|', '│', '┃', '║'];
    if let Some(bar) = rest.chars().next().filter(|it| bars.contains(it)) {
        return Some(TableLayout::Bars(bar));
    }
    let ends = is_break(rest.as_bytes(), 0) > 0 || rest.is_empty();
    if spaces == 0 && !ends {
        match rest.as_bytes() {
            [sign @ (b',' | b';'), ..] => return Some(TableLayout::Values(char::from(*sign))),
            [b'\t', ..] => return Some(TableLayout::Tabs(0)),
            bytes => {
                let escapes = bytes.iter().take(8).take_while(|it| **it == b'\\').count();
                let is_tab = escapes > 0 && bytes.get(escapes) == Some(&b't');
                return is_tab.then_some(TableLayout::Tabs(escapes));
            }
        }
    }
    if spaces >= 2 && !ends {
        return aligned(text, name);
    }
    if !ends {
        return None;
    }
    // The last column.
    let before = text[..name.start].trim_end_matches(['"', '\'', '`', '*']);
    match before.chars().next_back()? {
        sign @ (',' | ';') => Some(TableLayout::Values(sign)),
        '\t' => Some(TableLayout::Tabs(0)),
        't' if before.ends_with("\\t") => {
            let escapes = before[..before.len() - 1].bytes().rev();
            Some(TableLayout::Tabs(
                escapes.take_while(|it| *it == b'\\').count(),
            ))
        }
        ' ' => {
            let inner = before.trim_end_matches(' ');
            match inner.chars().next_back().filter(|it| bars.contains(it)) {
                Some(bar) => Some(TableLayout::Bars(bar)),
                None if before.len() - inner.len() >= 2 && !inner.ends_with('\n') => {
                    aligned(text, name)
                }
                None => None,
            }
        }
        _ => None,
    }
}

fn aligned(text: &str, name: &Range<usize>) -> Option<TableLayout> {
    let line = line_around(text, name);
    let start = text[line.start..name.start].chars().count();
    let rest = &text[name.end..line.end];
    let gap = rest.len() - rest.trim_start_matches(' ').len();
    let end = match rest.trim().is_empty() {
        true => ROW,
        false => start + text[name.clone()].chars().count() + gap,
    };
    Some(TableLayout::Aligned(start, end))
}

/// Returns the line around a place; line breaks may be escaped.
fn line_around(text: &str, place: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let from = place.start.saturating_sub(ROW);
    let start = (from..place.start)
        .rev()
        .find(|at| bytes[*at] == b'\n' || (bytes[*at] == b'n' && *at > 0 && bytes[at - 1] == b'\\'))
        .map_or(text.ceil_char_boundary(from), |at| at + 1);
    // A JSON string starts with its quote.
    let quote = text[start..place.start]
        .rfind("\":\"")
        .map_or(start, |at| start + at + 3);
    let lead = &text[quote..place.start];
    let start = place.start - lead.trim_start_matches(['"', '\\']).len();
    start..line_end(text, place.end)
}

fn line_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let limit = (from + ROW).min(bytes.len());
    let end = (from..limit).find(|at| is_break(bytes, *at) > 0);
    text.floor_char_boundary(end.unwrap_or(limit))
}

/// Returns the length of the line break at `at`: plain, or escaped to any depth.
fn is_break(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'\n') => 1,
        Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => 2,
        Some(b'\\') => {
            let count = bytes[at..]
                .iter()
                .take(8)
                .take_while(|it| **it == b'\\')
                .count();
            match bytes.get(at + count) {
                Some(b'n') => count + 1,
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// Returns the cells of the rows after `end`; lines of a frame are left out.
fn rows(text: &str, end: usize, layout: TableLayout) -> Vec<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let mut rows = Vec::new();
    let mut at = end;
    for _ in 0..ROWS {
        let length = is_break(bytes, at);
        if length == 0 || at > end + TABLE {
            break;
        }
        let start = at + length;
        let stop = line_end(text, start);
        work::did(stop - start);
        at = stop;
        let line = &text[start..stop];
        let is_frame = line
            .chars()
            .all(|it| it.is_whitespace() || "-=+:|".contains(it) || ('─'..='╿').contains(&it));
        if line.trim().is_empty() {
            break;
        }
        if is_frame {
            continue;
        }
        let cells = cells(text, &(start..stop), layout);
        if !matches!(layout, TableLayout::Aligned(..)) && cells.len() < 2 {
            break;
        }
        rows.push(cells);
    }
    rows
}

/// Returns the cells of a line, without the space and quotes around them.
fn cells(text: &str, line: &Range<usize>, layout: TableLayout) -> Vec<Range<usize>> {
    let content = &text[line.clone()];
    let trimmed = |from: usize, cell: &str| {
        let signs = [' ', '\t', '"', '\'', '`', '*', '\\', '\r'];
        let inner = cell.trim_start_matches(signs);
        let start = line.start + from + cell.len() - inner.len();
        start..start + inner.trim_end_matches(signs).len()
    };
    let split = |signs: &str| {
        let mut cells = Vec::new();
        let mut from = 0;
        for (at, sign) in content.match_indices(signs) {
            cells.push(trimmed(from, &content[from..at]));
            from = at + sign.len();
        }
        cells.push(trimmed(from, &content[from..]));
        cells
    };
    match layout {
        TableLayout::Bars(bar) => {
            let mut cells = split(bar.encode_utf8(&mut [0; 4]));
            // A frame has bars on both sides, a database's table only between cells.
            let content = content.trim_matches([' ', '"', '\\', '\r']);
            if content.starts_with(bar) {
                cells.remove(0);
                if content.ends_with(bar) {
                    cells.pop();
                }
            }
            cells
        }
        TableLayout::Values(sign) => split(sign.encode_utf8(&mut [0; 4])),
        TableLayout::Tabs(0) => split("\t"),
        TableLayout::Tabs(escapes) => split(&format!("{}t", "\\".repeat(escapes))),
        TableLayout::Aligned(start, end) => {
            let places: Vec<usize> = content.char_indices().map(|(at, _)| at).collect();
            let place = |column: usize| places.get(column).copied().unwrap_or(content.len());
            let (from, to) = (place(start), place(end));
            if start > 0 && from > 0 && !content[..from].ends_with(' ') {
                return Vec::new();
            }
            let word = content[from..to].split(' ').next().unwrap_or_default();
            // A word longer than its column belongs to another one.
            if from + word.len() == to && to < content.len() && !content[to..].starts_with(' ') {
                return Vec::new();
            }
            vec![trimmed(from, word)]
        }
    }
}
