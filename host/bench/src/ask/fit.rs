//! Weights fitted to this file of questions: a logistic regression over the figures of the best memory, with
//! cross-validation by project. Shows how well the built-in weights transfer to unseen projects.

use super::{AskedQuestion, Best, QuestionVerdict};

/// Maximum share of false answers among unanswerable questions that the threshold allows.
const FALSE_ANSWERS: f64 = 0.05;

/// Regularisation towards zero, because there are few questions.
const SHRINKAGE: f64 = 0.005;

const STEPS: usize = 3_000;
const STEP: f64 = 0.5;
const MOMENTUM: f64 = 0.9;

/// Bias, weights and the minimum probability of an answer.
struct Fitted {
    bias: f64,
    weights: Vec<f64>,
    answers: f64,
}

/// Returns project and verdict of every question, each with weights from the other projects.
pub(crate) fn left_out(asked: &[AskedQuestion], projects: usize) -> Vec<(usize, QuestionVerdict)> {
    let mut outcomes = Vec::new();
    for project in 0..projects {
        let others: Vec<&AskedQuestion> =
            asked.iter().filter(|one| one.project != project).collect();
        let fitted = Fitted::new(&others);
        let own = asked.iter().filter(|one| one.project == project);
        outcomes.extend(own.map(|one| (project, fitted.verdict(one))));
    }
    outcomes
}

pub(crate) fn print_weights(asked: &[AskedQuestion], names: &[String]) {
    let fitted = Fitted::new(&asked.iter().collect::<Vec<_>>());
    println!(
        "\nfitted on all: bias {:.2}, answers from {:.3}",
        fitted.bias, fitted.answers
    );
    for (name, weight) in names.iter().zip(&fitted.weights) {
        println!("  {name:<10} {weight:>6.2}");
    }
}

impl Fitted {
    fn new(asked: &[&AskedQuestion]) -> Self {
        let examples: Vec<&Best> = asked.iter().filter_map(|one| one.best.as_ref()).collect();
        let width = examples.first().map_or(0, |best| best.figures.len());
        let mut fitted = Self {
            bias: 0.0,
            weights: vec![0.0; width],
            answers: 0.5,
        };
        let mut moves = vec![0.0; width + 1];
        for _ in 0..STEPS {
            let mut slopes = vec![0.0; width + 1];
            for best in &examples {
                let error = fitted.probability(&best.figures) - f64::from(u8::from(best.is_right));
                slopes[width] += error;
                for (slope, figure) in slopes.iter_mut().zip(&best.figures) {
                    *slope += error * figure;
                }
            }
            let number = examples.len().max(1) as f64;
            for at in 0..=width {
                let pull = if at < width {
                    SHRINKAGE * fitted.weights[at]
                } else {
                    0.0
                };
                moves[at] = MOMENTUM * moves[at] - STEP * (slopes[at] / number + pull);
            }
            for (weight, by) in fitted.weights.iter_mut().zip(&moves) {
                *weight += by;
            }
            fitted.bias += moves[width];
        }
        fitted.answers = fitted.threshold(asked);
        fitted
    }

    /// Returns the minimum probability that leaves no more false answers than allowed.
    fn threshold(&self, asked: &[&AskedQuestion]) -> f64 {
        let unanswerable = asked.iter().filter(|one| !one.is_answerable);
        let mut found: Vec<f64> = unanswerable.map(|one| self.of(one)).collect();
        found.sort_by(|left, right| right.total_cmp(left));
        let allowed = (found.len() as f64 * FALSE_ANSWERS).floor() as usize;
        found.get(allowed).map_or(0.5, |first| first + 1e-9)
    }

    fn of(&self, asked: &AskedQuestion) -> f64 {
        asked
            .best
            .as_ref()
            .map_or(0.0, |best| self.probability(&best.figures))
    }

    fn verdict(&self, asked: &AskedQuestion) -> QuestionVerdict {
        let is_right = asked.best.as_ref().is_some_and(|best| best.is_right);
        match (asked.is_answerable, self.of(asked) >= self.answers) {
            (true, true) if is_right => QuestionVerdict::Right,
            (true, true) => QuestionVerdict::Wrong,
            (true, false) => QuestionVerdict::Missed,
            (false, true) => QuestionVerdict::False,
            (false, false) => QuestionVerdict::Refused,
        }
    }

    fn probability(&self, figures: &[f64]) -> f64 {
        let sum: f64 = figures
            .iter()
            .zip(&self.weights)
            .map(|(figure, weight)| figure * weight)
            .sum();
        1.0 / (1.0 + (-(self.bias + sum)).exp())
    }
}
