//! How much each piece of evidence speaks for each relation: a linear model, one line for each piece.
//!
//! Fitted as a multinomial logistic regression (L2 0.01 on standardised evidence) on the development
//! pairs and those in `tests/pairs.jsonl`, without the pairs of two types. Contradictory, similar and
//! unrelated pairs were taken both ways round. Evidence that did not lower the cross-validated loss was
//! left out. Whoever changes how text is read fits the table again.

use crate::evidence::Evidence;
use crate::relation::Relation;

/// The order of the columns.
pub(crate) const RELATIONS: [Relation; 5] = [
    Relation::Same,
    Relation::Update,
    Relation::Contradiction,
    Relation::Similar,
    Relation::Unrelated,
];

/// How likely each relation is, in the order of [`RELATIONS`]; they add up to one.
pub(crate) fn likelihoods(evidence: &Evidence) -> [f64; 5] {
    let mut scores = BIAS;
    for (value, weights) in WEIGHTS {
        let value = value(evidence);
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += value * weight;
        }
    }
    let highest = scores.iter().copied().fold(f64::MIN, f64::max);
    let scores = scores.map(|score| (score - highest).exp());
    let total: f64 = scores.iter().sum();
    scores.map(|score| score / total)
}

const BIAS: [f64; 5] = [-0.64, -1.26, 0.62, 0.61, 0.68];

type Weight = (fn(&Evidence) -> f64, [f64; 5]);

/// What each piece means is said at the field of [`Evidence`].
#[rustfmt::skip]
const WEIGHTS: &[Weight] = &[
    //                                   same   update  contradiction  similar  unrelated
    (|evidence| evidence.cover_older,     [ 2.887,  1.798, -1.033, -1.705, -1.947]),
    (|evidence| evidence.cover_newer,     [ 2.584, -0.377,  0.309, -0.889, -1.626]),
    (|evidence| evidence.title_newer,     [ 1.618, -1.287,  0.596,  0.411, -1.338]),
    (|evidence| evidence.titles,          [-0.774, -0.518,  0.841,  1.923, -1.473]),
    (|evidence| evidence.new_sentence,    [-0.146,  0.205, -0.103,  0.025,  0.019]),
    (|evidence| evidence.strange,         [-0.418,  0.080, -0.236, -0.465,  1.038]),
    (|evidence| evidence.length,          [-0.454,  1.498,  0.334, -1.052, -0.326]),
    (|evidence| evidence.continuities,    [-0.030,  0.842, -0.398, -0.485,  0.072]),
    (|evidence| evidence.parallel,        [-2.101,  2.837, -1.003,  2.329, -2.063]),
    (|evidence| evidence.swap,            [-1.002, -1.899, -1.051,  1.899,  2.053]),
    (|evidence| evidence.title_swap,      [ 0.065, -0.122, -0.191,  0.071,  0.176]),
    (|evidence| evidence.name_swap,       [-0.609,  0.423, -0.376,  0.902, -0.341]),
    (|evidence| evidence.parallel_swap,   [-0.555, -0.384,  0.163,  1.464, -0.688]),
    (|evidence| evidence.lost_words,      [-0.012, -0.259,  0.061,  0.042,  0.169]),
    (|evidence| evidence.choice_only,     [-0.173, -0.421,  0.542,  0.153, -0.100]),
    (|evidence| evidence.flipped_rule,    [-1.093, -1.342,  3.040, -0.428, -0.178]),
    (|evidence| evidence.opposed,         [-0.906, -0.354,  1.961,  0.204, -0.905]),
    (|evidence| evidence.alternated,      [-0.189, -0.511,  1.299, -0.537, -0.062]),
    (|evidence| evidence.demoted,         [ 0.790,  1.005,  0.152, -1.378, -0.569]),
    (|evidence| evidence.against,         [-0.296, -1.147,  2.104, -1.123,  0.461]),
];
