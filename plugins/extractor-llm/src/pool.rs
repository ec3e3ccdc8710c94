//! What was proposed so far, by windows and by the offline extractor. What says the same is one item
//! with the evidence of both.

use std::collections::BTreeSet;

use crate::shorten::{plain, sentences};
use crate::{Candidate, Evidence, MemoryType};

/// Something that may become a memory.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) category: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) confidence: f32,
    pub(crate) evidence: Vec<Evidence>,
    /// Place in the trace of its first and of its last evidence.
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) by: By,
    /// What the offline extractor proposed of it, as it was.
    pub(crate) rules: Vec<Candidate>,
}

/// Who proposed an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Model,
    Rules,
}

impl By {
    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Model => "model",
            By::Rules => "rules",
        }
    }
}

impl Item {
    pub(crate) fn of_rules(candidate: Candidate, first: u64, last: u64) -> Self {
        Self {
            category: candidate.category.clone(),
            kind: candidate.kind.clone(),
            title: candidate.title.clone(),
            body: candidate.body.clone(),
            confidence: candidate.confidence,
            evidence: candidate.evidence.clone(),
            first,
            last,
            by: By::Rules,
            rules: vec![candidate],
        }
    }

    fn words(&self) -> BTreeSet<String> {
        acreta_text::tokens(&format!("{} {}", self.title, self.body))
    }

    /// Takes in another that says the same.
    fn absorb(&mut self, other: Item) {
        let is_better = match (self.by, other.by) {
            (By::Rules, By::Model) => true,
            (By::Model, By::Rules) => false,
            _ => other.confidence > self.confidence,
        };
        if is_better {
            self.category.clone_from(&other.category);
            self.kind.clone_from(&other.kind);
            self.title.clone_from(&other.title);
            self.body.clone_from(&other.body);
            self.by = other.by;
        }
        self.confidence = self.confidence.max(other.confidence);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.cite(other.evidence);
        self.rules.extend(other.rules);
    }

    /// Adds evidence that it does not have yet.
    pub(crate) fn cite(&mut self, evidence: Vec<Evidence>) {
        for one in evidence {
            let is_known = self.evidence.iter().any(|known| {
                known.event_id == one.event_id
                    && (known.quote.contains(&one.quote) || one.quote.contains(&known.quote))
            });
            if !is_known && self.evidence.len() < MOST_EVIDENCE {
                self.evidence.push(one);
            }
        }
    }
}

/// Items without repetitions.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) items: Vec<Item>,
    /// How many were found to say what another says.
    pub(crate) merged: usize,
}

impl Pool {
    pub(crate) fn add(&mut self, item: Item) {
        let words = item.words();
        let twin = self.items.iter_mut().find(|other| {
            other.category == item.category && overlap(&other.words(), &words) >= SAME
        });
        match twin {
            Some(twin) => {
                twin.absorb(item);
                self.merged += 1;
            }
            None => self.items.push(item),
        }
    }

    /// In the order of the session.
    pub(crate) fn sort(&mut self) {
        self.items.sort_by(|left, right| {
            (left.first, left.last, &left.title).cmp(&(right.first, right.last, &right.title))
        });
    }
}

/// Shared words, also when one text is longer than the other.
fn overlap(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    let smaller = left.len().min(right.len()).max(1);
    acreta_text::jaccard(left, right).max(0.75 * shared as f64 / smaller as f64)
}

const SAME: f64 = 0.6;
const MOST_EVIDENCE: usize = 4;

/// The types a candidate may have.
#[derive(Debug)]
pub(crate) struct Types<'a>(Vec<&'a MemoryType>);

impl<'a> Types<'a> {
    pub(crate) fn of(registry: &'a [MemoryType]) -> Self {
        // A summary is told, not proposed.
        let extractable = registry.iter().filter(|entry| entry.name != "summary");
        Self(extractable.collect())
    }

