//! A memory in the making, and the gate it passes: short, self-contained, finished, with evidence.
//! What does not read as a memory never becomes a [`Draft`].

use std::collections::BTreeSet;

use acreta_sdk::extractor::Evidence;

use crate::phrases::{Folded, Phrases, opens_in_any_case, phrases};

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
    pub(crate) score: f32,
    pub(crate) evidence: Vec<Evidence>,
}

impl Draft {
    /// The draft, if it reads as a memory.
    pub(crate) fn new(material: Material) -> Option<Self> {
        let lead = if material.title.is_empty() {
            material.sentences.first()?.clone()
        } else {
            material.title
        };
        let title = title(&lead);
        let mut body = String::new();
        for sentence in &material.sentences {
            let length = sentence.chars().count();
            if body.is_empty() {
                if length > LONGEST_BODY {
                    return None;
                }
                body.push_str(sentence);
            } else if body.chars().count() + 1 + length <= LONGEST_BODY {
                body.push(' ');
                body.push_str(sentence);
            }
        }
        let words = Folded::of(&body).word_count();
        let evidence: Vec<Evidence> = material
            .evidence
            .into_iter()
            .filter(|one| !one.quote.trim().is_empty())
            .collect();
        let readable =
            title.chars().count() >= 8 && words >= 5 && !evidence.is_empty() && !is_unsafe(&body);
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

/// A quote of an event, short enough to cite.
pub(crate) fn quote(event_id: &str, text: &str) -> Evidence {
    Evidence {
        event_id: event_id.to_owned(),
        quote: acreta_text::head(text.trim(), LONGEST_QUOTE)
            .trim_end()
            .to_owned(),
    }
}

/// The head of a sentence as a title: at most 80 characters, cut where a clause ends.
pub(crate) fn title(sentence: &str) -> String {
    let whole = sentence.trim().trim_end_matches('.');
    if whole.chars().count() <= LONGEST_TITLE {
        return whole.to_owned();
    }
    let sentence = without_asides(whole);
    let sentence = main_clause(&sentence);
    let sentence = sentence.as_str();
    if sentence.chars().count() <= LONGEST_TITLE {
        return sentence.to_owned();
    }
    let window = acreta_text::head(sentence, LONGEST_TITLE + 2);
    let clause = [
        ", ",
        "; ",
        " because ",
        " since ",
        " so that ",
        " so ",
        " — ",
        " – ",
        " - ",
        ". ",
        " which ",
        " but ",
    ]
    .iter()
    .filter_map(|mark| window.rfind(mark))
    .filter(|at| *at >= 28 && balanced(&window[..*at]))
    .max();
    if let Some(cut) = clause {
        return window[..cut]
            .trim_end_matches([',', ';', ':', ' ', '-', '.'])
            .to_owned();
    }
    let cut = {
        let mut at = window.rfind(' ').unwrap_or(window.len());
        loop {
            let last = window[..at].rsplit(' ').next().unwrap_or("");
            let weak = WEAK_ENDINGS.contains(&last.to_lowercase()) || !balanced(&window[..at]);
            match window[..at].rfind(' ') {
                Some(before) if weak && before > 20 => at = before,
                _ => break at,
            }
        }
    };
    format!(
        "{}…",
        window[..cut].trim_end_matches([',', ';', ':', ' ', '-', '.'])
    )
}

/// What a sentence says after an opening `if`, `when` or `since` clause.
fn main_clause(sentence: &str) -> String {
    let opening = Folded::of(sentence).opens(phrases!(
        "if|when|since|because|given|once|although|while|after|as",
    ));
    match sentence.split_once(", ") {
        Some((before, after))
            if opening
                && balanced(before)
                && after.split_whitespace().count() >= 5
                && !opens_with_pointer(&Folded::of(after)) =>
        {
            crate::polish::finish(after)
                .trim_end_matches('.')
                .to_owned()
        }
        _ => sentence.to_owned(),
    }
}

/// A sentence without what stands in parentheses.
fn without_asides(sentence: &str) -> String {
    let mut kept = String::with_capacity(sentence.len());
    let mut depth = 0_usize;
    let mut in_code = false;
    for character in sentence.chars() {
        match character {
            '`' => in_code = !in_code,
            '(' if !in_code && (depth > 0 || kept.ends_with(' ')) => {
                if depth == 0 {
                    kept.pop();
                }
                depth += 1;
            }
            ')' if !in_code && depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            kept.push(character);
        }
    }
    kept.trim().to_owned()
}

fn balanced(text: &str) -> bool {
    text.matches('`').count().is_multiple_of(2)
        && text.matches('"').count().is_multiple_of(2)
        && text.matches('(').count() == text.matches(')').count()
}

/// Whether a sentence is understood without what stood around it.
pub(crate) fn stands_alone(sentence: &str) -> bool {
    let folded = Folded::of(sentence);
    !opens_with_pointer(&folded) && !folded.any(POINTERS) && !hangs(sentence)
}

/// Whether a bare `this` or `that` closes a clause: it points at something outside.
fn hangs(sentence: &str) -> bool {
    sentence.match_indices(' ').any(|(at, _)| {
        [" this", " that", " these", " those"].iter().any(|word| {
            opens_in_any_case(&sentence[at..], word) && {
                let after = &sentence[at + word.len()..];
                after.is_empty() || after.starts_with([',', '.', ';', ')', '?', '!', ':'])
            }
        })
    })
}

/// Whether a sentence opens with a word that points at another one.
pub(crate) fn opens_with_pointer(folded: &Folded) -> bool {
    folded.opens(OPENING_POINTERS)
}

const OPENING_POINTERS: Phrases = phrases!(
    "it|it's|its|this|that|that's|these|those|they|he|she|they're|both|either|neither|\
     the former|the latter|such|same|which|there|here|the first|the second|the third|\
     the other|one of|each of|none of|all of|this is|his|her|their|them|like that|\
     as such|similarly|likewise|otherwise|instead",
);

const POINTERS: Phrases = phrases!(
    "this file|this case|this one|that one|above|below|the following|as follows|\
     earlier|i'll|let me|this session|the agent will|the agent's|the previous|\
     this change|that change|these changes|here's|here is|this approach|that approach|\
     this plan|next step|this is|you asked|as discussed|as mentioned|the user said|\
     this issue|this fix|this test|this branch|those changes|this pr|this way|\
     this means|the current turn|what i|this bug",
);

const WEAK_ENDINGS: Phrases = phrases!(
    "a|an|the|of|to|in|on|at|for|with|and|or|but|by|from|as|is|are|be|that|which|we|it|\
     its|not|no|so|than|then|into|if|when|while|because|since|via|per|can|will|should|\
     would|could|must|has|have|only|also|their|our|any|all|each|was|were|this|these|\
     user|agent",
);

const LONGEST_TITLE: usize = 76;
const LONGEST_BODY: usize = 330;
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
    fn titles_end_where_a_clause_ends() {
        let cases = [
            ("Use tabs.", "Use tabs"),
            (
                "Store the queue in SQLite and not in Redis, because the CLI and the daemon are two processes on one machine.",
                "Store the queue in SQLite and not in Redis",
            ),
            (
                "The exporter writes one file for every experiment and every repeated attempt of the same case.",
                "The exporter writes one file for every experiment and every repeated attempt…",
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(title(sentence), expected);
        }
    }

    #[test]
    fn pointing_sentences_do_not_stand_alone() {
        for (sentence, alone) in [
            ("It breaks the build.", false),
            ("The queue is in SQLite.", true),
            ("See the table above.", false),
            ("Let me fix the queue.", false),
        ] {
            assert_eq!(stands_alone(sentence), alone, "{sentence}");
        }
    }

    #[test]
    fn secrets_do_not_pass() {
        assert!(is_unsafe("use ghp_abcdef"));
        assert!(is_unsafe(&"Ab3".repeat(40)));
        assert!(!is_unsafe("use the token of the job"));
    }
}
