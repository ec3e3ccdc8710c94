//! The running list of findings. Each part of a session may add to it, correct it or withdraw from it; duplicates
//! become one finding with the evidence of both.

use std::collections::BTreeSet;

use crate::Evidence;
use crate::shorten::one_line;

/// A possible memory.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// Its number in the list, from 1; 0 until it is added.
    pub(crate) id: u64,
    pub(crate) category: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) confidence: f32,
    /// With the position of each event in the trace.
    pub(crate) evidence: Vec<(u64, Evidence)>,
}

impl Finding {
    /// Returns the positions of the first and of the last evidence.
    pub(crate) fn span(&self) -> (u64, u64) {
        let numbers = || self.evidence.iter().map(|(number, _)| *number);
        (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
    }

    pub(crate) fn label(&self) -> String {
        if self.kind.is_empty() {
            self.category.clone()
        } else {
            format!("{}/{}", self.category, self.kind)
        }
    }

    fn words(&self) -> BTreeSet<String> {
        acreta_text::tokens(&format!("{} {}", self.title, self.body))
    }

    /// Adds new evidence. A short answer is kept in addition to longer quotes.
    pub(crate) fn cite(&mut self, evidence: Vec<(u64, Evidence)>) {
        for (number, one) in evidence {
            let is_known = self.evidence.iter().any(|(_, known)| {
                known.event_id == one.event_id
                    && (known.quote.contains(&one.quote) || one.quote.contains(&known.quote))
            });
            if !is_known && self.evidence.len() < MOST_EVIDENCE {
                self.evidence.push((number, one));
            }
        }
    }

    /// Takes the text of another finding, and the evidence of both, the newer first.
    fn replace(&mut self, newer: Finding) {
        let older = std::mem::replace(&mut self.evidence, newer.evidence);
        self.cite(older);
        self.category = newer.category;
        self.kind = newer.kind;
        self.title = newer.title;
        self.body = newer.body;
        self.confidence = newer.confidence;
    }
}

/// The list so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
    ids: u64,
    /// Number of findings that were duplicates.
    pub(crate) merged: usize,
}

impl Findings {
    pub(crate) fn add(&mut self, mut finding: Finding) {
        let words = finding.words();
        let has_room = self.list.len() < MOST_FINDINGS;
        let twin = self.list.iter_mut().find(|other| {
            other.category == finding.category && overlap(&other.words(), &words) >= SAME
        });
        match twin {
            Some(twin) => {
                if finding.confidence > twin.confidence {
                    let older = std::mem::take(&mut twin.evidence);
                    let id = twin.id;
                    *twin = Finding { id, ..finding };
                    twin.cite(older);
                } else {
                    twin.cite(finding.evidence);
                }
                self.merged += 1;
            }
            None if has_room => {
                self.ids += 1;
                finding.id = self.ids;
                self.list.push(finding);
            }
            None => {}
        }
    }

    /// Changes the text of a finding, and adds evidence. Returns `false` if the finding does not exist.
    pub(crate) fn change(&mut self, id: u64, newer: Finding) -> bool {
        let Some(finding) = self.list.iter_mut().find(|one| one.id == id) else {
            return false;
        };
        finding.replace(newer);
        true
    }

    /// Removes a finding. Returns `false` if it does not exist.
    pub(crate) fn withdraw(&mut self, id: u64) -> bool {
        let before = self.list.len();
        self.list.retain(|one| one.id != id);
        self.list.len() < before
    }

    pub(crate) fn get(&self, id: u64) -> Option<&Finding> {
        self.list.iter().find(|one| one.id == id)
    }

