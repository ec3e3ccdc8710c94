//! Finds a model's quote in the text of an event and returns the original text. Ignores blanks, invisible characters,
//! emphasis marks and the form of quotation marks, but not letters.

/// Finds the quote in `text`, verbatim, at most [`LONGEST_QUOTE`] bytes of it.
pub(crate) fn verbatim(text: &str, quote: &str) -> Option<String> {
    let quote = quote.trim();
    let bare = quote.trim_matches(|edge: char| edge.is_whitespace() || "\"'`“”‘’…".contains(edge));
    // A model that saw a shortened text quotes it shortened: the longest part counts.
    let longest = bare
        .split('…')
        .flat_map(|part| part.split("..."))
        .max_by_key(|part| part.len())
        .unwrap_or("");
    let plain = NormalisedText::of(text);
    [quote, bare, longest.trim()]
        .iter()
        .filter(|quote| says_enough(quote, text))
        .find_map(|quote| {
            let found = exact(text, quote).or_else(|| plain.find(text, quote))?;
            seen(found).filter(|part| says_enough(part, text))
        })
        .map(|found| {
            acreta_text::head(found, LONGEST_QUOTE)
                .trim_end()
                .to_owned()
        })
}

/// Finds a few words or letters that occur in `text` as a whole: enough for a person's answer. In a longer message, an
/// answer comes first or numbers an option (`2a`).
pub(crate) fn answered(text: &str, quote: &str, is_answer: bool) -> Option<String> {
    let quote = quote.trim().trim_matches(['"', '\'', '`', '“', '”']);
    let is_edge = |next: Option<char>| {
        next.is_none_or(|one| !one.is_alphanumeric() || acreta_text::is_unspaced(one))
    };
    let counts = quote.bytes().any(|byte| byte.is_ascii_digit());
    let stands = text.match_indices(quote).any(|(at, found)| {
        let is_first = text[..at].trim().is_empty();
        (is_answer || is_first || counts)
            && is_edge(text[..at].chars().next_back())
            && is_edge(text[at + found.len()..].chars().next())
    });
    (!quote.is_empty() && stands && !quote.chars().any(acreta_text::is_hidden))
        .then(|| quote.to_owned())
}

/// Finds the longest run of the quote's words in `text`, if it is most of the quote. A line that combines or shortens
/// events differs from each of them.
pub(crate) fn mostly(text: &str, quote: &str) -> Option<String> {
    let words: Vec<&str> = quote.split_whitespace().collect();
    let plain = NormalisedText::of(text);
    let mut best: Option<&str> = None;
    let mut end = 0;
    for start in 0..words.len() {
        end = end.max(start);
        while end < words.len() {
            let Some(found) = plain.find(text, &words[start..=end].join(" ")) else {
                break;
            };
            if best.is_none_or(|best| found.len() > best.len()) {
                best = Some(found);
            }
            end += 1;
        }
    }
    let least = quote.trim().len() / 2;
    verbatim(
        text,
        best.filter(|found| found.len() >= least.max(SHORTEST_QUOTE))?,
    )
}

/// Reports whether a quote is long enough: one or two words occur in every text, so only a whole message may be that
/// short.
fn says_enough(quote: &str, text: &str) -> bool {
    let length: usize = quote.split_whitespace().map(str::len).sum();
    length >= SHORTEST_QUOTE || (length > 0 && quote.trim() == text.trim())
}

pub(crate) const SHORTEST_QUOTE: usize = 12;
pub(crate) const LONGEST_QUOTE: usize = 400;

fn exact<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    let start = text.find(quote)?;
    Some(&text[start..start + quote.len()])
}

/// Returns the longest part without invisible characters: nobody could have read the rest.
fn seen(found: &str) -> Option<&str> {
    found
        .split(acreta_text::is_hidden)
        .map(str::trim)
        .max_by_key(|part| part.len())
        .filter(|part| !part.is_empty())
}

/// A normalised text, with the original offset of each of its bytes.
struct NormalisedText {
    text: String,
    places: Vec<usize>,
}

impl NormalisedText {
    fn of(text: &str) -> Self {
        let mut plain = Self {
            text: String::with_capacity(text.len()),
            places: Vec::with_capacity(text.len()),
        };
        for (at, character) in text.char_indices() {
            match folded(character) {
                None => {}
                Some(' ') if plain.text.is_empty() || plain.text.ends_with(' ') => {}
                Some(character) => {
                    let before = plain.text.len();
                    plain.text.push(character);
                    plain.places.extend((before..plain.text.len()).map(|_| at));
                }
            }
        }
        plain
    }

