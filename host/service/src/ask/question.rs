//! Parses a question: the words of its subject, their weights, and the kind of answer it asks for.

use acreta_relate::{TextWord, text_words};

use super::demand::Demand;
use super::likeness::likeness;
use acreta_text::is_everyday;

/// A question prepared for comparison.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) terms: Vec<Term>,
    pub(super) demand: Demand,
}

/// A word of the question that names its subject.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) word: TextWord,
    /// Weight: a rare word counts more than one that every memory has, a name more than a generic word.
    pub(super) weight: f64,
    /// The noun of `which NOUN`: a sentence that contains one of its kind covers it, too.
    pub(super) is_of_kind: bool,
    /// States what is asked about the subject: the focus, or the verb. A sentence without it is about something else.
    pub(super) is_key: bool,
}

/// Weight of a word that means little in any question.
const GENERIC: f64 = 0.3;

/// Weight of a name: a question with a name is about nothing else.
const NAME: f64 = 1.4;

/// Minimum weight of a word that all memories have.
const COMMON: f64 = 0.25;

impl Question {
    /// Parses a question. `memories` are the words of the memories found for it, which determine the rare words.
    pub(super) fn read(text: &str, memories: &[Vec<TextWord>]) -> Self {
        let words = text_words(text);
        let (demand, focus) = demand(&words);
        let key = focus.or_else(|| predicate(&words));
        let mut terms: Vec<Term> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let is_asking =
                is_in(ASKING, word) || word.is_function_word || is_adjective(&words, at);
            let is_known = terms.iter().any(|term| term.word.text == word.text);
            if is_asking || is_known {
                continue;
            }
            terms.push(Term {
                weight: weight(word, memories),
                is_of_kind: focus == Some(at) && Demand::of_noun(word) == Some(demand),
                is_key: key == Some(at),
                word: word.clone(),
            });
        }
        Self { terms, demand }
    }
}

fn is_in(list: &str, word: &TextWord) -> bool {
    list.split_whitespace().any(|one| one == word.text)
}

/// Returns whether a word belongs to the demand, as `often` in `how often`.
fn is_adjective(words: &[TextWord], at: usize) -> bool {
    let after_how = at
        .checked_sub(1)
        .is_some_and(|before| words[before].text == "how");
    after_how && (is_in(MEASURES, &words[at]) || is_in(SPANS, &words[at]))
}

fn weight(word: &TextWord, memories: &[Vec<TextWord>]) -> f64 {
    let having = memories
        .iter()
        .filter(|memory| covered(word, memory) >= 0.8)
        .count();
    let all = memories.len() as f64 + 1.0;
    let rarity = (all / (having as f64 + 0.5)).ln() / (all / 0.5).ln();
    let role = match word {
        word if word.is_name && !word.opens_sentence => NAME,
        word if word.is_generic || is_in(LITTLE, word) || is_everyday(&word.stem) => GENERIC,
        _ => 1.0,
    };
    role * rarity.max(COMMON)
}

/// Returns how well the best of some words matches a word.
pub(super) fn covered(word: &TextWord, words: &[TextWord]) -> f64 {
    words
        .iter()
        .map(|other| likeness(word, other))
        .fold(0.0, f64::max)
}

/// Returns the kind of answer asked for, and the index of the noun that names it.
fn demand(words: &[TextWord]) -> (Demand, Option<usize>) {
    let asking = words.iter().position(|word| is_in(INTERROGATIVES, word));
    let Some(at) = asking else {
        let opens = words.first().is_some_and(|word| is_in(AUXILIARIES, word));
        return (if opens { Demand::Yes } else { Demand::Topic }, None);
    };
    let next = words.get(at + 1);
    let by_word = match words[at].text.as_str() {
        "who" | "whom" | "whose" => Some(Demand::Person),
        "when" if at == 0 => Some(Demand::Time),
        "where" => Some(Demand::Place),
        "why" => Some(Demand::Reason),
        "how" => Some(match next {
            Some(next) if is_in(SPANS, next) => Demand::Time,
            Some(next) if is_in("many much", next) => {
                return (Demand::Number, focus(words, at + 2));
            }
            Some(next) if is_in(MEASURES, next) => Demand::Number,
            _ => Demand::Procedure,
        }),
        _ => None,
    };
    if let Some(demand) = by_word {
        return (demand, None);
    }
    let opens = words.first().is_some_and(|word| is_in(AUXILIARIES, word));
    if opens {
        return (Demand::Yes, None);
    }
    let focus = focus(words, at + 1);
    let demand = focus.and_then(|focus| Demand::of_noun(&words[focus]));
    (demand.unwrap_or(Demand::Statement), focus)
}

