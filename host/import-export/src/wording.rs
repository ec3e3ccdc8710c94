//! Determines type and kind of a note: from the source's name for it, its wording, and its heading. The registry
//! defines the kinds; the words for them are here.

use acreta_text::words;
use acreta_types::MemoryType;

/// A type and a kind of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteClass {
    pub(crate) memory_type: MemoryType,
    pub(crate) kind: &'static str,
}

impl NoteClass {
    pub(crate) const DECISION: NoteClass = NoteClass {
        memory_type: MemoryType::Decision,
        kind: "",
    };
    pub(crate) const CONTEXT: NoteClass = NoteClass::learning("context");
    pub(crate) const CONVENTION: NoteClass = NoteClass::learning("convention");
    pub(crate) const PREFERENCE: NoteClass = NoteClass::learning("preference");
    pub(crate) const PROCEDURE: NoteClass = NoteClass::learning("procedure");
    const PITFALL: NoteClass = NoteClass::learning("pitfall");
    const INSIGHT: NoteClass = NoteClass::learning("insight");
    const FRICTION: NoteClass = NoteClass::learning("friction");

    const fn learning(kind: &'static str) -> Self {
        NoteClass {
            memory_type: MemoryType::Learning,
            kind,
        }
    }
}

/// Names of notes in other tools: categories, types, and words of headings.
const NAMES: &[(&str, NoteClass)] = &[
    (
        "decision|decisions|choice|choices|adr|rationale",
        NoteClass::DECISION,
    ),
    (
        "preference|preferences|user|likes|dislikes",
        NoteClass::PREFERENCE,
    ),
    (
        "pitfall|pitfalls|gotcha|gotchas|warning|warnings|caveat|caveats|bug|bugs|issue|\
             issues|problem|problems|risk|risks|troubleshooting|mistakes",
        NoteClass::PITFALL,
    ),
    (
        "convention|conventions|rule|rules|standard|standards|guideline|guidelines|style|\
             requirement|requirements|constraint|constraints|pattern|patterns|naming|practices|\
             feedback",
        NoteClass::CONVENTION,
    ),
    (
        "procedure|procedures|command|commands|howto|how|steps|step|workflow|workflows|setup|\
             installation|build|building|running|method|technique|recipe|runbook|deployment|\
             release|releasing",
        NoteClass::PROCEDURE,
    ),
    ("friction|pain|annoyance|annoyances", NoteClass::FRICTION),
    (
        "insight|insights|lesson|lessons|learning|learnings|tip|tips|idea|finding|findings",
        NoteClass::INSIGHT,
    ),
    (
        "context|fact|facts|project|reference|note|overview|background",
        NoteClass::CONTEXT,
    ),
];

/// Interprets a source's own name for a note: `decision`, `Gotcha`, `style-guide`.
pub(crate) fn named(name: &str) -> Option<NoteClass> {
    let mut classes = words(acreta_text::head(name, 200)).filter_map(|word| {
        NAMES
            .iter()
            .find(|(names, _)| names.split('|').any(|name| name == word))
            .map(|(_, class)| *class)
    });
    let first = classes.next()?;
    // `project conventions` are conventions.
    let telling = std::iter::once(first)
        .chain(classes)
        .find(|class| *class != NoteClass::CONTEXT);
    Some(telling.unwrap_or(first))
}

/// Returns the class of a note that its source does not name: by its wording, then by its heading, then `otherwise`.
pub(crate) fn classify(text: &str, heading: &str, otherwise: NoteClass) -> NoteClass {
    let wording = Wording::new(text);
    let under = named(heading).filter(|class| *class != NoteClass::CONTEXT);
    wording
        .strong()
        .or(under)
        .or_else(|| wording.weak())
        .unwrap_or(otherwise)
}

/// Number of bytes of a text whose wording is examined.
const LOOKED_AT: usize = 2_000;

/// A text in lower case, with single spaces between and around its words, so that phrases match whole words.
struct Wording {
    text: String,
    /// Each clause in the same form.
    clauses: Vec<String>,
    names_command: bool,
}

impl Wording {
    fn new(text: &str) -> Self {
        let start = acreta_text::head(text, LOOKED_AT);
        let lower = start.to_lowercase().replace('’', "'");
        let clauses = lower
            .split(['.', ',', ';', ':', '!', '?', '\n', '(', '—', '–'])
            .map(folded)
            .filter(|clause| !clause.trim().is_empty())
            .collect();
        Self {
            text: folded(&lower),
            clauses,
            names_command: start.trim_start().starts_with(['`', '$'])
                || start.contains("```sh")
                || start.contains("```bash"),
        }
    }

