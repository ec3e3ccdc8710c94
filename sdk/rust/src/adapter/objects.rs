//! Splits lines into records: finds every object in a session file, also where lines are malformed.
//!
//! Finds several objects on one line, joins an object printed over several lines, and limits damage to the damaged
//! record. An unfinished record at the end of the file is left for a later read, so that reading in steps finds the
//! same records as reading at once.

use std::io::Read;

use crate::adapter::Failure;
use crate::lines::{Line, LineReader};
use memchr::memmem;

use crate::adapter::failure;
use crate::adapter::json::{Fault, Scanner, Value};

/// Maximum bytes and lines of one object that is spread over several lines.
const SPREAD_BYTES: usize = 1024 * 1024;
const SPREAD_LINES: usize = 2000;

/// Defines the records of a format.
pub trait Records {
    type Record<'a>;

    /// First bytes of records. Inside a string the quotes would be escaped, so a match is never inside a string.
    const BEGINNINGS: &'static [&'static [u8]];

    /// Reads the object that starts here.
    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Self::Record<'a>, Fault>;

    /// Reports whether this is certainly a record and not a part of one; used after damage.
    fn is_whole(record: &Self::Record<'_>) -> bool;
}

/// Records that are plain objects with a `type`.
pub struct Typed;

impl Records for Typed {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"type\":", b"{\"timestamp\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        record.field("type").is_some()
    }
}

/// Maximum number of offsets in a damaged line that are tried as the start of a record.
const ATTEMPTS: usize = 16;

/// A record or a fault found in the file, with its span.
pub struct ScannedItem<'a, R: Records> {
    pub what: ScannedKind<'a, R>,
    pub start: u64,
    pub end: u64,
}

pub enum ScannedKind<'a, R: Records> {
    Record(Box<R::Record<'a>>),
    /// Unreadable: the reason, and the bytes if they are available.
    Damage(&'static str, &'a [u8]),
    /// Not finished yet; a later read starts here.
    Unfinished,
}

