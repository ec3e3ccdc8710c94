//! Finds the parts of a file that match a query: the innermost function, type or class around the matching words. Prose
//! is divided by headings, other files into pieces of a few lines.

use std::collections::HashMap;

use acreta_symbols::{Symbol, SymbolKind};
use acreta_text::head;

use crate::answer::response::Segment;
use crate::rank::query::TaskQuery;
use crate::rank::terms;

/// Maximum number of segments per file.
const MOST_SEGMENTS: usize = 3;
/// Segments below this share of the best score are left out.
const SHARE: f64 = 0.35;
/// Lines per segment outside of any declaration.
const PIECE_LINES: usize = 20;
/// Factor for such lines in a file that has declarations: most of them are imports.
const UNDECLARED: f64 = 0.4;
/// Maximum length of a heading used as a name, in bytes.
const HEADING_BYTES: usize = 120;

/// The words of a query with the weight of each.
pub(crate) type WordWeights = HashMap<u32, f64>;

/// A file that matches the query.
pub(crate) struct MatchedFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) symbols: &'a [Symbol],
    /// The file's content, if it is still the one in which the symbols were found.
    pub(crate) text: Option<&'a [u8]>,
}

/// Returns the segments of a file that match a query, best first.
pub(crate) fn find(file: &MatchedFile<'_>, query: &TaskQuery, worth: &WordWeights) -> Vec<Segment> {
    let mut parts: Vec<ScoredSegment> = file
        .symbols
        .iter()
        .filter_map(ScoredSegment::of_symbol)
        .collect();
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

struct ScoredSegment {
    segment: Segment,
    score: f64,
}

impl ScoredSegment {
    /// Returns `None` for modules: they span whole files and do not narrow the search.
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

/// Scores how much of a name occurs in the query.
fn named(name: &str, query: &TaskQuery) -> f64 {
    let written = query.identifiers.get(name).copied().unwrap_or(0.0);
    let (mut value, mut parts) = (written * 4.0, 0.0);
    terms::words(name.as_bytes(), |word| {
        parts += 1.0;
        let word = terms::hash(word);
        let known = query.words.iter().find(|(known, _)| *known == word);
        value += known.map_or(0.0, |(_, weight)| *weight);
    });
    let value = value / f64::max(parts, 1.0);
    // A single shared word out of several is too common to count.
    if value >= 1.0 { value } else { 0.0 }
}

/// Returns the shortest part around each line. Comments and attributes right above a part belong to it.
fn owners(parts: &[ScoredSegment], lines: &[&[u8]]) -> Vec<Option<usize>> {
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

/// Reports whether a line looks like a comment, an attribute or a decorator, judging by its start.
fn is_remark(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    let begins: [&[u8]; 5] = [b"//", b"#", b"/*", b"*", b"@"];
    begins.iter().any(|begin| text.starts_with(begin))
}

/// Adds parts for lines outside of any symbol: sections of prose, or pieces of a few lines.
fn add_undeclared(
    path: &str,
    lines: &[&[u8]],
    owner: &mut [Option<usize>],
    parts: &mut Vec<ScoredSegment>,
) {
    if path.ends_with(".md") || path.ends_with(".markdown") {
        let starts: Vec<usize> = headings(lines);
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let text = String::from_utf8_lossy(lines[start]);
            let heading = text.strip_prefix('#').unwrap_or_default();
            let heading = heading.trim_start_matches('#').trim();
            let name = (!heading.is_empty()).then(|| head(heading, HEADING_BYTES).to_owned());
            owner[start..end].fill(Some(parts.len()));
            parts.push(ScoredSegment::lines("section", name, start + 1, end));
        }
        return;
    }
    let mut at = 0;
    while at < lines.len() {
        let free = owner[at..].iter().take(PIECE_LINES);
        let length = free.take_while(|owner| owner.is_none()).count();
        if length > 0 {
            owner[at..at + length].fill(Some(parts.len()));
            parts.push(ScoredSegment::lines("lines", None, at + 1, at + length));
        }
        at += length.max(1);
    }
}

/// Returns the lines of markdown headings. The first line counts as one; fenced code is skipped.
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

/// Adds the weights of query words in each part's own lines to its score.
fn add_words(
    lines: &[&[u8]],
    owner: &[Option<usize>],
    worth: &WordWeights,
    parts: &mut [ScoredSegment],
) {
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
    // Float sums depend on the order, so it is fixed.
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(key, _)| *key);
    for ((owner, word), count) in counts {
        let long = SATURATION * (0.5 + 0.5 * lengths[owner] / USUAL_LINES);
        let worth = worth.get(&word).copied().unwrap_or(0.0);
        parts[owner].score += worth * count * (SATURATION + 1.0) / (count + long);
    }
}
