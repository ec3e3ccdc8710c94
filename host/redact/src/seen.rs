//! Secrets that are written again without what gave them away: a password that a sentence names is later an argument of
//! a command. Whoever redacts a session in parts keeps one of these for all of them.
//!
//! Only values that no other text would contain by chance are remembered, and only so many.

use std::borrow::Cow;
use std::cmp::Reverse;

use memchr::memmem;

use crate::redactor::replaced;
use crate::{Counts, FoundSecret, Redactor};

/// Maximum number of remembered values.
const MOST: usize = 64;

const SHORTEST: usize = 8;
const LONGEST: usize = 128;

/// A value of this length needs fewer kinds of characters.
const LONG: usize = 16;

/// The secrets of the parts of a session so far.
#[derive(Debug, Default)]
pub struct SeenSecrets {
    /// With the ids of the rules that found them.
    values: Vec<(String, &'static str)>,
}

impl SeenSecrets {
    /// Replaces every secret in `text`, and those of earlier parts.
    pub fn redact<'a>(
        &mut self,
        redactor: &Redactor,
        text: &'a str,
        counts: &mut Counts,
    ) -> Cow<'a, str> {
        match self.note(redactor, text, counts) {
            Cow::Borrowed(text) => self.remove(text, counts),
            Cow::Owned(clean) => match self.remove(&clean, counts) {
                Cow::Borrowed(_) => Cow::Owned(clean),
                Cow::Owned(cleaner) => Cow::Owned(cleaner),
            },
        }
    }

    /// Replaces the secrets in `text` that are recognised there, and remembers them.
    pub fn note<'a>(
        &mut self,
        redactor: &Redactor,
        text: &'a str,
        counts: &mut Counts,
    ) -> Cow<'a, str> {
        redactor.redact_noting(text, counts, &mut |value, rule| self.remember(value, rule))
    }

    /// Like [`SeenSecrets::note`], for the output of a command that prints a secret
    /// ([`Redactor::redact_contents`]).
    pub fn note_contents<'a>(
        &mut self,
        redactor: &Redactor,
        text: &'a str,
        counts: &mut Counts,
    ) -> Cow<'a, str> {
        redactor.redact_contents_noting(text, counts, &mut |value, rule| self.remember(value, rule))
    }

    fn remember(&mut self, value: &str, rule: &'static str) {
        if self.values.len() < MOST
            && is_distinctive(value)
            && !self.values.iter().any(|(known, _)| known == value)
        {
            self.values.push((value.to_owned(), rule));
        }
    }

    /// Replaces remembered secrets.
    pub fn remove<'a>(&self, text: &'a str, counts: &mut Counts) -> Cow<'a, str> {
        let mut finds: Vec<FoundSecret> = Vec::new();
        for (value, rule) in &self.values {
            let places = memmem::find_iter(text.as_bytes(), value.as_bytes());
            finds.extend(places.map(|at| FoundSecret {
                range: at..at + value.len(),
                rule,
            }));
        }
        if finds.is_empty() {
            return Cow::Borrowed(text);
        }
        finds.sort_by_key(|find| (find.range.start, Reverse(find.range.end)));
        let mut end = 0;
        finds.retain(|find| {
            let is_next = find.range.start >= end;
            end = end.max(find.range.end);
            is_next
        });
        Cow::Owned(replaced(text, &finds, counts))
    }
}

/// Reports whether a value is unlike words, paths and addresses, which other texts contain as well.
fn is_distinctive(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let kinds = [
        has(u8::is_ascii_lowercase),
        has(u8::is_ascii_uppercase),
        has(u8::is_ascii_digit),
        has(u8::is_ascii_punctuation),
    ];
    let kinds = kinds.into_iter().filter(|has| *has).count();
    (SHORTEST..=LONGEST).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && has(u8::is_ascii_alphabetic)
        && has(u8::is_ascii_digit)
        && !value.contains(['/', '\\', ':', '[', '$'])
        && (kinds >= 3 || value.len() >= LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_was_named_once_is_removed_where_it_is_not() {
        let redactor = Redactor::new(&[]).unwrap();
        let mut counts = Counts::default();
        let mut seen = SeenSecrets::default();
        let mut clean = |text: &str| {
            let clean = seen.redact(&redactor, text, &mut counts);
            clean.into_owned()
        };
        let command = "login-tool ledger Kestrel-Ember-Otter-47 'select 1'";
        assert_eq!(clean(command), command, "nobody has named it yet");
        let named = clean("The password is Kestrel-Ember-Otter-47, use it.");
        assert!(!named.contains("Kestrel"), "{named}");
        let again = clean(command);
        assert!(!again.contains("Kestrel"), "{again}");
        assert!(again.starts_with("login-tool ledger [redacted:"), "{again}");
        // What other texts contain by chance stays.
        clean("password: postgres");
        clean("The password is correcthorse.");
        let text = "docker run postgres; say correcthorse";
        assert_eq!(clean(text), text);
    }

    #[test]
    fn what_a_command_printed_is_removed_where_it_is_used() {
        let redactor = Redactor::new(&[]).unwrap();
        let mut counts = Counts::default();
        let mut seen = SeenSecrets::default();
        assert!(redactor.reads_secret(r#"{"command":"cat config/master.key"}"#));
        seen.note_contents(&redactor, "Kv7pQ2xWm9TzLr4Bn\n", &mut counts);
        let used = seen.redact(&redactor, "ledger push Kv7pQ2xWm9TzLr4Bn", &mut counts);
        assert!(used.starts_with("ledger push [redacted:"), "{used}");
    }

    #[test]
    fn only_distinctive_values_are_remembered() {
        let table = [
            ("postgres", false),
            ("correct-horse-battery", false),
            ("20261117", false),
            ("hunter2", false),
            ("Hunter-2-x", true),
            ("Sommer2024!", true),
            ("q8f3k2m9x7c1v5b4", true),
            ("q8f3k2m9", false),
            ("/srv/data/v2/Keys", false),
            ("host1:5432", false),
            ("${DB_PASS_1}", false),
            ("Zwölf12Monde!", false),
        ];
        for (value, expected) in table {
            assert_eq!(is_distinctive(value), expected, "{value}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let redactor = Redactor::new(&[]).unwrap();
        let mut seen = SeenSecrets::default();
        for number in 0..200 {
            let text = format!("password = \"Ab{number:05}-xYz9\"");
            seen.redact(&redactor, &text, &mut Counts::default());
        }
        assert_eq!(seen.values.len(), MOST);
    }
}
