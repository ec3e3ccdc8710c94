//! Whether two statements about the same thing choose differently. Looks at the words around a
//! choice and at negation, not at meaning: it speaks up only where the wording leaves little doubt.

use std::collections::BTreeSet;

use acreta_text::{jaccard, tokens, words};

/// Words left over after taking out negation must overlap this much for two statements to be about
/// the same thing.
const SAME_SUBJECT: f64 = 0.6;

const NEGATIONS: &[&str] = &[
    "not", "never", "no", "don", "dont", "avoid", "stop", "without", "cannot", "isn", "doesn",
    "longer",
];

/// What stands between what was chosen and what was not.
const AGAINST: &[&[&str]] = &[&["instead", "of"], &["rather", "than"], &["not"], &["over"]];

/// True when one statement says the opposite of the other.
pub(crate) fn contradicts(left: &str, right: &str) -> bool {
    if let (Some(left), Some(right)) = (choice(left), choice(right)) {
        let swapped =
            overlaps(&left.chosen, &right.rejected) && overlaps(&left.rejected, &right.chosen);
        if swapped {
            return true;
        }
    }
    is_negated(left) != is_negated(right) && same_subject(left, right)
}

struct Choice {
    chosen: BTreeSet<String>,
    rejected: BTreeSet<String>,
}

/// The two words on either side of the first `X, not Y`, `X instead of Y`, `X over Y`.
fn choice(text: &str) -> Option<Choice> {
    let words: Vec<String> = words(text).collect();
    for position in 1..words.len() {
        for against in AGAINST {
            let end = position + against.len();
            let matches = words.get(position..end).is_some_and(|found| {
                found
                    .iter()
                    .zip(*against)
                    .all(|(word, wanted)| word == wanted)
            });
            if matches && end < words.len() {
                return Some(Choice {
                    chosen: meaningful(&words[position.saturating_sub(2)..position]),
                    rejected: meaningful(&words[end..(end + 2).min(words.len())]),
                });
            }
        }
    }
    None
}

fn meaningful(words: &[String]) -> BTreeSet<String> {
    let mut kept = tokens(&words.join(" "));
    for verb in ["use", "using", "keep", "store", "go", "we", "chose", "pick"] {
        kept.remove(verb);
    }
    kept
}

fn overlaps(left: &BTreeSet<String>, right: &BTreeSet<String>) -> bool {
    !left.is_disjoint(right)
}

fn is_negated(text: &str) -> bool {
    words(text).any(|word| NEGATIONS.contains(&word.as_str()))
}

fn same_subject(left: &str, right: &str) -> bool {
    let subject = |text: &str| -> BTreeSet<String> {
        tokens(text)
            .into_iter()
            .filter(|word| {
                !NEGATIONS.contains(&word.as_str())
                    && word != "t"
                    && word != "always"
                    && word != "do"
            })
            .collect()
    };
    jaccard(&subject(left), &subject(right)) >= SAME_SUBJECT
}

#[cfg(test)]
mod tests {
    use super::contradicts;

    #[test]
    fn opposite_choices_are_seen_and_likeness_is_not() {
        let cases = [
            (
                "Use SQLite, not Redis, for the queue",
                "Use Redis, not SQLite, for the queue",
                true,
            ),
            (
                "Use tabs instead of spaces",
                "Use spaces instead of tabs",
                true,
            ),
            (
                "Always run tests with --release",
                "Never run tests with --release",
                true,
            ),
            (
                "Use pnpm in this repository",
                "Don't use pnpm in this repository",
                true,
            ),
            (
                "Use SQLite, not Redis, for the queue",
                "Use SQLite, not Postgres, for the queue",
                false,
            ),
            (
                "Use tokio for the server",
                "Use tokio for the client",
                false,
            ),
            (
                "Never commit the lock file",
                "Run the tests before a commit",
                false,
            ),
            ("", "", false),
        ];
        for (left, right, expected) in cases {
            assert_eq!(contradicts(left, right), expected, "{left} / {right}");
            assert_eq!(contradicts(right, left), expected, "{right} / {left}");
        }
    }
}
