//! The text of a memory that instructs: the person's own sentences and, where these do not say what they are about, the
//! passage of the agent that they answer. Both are verbatim; the title beside them is the finder's wording.
//!
//! ```text
//! # Deploy on weekdays only                      title, by whoever found it
//!
//! > no, never on fridays                         quote of the person
//!
//! To:
//!
//! > Shall the pipeline deploy on Fridays too?    what it answers
//! ```
//!
//! In a brief this is one line: `Deploy on weekdays only — “no, never on fridays” (to: “Shall the pipeline …?”)`. A body of
//! any other shape was written or edited by a person and is told as it stands.

/// Verbatim words of a person, and what they answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// At least one.
    pub quotes: Vec<String>,
    pub about: Option<String>,
}

/// The line between quotes and what they answer.
const TO: &str = "To:";

impl Quotation {
    /// Returns it as the markdown body of a memory.
    pub fn to_body(&self) -> String {
        let quotes = self.quotes.iter().map(|quote| block(quote));
        let mut parts: Vec<String> = quotes.collect();
        if let Some(about) = &self.about {
            parts.push(TO.to_owned());
            parts.push(block(about));
        }
        parts.join("\n\n")
    }

    /// Parses a body; `None` if it is anything but a quotation.
    pub fn from_body(body: &str) -> Option<Self> {
        let mut found = Self {
            quotes: Vec::new(),
            about: None,
        };
        let mut is_about = false;
        for part in body.trim().split("\n\n") {
            let part = part.trim_matches('\n');
            if part.trim() == TO && !is_about && !found.quotes.is_empty() {
                is_about = true;
                continue;
            }
            let text = unblock(part)?;
            match is_about {
                false => found.quotes.push(text),
                true if found.about.is_none() => found.about = Some(text),
                true => return None,
            }
        }
        (!found.quotes.is_empty() && is_about == found.about.is_some()).then_some(found)
    }

    /// Returns it as one line for a reader: `title — “quote” (to: “about”)`. A title that only repeats the quote is left
    /// out.
    pub fn told(&self, title: &str) -> String {
        let quotes: Vec<String> = self.quotes.iter().map(|quote| marked(quote)).collect();
        let quotes = quotes.join(" ");
        let is_repeated = letters(&quotes).starts_with(&letters(title));
        let mut line = match is_repeated || title.is_empty() {
            true => quotes,
            false => format!("{title} — {quotes}"),
        };
        if let Some(about) = &self.about {
            line.push_str(&format!(" (to: {})", marked(about)));
        }
        line
    }
}

/// Returns a text in quotation marks, on one line. Marks of its own become others, so that it cannot end the quote.
fn marked(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("“{}”", words.join(" ").replace(['“', '”'], "\""))
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|one| one.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns a text as a markdown block quote.
fn block(text: &str) -> String {
    let lines = text
        .trim()
        .lines()
        .map(|line| format!("> {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn unblock(part: &str) -> Option<String> {
    let lines = part.lines().map(|line| match line {
        ">" => Some(""),
        line => line.strip_prefix("> "),
    });
    let text = lines.collect::<Option<Vec<_>>>()?.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotation(quotes: &[&str], about: Option<&str>) -> Quotation {
        Quotation {
            quotes: quotes.iter().map(|quote| (*quote).to_owned()).collect(),
            about: about.map(str::to_owned),
        }
    }

    #[test]
    fn a_body_is_read_as_it_was_written() {
        for one in [
            quotation(&["Never on fridays."], None),
            quotation(&["a\n\nb", "To:"], None),
            quotation(&["2", "> and log it"], Some("1. a table\n2. a file")),
        ] {
            assert_eq!(Quotation::from_body(&one.to_body()).as_ref(), Some(&one));
        }
    }

    #[test]
    fn other_bodies_are_none() {
        for body in [
            "",
            "Never on fridays.",
            "> a\nb",
            "> a\n\nTo:",
            "To:\n\n> a",
            "> a\n\nTo:\n\n> b\n\n> c",
        ] {
            assert_eq!(Quotation::from_body(body), None, "{body}");
        }
    }

    #[test]
    fn a_reader_sees_whose_words_they_are() {
        let one = quotation(&["no, “never”\non fridays"], Some("On Fridays too?"));
        assert_eq!(
            one.told("Deploys"),
            "Deploys — “no, \"never\" on fridays” (to: “On Fridays too?”)"
        );
        assert_eq!(
            quotation(&["Use tabs."], None).told("Use tabs"),
            "“Use tabs.”"
        );
    }
}
