//! The text for an agent: one line for each memory with its short id and trust, quoted as data, within a token budget.

use acreta_store::Memory;
use acreta_text::count_tokens;

use crate::find::short_ids::ShortIds;
use crate::recall::brief::{self, BriefCandidate};

/// Maximum number of tokens at one moment.
const TOKENS: usize = 200;

/// Maximum number of memories at one moment.
pub(crate) const MOST: usize = 3;

/// Maximum characters of a memory's line without its id.
const LINE: usize = 150;

/// A memory and its line.
pub(crate) struct RecallLine {
    pub(crate) id: String,
    text: String,
}

/// Formats `- pitfall: Title. First sentence. (7K2M9Q4X, grounded)`.
pub(crate) fn line(memory: &Memory, short: &ShortIds) -> RecallLine {
    let candidate = BriefCandidate::new(memory, short, None);
    let said = brief::statement(&candidate, LINE);
    let (id, trust) = (&candidate.short_id, memory.trust().name());
    RecallLine {
        text: format!("{said} ({id}, {trust})"),
        id: candidate.id,
    }
}

/// Returns the first lines that fit below a heading, and their tokens.
pub(crate) fn fitting(heading: &str, lines: Vec<RecallLine>) -> (Vec<RecallLine>, usize) {
    let mut tokens = count_tokens(&brief::enclosed(heading));
    let mut fitting = Vec::new();
    for line in lines {
        let more = count_tokens(&format!("{}\n", line.text));
        if tokens + more <= TOKENS && fitting.len() < MOST {
            tokens += more;
            fitting.push(line);
        }
    }
    (fitting, tokens)
}

pub(crate) fn text(heading: &str, lines: &[RecallLine]) -> String {
    let lines = lines.iter().map(|line| line.text.as_str());
    let lines: Vec<&str> = std::iter::once(heading).chain(lines).collect();
    brief::enclosed(&lines.join("\n"))
}