    /// Finds the part of `text`, whose normalised form this is, that matches `quote`.
    fn find<'a>(&self, text: &'a str, quote: &str) -> Option<&'a str> {
        let wanted = Self::of(quote).text;
        let wanted = wanted.trim();
        if wanted.is_empty() {
            return None;
        }
        let start = self.text.find(wanted)?;
        let last = *self.places.get(start + wanted.len() - 1)?;
        let end = last + text[last..].chars().next()?.len_utf8();
        Some(&text[*self.places.get(start)?..end])
    }
}

/// Normalises a character for comparison: `None` if it is ignored.
fn folded(character: char) -> Option<char> {
    match character {
        '*' | '`' => None,
        '’' | '‘' => Some('\''),
        '“' | '”' => Some('"'),
        '–' | '—' | '‑' | '‐' => Some('-'),
        one if one.is_whitespace() => Some(' '),
        one if acreta_text::is_hidden(one) => None,
        one => Some(one),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_are_found_as_they_stand() {
        let text = "Please always\n    use tabs, never   spaces – déjà vu.\nok";
        let cases = [
            ("use tabs, never   spaces", Some("use tabs, never   spaces")),
            (
                "always use tabs, never spaces",
                Some("always\n    use tabs, never   spaces"),
            ),
            (
                "\"never spaces - déjà vu.\"",
                Some("never   spaces – déjà vu."),
            ),
            (
                "Please … use tabs, never spaces",
                Some("use tabs, never   spaces"),
            ),
            ("always use spaces, never tabs", None),
            ("Use tabs, never spaces", None),
            ("tabs", None),
            ("", None),
            ("…", None),
        ];
        for (quote, expected) in cases {
            assert_eq!(verbatim(text, quote).as_deref(), expected, "{quote}");
        }
        assert_eq!(verbatim(" yes \n", "yes").as_deref(), Some("yes"));
        assert_eq!(verbatim("可以", "可以").as_deref(), Some("可以"));
    }

    #[test]
    fn an_answer_may_be_short_and_a_shortened_line_is_quoted_by_its_longest_part() {
        let cases = [
            ("2a skill name is /spec", "2a", Some("2a")),
            ("the rest as is, 3b too", "3b", Some("3b")),
            ("第一个，谢谢", "第一个", Some("第一个")),
            ("put it in the config", "in", None),
            ("already done", "read", None),
            ("yes", "", None),
        ];
        for (text, quote, expected) in cases {
            assert_eq!(
                answered(text, quote, false).as_deref(),
                expected,
                "{text}: {quote}"
            );
        }
        let text = r#"{"command":"cargo test --workspace -- --test-threads=1"}"#;
        let quote = "Bash cargo test --workspace -- --test-threads=1 (2 KB)";
        assert_eq!(
            mostly(text, quote).as_deref(),
            Some("cargo test --workspace -- --test-threads=1")
        );
        assert_eq!(
            mostly(text, "something else about the tests --workspace"),
            None
        );
    }

    #[test]
    fn emphasis_does_not_count() {
        let text = "The **root cause** is `retry_budget` in *config*.";
        assert_eq!(
            verbatim(text, "root cause is retry_budget in config").as_deref(),
            Some("root cause** is `retry_budget` in *config")
        );
    }

    #[test]
    fn invisible_characters_are_passed_over_and_never_quoted() {
        let text = "keep the port at \u{200b}4711 because the proxy\u{feff} knows only this one";
        let quote = verbatim(text, "port at 4711 because the proxy knows only this one").unwrap();
        assert!(
            text.contains(&quote) && !quote.chars().any(acreta_text::is_hidden),
            "{quote:?}"
        );
        assert_eq!(quote, "4711 because the proxy");
    }

    #[test]
    fn long_quotes_are_cut_and_stay_verbatim() {
        let text = "é ".repeat(900);
        let quote = verbatim(&text, &text).unwrap();
        assert!(quote.len() <= LONGEST_QUOTE && text.contains(&quote));
    }

    proptest! {
        #[test]
        fn whatever_is_found_stands_in_the_text(
            text in "[a-c*`’“–é \u{200b}\u{feff}\n日]{0,80}",
            quote in "[a-c*’“–é \u{200b}日]{0,40}",
        ) {
            if let Some(found) = verbatim(&text, &quote) {
                prop_assert!(text.contains(&found));
                prop_assert!(!found.trim().is_empty());
            }
        }

        #[test]
        fn a_shown_part_is_always_found(
            words in prop::collection::vec("[a-zé日]{2,9}", 4..20),
            breaks in prop::collection::vec("( |\n|\u{200b} |  |\t)", 20),
        ) {
            let text: String = words.iter().zip(&breaks).map(|(word, gap)| format!("{word}{gap}")).collect();
            let shown = words[..4].join(" ");
            if shown.len() >= SHORTEST_QUOTE + 3 {
                // Hidden characters may leave only short parts.
                let hidden = text.contains('\u{200b}');
                prop_assert!(hidden || verbatim(&text, &shown).is_some(), "{text:?}");
            }
        }
    }
}
