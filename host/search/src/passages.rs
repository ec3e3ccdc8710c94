//! Cutting a long text into passages of a few sentences. Every word of the text is in exactly one
//! passage, in order; a passage ends at a paragraph, a list item or a sentence where it can.

use crate::weights::{PASSAGE_WORDS, SINGLE_PASSAGE_WORDS};

/// The passages of a text; none for an empty one.
pub(crate) fn split(text: &str) -> Vec<String> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    if word_count(text) <= SINGLE_PASSAGE_WORDS {
        return vec![text.to_owned()];
    }
    let mut passages = Vec::new();
    let mut passage = String::new();
    let mut words = 0;
    for paragraph in paragraphs(text) {
        for (number, sentence) in sentences(paragraph).into_iter().enumerate() {
            let length = word_count(sentence);
            if words > 0 && words + length > PASSAGE_WORDS {
                passages.push(std::mem::take(&mut passage));
                words = 0;
            }
            if !passage.is_empty() {
                passage.push_str(if number == 0 { "\n" } else { " " });
            }
            passage.push_str(sentence);
            words += length;
        }
    }
    if !passage.is_empty() {
        passages.push(passage);
    }
    passages
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Lines, of which each is a paragraph, a list item or a heading in markdown; the empty ones left out.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A paragraph's sentences; one longer than a passage is cut between words.
fn sentences(paragraph: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut words = 0;
    let mut characters = paragraph.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let Some(&(next, following)) = characters.peek() else {
            break;
        };
        if !following.is_whitespace() {
            continue;
        }
        words += 1;
        let ends = matches!(character, '.' | '!' | '?' | '。' | ':' | ';');
        if (ends && offset > start) || words >= PASSAGE_WORDS {
            sentences.push(paragraph[start..next].trim());
            start = next;
            words = 0;
        }
    }
    sentences.push(paragraph[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_one_passage_in_order() {
        let sentence = "The index is a cache, and it is rebuilt when it is damaged. ";
        let endless = "word ".repeat(1000);
        let cases = [
            (String::new(), 0),
            ("  \n ".to_owned(), 0),
            ("Short.".to_owned(), 1),
            (sentence.repeat(10), 1),
            (sentence.repeat(30), 5),
            (
                format!(
                    "# Title\n\n- {}\n- {}",
                    sentence.repeat(8),
                    sentence.repeat(8)
                ),
                3,
            ),
            (endless, 12),
            ("x".repeat(100_000), 1),
        ];
        for (text, count) in cases {
            let passages = split(&text);
            assert_eq!(passages.len(), count, "{}", acreta_text::head(&text, 60));
            let joined = passages.join(" ");
            assert!(joined.split_whitespace().eq(text.split_whitespace()));
            assert!(
                passages
                    .iter()
                    .all(|passage| word_count(passage) <= SINGLE_PASSAGE_WORDS)
            );
        }
    }
}
