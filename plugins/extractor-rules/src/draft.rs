//! A memory in the making, and the gate it passes: short, self-contained, finished, with evidence.
//! What does not read as a memory never becomes a [`Draft`].

use std::collections::BTreeSet;

use acreta_sdk::extractor::Evidence;

use crate::phrases::{Folded, Phrases, phrases};
use crate::title::title;
use crate::verbs::is_statement;

/// What a memory would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Category {
    Decision,
    /// A learning of the named kind.
    Learning(&'static str),
}

/// Where a draft comes from; ranks and caps depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Person,
    Brief,
    Agent,
    Command,
}

/// A proposed memory with what speaks for it.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// Position of the first evidence in the trace; with `place` it makes the id.
    pub(crate) order: u64,
    pub(crate) place: usize,
    pub(crate) category: Category,
    pub(crate) source: Source,
    pub(crate) title: String,
    pub(crate) body: String,
    /// 0 to 1.
    pub(crate) score: f32,
    pub(crate) evidence: Vec<Evidence>,
    /// The words of title and body.
    pub(crate) subject: BTreeSet<String>,
}

/// What a draft is made from.
pub(crate) struct Material {
    pub(crate) order: u64,
    pub(crate) place: usize,
    pub(crate) category: Category,
    pub(crate) source: Source,
    /// The sentence that becomes the title; empty to take it from the first of `sentences`.
    pub(crate) title: String,
    /// Finished sentences, the most important first; those that do not fit are left out.
    pub(crate) sentences: Vec<String>,
    /// What stands behind it, for a body that would only repeat the title.
    pub(crate) backing: String,
    pub(crate) score: f32,
    pub(crate) evidence: Vec<Evidence>,
}

impl Draft {
    /// The draft, if it reads as a memory.
    pub(crate) fn new(material: Material) -> Option<Self> {
        let evidence: Vec<Evidence> = material
            .evidence
            .into_iter()
            .filter(|one| !one.quote.trim().is_empty())
            .collect();
        let lead = if material.title.is_empty() {
            // A fragment leaves the word to the sentence after it.
            let mut leads = material.sentences.iter().take(2);
            leads.find(|lead| is_statement(lead))?
        } else {
            &material.title
        };
        let title = title(lead)?;
        let body = body(&title, &material.sentences, &material.backing)?;
        let readable = !evidence.is_empty()
            && !is_unsafe(&title)
            && !is_unsafe(&body)
            && is_english(&format!("{title}. {body}"));
        readable.then(|| Self {
            order: material.order,
            place: material.place,
            category: material.category,
            source: material.source,
            subject: acreta_text::tokens(&format!("{title} {body}")),
            title,
            body,
            score: material.score.clamp(0.0, 0.97),
            evidence,
        })
    }

    /// How much two drafts say the same, 0 to 1.
    pub(crate) fn overlap(&self, other: &Self) -> f64 {
        let shared = self.subject.intersection(&other.subject).count();
        let smaller = self.subject.len().min(other.subject.len()).max(1);
        acreta_text::jaccard(&self.subject, &other.subject)
            .max(0.8 * shared as f64 / smaller as f64)
    }
}

