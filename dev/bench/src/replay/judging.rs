//! Moments for people to judge: a line of JSON each, and read back with the judgements.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::replay::offers::Offer;

/// A moment at which something may be offered.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReplayMoment {
    pub(crate) id: String,
    pub(crate) kind: MomentKind,
    pub(crate) agent: String,
    /// The prompt, or the command with its output.
    pub(crate) said: String,
    pub(crate) offered: Vec<Offer>,
    /// An earlier prompt that shares words, or the earlier failure.
    pub(crate) earlier: Option<Earlier>,
    pub(crate) next: Vec<Followed>,
    /// To be filled in: whether the offer is right and useful here.
    pub(crate) judgement: Option<bool>,
    /// To be filled in: whether the prompt repeats an instruction of an earlier session.
    pub(crate) repeats: Option<bool>,
    /// To be filled in: whether the offer contains that instruction.
    pub(crate) supplied: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MomentKind {
    Prompt,
    Failure,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Earlier {
    pub(crate) session: String,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Followed {
    pub(crate) role: String,
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// Totals of the judgements.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Judgements {
    prompts: Share,
    failures: Share,
    /// Repeated instructions that memory supplied.
    instructions: Share,
}

/// Right ones among those judged.
#[derive(Debug, Default, Serialize)]
struct Share {
    right: u64,
    judged: u64,
}

#[derive(Deserialize)]
struct Judged {
    kind: MomentKind,
    #[serde(default)]
    judgement: Option<bool>,
    #[serde(default)]
    repeats: Option<bool>,
    #[serde(default)]
    supplied: Option<bool>,
}

impl Share {
    fn count(&mut self, is_right: bool) {
        self.judged += 1;
        self.right += u64::from(is_right);
    }

    fn shown(&self) -> String {
        match self.judged {
            0 => "none judged".to_owned(),
            judged => format!(
                "{:.3} ({} of {judged})",
                self.right as f64 / judged as f64,
                self.right
            ),
        }
    }
}

impl Judgements {
    pub(crate) fn read(file: &Path) -> Outcome<Self> {
        let mut judgements = Self::default();
        for (at, line) in std::fs::read_to_string(file)?.lines().enumerate() {
            let judged: Judged = serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", file.display(), at + 1))?;
            if let Some(is_right) = judged.judgement {
                match judged.kind {
                    MomentKind::Prompt => judgements.prompts.count(is_right),
                    MomentKind::Failure => judgements.failures.count(is_right),
                }
            }
            if judged.repeats == Some(true) {
                judgements.instructions.count(judged.supplied == Some(true));
            }
        }
        Ok(judgements)
    }

    pub(crate) fn print(&self) {
        println!("precision of prompts    {}", self.prompts.shown());
        println!("precision of failures   {}", self.failures.shown());
        println!("repeated instructions   {}", self.instructions.shown());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn judgements_are_read_back_and_what_nobody_judged_does_not_count() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let lines = [
            r#"{"id":"a","kind":"failure","offered":[],"judgement":true}"#,
            r#"{"id":"b","kind":"failure","judgement":false,"repeats":null}"#,
            r#"{"id":"c","kind":"failure","judgement":null}"#,
            r#"{"id":"d","kind":"prompt","judgement":true,"repeats":true,"supplied":true}"#,
            r#"{"id":"e","kind":"prompt","repeats":true}"#,
            r#"{"id":"f","kind":"prompt","repeats":false,"supplied":true}"#,
        ];
        file.write_all(lines.join("\n").as_bytes()).unwrap();
        let judgements = Judgements::read(file.path()).unwrap();
        assert_eq!(judgements.failures.shown(), "0.500 (1 of 2)");
        assert_eq!(judgements.prompts.shown(), "1.000 (1 of 1)");
        assert_eq!(judgements.instructions.shown(), "0.500 (1 of 2)");
        assert_eq!(Share::default().shown(), "none judged");
    }
}
