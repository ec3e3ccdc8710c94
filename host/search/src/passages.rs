//! Cutting a text into passages of a few sentences. Every word of the text is in exactly one passage, in order. A passage
//! ends at a heading, a paragraph, a list item or a sentence where it can, and knows the headings that it stands under.

use crate::weights::{PASSAGE_WORDS, SECTION_WORDS, SINGLE_PASSAGE_WORDS};

/// A few sentences of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    pub text: String,
    /// The headings above it, outermost first; those in its own text are not among them.
    pub heading: String,
    /// Its place among the texts that were given, of which it may be a piece.
    pub part_of: usize,
}

/// The passages of a text; none for an empty one.
pub(crate) fn split(text: &str) -> Vec<Passage> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    let mut cutter = Cutter::default();
    if word_count(text) <= SINGLE_PASSAGE_WORDS {
        cutter.push(text, "");
    } else {
        cutter.cut(text);
    }
    cutter.flush();
    cutter.passages
}

/// The passages of several texts that belong together in this order. Each has at least one.
pub(crate) fn pieces(texts: &[String]) -> Vec<Passage> {
    let of_one = |(part_of, text): (usize, &String)| {
        let mut passages = split(text);
        if passages.is_empty() {
            passages.push(Passage::default());
        }
        passages
            .into_iter()
            .map(move |passage| Passage { part_of, ..passage })
    };
    texts.iter().enumerate().flat_map(of_one).collect()
}

#[derive(Default)]
struct Cutter {
    passages: Vec<Passage>,
    /// The one that grows.
    passage: Passage,
    words: usize,
    /// The headings that what comes next stands under, with their levels.
    headings: Vec<(usize, String)>,
}

impl Cutter {
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

/// The level of a heading in markdown; `None` for any other line.
fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
    is_heading.then_some(level)
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The pieces of a line that end where `ends` says so; one longer than a passage is cut between words.
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
