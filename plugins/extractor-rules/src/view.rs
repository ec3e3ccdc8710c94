//! A sentence with its language: phrases are looked up in the tables of its language, as whole words if the language
//! separates words, and anywhere if it does not.

use crate::phrases::{Folded, Phrases, phrases};
use crate::words::{CHINESE, ENGLISH, JAPANESE, LanguageTables, RUSSIAN, SPACED};

/// A sentence as the rules see it.
#[derive(Debug)]
pub(crate) struct SentenceView<'a> {
    /// Verbatim.
    pub(crate) text: &'a str,
    pub(crate) tongue: &'static LanguageTables,
    folded: Folded,
}

impl<'a> SentenceView<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let folded = Folded::of(text);
        Self {
            text,
            tongue: tongue(text, &folded),
            folded,
        }
    }

    /// Reports whether one of the phrases occurs in the sentence.
    pub(crate) fn has(&self, phrases: Phrases) -> bool {
        if self.tongue.spaced {
            self.folded.any(phrases)
        } else {
            wide(phrases).any(|phrase| self.text.contains(phrase))
        }
    }

    /// Reports whether one of the phrases occurs in the sentence as whole words, in any script.
    pub(crate) fn names(&self, phrases: Phrases) -> bool {
        self.folded.any(phrases)
    }

    /// Reports whether the sentence opens with one of the phrases.
    pub(crate) fn opens(&self, phrases: Phrases) -> bool {
        if self.tongue.spaced {
            self.folded.opens(phrases)
        } else {
            wide(phrases).any(|phrase| self.text.starts_with(phrase))
        }
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.folded.words()
    }

    /// Reports whether function words or the script identify the language for certain.
    pub(crate) fn is_sure_of_language(&self) -> bool {
        let known = self.folded.count(self.tongue.small);
        let foreign = |letter: char| letter.is_alphabetic() && letter > '\u{24f}';
        !self.tongue.spaced
            || std::ptr::eq(self.tongue, &RUSSIAN)
            || known >= 2 && !self.text.contains(foreign)
    }

    /// Returns the size of the sentence in words; without spaces, two characters count as one word.
    pub(crate) fn size(&self) -> usize {
        if self.tongue.spaced {
            self.folded.word_count()
        } else {
            let letters = self.text.chars().filter(|letter| letter.is_alphanumeric());
            letters.count().div_ceil(2)
        }
    }

    pub(crate) fn is_question(&self) -> bool {
        is_question(self.text)
    }

    /// Returns the sentence without its opening fillers, verbatim.
    pub(crate) fn bare(&self) -> &'a str {
        let mut rest = without_label(trimmed(without_number(self.text)));
        for _ in 0..6 {
            let shorter = without_opening(rest, self.tongue);
            if shorter.len() == rest.len() {
                break;
            }
            rest = shorter;
        }
        rest
    }
}

/// Reports whether a text is a question.
pub(crate) fn is_question(text: &str) -> bool {
    let end = text.trim_end_matches(['"', '*', '_', ')', ' ', '”', '」', '😅']);
    end.ends_with(['?', '？']) || end.contains("? ")
}

/// Returns the phrases of scripts without spaces; others would match inside of words.
fn wide(phrases: Phrases) -> impl Iterator<Item = &'static str> {
    phrases.iter().filter(|phrase| !phrase.is_ascii())
}

/// Removes a leading list number: `3 The names should …`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|first: char| first.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', ')', '、']);
    let listed = bare.len() < rest.len() || bare.starts_with(' ');
    let bare = bare.trim_start();
    if rest.len() < text.len()
        && listed
        && bare.starts_with(|first: char| first.is_uppercase() || first > '\u{2e80}')
    {
        bare
    } else {
        text
    }
}

/// Removes a leading label: `ab-12: drop the cache`, `one rule here: drop it`.
fn without_label(text: &str) -> &str {
    let Some((label, rest)) = text.split_once(": ") else {
        return text;
    };
    let ticket =
        label.len() <= 14 && label.contains(['-', '#']) && !label.contains([' ', '`', '/', '.']);
    let words = Folded::of(label);
    if ticket || words.word_count() <= 8 && words.any(LABELS) {
        rest
    } else {
        text
    }
}

/// Words that announce what follows them.
const LABELS: Phrases = phrases!(
    "another thing|one more thing|other topic|noch was|noch etwas|anderes thema|otra cosa|otro tema|autre chose|autre sujet|rule|convention|policy|decision|decided|outcome|result|final answer|verdict|conclusion|ergebnis|resultado|résultat|итог|note|reminder|preference|guideline|requirement|constraint|regel|konvention|entscheidung|hinweis|regla|convención|decisión|règle|décision|правило|решение"
);