    /// Sorts by the order of the session.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|one| (one.span(), one.id));
    }

    /// Renders the list in at most `limit` bytes: shortens bodies first, then only counts the oldest.
    pub(crate) fn render(&self, limit: usize) -> String {
        for words in [260, 120, 60, 0] {
            let lines: Vec<String> = self.list.iter().map(|one| line(one, words)).collect();
            let shown = lines.concat();
            if shown.len() <= limit {
                return shown;
            }
            if words == 0 {
                let mut left = limit.saturating_sub(40);
                let kept = lines.iter().rev().take_while(|line| {
                    let fits = line.len() <= left;
                    left = left.saturating_sub(line.len());
                    fits
                });
                let count = kept.count();
                let hidden = lines.len() - count;
                return format!(
                    "({hidden} earlier ones not shown)\n{}",
                    lines[hidden..].concat()
                );
            }
        }
        String::new()
    }
}

fn line(finding: &Finding, words: usize) -> String {
    let body = if words == 0 {
        String::new()
    } else {
        format!(" | {}", one_line(&finding.body, words))
    };
    let numbers: BTreeSet<u64> = finding.evidence.iter().map(|(number, _)| *number).collect();
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!(
        "#{} {}: {}{body} (lines {})\n",
        finding.id,
        finding.label(),
        finding.title,
        numbers.join(", ")
    )
}

/// Computes the share of common words, also if one text is longer than the other.
fn overlap(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    let smaller = left.len().min(right.len()).max(1);
    acreta_text::jaccard(left, right).max(0.75 * shared as f64 / smaller as f64)
}

const SAME: f64 = 0.6;
const MOST_EVIDENCE: usize = 6;
const MOST_FINDINGS: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(title: &str, confidence: f32, number: u64) -> Finding {
        Finding {
            id: 0,
            category: "learning".to_owned(),
            kind: "pitfall".to_owned(),
            title: title.to_owned(),
            body: format!("{title}."),
            confidence,
            evidence: vec![(
                number,
                Evidence {
                    event_id: format!("e{number}"),
                    quote: "quote".to_owned(),
                },
            )],
        }
    }

    #[test]
    fn what_says_the_same_is_one_with_the_evidence_of_both() {
        let mut findings = Findings::default();
        findings.add(finding("Run the tests with one thread", 0.7, 3));
        findings.add(finding("Run the tests with one thread always", 0.9, 8));
        findings.add(finding("Deploy from the release branch", 0.7, 9));
        assert_eq!((findings.list.len(), findings.merged), (2, 1));
        let first = &findings.list[0];
        assert_eq!(first.title, "Run the tests with one thread always");
        assert_eq!((first.id, first.span()), (1, (3, 8)));
    }

    #[test]
    fn the_list_is_added_to_corrected_and_withdrawn_from() {
        let mut findings = Findings::default();
        for number in 1..=3 {
            findings.add(finding(&format!("alpha{number} beta{number}"), 0.7, number));
        }
        assert!(findings.change(2, finding("Quite another text", 0.9, 12)));
        assert!(findings.withdraw(1));
        assert!(!findings.withdraw(1) && !findings.change(9, finding("x y", 0.9, 1)));
        findings.add(finding("gamma4 delta4", 0.7, 4));
        let told = findings.render(10_000);
        assert_eq!(
            told,
            "#2 learning/pitfall: Quite another text | Quite another text. (lines 2, 12)\n\
             #3 learning/pitfall: alpha3 beta3 | alpha3 beta3. (lines 3)\n\
             #4 learning/pitfall: gamma4 delta4 | gamma4 delta4. (lines 4)\n"
        );
    }

    #[test]
    fn a_long_list_fits_and_says_what_it_leaves_out() {
        let mut findings = Findings::default();
        for number in 0..200_u64 {
            findings.add(finding(&format!("alpha{number} beta{number}"), 0.7, number));
        }
        assert_eq!(findings.list.len(), MOST_FINDINGS);
        let told = findings.render(1_000);
        assert!(told.len() <= 1_000 && told.starts_with("(6"), "{told}");
        assert!(
            told.contains("alpha79 beta79"),
            "the newest are shown: {told}"
        );
    }
}
