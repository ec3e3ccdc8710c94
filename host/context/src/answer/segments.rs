//! Which parts of a file a query is about: the innermost function, type or class around its words,
//! with its lines. Prose is divided by its headings, and what has neither into pieces of a few lines.

use std::collections::HashMap;

use acreta_symbols::{Symbol, SymbolKind};
use acreta_text::head;

use crate::answer::response::Segment;
use crate::rank::query::Query;
use crate::rank::terms;

/// Segments of one file that are named.
const MOST_SEGMENTS: usize = 3;
/// A segment that has less than this share of the best one's score is left out.
const SHARE: f64 = 0.35;
/// Lines of a segment that nothing declares.
const PIECE_LINES: usize = 20;
/// What such lines count in a file that declares something: most are imports.
const UNDECLARED: f64 = 0.4;
/// The longest heading that is named, in bytes.
const HEADING_BYTES: usize = 120;

/// The words of a query with what each is worth.
pub(crate) type Worth = HashMap<u32, f64>;

/// One matching file.
pub(crate) struct Matched<'a> {
    pub(crate) path: &'a str,
    pub(crate) symbols: &'a [Symbol],
    /// Its content, if it is still what the symbols were found in.
    pub(crate) text: Option<&'a [u8]>,
}

/// The segments of a file that a query is about, the likeliest first.
pub(crate) fn find(file: &Matched<'_>, query: &Query, worth: &Worth) -> Vec<Segment> {
    let mut parts: Vec<Part> = file.symbols.iter().filter_map(Part::of_symbol).collect();
    let declared = parts.len();
    let most = worth.values().copied().fold(0.0, f64::max);
    for part in &mut parts {
        part.score = named(part.segment.name.as_deref().unwrap_or_default(), query) * most;
    }
    if let Some(text) = file.text {
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let mut owner = owners(&parts, &lines);
        add_undeclared(file.path, &lines, &mut owner, &mut parts);
        add_words(&lines, &owner, worth, &mut parts);
        if declared > 0 {
            for part in &mut parts[declared..] {
                part.score *= UNDECLARED;
            }
        }
    }
    parts.retain(|part| part.score > 0.0);
    parts.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(left.segment.line.cmp(&right.segment.line))
    });
    let least = parts.first().map_or(0.0, |part| part.score * SHARE);
    parts
        .into_iter()
        .take_while(|part| part.score >= least)
        .take(MOST_SEGMENTS)
        .map(|part| part.segment)
        .collect()
}

struct Part {
    segment: Segment,
    score: f64,
}

impl Part {
    /// Modules are as good as whole files, and say nothing about where to look.
    fn of_symbol(symbol: &Symbol) -> Option<Self> {
        (symbol.kind != SymbolKind::Module).then(|| Self {
            segment: Segment {
                name: Some(symbol.name.clone()),
                parent: symbol.parent.clone(),
                kind: symbol.kind.name().to_owned(),
                line: symbol.line,
                end_line: symbol.end_line.max(symbol.line),
            },
            score: 0.0,
        })
    }

    fn lines(kind: &str, name: Option<String>, line: usize, end_line: usize) -> Self {
        Self {
            segment: Segment {
                name,
                parent: None,
                kind: kind.to_owned(),
                line: line as u32,
                end_line: end_line as u32,
            },
            score: 0.0,
        }
    }

    fn length(&self) -> u32 {
        self.segment.end_line - self.segment.line + 1
    }
}

/// How much of a name the query says.
fn named(name: &str, query: &Query) -> f64 {
    let written = query.identifiers.get(name).copied().unwrap_or(0.0);
    let (mut value, mut parts) = (written * 4.0, 0.0);
    terms::words(name.as_bytes(), |word| {
        parts += 1.0;
        let word = terms::hash(word);
        let known = query.words.iter().find(|(known, _)| *known == word);
        value += known.map_or(0.0, |(_, weight)| *weight);
    });
    let value = value / f64::max(parts, 1.0);
    // A name that shares one word of several with the query is shared by many.
    if value >= 1.0 { value } else { 0.0 }
}

/// For each line the shortest part around it. What is written right above a part is about it.
fn owners(parts: &[Part], lines: &[&[u8]]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(parts[*index].length()));
    let mut owner = vec![None; lines.len()];
    for index in order {
        let segment = &parts[index].segment;
        let end = (segment.end_line as usize).min(lines.len());
        let start = (segment.line.saturating_sub(1) as usize).min(end);
        let above = lines[..start]
            .iter()
            .rev()
            .take_while(|line| is_remark(line));
        let start = start - above.count();
        owner[start..end].fill(Some(index));
    }
    owner
}

/// A line of a comment, an attribute or a decorator, as far as its beginning tells.
fn is_remark(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    let begins: [&[u8]; 5] = [b"//", b"#", b"/*", b"*", b"@"];
    begins.iter().any(|begin| text.starts_with(begin))
}

/// Parts for the lines that no symbol has: sections of prose, or pieces of a few lines.
fn add_undeclared(path: &str, lines: &[&[u8]], owner: &mut [Option<usize>], parts: &mut Vec<Part>) {
    if path.ends_with(".md") || path.ends_with(".markdown") {
        let starts: Vec<usize> = headings(lines);
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let text = String::from_utf8_lossy(lines[start]);
            let heading = text.strip_prefix('#').unwrap_or_default();
            let heading = heading.trim_start_matches('#').trim();
            let name = (!heading.is_empty()).then(|| head(heading, HEADING_BYTES).to_owned());
            owner[start..end].fill(Some(parts.len()));
            parts.push(Part::lines("section", name, start + 1, end));
        }
        return;
    }
    let mut at = 0;
    while at < lines.len() {
        let free = owner[at..].iter().take(PIECE_LINES);
        let length = free.take_while(|owner| owner.is_none()).count();
        if length > 0 {
            owner[at..at + length].fill(Some(parts.len()));
            parts.push(Part::lines("lines", None, at + 1, at + length));
        }
        at += length.max(1);
    }
}

/// Where headings of markdown stand; the first line counts as one, fenced code does not.
fn headings(lines: &[&[u8]]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut is_fenced = false;
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with(b"```") {
            is_fenced = !is_fenced;
        } else if !is_fenced && line.starts_with(b"#") && index > 0 {
            starts.push(index);
        }
    }
    starts
}

/// Adds what the words of each part's own lines are worth.
fn add_words(lines: &[&[u8]], owner: &[Option<usize>], worth: &Worth, parts: &mut [Part]) {
    const SATURATION: f64 = 1.2;
    const USUAL_LINES: f64 = 25.0;
    let mut counts: HashMap<(usize, u32), f64> = HashMap::new();
    let mut lengths = vec![0.0; parts.len()];
    // A query has a few words, a file thousands: a short list is searched faster than a map.
    let known: Vec<u32> = worth.keys().copied().collect();
    for (line, owner) in lines.iter().zip(owner) {
        let Some(owner) = *owner else {
            continue;
        };
        lengths[owner] += 1.0;
        terms::words(line, |word| {
            let word = terms::hash(word);
            if known.contains(&word) {
                *counts.entry((owner, word)).or_default() += 1.0;
            }
        });
    }
    // Sums of floats depend on their order.
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(key, _)| *key);
    for ((owner, word), count) in counts {
        let long = SATURATION * (0.5 + 0.5 * lengths[owner] / USUAL_LINES);
        let worth = worth.get(&word).copied().unwrap_or(0.0);
        parts[owner].score += worth * count * (SATURATION + 1.0) / (count + long);
    }
}
