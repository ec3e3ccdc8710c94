//! The weights as this file of questions would have them: a logistic regression over the figures of the memory that
//! fits best, fitted without one project at a time. Shows how far the table transfers to projects it has not seen.

use super::{Asked, Best, Verdict};

/// Share of false answers among unanswerable questions that the threshold allows.
const FALSE_ANSWERS: f64 = 0.05;

/// Pulls weights towards nothing: there are few questions.
const SHRINKAGE: f64 = 0.005;

const STEPS: usize = 3_000;
const STEP: f64 = 0.5;
const MOMENTUM: f64 = 0.9;

/// Bias, weights and the least probability of an answer.
struct Fitted {
    bias: f64,
    weights: Vec<f64>,
    answers: f64,
}

/// The outcome of every question, each with weights from the other projects: its project and its verdict.
pub(crate) fn left_out(asked: &[Asked], projects: usize) -> Vec<(usize, Verdict)> {
    let mut outcomes = Vec::new();
    for project in 0..projects {
        let others: Vec<&Asked> = asked.iter().filter(|one| one.project != project).collect();
        let fitted = Fitted::new(&others);
        let own = asked.iter().filter(|one| one.project == project);
        outcomes.extend(own.map(|one| (project, fitted.verdict(one))));
    }
    outcomes
}

pub(crate) fn print_weights(asked: &[Asked], names: &[String]) {
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
    fn new(asked: &[&Asked]) -> Self {
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

    /// The least probability that leaves no more false answers than allowed.
    fn threshold(&self, asked: &[&Asked]) -> f64 {
        let unanswerable = asked.iter().filter(|one| !one.is_answerable);
        let mut found: Vec<f64> = unanswerable.map(|one| self.of(one)).collect();
        found.sort_by(|left, right| right.total_cmp(left));
        let allowed = (found.len() as f64 * FALSE_ANSWERS).floor() as usize;
        found.get(allowed).map_or(0.5, |first| first + 1e-9)
    }

    fn of(&self, asked: &Asked) -> f64 {
        asked
            .best
            .as_ref()
            .map_or(0.0, |best| self.probability(&best.figures))
    }

    fn verdict(&self, asked: &Asked) -> Verdict {
        let is_right = asked.best.as_ref().is_some_and(|best| best.is_right);
        match (asked.is_answerable, self.of(asked) >= self.answers) {
            (true, true) if is_right => Verdict::Right,
            (true, true) => Verdict::Wrong,
            (true, false) => Verdict::Missed,
            (false, true) => Verdict::False,
            (false, false) => Verdict::Refused,
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
