//! Answers without a model: one or two whole sentences of the memory that answers, word for word, or of two memories
//! that both do. The answer is empty if none does.

use super::Answer;
use super::judge::JudgedPassage;

/// Maximum number of sentences of an answer.
const SENTENCES: usize = 2;

/// Builds the answer from judged memories, best first. Only the first may answer; the next is quoted beside it if it
/// answers too.
pub fn quote(judged: &[JudgedPassage]) -> Answer {
    let mut answer = Answer::default();
    let mut sentences = 0;
    for one in judged.iter().take_while(|one| one.answers()) {
        sentences += one.quote.len();
        if sentences > SENTENCES {
            break;
        }
        answer.add(&one.quote.join(" "), &[one.passage]);
    }
    answer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Passage, judge};
    use super::*;

    fn passage(title: &str, body: &str, score: f32) -> Passage {
        Passage {
            id: title.to_owned(),
            title: title.to_owned(),
            body: body.to_owned(),
            score,
        }
    }

    fn extract(question: &str, passages: &[Passage]) -> Answer {
        quote(&judge(question, passages, passages.len()))
    }

    fn memory() -> [Passage; 3] {
        [
            passage(
                "Use SQLite for the job queue",
                "The queue lives in `state.db`. Redis was too much to run. Retries wait 30 s.",
                9.0,
            ),
            passage("Format with two spaces", "Everywhere.", 1.0),
            passage("The queue drains newest first", "Old sessions wait.", 6.0),
        ]
    }

    #[test]
    fn the_sentences_that_answer_are_quoted_whole() {
        let cases = [
            ("retries wait", "Retries wait 30 s. [1]"),
            ("which file does the queue live in?", ""),
            ("who maintains the job queue?", ""),
            ("which version of SQLite does the queue use?", ""),
            ("how is the coffee machine cleaned?", ""),
            ("", ""),
        ];
        for (question, expected) in cases {
            let answer = extract(question, &memory());
            assert!(
                answer.text.contains(expected),
                "{question}: {}",
                answer.text
            );
            assert_eq!(
                answer.text.is_empty(),
                expected.is_empty(),
                "{question}: {}",
                answer.text
            );
        }
        assert_eq!(extract("anything?", &[]), Answer::default());
    }

    proptest! {
        #[test]
        fn an_answer_is_made_of_sentences_of_its_sources(question in ".{0,80}", bodies in proptest::collection::vec(".{0,120}", 0..6)) {
            let passages: Vec<Passage> = bodies
                .iter()
                .enumerate()
                .map(|(index, body)| passage("Title", body, index as f32))
                .collect();
            let answer = extract(&question, &passages);
            prop_assert!(answer.sources.iter().all(|source| *source < passages.len()));
            prop_assert_eq!(answer.text.is_empty(), answer.sources.is_empty());
        }
    }
}
