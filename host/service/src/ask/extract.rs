//! The passages that answer: of each memory the sentences that share most with the question, the
//! rarer words counting more.

use std::collections::BTreeMap;

use acreta_text::{beginning, is_stop_word, tokens, words};

use crate::ask::{Answer, Passage};

/// A memory that fits less than this share of the best one does not answer.
const FITS: f32 = 0.45;

/// Most sentences of one memory.
const SENTENCES: usize = 3;

/// The answer that memory gives by itself. Every sentence of it is a passage's own.
pub fn extract(question: &str, passages: &[Passage]) -> Answer {
    let best = passages
        .iter()
        .map(|passage| passage.score)
        .fold(0.0, f32::max);
    let asked = weighted(question, passages);
    let mut answer = Answer::default();
    for (index, passage) in passages.iter().enumerate() {
        let shares = words(&format!("{} {}", passage.title, passage.body))
            .any(|word| asked.contains_key(beginning(&word)));
        if passage.score < best * FITS || !shares {
            continue;
        }
        let text = sentences(passage, &asked).join(" ");
        answer.sources.push(index);
        if !answer.text.is_empty() {
            answer.text.push('\n');
        }
        answer.text.push_str(&format!("{text} [{}]", index + 1));
    }
    answer
}

/// The words of the question with their weights: what stands in few passages tells more.
fn weighted(question: &str, passages: &[Passage]) -> BTreeMap<String, f32> {
    let stems = |text: &str| -> Vec<String> {
        tokens(text)
            .iter()
            .map(|word| beginning(word).to_owned())
            .collect()
    };
    let known: Vec<Vec<String>> = passages
        .iter()
        .map(|passage| stems(&format!("{} {}", passage.title, passage.body)))
        .collect();
    tokens(question)
        .iter()
        .filter(|word| !is_stop_word(word))
        .map(|word| {
            let word = beginning(word).to_owned();
            let having = known.iter().filter(|stems| stems.contains(&word)).count();
            (word, 1.0 / (1.0 + having as f32))
        })
        .collect()
}

/// Its title, and the sentences of a memory that answer, in their order.
fn sentences(passage: &Passage, asked: &BTreeMap<String, f32>) -> Vec<String> {
    let split = split(&passage.body);
    let score = |sentence: &str| -> f32 {
        let mut found: Vec<String> = words(sentence)
            .map(|word| beginning(&word).to_owned())
            .collect();
        found.sort();
        found.dedup();
        found.iter().filter_map(|word| asked.get(word)).sum()
    };
    let mut ranked: Vec<(usize, f32)> = split
        .iter()
        .enumerate()
        .map(|(index, sentence)| (index, score(sentence)))
        .filter(|(_, score)| *score > 0.0)
        .collect();
    ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    ranked.truncate(SENTENCES);
    let best = ranked.first().map_or(0.0, |(_, score)| *score);
    let mut chosen: Vec<usize> = ranked
        .into_iter()
        .filter(|(_, score)| *score >= best / 2.0)
        .map(|(index, _)| index)
        .collect();
    chosen.sort_unstable();
    let mut text: Vec<String> = chosen.iter().map(|index| split[*index].clone()).collect();
    // A sentence alone may not say what it is about; the title does.
    let title = finished(&passage.title);
    let known =
        |sentence: &String| sentence.trim_end_matches(['.', '!', '?']) == passage.title.trim();
    text.retain(|sentence| !known(sentence));
    text.insert(0, title);
    text
}

/// Sentences and list items, each on one line.
fn split(body: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let lines = body
        .lines()
        .map(|line| {
            line.trim_start_matches(['-', '*', '#', '>', ' ', '\t'])
                .trim()
        })
        .filter(|line| !line.is_empty());
    for line in lines {
        let mut start = 0;
        for (end, _) in line.match_indices(['.', '!', '?']) {
            let after = &line[end + 1..];
            let starts_anew = after.starts_with(' ')
                && after
                    .trim_start()
                    .starts_with(|next: char| next.is_uppercase() || next == '`');
            if starts_anew {
                sentences.push(line[start..=end].trim().to_owned());
                start = end + 1;
            }
        }
        let rest = line[start..].trim();
        if !rest.is_empty() {
            sentences.push(rest.to_owned());
        }
    }
    sentences
}

fn finished(title: &str) -> String {
    let title = title.trim();
    if title.ends_with(['.', '!', '?']) {
        title.to_owned()
    } else {
        format!("{title}.")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passage(title: &str, body: &str, score: f32) -> Passage {
        Passage {
            id: title.to_owned(),
            title: title.to_owned(),
            body: body.to_owned(),
            score,
        }
    }

    #[test]
    fn the_sentences_that_answer_are_given_with_their_sources() {
        let passages = [
            passage(
                "Use SQLite for the job queue",
                "The queue lives in `state.db`. Redis was too much to run. Retries wait 30 s.",
                9.0,
            ),
            passage("Format with two spaces", "Everywhere.", 1.0),
            passage("The queue drains newest first", "Old sessions wait.", 6.0),
        ];
        let answer = extract("how long do retries of the queue wait?", &passages);
        assert_eq!(answer.sources, [0, 2]);
        assert_eq!(
            answer.text,
            "Use SQLite for the job queue. Retries wait 30 s. [1]\n\
             The queue drains newest first. Old sessions wait. [3]"
        );
        assert_eq!(extract("anything?", &[]), Answer::default());
    }

    proptest! {
        #[test]
        fn every_source_is_one_that_was_given(question in ".{0,80}", bodies in proptest::collection::vec(".{0,120}", 0..6)) {
            let passages: Vec<Passage> = bodies
                .iter()
                .enumerate()
                .map(|(index, body)| passage("Title", body, index as f32))
                .collect();
            let answer = extract(&question, &passages);
            prop_assert!(answer.sources.iter().all(|source| *source < passages.len()));
        }
    }
}
