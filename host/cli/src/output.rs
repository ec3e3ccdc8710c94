//! Printing. Text of guests, sessions and files never reaches a terminal unescaped.

use std::fmt::{Arguments, Write as _};
use std::io::{self, IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use acreta_service::Failure;
pub(crate) use acreta_service::counted as count;
use acreta_service::learn::one_file::Action;
use acreta_service::{Environment, is_hidden, visible};
use anstyle::Style;
use serde::Serialize;

/// Why stdout could not be written: a full disk, for example. The work is done nevertheless, and `main` reports it.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Fails if something could not be printed. A reader that went away, as `head` does, wants no more and is no failure.
pub(crate) fn check_printed() -> Result<(), Failure> {
    match UNWRITTEN.get() {
        Some(cause) => Err(
            Failure::saying(format!("the output could not be written: {cause}"))
                .hint("write it elsewhere; the command itself is done"),
        ),
        None => Ok(()),
    }
}

fn print(text: Arguments<'_>) {
    note(anstream::stdout().write_fmt(text));
}

fn note(printed: io::Result<()>) {
    if let Err(error) = printed
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        UNWRITTEN.get_or_init(|| error.to_string());
    }
}

/// Prints on stderr. There is nowhere to report that it cannot be written.
pub(crate) fn print_error(text: Arguments<'_>) {
    let _ = anstream::stderr().write_fmt(text);
}

/// Prints one JSON value on stdout, with keys in their own order.
pub(crate) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => json_text(&text),
        Err(error) => talk(&format!("the result cannot be printed as JSON: {error}")),
    }
}

/// Prints a line of JSON on stdout.
pub(crate) fn json_text(text: &str) {
    print(format_args!("{}\n", escaped_json(text)));
}

/// Escapes characters of JSON that would change a terminal; the value stays the same.
pub(crate) fn escaped_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        // JSON has such characters in strings alone, and none of ASCII but line breaks between values.
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Prints a line of data.
pub(crate) fn line(text: &str) {
    print(format_args!("{}\n", visible(text)));
}

/// Lines that are read from the top: at a terminal they go through the program that `PAGER` names, or `less`.
pub(crate) struct Pages {
    out: Box<dyn Write>,
    pager: Option<Child>,
    is_closed: bool,
}

impl Pages {
    pub(crate) fn open(environment: &Environment) -> Self {
        let stdout = io::stdout();
        let pager = stdout
            .is_terminal()
            .then(|| start_pager(environment))
            .flatten();
        let choice = anstream::AutoStream::choice(&stdout);
        let (out, pager): (Box<dyn Write>, _) = match pager {
            Some((child, input)) => (
                Box::new(anstream::AutoStream::new(
                    Box::new(input) as Box<dyn Write>,
                    choice,
                )),
                Some(child),
            ),
            None => (Box::new(anstream::stdout().lock()), None),
        };
        Self {
            out,
            pager,
            is_closed: false,
        }
    }

    /// Prints a line of data; of a text of several lines only the first has the style.
    pub(crate) fn line(&mut self, style: Style, text: &str) {
        if self.is_closed {
            return;
        }
        let text = visible(text);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let rest = if rest.is_empty() {
            String::new()
        } else {
            format!("{rest}\n")
        };
        let printed = writeln!(self.out, "{style}{first}{style:#}")
            .and_then(|()| self.out.write_all(rest.as_bytes()));
        if let Err(error) = printed {
            self.is_closed = true;
            note(Err(error));
        }
    }

    /// Returns whether the reader went away.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Waits until the person has read it.
    pub(crate) fn close(mut self) {
        if !self.is_closed {
            note(self.out.flush());
        }
        drop(self.out);
        if let Some(mut pager) = self.pager {
            let _ = pager.wait();
        }
    }
}

/// Starts the pager; `None` if there is none, or none is wanted.
fn start_pager(environment: &Environment) -> Option<(Child, ChildStdin)> {
    let named = environment
        .get("PAGER")
        .map_or("less", |named| named.trim());
    let mut words = named.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if !environment.contains_key("LESS") {
        // Colours, no pager for what fits the screen, and Ctrl-C ends both.
        command.env("LESS", "FRXK");
    }
    let mut child = command.spawn().ok()?;
    let input = child.stdin.take()?;
    Some((child, input))
}

/// Prints a file, or input for another program: unchanged, except at a terminal.
pub(crate) fn raw(text: &str) {
    let mut out = io::stdout();
    let shown = out.is_terminal().then(|| visible(text));
    let printed = out.write_all(shown.as_deref().unwrap_or(text).as_bytes());
    note(printed.and_then(|()| out.flush()));
}

/// Writes text to a terminal: characters that would change it are escaped, and bytes that are not UTF-8 replaced.
pub(crate) struct VisibleWriter<W> {
    inner: W,
    /// Beginning of a character whose end is not written yet.
    rest: Vec<u8>,
}

impl<W: Write> VisibleWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self {
            inner,
            rest: Vec::new(),
        }
    }
}

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let unfinished = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let rest = self.rest.split_off(unfinished);
        let text = String::from_utf8_lossy(&self.rest);
        self.inner.write_all(visible(&text).as_bytes())?;
        self.rest = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Prints a line for the person on stderr, which is not part of the data.
pub(crate) fn talk(text: &str) {
    print_error(format_args!("{}\n", visible(text)));
}

pub(crate) fn warn(text: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    print_error(format_args!("{style}warning{style:#}: {}\n", visible(text)));
}

/// Prints a line of data that begins with an id, which has a colour on a terminal.
pub(crate) fn line_of_id(id: &str, text: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default();
    print(format_args!(
        "{style}{}{style:#}  {}\n",
        visible(id),
        visible(text)
    ));
}

/// Prints rows with columns as wide as their widest cell; the last column is not padded. A cell is one line, whatever
/// it names.
pub(crate) fn table(rows: &[Vec<String>]) {
    for cells in aligned(rows) {
        line(cells.join("  ").trim_end());
    }
}

/// Prints a table whose first column has ids.
pub(crate) fn table_of_ids(rows: &[Vec<String>]) {
    for cells in aligned(rows) {
        let (id, rest) = cells.split_at(1);
        line_of_id(&id.concat(), rest.join("  ").trim_end());
    }
}

fn aligned(rows: &[Vec<String>]) -> impl Iterator<Item = Vec<String>> {
    let in_one_line = |cell: &String| cell.replace('\n', "\\n").replace('\t', "\\t");
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(in_one_line).collect())
        .collect();
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
    rows.into_iter().map(move |row| {
        let cells = row.iter().zip(&widths);
        cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_character_that_changes_it() {
        let table: [(&[&[u8]], &str); 4] = [
            (
                &["a\u{9b}31m\u{202e}b\n".as_bytes()],
                "a\\u{9b}31m\\u{202e}b\n",
            ),
            (&[b"caf\xc3", b"\xa9"], "caf\u{e9}"),
            (&[b"\xc2", b"\x9b"], "\\u{9b}"),
            (&[b"x\xffy"], "x\u{fffd}y"),
        ];
        for (parts, expected) in table {
            let mut writer = VisibleWriter::new(Vec::new());
            for part in parts {
                writer.write_all(part).unwrap();
            }
            assert_eq!(String::from_utf8(writer.inner).unwrap(), expected);
        }
    }
}