    fn has(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| {
            self.text
                .match_indices(phrase)
                .any(|(at, _)| is_whole(&self.text, at, phrase.len()))
        })
    }

    /// Reports whether a clause starts with one of these phrases.
    fn opens(&self, phrases: &str) -> bool {
        self.clauses.iter().any(|clause| {
            let clause = [" and ", " but ", " please ", " so "]
                .iter()
                .find_map(|filler| clause.strip_prefix(filler))
                .unwrap_or(clause)
                .trim_start();
            phrases.split('|').any(|phrase| {
                clause
                    .strip_prefix(phrase)
                    .is_some_and(|rest| rest.starts_with(' '))
            })
        })
    }

    fn strong(&self) -> Option<NoteClass> {
        if self.has("decided|we chose|i chose|chose to|opted for|settled on|went with")
            || (self.has("chose|chosen|picked") && self.has("over|instead of|rather than"))
        {
            return Some(NoteClass::DECISION);
        }
        if self.has(
            "i prefer|i'd prefer|i would prefer|i like|i don't like|i dislike|i'd rather|\
             i would rather|i want|user prefers|user likes|user dislikes|user wants",
        ) {
            return Some(NoteClass::PREFERENCE);
        }
        let warns = self.opens("beware|careful|be careful|gotcha|pitfall|watch out|caution");
        (warns || (self.forbids() && self.gives_reason())).then_some(NoteClass::PITFALL)
    }

    fn weak(&self) -> Option<NoteClass> {
        if !self.forbids()
            && (self.names_command
                || self.opens("run|execute|rerun|to run|to build|to test")
                || self.has("run `|then run|you can run|by running"))
        {
            return Some(NoteClass::PROCEDURE);
        }
        let rules = self.forbids()
            || self.has("always|must|should|prefer|we use|required|make sure")
            || self
                .opens("use|keep|write|put|ensure|follow|add|name|no|only|all|every|place|return");
        rules.then_some(NoteClass::CONVENTION)
    }

    fn forbids(&self) -> bool {
        self.opens("never|avoid|don't|do not|dont")
            || self.has(
                "must not|must never|mustn't|should not|should never|shouldn't|we never|we avoid|\
             we don't|cannot be|always avoid",
            )
    }

    fn gives_reason(&self) -> bool {
        self.has(
            "because|since|otherwise|or else|as it|as they|it will|they will|breaks|fails|\
             crashes|hangs|leaks|corrupts|deadlocks|causes|loses|overwrites|which",
        )
    }
}

fn folded(text: &str) -> String {
    let mut folded = String::from(" ");
    for word in text.split_whitespace() {
        folded.push_str(
            word.trim_matches(|character: char| !character.is_alphanumeric() && character != '`'),
        );
        folded.push(' ');
    }
    folded
}

fn is_whole(text: &str, at: usize, length: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    let joins = |character: Option<char>| {
        character.is_some_and(|found| found.is_alphanumeric() || found == '-')
    };
    !joins(before) && (!joins(after) || text[..at + length].ends_with('`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_gives_the_kind() {
        let cases = [
            (
                "Never run the suites in parallel because they share a port.",
                "pitfall",
            ),
            (
                "Avoid `sleep` in tests: it fails on slow machines",
                "pitfall",
            ),
            ("Don't commit generated files.", "convention"),
            ("Always sign commits.", "convention"),
            ("Use tabs.", "convention"),
            ("Run `just check` before a commit.", "procedure"),
            ("`just demo`: a project to play with", "procedure"),
            ("To start the server, run the script.", "procedure"),
            ("I prefer short answers.", "preference"),
            ("We decided to keep SQLite.", ""),
            ("Chose Postgres over MySQL for its types.", ""),
            ("The queue lives in one file.", "context"),
            ("The daemon never blocks a reader.", "context"),
            ("The mouse moves.", "context"),
        ];
        for (text, kind) in cases {
            assert_eq!(classify(text, "", NoteClass::CONTEXT).kind, kind, "{text}");
        }
    }

    #[test]
    fn headings_decide_where_the_words_do_not() {
        let cases = [
            ("The port is taken by the proxy.", "Known issues", "pitfall"),
            ("Use the second port.", "Gotchas", "pitfall"),
            ("Four spaces.", "Code style", "convention"),
            ("I prefer four spaces.", "Code style", "preference"),
            ("One file.", "Overview", "context"),
        ];
        for (text, heading, kind) in cases {
            assert_eq!(
                classify(text, heading, NoteClass::CONTEXT).kind,
                kind,
                "{text}"
            );
        }
        for (name, class) in [
            ("Decision", Some(NoteClass::DECISION)),
            ("gotcha", Some(NoteClass::PITFALL)),
            ("zebra", None),
        ] {
            assert_eq!(named(name), class, "{name}");
        }
    }

    #[test]
    fn every_kind_is_one_of_the_registry() {
        for (_, class) in NAMES {
            assert!(class.memory_type.allows_kind(class.kind), "{}", class.kind);
        }
    }
}
