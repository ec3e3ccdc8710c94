//! Splits a text into passages of a few sentences. Every word is in exactly one passage, in order. A passage ends at a
//! heading, paragraph, list item or sentence if possible, and knows the headings above it.

use crate::weights::{PASSAGE_WORDS, SECTION_WORDS, SINGLE_PASSAGE_WORDS};

/// A few sentences of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexedPassage {
    pub text: String,
    /// The headings above it, outermost first, without those in its own text.
    pub heading: String,
    /// Index of the given text of which it is a piece.
    pub part_of: usize,
}

/// Splits a text into passages; none for an empty text.
pub(crate) fn split(text: &str) -> Vec<IndexedPassage> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    let mut cutter = PassageSplitter::default();
    if word_count(text) <= SINGLE_PASSAGE_WORDS {
        cutter.push(text, "");
    } else {
        cutter.cut(text);
    }
    cutter.flush();
    cutter.passages
}

/// Splits several consecutive texts. Each has at least one passage.
pub(crate) fn pieces(texts: &[String]) -> Vec<IndexedPassage> {
    let of_one = |(part_of, text): (usize, &String)| {
        let mut passages = split(text);
        if passages.is_empty() {
            passages.push(IndexedPassage::default());
        }
        passages
            .into_iter()
            .map(move |passage| IndexedPassage { part_of, ..passage })
    };
    texts.iter().enumerate().flat_map(of_one).collect()
}

#[derive(Default)]
struct PassageSplitter {
    passages: Vec<IndexedPassage>,
    /// The passage being built.
    passage: IndexedPassage,
    words: usize,
    /// The headings above the next text, with their levels.
    headings: Vec<(usize, String)>,
}

impl PassageSplitter {
    fn cut(&mut self, text: &str) {
        let mut fence = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let marker = ["```", "~~~"]
                .into_iter()
                .find(|marker| line.starts_with(marker));
            let is_code = fence.is_some() || marker.is_some();
            match (fence, marker) {
                (None, Some(marker)) => fence = Some(marker),
                (Some(open), Some(marker)) if open == marker => fence = None,
                _ => {}
            }
            let level = if is_code { None } else { heading_level(line) };
            if let Some(level) = level {
                self.headings.retain(|(above, _)| *above < level);
                if self.words >= SECTION_WORDS {
                    self.flush();
                }
            }
            // A line of code has no sentences.
            let sentences = match is_code {
                true => pieces_of(line, |_| false),
                false => pieces_of(line, |end| {
                    matches!(end, '.' | '!' | '?' | '。' | ':' | ';')
                }),
            };
            for (number, sentence) in sentences.into_iter().enumerate() {
                let length = word_count(sentence);
                if self.words > 0 && self.words + length > PASSAGE_WORDS {
                    self.flush();
                }
                self.push(sentence, if number == 0 { "\n" } else { " " });
                self.words += length;
            }
            if let Some(level) = level {
                let title = line.trim_start_matches('#').trim().to_owned();
                self.headings.push((level, title));
            }
        }
    }

    fn push(&mut self, text: &str, between: &str) {
        if self.passage.text.is_empty() {
            let above: Vec<&str> = self
                .headings
                .iter()
                .map(|(_, title)| title.as_str())
                .collect();
            self.passage.heading = above.join("\n");
        } else {
            self.passage.text.push_str(between);
        }
        self.passage.text.push_str(text);
    }

    fn flush(&mut self) {
        if !self.passage.text.is_empty() {
            self.passages.push(std::mem::take(&mut self.passage));
        }
        self.words = 0;
    }
}

/// Returns the level of a markdown heading; `None` for any other line.
fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
    is_heading.then_some(level)
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Splits a line after the characters that `ends` accepts; pieces longer than a passage are cut between words.
fn pieces_of(line: &str, ends: impl Fn(char) -> bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut words = 0;
    let mut characters = line.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let Some(&(next, following)) = characters.peek() else {
            break;
        };
        if !following.is_whitespace() {
            continue;
        }
        words += 1;
        if (ends(character) && offset > start) || words >= PASSAGE_WORDS {
            pieces.push(line[start..next].trim());
            start = next;
            words = 0;
        }
    }
    pieces.push(line[start..].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENTENCE: &str = "The index is a cache, and it is rebuilt when it is damaged. ";

    #[test]
    fn every_word_is_in_one_passage_in_order() {
        let endless = "word ".repeat(1000);
        let cases = [
            (String::new(), 0),
            ("  \n ".to_owned(), 0),
            ("Short.".to_owned(), 1),
            (SENTENCE.repeat(10), 1),
            (SENTENCE.repeat(30), 5),
            (
                format!(
                    "# Title\n\n- {}\n- {}",
                    SENTENCE.repeat(8),
                    SENTENCE.repeat(8)
                ),
                3,
            ),
            (format!("```\n{}\n```\n# no heading", endless), 13),
            (endless, 12),
            ("x".repeat(100_000), 1),
        ];
        for (text, count) in cases {
            let passages = split(&text);
            assert_eq!(passages.len(), count, "{}", acreta_text::head(&text, 60));
            let texts: Vec<&str> = passages
                .iter()
                .map(|passage| passage.text.as_str())
                .collect();
            let joined = texts.join(" ");
            assert!(joined.split_whitespace().eq(text.split_whitespace()));
            assert!(
                texts
                    .iter()
                    .all(|passage| word_count(passage) <= SINGLE_PASSAGE_WORDS)
            );
        }
    }

    #[test]
    fn passages_follow_headings_and_know_those_above_them() {
        let text = format!(
            "# Guide\n{}\n## Setup\n{}\n### Linux\n{}\n## Use\n{}",
            SENTENCE.repeat(4),
            SENTENCE.repeat(10),
            SENTENCE.repeat(4),
            SENTENCE.repeat(4)
        );
        let found: Vec<(String, String)> = split(&text)
            .into_iter()
            .map(|passage| {
                let start = acreta_text::head(&passage.text, 9).to_owned();
                (start, passage.heading.replace('\n', " > "))
            })
            .collect();
        let expected = [
            ("# Guide\nT", ""),
            ("## Setup\n", "Guide"),
            ("The index", "Guide > Setup"),
            ("### Linux", "Guide > Setup"),
            ("## Use\nTh", "Guide"),
        ];
        assert_eq!(
            found,
            expected.map(|(start, heading)| (start.to_owned(), heading.to_owned()))
        );
    }

    #[test]
    fn pieces_know_the_text_they_are_of() {
        let texts = ["Short.".to_owned(), String::new(), SENTENCE.repeat(30)];
        let parts: Vec<usize> = pieces(&texts).iter().map(|piece| piece.part_of).collect();
        assert_eq!(parts, [0, 1, 2, 2, 2, 2, 2]);
    }
}
