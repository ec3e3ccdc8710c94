//! What happens between two products of matrices, row by row. Plain loops over plain numbers, written
//! so that the compiler takes several at once.

/// Adds numbers to numbers.
pub(crate) fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

/// Outputs by words to words by outputs, with the bias added.
pub(crate) fn turned(outputs_first: &[f32], outputs: usize, bias: &[f32]) -> Vec<f32> {
    let words = outputs_first.len() / outputs.max(1);
    let mut rows = vec![0.0; outputs_first.len()];
    for (word, row) in rows.chunks_exact_mut(outputs.max(1)).enumerate() {
        let column = outputs_first.iter().skip(word).step_by(words);
        for ((place, value), bias) in row.iter_mut().zip(column).zip(bias) {
            *place = value + bias;
        }
    }
    rows
}

/// Gives each row the mean 0 and the deviation 1, then stretches and moves it.
pub(crate) fn normalise(rows: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let width = weight.len().max(1);
    for row in rows.chunks_exact_mut(width) {
        let mean = row.iter().sum::<f32>() / width as f32;
        row.iter_mut().for_each(|value| *value -= mean);
        let deviation = (product(row, row) / width as f32 + epsilon).sqrt();
        for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
            *value = *value / deviation * weight + bias;
        }
    }
}

/// Every word of a text looks at all of them. A row of `mixed` is query, key and value; each head has
/// its own part of them.
pub(crate) fn attend(mixed: &[f32], attended: &mut [f32], hidden: usize, heads: usize) {
    let width = hidden / heads;
    let scale = 1.0 / (width as f32).sqrt();
    let rows = || mixed.chunks_exact(3 * hidden);
    let mut scores = Vec::with_capacity(mixed.len() / (3 * hidden));
    for (row, attended) in rows().zip(attended.chunks_exact_mut(hidden)) {
        for (head, attended) in attended.chunks_exact_mut(width).enumerate() {
            let part = |number: usize| {
                let start = number * hidden + head * width;
                start..start + width
            };
            let query = &row[part(0)];
            scores.clear();
            scores.extend(rows().map(|other| product(query, &other[part(1)]) * scale));
            let largest = scores.iter().copied().fold(f32::MIN, f32::max);
            let mut total = 0.0;
            for score in &mut scores {
                *score = (*score - largest).exp();
                total += *score;
            }
            for (score, other) in scores.iter().zip(rows()) {
                let share = score / total;
                for (attended, value) in attended.iter_mut().zip(&other[part(2)]) {
                    *attended += share * value;
                }
            }
        }
    }
}

/// The Gaussian error linear unit: `x` times the share of a normal distribution below it.
pub(crate) fn gelu(values: &mut [f32]) {
    for value in values {
        let x = *value;
        let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
        // Abramowitz and Stegun 7.1.26: right to seven digits.
        let t = 1.0 / (1.0 + 0.327_591_1 * z);
        let series = ((((1.061_405_4 * t - 1.453_152_1) * t) + 1.421_413_8) * t - 0.284_496_72) * t
            + 0.254_829_6;
        let beyond = series * t * exponential(-z * z);
        *value = 0.5 * (x + x.abs() * (1.0 - beyond));
    }
}

/// The mean of rows, made as long as one.
pub(crate) fn direction(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        add(&mut sum, row);
    }
    let length = product(&sum, &sum).sqrt();
    if length > 0.0 {
        sum.iter_mut().for_each(|value| *value /= length);
    }
    sum
}

/// Several sums beside each other: one sum alone would have to wait for each product.
fn product(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (left, right) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest = left.remainder().iter().zip(right.remainder());
    let rest: f32 = rest.map(|(left, right)| left * right).sum();
    for (left, right) in left.zip(right) {
        for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += left * right;
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// `e` to a power of 0 or less, without a branch or a call: the whole powers of two go into the
/// exponent, the rest into a short series.
fn exponential(power: f32) -> f32 {
    // Added to a number, it leaves the nearest whole one in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let power = if power < -80.0 { -80.0 } else { power };
    let shifted = power * std::f32::consts::LOG2_E + ROUND;
    let rest = power - (shifted - ROUND) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (0.166_666_67
                                + rest
                                    * (0.041_666_67
                                        + rest * (0.008_333_33 + rest * 0.001_388_89)))));
    series * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_the_exact_one() {
        // From tables of the normal distribution.
        let cases = [
            (0.0, 0.0),
            (1.0, 0.841_344_7),
            (-1.0, -0.158_655_25),
            (0.5, 0.345_731_2),
            (3.0, 2.995_950_3),
            (-3.0, -0.004_049_69),
            (30.0, 30.0),
            (-30.0, 0.0),
        ];
        for (x, expected) in cases {
            let mut value = [x];
            gelu(&mut value);
            assert!((value[0] - expected).abs() < 1e-5, "{x}: {value:?}");
        }
    }

    #[test]
    fn powers_are_near_the_library_s() {
        for step in 0..2000 {
            let power = -(step as f32) * 0.04;
            let expected = power.exp();
            let error = (exponential(power) - expected).abs() / expected;
            assert!(error < 1e-5, "{power}: {error}");
        }
    }
}