    pub(crate) fn names(&self) -> Vec<&'a str> {
        self.0.iter().map(|entry| entry.name.as_str()).collect()
    }

    /// All kinds there are, and none.
    pub(crate) fn kinds(&self) -> Vec<&'a str> {
        let kinds = self.0.iter().flat_map(|entry| entry.kinds.iter());
        std::iter::once("")
            .chain(kinds.map(String::as_str))
            .collect()
    }

    /// The kind as the type may have it; `None` when type or kind are unknown.
    pub(crate) fn fit(&self, category: &str, kind: &str) -> Option<&'a str> {
        let entry = self.0.iter().find(|entry| entry.name == category)?;
        if entry.kinds.is_empty() {
            return Some("");
        }
        let found = entry.kinds.iter().find(|known| *known == kind)?;
        Some(found.as_str())
    }

    /// As a prompt shows them.
    pub(crate) fn table(&self) -> String {
        let mut table = String::new();
        for entry in &self.0 {
            table.push_str(&format!("- `{}`: {}", entry.name, entry.definition));
            if entry.kinds.is_empty() {
                table.push_str(" Its `kind` is empty.");
            } else {
                table.push_str(&format!(
                    " Its `kind` is one of: {}.",
                    entry.kinds.join(", ")
                ));
            }
            table.push_str(&format!(" Example: {}\n", entry.example));
        }
        table.truncate(table.trim_end().len());
        table
    }
}

/// Title and body as a memory has them; `None` when there is no way to make them so.
pub(crate) fn fit_text(title: &str, body: &str) -> Option<(String, String)> {
    let title = plain(title);
    let title = title.trim_end_matches('.');
    let title = match title.char_indices().nth(LONGEST_TITLE) {
        None => title,
        Some((end, _)) => title[..end].rsplit_once(' ')?.0,
    };
    let body = plain(body);
    let body = sentences(&body, LONGEST_TEXT.saturating_sub(title.chars().count()));
    (title.len() >= 4 && !body.is_empty()).then(|| (title.to_owned(), body.to_owned()))
}

const LONGEST_TITLE: usize = 120;
const LONGEST_TEXT: usize = 500;

/// A few short words a memory can be found by: what stands in backticks, and names with a mark in them.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        for word in piece.split_whitespace() {
            let word = word.trim_matches(|edge: char| !edge.is_ascii_alphanumeric());
            let word = word.rsplit('/').next().unwrap_or(word);
            let inner = word.find(['.', '_', '-']).is_some_and(|at| at > 0);
            let is_name = (index % 2 == 1 || inner)
                && (2..=24).contains(&word.len())
                && word.is_ascii()
                && word.starts_with(|first: char| first.is_ascii_alphabetic())
                && word.chars().all(|character| {
                    character.is_ascii_alphanumeric() || "-_.".contains(character)
                });
            let tag = word.to_lowercase();
            if is_name && !found.contains(&tag) {
                found.push(tag);
                if found.len() == MOST_TAGS {
                    return found;
                }
            }
        }
    }
    found
}

const MOST_TAGS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn item(by: By, title: &str, confidence: f32, event: &str) -> Item {
        Item {
            category: "learning".to_owned(),
            kind: "pitfall".to_owned(),
            title: title.to_owned(),
            body: format!("{title}."),
            confidence,
            evidence: vec![Evidence {
                event_id: event.to_owned(),
                quote: "quote".to_owned(),
            }],
            first: 3,
            last: 3,
            by,
            rules: Vec::new(),
        }
    }

    #[test]
    fn what_says_the_same_is_one_with_the_evidence_of_both() {
        let mut pool = Pool::default();
        pool.add(item(By::Rules, "Run the tests with one thread", 0.9, "a"));
        pool.add(item(
            By::Model,
            "Run the tests with one thread always",
            0.7,
            "b",
        ));
        pool.add(item(By::Model, "Deploy from the release branch", 0.7, "b"));
        assert_eq!((pool.items.len(), pool.merged), (2, 1));
        let first = &pool.items[0];
        assert_eq!(first.title, "Run the tests with one thread always");
        assert_eq!((first.by, first.evidence.len()), (By::Model, 2));
        assert!((first.confidence - 0.9).abs() < 1e-6);
    }

    #[test]
    fn texts_are_made_to_fit_or_refused() {
        let long = format!("First. {}.", "word ".repeat(120).trim_end());
        assert_eq!(
            fit_text("Title.", &long),
            Some(("Title".to_owned(), "First.".to_owned()))
        );
        assert_eq!(fit_text("Title", &"word ".repeat(120)), None);
        assert_eq!(fit_text("", "Body."), None);
        let title = fit_text(&"word ".repeat(40), "Body.").unwrap().0;
        assert!(title.len() <= 120 && title.ends_with("word"), "{title}");
    }

    #[test]
    fn tags_are_names() {
        assert_eq!(
            tags("Run `cargo test` in src/main.rs with --test-threads=1, not fast."),
            ["cargo", "test", "main.rs"]
        );
    }
}