/// One to three finished sentences that say more than the title; a first one that is the title is
/// left out.
fn body(title: &str, sentences: &[String], backing: &str) -> Option<String> {
    let said = acreta_text::tokens(title);
    let news = |sentence: &str, lead: bool| {
        // What a title leaves out of its own sentence is worth saying.
        let cut = lead && sentence.chars().count() > title.chars().count() + LONGEST_ENDING;
        let mut words = acreta_text::tokens(sentence);
        words.retain(|word| word.len() > 2 && !EMPTY.contains(word));
        let new = words.difference(&said).count();
        new >= MOST_REPEATED.max(words.len() / 5) || (cut && new > 0)
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut length = title.chars().count();
    let reason = sentences.first().and_then(|lead| reason_after(title, lead));
    for (place, sentence) in sentences.iter().enumerate() {
        let sentence = match &reason {
            Some(reason) if place == 0 => reason,
            _ => sentence,
        };
        let first = kept.is_empty();
        let follows = news(sentence, place == 0) && !is_pasted(sentence);
        let size = sentence.chars().count() + 1;
        if follows && is_finished(sentence) && length + size <= LONGEST && kept.len() < MOST {
            length += size;
            kept.push(sentence);
        } else if first && follows && place > 0 {
            return None;
        }
    }
    let words = |kept: &[&str]| Folded::of(&kept.join(" ")).word_count();
    if words(&kept) < FEWEST_WORDS && !backing.is_empty() {
        kept.push(backing);
    }
    (words(&kept) >= FEWEST_WORDS).then(|| kept.join(" "))
}

/// The reason that a sentence gives after the part of it that is the title.
fn reason_after(title: &str, sentence: &str) -> Option<String> {
    let rest = sentence
        .strip_prefix(title)?
        .trim_start_matches([',', ';', ' ']);
    let reason = rest
        .strip_prefix("because ")
        .or_else(|| rest.strip_prefix("since "))?;
    (reason.split_whitespace().count() >= 4).then(|| format!("The reason is that {reason}"))
}

/// Whether a sentence ends like one and nothing in it is cut or left open.
fn is_finished(sentence: &str) -> bool {
    sentence.ends_with(['.', '"', '!'])
        && !sentence.contains(['…', '\n', '→', '|'])
        && !sentence.contains("...")
        && ![", why ", ", how ", "? "]
            .iter()
            .any(|mark| sentence.contains(mark))
        && sentence.matches('`').count().is_multiple_of(2)
        && sentence.matches('(').count() == sentence.matches(')').count()
}

/// Whether a sentence is code and hardly a word.
fn is_pasted(sentence: &str) -> bool {
    let spoken: Vec<&str> = sentence.split('`').step_by(2).collect();
    Folded::of(&spoken.join(" ")).word_count() < 3
}

/// Whether a text is written in English, as far as its letters and its small words tell.
fn is_english(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (mut plain, mut all) = (0_usize, 0_usize);
    for letter in letters {
        all += 1;
        plain += usize::from(letter.is_ascii());
    }
    plain * 100 >= all * 95 && Folded::of(text).any(SMALL_WORDS)
}

const SMALL_WORDS: Phrases = phrases!(
    "the|a|an|to|of|is|are|be|not|for|with|and|in|on|it|we|should|must|never|always|that|from|\
     by|or|when|instead|no|use|works|does|has|only|as",
);

/// Words that say nothing new.
const EMPTY: Phrases = phrases!("should|would|could|must|user|agent|let|lets|the|and|for|now");

/// A sentence that is longer than its title by no more than this is the title.
const LONGEST_ENDING: usize = 12;
/// New words a body needs beside its title.
const MOST_REPEATED: usize = 2;
const MOST: usize = 3;
const FEWEST_WORDS: usize = 5;
/// Title and body together.
const LONGEST: usize = 480;

/// A quote of an event, short enough to cite.
pub(crate) fn quote(event_id: &str, text: &str) -> Evidence {
    Evidence {
        event_id: event_id.to_owned(),
        quote: acreta_text::head(text.trim(), LONGEST_QUOTE)
            .trim_end()
            .to_owned(),
    }
}

const LONGEST_QUOTE: usize = 290;

/// Secrets, encoded data and mangled text stay out of memory whatever they prove.
pub(crate) fn is_unsafe(text: &str) -> bool {
    let secret = [
        "sk-",
        "ghp_",
        "AKIA",
        "-----BEGIN",
        "xoxb-",
        "eyJ",
        "Bearer ",
        "password=",
        "token=",
    ]
    .iter()
    .any(|mark| text.contains(mark));
    let encoded = text.split_whitespace().any(|word| {
        word.len() > 60
            && !word.contains('/')
            && word.chars().all(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '+' | '=' | '-' | '_')
            })
    });
    secret || encoded || text.contains('\u{fffd}') || text.contains("REDACTED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_pass() {
        assert!(is_unsafe("use ghp_abcdef"));
        assert!(is_unsafe(&"Ab3".repeat(40)));
        assert!(!is_unsafe("use the token of the job"));
    }
}
