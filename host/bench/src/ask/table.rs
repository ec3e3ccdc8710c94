//! The tables: outcomes by project and by kind of question.

use std::collections::BTreeMap;

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

/// Prints the results of `acreta` with its built-in weights, and returns them.
pub(crate) fn shipped(asked: &[AskedQuestion], projects: &[&str]) -> Value {
    let verdicts = |wanted: &dyn Fn(&AskedQuestion) -> bool| {
        let wanted: Vec<QuestionVerdict> = asked
            .iter()
            .filter(|one| wanted(one))
            .map(|one| one.outcome)
            .collect();
        VerdictCounts::of(wanted.into_iter())
    };
    head("as shipped");
    for (place, name) in projects.iter().enumerate() {
        println!("{}", verdicts(&|one| one.project == place).line(name));
    }
    let all = verdicts(&|_| true);
    println!("{}", all.line("all"));
    head("by kind of question");
    let mut by_kind = BTreeMap::new();
    for one in asked {
        by_kind
            .entry(one.kind.as_str())
            .or_insert_with(|| verdicts(&|other| other.kind == one.kind));
    }
    for (kind, counts) in &by_kind {
        println!("{}", counts.line(kind));
    }
    let answerable = asked.iter().filter(|one| one.is_answerable).count();
    let pointed = asked.iter().filter(|one| one.is_pointed_at).count();
    println!(
        "\nthe right memory is the source or one of the two named instead: {pointed} of {answerable}"
    );
    let quoted = asked
        .iter()
        .filter(|one| one.outcome == QuestionVerdict::Right && one.is_quoted)
        .count();
    println!(
        "right answers with the very sentence that the file names: {quoted} of {}",
        all.right
    );
    let mut value = all.json();
    value["quoted"] = json!(quoted);
    value["pointed_at"] = json!(share(pointed, answerable));
    value
}

/// Prints the results with weights from the other projects.
pub(crate) fn left_out(outcomes: &[(usize, QuestionVerdict)], projects: &[&str]) {
    head("fitted on the others");
    for (place, name) in projects.iter().enumerate() {
        let own = outcomes.iter().filter(|(project, _)| *project == place);
        println!(
            "{}",
            VerdictCounts::of(own.map(|(_, verdict)| *verdict)).line(name)
        );
    }
    println!(
        "{}",
        VerdictCounts::of(outcomes.iter().map(|(_, verdict)| *verdict)).line("all")
    );
}

pub(crate) fn totals(outcomes: impl Iterator<Item = (usize, QuestionVerdict)>) -> Value {
    VerdictCounts::of(outcomes.map(|(_, verdict)| verdict)).json()
}

/// Prints every question with a wrong result.
pub(crate) fn questions(asked: &[AskedQuestion]) {
    let failed = asked.iter().filter(|one| {
        !matches!(
            one.outcome,
            QuestionVerdict::Right | QuestionVerdict::Refused
        )
    });
    for one in failed {
        println!(
            "{:<6} {:<10} {} => {}",
            format!("{:?}", one.outcome),
            one.kind,
            one.question,
            one.answer
        );
    }
}