/// Reason why a visitor stops.
pub enum Stop {
    /// It has what it needs.
    Enough,
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

/// Reads to the end of the file and returns the offset at which a later read continues.
pub fn each_object<R: Records>(
    lines: &mut LineReader<impl Read>,
    from: u64,
    mut visit: impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<u64, Stop> {
    let mut resume = from;
    let mut spread: Option<Spread> = None;
    while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
        if let Some(mut open) = spread.take() {
            match open.add(&line, &mut visit)? {
                LineRole::More => {
                    spread = Some(open);
                    continue;
                }
                LineRole::Complete => {
                    resume = line.next;
                    continue;
                }
                LineRole::NotMine => {}
            }
        }
        let Err((at, fault)) = walk_line(&line, &mut visit)? else {
            resume = line.next;
            continue;
        };
        let start = line.start + at as u64;
        if !line.terminated {
            let what = ScannedKind::Unfinished;
            visit(ScannedItem {
                what,
                start,
                end: line.end,
            })?;
            return Ok(start);
        }
        if fault == Fault::Ended {
            spread = Some(Spread::new(&line.bytes[at..], start, line.end));
        } else {
            rescue(&line, at, fault, &mut visit)?;
            resume = line.next;
        }
    }
    if let Some(Spread { start, end, .. }) = spread {
        let what = ScannedKind::Unfinished;
        visit(ScannedItem { what, start, end })?;
        resume = start;
    }
    Ok(resume)
}

/// The offset and fault of the first incomplete object, if there is one.
type WalkResult = Result<(), (usize, Fault)>;

fn walk_line<R: Records>(
    line: &Line<'_>,
    visit: &mut impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<WalkResult, Stop> {
    if !line.oversized {
        return walk(line.bytes, line.start, visit);
    }
    if !line.terminated {
        return Ok(Err((0, Fault::Ended)));
    }
    let what = ScannedKind::Damage("the line is too long", &[]);
    visit(ScannedItem {
        what,
        start: line.start,
        end: line.end,
    })?;
    Ok(Ok(()))
}

/// Visits the objects in `bytes`, which start at `start` in the file.
fn walk<R: Records>(
    bytes: &[u8],
    start: u64,
    visit: &mut impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<WalkResult, Stop> {
    let mut scanner = Scanner::new(bytes);
    while scanner.peek().is_some() {
        let at = scanner.position();
        let what = if scanner.skip_zeroes() > 0 {
            ScannedKind::Damage("bytes of zero between the records", &[])
        } else {
            match R::scan(&mut scanner) {
                Ok(record) => ScannedKind::Record(Box::new(record)),
                Err(fault) => return Ok(Err((at, fault))),
            }
        };
        let end = start + scanner.position() as u64;
        visit(ScannedItem {
            what,
            start: start + at as u64,
            end,
        })?;
    }
    Ok(Ok(()))
}

/// Reports the damage that starts at `from`, and visits the records after it: a writer that crashed in the middle of a
/// record leaves the next one on the same line.
fn rescue<R: Records>(
    line: &Line<'_>,
    from: usize,
    fault: Fault,
    visit: &mut impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let whole =
        places(line.bytes, from, R::BEGINNINGS).find(|&place| is_whole::<R>(&line.bytes[place..]));
    let until = whole.unwrap_or(line.bytes.len());
    let what = ScannedKind::Damage(cause(fault, from), &line.bytes[from..until]);
    let (start, end) = (line.start + from as u64, line.start + until as u64);
    visit(ScannedItem { what, start, end })?;
    // After the damage there is either nothing or a record that was found to be whole.
    walk(&line.bytes[until..], end, visit)?.or(Ok(()))
}

/// Lists the offsets after `from` at which records may begin, in order.
fn places(bytes: &[u8], from: usize, beginnings: &[&[u8]]) -> impl Iterator<Item = usize> + use<> {
    let behind = from + 1;
    let mut places: Vec<usize> = beginnings
        .iter()
        .flat_map(|beginning| {
            memmem::find_iter(&bytes[behind.min(bytes.len())..], beginning).take(ATTEMPTS)
        })
        .map(|place| behind + place)
        .collect();
    places.sort_unstable();
    places.into_iter()
}

fn is_whole<R: Records>(bytes: &[u8]) -> bool {
    let walked = walk::<R>(bytes, 0, &mut |found| match found.what {
        ScannedKind::Record(record) if R::is_whole(&record) => Ok(()),
        _ => Err(Stop::Enough),
    });
    matches!(walked, Ok(Ok(())))
}

fn cause(fault: Fault, from: usize) -> &'static str {
    match fault {
        Fault::Ended => "the object is not closed",
        Fault::EndedInString => "the line ends inside a string",
        Fault::Unexpected(at) if at == from => "not a JSON object",
        Fault::Unexpected(_) => "not valid JSON",
    }
}

/// An object printed over several lines: the first line ends between two tokens, the others are indented, and the last
/// starts with the closing brace.
struct Spread {
    /// The object so far, with spaces in place of line breaks; empty once it exceeds the limit.
    bytes: Vec<u8>,
    lines: usize,
    too_long: bool,
    start: u64,
    end: u64,
}

/// Relation of a line to the object being joined.
enum LineRole {
    /// Continues it.
    More,
    /// Completes it; the object was visited.
    Complete,
    /// Does not belong to it; the damage before this line was visited.
    NotMine,
}

impl Spread {
    fn new(bytes: &[u8], start: u64, end: u64) -> Self {
        let too_long = bytes.len() > SPREAD_BYTES;
        let bytes = if too_long { Vec::new() } else { bytes.to_vec() };
        Self {
            bytes,
            lines: 1,
            too_long,
            start,
            end,
        }
    }

    fn add<R: Records>(
        &mut self,
        line: &Line<'_>,
        visit: &mut impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
    ) -> Result<LineRole, Stop> {
        let closes = line.bytes.first() == Some(&b'}');
        let continues = matches!(line.bytes.first(), None | Some(b' ' | b'\t' | b']'));
        if line.oversized || !(closes || continues) {
            visit(self.damage("the object is not closed"))?;
            return Ok(LineRole::NotMine);
        }
        self.append(line);
        if !closes {
            return Ok(LineRole::More);
        }
        if self.too_long {
            visit(self.damage("the object is spread over too many lines"))?;
            return Ok(LineRole::Complete);
        }
        let mut ignored = |_: ScannedItem<'_, R>| Ok(());
        if !line.terminated && walk(&self.bytes, self.start, &mut ignored)?.is_err() {
            // Nothing is visited: a later read starts with this object again.
            return Ok(LineRole::More);
        }
        let Err((at, fault)) = walk(&self.bytes, self.start, visit)? else {
            return Ok(LineRole::Complete);
        };
        // The text before the fault was already visited.
        self.bytes.drain(..at);
        self.start += at as u64;
        visit(self.damage(cause(fault, at)))?;
        Ok(LineRole::Complete)
    }

    fn append(&mut self, line: &Line<'_>) {
        self.end = line.end;
        self.lines += 1;
        let length = usize::try_from(line.end - self.start).unwrap_or(usize::MAX);
        if self.too_long || length > SPREAD_BYTES || self.lines > SPREAD_LINES {
            self.too_long = true;
            self.bytes = Vec::new();
            return;
        }
        let break_length = length - line.bytes.len() - self.bytes.len();
        self.bytes.extend(std::iter::repeat_n(b' ', break_length));
        self.bytes.extend_from_slice(line.bytes);
    }

    fn damage<R: Records>(&self, problem: &'static str) -> ScannedItem<'_, R> {
        let what = ScannedKind::Damage(problem, &self.bytes);
        ScannedItem {
            what,
            start: self.start,
            end: self.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the spans of the records from an offset on, and where a later read continues.
    fn records(text: &str, from: usize) -> (Vec<(u64, u64)>, u64) {
        let mut found = Vec::new();
        let mut lines = LineReader::new(&text.as_bytes()[from..], from as u64);
        let read = each_object::<Typed>(&mut lines, from as u64, |item| {
            if matches!(item.what, ScannedKind::Record(_)) {
                found.push((item.start, item.end));
            }
            Ok(())
        });
        (found, read.ok().unwrap())
    }

    #[test]
    fn a_read_goes_on_where_the_last_one_ended() {
        let texts = [
            "{\"type\":\"a\"\n }}\n}",
            "{\"type\":\"a\"\n }}\n}{\"type\":\"b\"}\n{\"type\":\"c\"}\n",
            "{\"type\":\"a\"\n} {\"type\":\n{\"type\":\"c\"}\n",
            "{\"type\":\n \"a\"\n}\n{\"type\":\"b\"}{\"type\"",
        ];
        for text in texts {
            let (whole, _) = records(text, 0);
            for cut in 0..=text.len() {
                let (mut first, end) = records(&text[..cut], 0);
                assert_eq!(
                    records(&text[..cut], end as usize),
                    (Vec::new(), end),
                    "{text:?} up to {cut}, again from {end}"
                );
                first.extend(records(text, end as usize).0);
                assert_eq!(first, whole, "{text:?} in two steps, at {cut}");
            }
        }
    }
}
