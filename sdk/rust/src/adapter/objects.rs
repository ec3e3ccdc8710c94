//! From lines to records: finds every object in a session file, also where lines are not what
//! they should be.
//!
//! Several objects on one line are all found, an object printed over several lines is put together,
//! and damage costs only itself. What is unfinished at the end of the file is left for a later read,
//! so that reading in steps finds the same records as reading at once.

use std::io::Read;

use crate::adapter::Failure;
use crate::lines::{Line, LineReader};
use memchr::memmem;

use crate::adapter::failure;
use crate::adapter::json::{Fault, Scanner, Value};

/// Most bytes and lines that one object may be spread over.
const SPREAD_BYTES: usize = 1024 * 1024;
const SPREAD_LINES: usize = 2000;

/// What the records of a format are.
pub trait Records {
    type Record<'a>;

    /// How records begin. Inside a string the quotes would be escaped, so none begins there.
    const BEGINNINGS: &'static [&'static [u8]];

    /// Reads the object that starts here.
    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Self::Record<'a>, Fault>;

    /// Whether this is surely a record and not a part of one: asked of what stands behind damage.
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

/// How many places in a damaged line are tried as the beginning of a record.
const ATTEMPTS: usize = 16;

/// Something found in the file, with its span.
pub struct Found<'a, R: Records> {
    pub what: What<'a, R>,
    pub start: u64,
    pub end: u64,
}

pub enum What<'a, R: Records> {
    Record(Box<R::Record<'a>>),
    /// Cannot be read, and why; with the bytes where they are at hand.
    Damage(&'static str, &'a [u8]),
    /// Not finished yet: a later read starts here.
    Unfinished,
}

/// Why a visitor wants no more.
pub enum Stop {
    /// It has what it wanted.
    Enough,
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

/// Reads to the end of the file and returns the offset to go on from later.
pub fn each_object<R: Records>(
    lines: &mut LineReader<impl Read>,
    from: u64,
    mut visit: impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<u64, Stop> {
    let mut resume = from;
    let mut spread: Option<Spread> = None;
    while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
        if let Some(mut open) = spread.take() {
            match open.add(&line, &mut visit)? {
                Step::More => {
                    spread = Some(open);
                    continue;
                }
                Step::Complete => {
                    resume = line.next;
                    continue;
                }
                Step::NotMine => {}
            }
        }
        let Err((at, fault)) = walk_line(&line, &mut visit)? else {
            resume = line.next;
            continue;
        };
        let start = line.start + at as u64;
        if !line.terminated {
            let what = What::Unfinished;
            visit(Found {
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
        let what = What::Unfinished;
        visit(Found { what, start, end })?;
        resume = start;
    }
    Ok(resume)
}

/// Nothing, or the place of what is no whole object and why.
type Walked = Result<(), (usize, Fault)>;

fn walk_line<R: Records>(
    line: &Line<'_>,
    visit: &mut impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<Walked, Stop> {
    if !line.oversized {
        return walk(line.bytes, line.start, visit);
    }
    if !line.terminated {
        return Ok(Err((0, Fault::Ended)));
    }
    let what = What::Damage("the line is too long", &[]);
    visit(Found {
        what,
        start: line.start,
        end: line.end,
    })?;
    Ok(Ok(()))
}

/// Visits the objects in `bytes`, which stand at `start` in the file.
fn walk<R: Records>(
    bytes: &[u8],
    start: u64,
    visit: &mut impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<Walked, Stop> {
    let mut scanner = Scanner::new(bytes);
    while scanner.peek().is_some() {
        let at = scanner.position();
        let what = if scanner.skip_zeroes() > 0 {
            What::Damage("bytes of zero between the records", &[])
        } else {
            match R::scan(&mut scanner) {
                Ok(record) => What::Record(Box::new(record)),
                Err(fault) => return Ok(Err((at, fault))),
            }
        };
        let end = start + scanner.position() as u64;
        visit(Found {
            what,
            start: start + at as u64,
            end,
        })?;
    }
    Ok(Ok(()))
}

/// Reports the damage that starts at `from`, and visits the records behind it: a writer that died
/// in the middle of a record leaves the next one on the same line.
fn rescue<R: Records>(
    line: &Line<'_>,
    from: usize,
    fault: Fault,
    visit: &mut impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let whole =
        places(line.bytes, from, R::BEGINNINGS).find(|&place| is_whole::<R>(&line.bytes[place..]));
    let until = whole.unwrap_or(line.bytes.len());
    let what = What::Damage(cause(fault, from), &line.bytes[from..until]);
    let (start, end) = (line.start + from as u64, line.start + until as u64);
    visit(Found { what, start, end })?;
    // Behind the damage there is either nothing or what was found to be whole.
    walk(&line.bytes[until..], end, visit)?.or(Ok(()))
}

/// Where records may begin behind `from`, in order.
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
        What::Record(record) if R::is_whole(&record) => Ok(()),
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

/// An object that is printed over several lines: the first ends between two tokens, the others
/// are indented, the last starts with its closing brace.
struct Spread {
    /// The object so far, with spaces in place of line breaks; empty once it is too long.
    bytes: Vec<u8>,
    lines: usize,
    too_long: bool,
    start: u64,
    end: u64,
}

/// What a line is to a spread object.
enum Step {
    /// A part of it.
    More,
    /// Its end; it was visited.
    Complete,
    /// A line of its own; the damage before it was visited.
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
        visit: &mut impl FnMut(Found<'_, R>) -> Result<(), Stop>,
    ) -> Result<Step, Stop> {
        let closes = line.bytes.first() == Some(&b'}');
        let continues = matches!(line.bytes.first(), None | Some(b' ' | b'\t' | b']'));
        if line.oversized || !(closes || continues) {
            visit(self.damage("the object is not closed"))?;
            return Ok(Step::NotMine);
        }
        self.append(line);
        if !closes {
            return Ok(Step::More);
        }
        if self.too_long {
            visit(self.damage("the object is spread over too many lines"))?;
            return Ok(Step::Complete);
        }
        let Err((at, fault)) = walk(&self.bytes, self.start, visit)? else {
            return Ok(Step::Complete);
        };
        // What lies before the fault was visited.
        self.bytes.drain(..at);
        self.start += at as u64;
        if !line.terminated {
            return Ok(Step::More);
        }
        visit(self.damage(cause(fault, at)))?;
        Ok(Step::Complete)
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

    fn damage<R: Records>(&self, problem: &'static str) -> Found<'_, R> {
        let what = What::Damage(problem, &self.bytes);
        Found {
            what,
            start: self.start,
            end: self.end,
        }
    }
}