/// Removes one opening filler that ends at the end of a word.
fn without_opening<'a>(text: &'a str, tongue: &LanguageTables) -> &'a str {
    let mut longest = 0;
    for filler in tongue.filler.iter() {
        let Some(end) = opening_of(text, filler) else {
            continue;
        };
        let next = text[end..].chars().next();
        let ends = !tongue.spaced
            || next.is_none_or(|next| !next.is_alphanumeric() && next != '\'' && next != '-');
        // `No force push` is a rule, `no, use tabs` is an answer.
        let answers = !matches!(
            filler,
            "no" | "now"
                | "q"
                | "like"
                | "first"
                | "second"
                | "a"
                | "et"
                | "rule"
                | "update"
                | "note"
                | "right"
                | "good"
                | "fine"
                | "nice"
                | "look"
                | "again"
                | "careful"
                | "а"
        ) || next
            .is_some_and(|next| matches!(next, ',' | ':' | '.' | '!' | '-' | '—'));
        if ends && answers && end > longest && end < text.len() {
            longest = end;
        }
    }
    trimmed(&text[longest..])
}

/// Returns the end of a lower-case opening in a text of any case.
fn opening_of(text: &str, opening: &str) -> Option<usize> {
    let mut wanted = opening.chars();
    let mut end = 0;
    let mut expected = wanted.next();
    for character in text.chars() {
        let Some(one) = expected else {
            break;
        };
        let seen = if character == '\u{2019}' {
            '\''
        } else {
            character
        };
        if !seen.to_lowercase().eq(one.to_lowercase()) {
            return None;
        }
        end += character.len_utf8();
        expected = wanted.next();
    }
    expected.is_none().then_some(end)
}

fn trimmed(text: &str) -> &str {
    // `.gitignore` and `*.rs` are names.
    let named = text.trim_start().trim_start_matches('*');
    let dotted = named
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    if dotted {
        return text.trim();
    }
    text.trim_start_matches(|character: char| {
        character.is_whitespace()
            || matches!(
                character,
                ',' | ':'
                    | '.'
                    | '!'
                    | '-'
                    | '–'
                    | '—'
                    | ';'
                    | '*'
                    | '，'
                    | '：'
                    | '。'
                    | '、'
                    | '！'
                    | '+'
                    | '>'
                    | '…'
            )
    })
    .trim_end()
}

/// Determines the language of a sentence by its script or its function words.
fn tongue(text: &str, folded: &Folded) -> &'static LanguageTables {
    let (mut kana, mut han, mut cyrillic, mut latin) = (0, 0, 0, 0);
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' => latin += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' => han += 1,
            '\u{0400}'..='\u{04ff}' => cyrillic += 1,
            _ => {}
        }
    }
    if kana > 0 && (kana + han) * 4 > latin {
        return &JAPANESE;
    }
    if han * 4 > latin {
        return &CHINESE;
    }
    if cyrillic * 2 > latin {
        return &RUSSIAN;
    }
    let mut best = &ENGLISH;
    let mut most = folded.count(ENGLISH.small);
    for tongue in SPACED.into_iter().skip(1) {
        let count = folded.count(tongue.small);
        if count > most {
            most = count;
            best = tongue;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{FRENCH, GERMAN, SPANISH};

    #[test]
    fn the_language_is_told_by_script_and_small_words() {
        for (text, expected) in [
            ("always use tabs in the parser", &ENGLISH),
            ("use pnpm", &ENGLISH),
            ("Ab jetzt immer pnpm statt npm verwenden, bitte", &GERMAN),
            ("Hemos decidido usar Postgres en lugar de MySQL", &SPANISH),
            ("On a décidé de garder SQLite dans le projet", &FRENCH),
            ("Всегда используй pnpm", &RUSSIAN),
            ("以后都用 pnpm", &CHINESE),
            ("今後は必ず pnpm を使ってください", &JAPANESE),
        ] {
            assert!(
                std::ptr::eq(SentenceView::of(text).tongue, expected),
                "{text}"
            );
        }
    }

    #[test]
    fn openings_that_say_nothing_go() {
        for (text, expected) in [
            ("ok, so please always use tabs", "always use tabs"),
            ("No force push anywhere", "No force push anywhere"),
            ("no, use tabs", "use tabs"),
            (
                "I think that our themes need tokens",
                "our themes need tokens",
            ),
            ("Кстати, запомни: всегда пиши тесты", "всегда пиши тесты"),
            ("好的，以后都用 pnpm", "以后都用 pnpm"),
            ("ok", "ok"),
        ] {
            assert_eq!(SentenceView::of(text).bare(), expected, "{text}");
        }
    }
}