/// Returns the verb of a question: the first meaningful word after `who` or a pronoun, or the last verb.
fn predicate(words: &[TextWord]) -> Option<usize> {
    let tells = |at: &usize| !words[*at].is_function_word && !is_in(LITTLE, &words[*at]);
    let subject = words.iter().position(|word| is_in(SUBJECTS, word));
    let after = subject.and_then(|at| (at + 1..words.len()).find(tells));
    after.or_else(|| {
        (0..words.len())
            .rev()
            .filter(tells)
            .find(|at| words[*at].is_verb)
    })
}

/// Returns the noun after `which` and `what`, or after `what is the`: the last word before the next function word.
fn focus(words: &[TextWord], start: usize) -> Option<usize> {
    let skipped = words[start.min(words.len())..].iter();
    let skipped = skipped.take_while(|word| is_in(ARTICLES, word)).count();
    let noun = words[(start + skipped).min(words.len())..].iter();
    let length = noun
        .take_while(|word| !word.is_function_word && !is_in(VERBS, word))
        .count();
    (length > 0).then(|| start + skipped + length - 1)
}

const SUBJECTS: &str = "who i we you they one somebody someone";

const INTERROGATIVES: &str = "who whom whose when where why how which what";

/// Words that belong to the question, not to its subject.
const ASKING: &str = "who whom whose when where why how which what";

const AUXILIARIES: &str = "is are was were do does did can could should must may will would has have am isn't aren't don't \
    doesn't didn't shouldn't can't";

const ARTICLES: &str = "is are was were the a an our s's exactly";

/// Verbs that directly follow `what`.
const VERBS: &str = "happens happen happened goes uses use makes make keeps causes caused runs run handles triggers needs \
    lives stores breaks fails sends decides counts belongs comes serves holds stops";

/// After `how`: asks for a number.
const MEASURES: &str = "many much large big small far high low deep fast wide old strict tall";

/// After `how`: asks for a time.
const SPANS: &str = "often long frequently soon late early recently";

/// Words that mean little in a question about a project.
const LITTLE: &str = "project repo repository team codebase code app application currently exactly happen happens kind type \
    use used using uses supposed need needed needs want thing way choose chose chosen pick picked decide decided decision \
    made rule convention policy people person developer developers one someone anyone something anything current \
    actual specific main people's allowed allow expected normally usually actually handled handle done doing work works \
    there particular supposed recommended recommend preferred prefer default right correct";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_says_what_it_asks_for() {
        let cases = [
            ("Who reviews migrations?", "person", ""),
            ("When do backups run?", "time", ""),
            ("How often are keys rotated?", "time", ""),
            ("How many retries are there?", "number", ""),
            ("Which port does the gateway use?", "number", "port"),
            (
                "What is the default timeout of the client?",
                "number",
                "timeout",
            ),
            ("Which database do we use?", "name", "database"),
            ("Where is the seed script?", "place", ""),
            ("Why not Redis?", "reason", ""),
            ("How do I run the tests?", "procedure", ""),
            ("What command runs the tests?", "command", "command"),
            ("Should commits be squashed?", "yes or no", ""),
            ("What happens on a timeout?", "statement", ""),
            ("retry budget", "topic", ""),
            ("", "topic", ""),
        ];
        for (text, expected, noun) in cases {
            let question = Question::read(text, &[]);
            assert_eq!(question.demand.name(), expected, "{text}");
            let focus = question.terms.iter().find(|term| term.is_of_kind);
            assert_eq!(
                focus.map_or("", |term| term.word.text.as_str()),
                noun,
                "{text}"
            );
        }
    }
}
