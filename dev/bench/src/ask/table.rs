//! The tables: outcomes by project, and the passages shown.

use serde_json::{Value, json};

use super::{AskedQuestion, QuestionVerdict};

#[derive(Default)]
struct VerdictCounts {
    right: usize,
    wrong: usize,
    missed: usize,
    false_answers: usize,
    refused: usize,
}

impl VerdictCounts {
    fn of(verdicts: impl Iterator<Item = QuestionVerdict>) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            match verdict {
                QuestionVerdict::Right => counts.right += 1,
                QuestionVerdict::Wrong => counts.wrong += 1,
                QuestionVerdict::Missed => counts.missed += 1,
                QuestionVerdict::False => counts.false_answers += 1,
                QuestionVerdict::Refused => counts.refused += 1,
            }
        }
        counts
    }

    fn answered_share(&self) -> f64 {
        share(self.right, self.right + self.wrong + self.missed)
    }

    fn false_share(&self) -> f64 {
        share(self.false_answers, self.false_answers + self.refused)
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<24} {:>5} {:>5} {:>6} {:>6.1} % | {:>5} {:>7} {:>6.1} %",
            self.right,
            self.wrong,
            self.missed,
            100.0 * self.answered_share(),
            self.false_answers,
            self.refused,
            100.0 * self.false_share(),
        )
    }

    fn json(&self) -> Value {
        json!({
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "false": self.false_answers,
            "refused": self.refused,
            "answered_share": self.answered_share(),
            "false_share": self.false_share(),
        })
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn head(name: &str) {
    println!("\n{name:<24} answerable                | unanswerable");
    println!(
        "{:<24} right wrong missed answered | false refused    false",
        ""
    );
}

/// Prints the results by project and in all, and returns the latter.
pub(crate) fn print(asked: &[AskedQuestion], projects: &[&str]) -> Value {
    let verdicts = |wanted: &dyn Fn(&AskedQuestion) -> bool| {
        let wanted = asked.iter().filter(|one| wanted(one));
        VerdictCounts::of(wanted.map(|one| one.outcome))
    };
    head("counted as an answer");
    for (place, name) in projects.iter().enumerate() {
        println!("{}", verdicts(&|one| one.project == place).line(name));
    }
    let all = verdicts(&|_| true);
    println!("{}", all.line("all"));
    let count = |wanted: &dyn Fn(&&AskedQuestion) -> bool| asked.iter().filter(wanted).count();
    let answerable = count(&|one| one.is_answerable);
    let shown = count(&|one| one.is_answerable && one.is_shown);
    let quoted = count(&|one| one.is_answerable && one.is_quoted);
    let unanswerable = asked.len() - answerable;
    let perhaps = count(&|one| !one.is_answerable && one.shows_any);
    println!(
        "\nanswerable, the right memory is among the two passages shown: {shown} of {answerable}"
    );
    println!("answerable, the sentence that the file names is shown: {quoted} of {answerable}");
    println!("unanswerable, a passage is shown, most as a perhaps: {perhaps} of {unanswerable}");
    let mut value = all.json();
    value["quoted"] = json!(quoted);
    value["shown"] = json!(share(shown, answerable));
    value["perhaps_unanswerable"] = json!(share(perhaps, unanswerable));
    value
}

/// Prints every question with a wrong result.
pub(crate) fn questions(asked: &[AskedQuestion]) {
    let failed = asked
        .iter()
        .filter(|one| one.is_answerable && !one.is_shown || one.outcome == QuestionVerdict::False);
    for one in failed {
        println!(
            "{:<7} {:>3} % {} => {}",
            format!("{:?}", one.outcome),
            one.sure,
            one.question,
            one.passages
        );
    }
}
