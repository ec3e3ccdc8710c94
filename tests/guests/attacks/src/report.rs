//! Results of all attempts, as lines of text.

use std::fmt::{Debug, Display};

/// Maximum number of lines; further ones are only counted.
const MAX_LINES: usize = 5_000;

#[derive(Debug, Default)]
pub struct Report {
    lines: Vec<String>,
    left_out: usize,
}

impl Report {
    /// Reports an attempt that must not succeed.
    pub fn forbidden<T, E: Debug>(&mut self, attempt: impl Display, result: Result<T, E>) {
        match result {
            Ok(_) => self.escaped(attempt),
            Err(error) => self.refused(attempt, error),
        }
    }

    pub fn escaped(&mut self, attempt: impl Display) {
        // First, so that many refusals cannot hide it.
        self.lines.insert(0, format!("escaped {attempt}"));
    }

    pub fn refused(&mut self, attempt: impl Display, reason: impl Debug) {
        self.push(format!("refused {attempt}: {reason:?}"));
    }

    pub fn noted(&mut self, fact: impl Display) {
        self.push(format!("noted {fact}"));
    }

    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        if self.left_out > 0 {
            text.push_str(&format!("\nnoted {} more lines", self.left_out));
        }
        text
    }

    fn push(&mut self, line: String) {
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
        } else {
            self.left_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_stands_first_and_is_never_left_out() {
        let mut report = Report::default();
        for number in 0..MAX_LINES + 1 {
            report.forbidden(number, Err::<(), _>("no"));
        }
        report.forbidden("open x", Ok::<_, &str>(()));
        let text = report.text();
        assert!(
            text.starts_with("escaped open x\nrefused 0: \"no\"\n"),
            "{text}"
        );
        assert!(text.ends_with("\nnoted 1 more lines"));
    }
}
