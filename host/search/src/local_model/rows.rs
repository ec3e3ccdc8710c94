//! What happens between two linear steps, row by row. Plain loops over plain numbers, written so that
//! the compiler takes several at once, and compiled more than once, for what processors can do.

use pulp::{Arch, Simd, WithSimd};

/// Numbers that are added up beside each other: one sum alone would have to wait for each number.
const LANES: usize = 16;

/// Added to a number between -2^22 and 2^22, it leaves the nearest whole one in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// Adds numbers to numbers.
pub(crate) fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

/// Rounds a row to whole numbers up to `most`, which is at most 2^15, and gives the scale they have.
/// A row with what is no number in it has a scale that is none.
pub(crate) fn rounded(row: &[f32], most: i32, places: &mut [i16]) -> f32 {
    Arch::new().dispatch(|| {
        // As bits, the order is that of sizes, and what is no number comes last.
        let sizes = row.iter().map(|value| value.abs().to_bits());
        let largest = f32::from_bits(sizes.fold(0, u32::max));
        let scale = largest / most as f32;
        let inverse = most as f32 / largest;
        // Nothing but numbers as good as 0.
        let inverse = if inverse.is_finite() { inverse } else { 0.0 };
        for (place, value) in places.iter_mut().zip(row) {
            let bits = (value * inverse + ROUND).to_bits();
            *place = bits.wrapping_sub(ROUND.to_bits()) as i16;
        }
        scale
    })
}

/// Gives each row the mean 0 and the deviation 1, then stretches and moves it.
pub(crate) struct Normalise<'a> {
    pub(crate) rows: &'a mut [f32],
    pub(crate) weight: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) epsilon: f32,
}

impl Normalise<'_> {
    pub(crate) fn run(self) {
        Arch::new().dispatch(self);
    }
}

// A closure as long as this would be compiled once, for the least of processors.
impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.weight.len().max(1);
        for row in self.rows.chunks_exact_mut(width) {
            let mean = sum(row, |value| value) / width as f32;
            row.iter_mut().for_each(|value| *value -= mean);
            let variance = sum(row, |value| value * value) / width as f32;
            let inverse = 1.0 / (variance + self.epsilon).sqrt();
            for ((value, weight), bias) in row.iter_mut().zip(self.weight).zip(self.bias) {
                *value = *value * inverse * weight + bias;
            }
        }
    }
}

/// Every word of a text looks at all of them. Each head has its own part of a row.
pub(crate) struct Attend<'a> {
    /// The rows of the text's words after the steps of attention.
    pub(crate) query: &'a [f32],
    pub(crate) key: &'a [f32],
    pub(crate) value: &'a [f32],
    /// Where it goes; nothing but zeros.
    pub(crate) attended: &'a mut [f32],
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
}

impl Attend<'_> {
    pub(crate) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let hidden = self.hidden;
        let width = hidden / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let words = self.attended.len() / hidden;
        // Filled up with nothing to whole lanes.
        let room = words.next_multiple_of(LANES);
        let mut keys = vec![0.0; width * room];
        let mut scores = vec![0.0; room];
        for start in (0..hidden).step_by(width) {
            let part = start..start + width;
            // Columns of keys: so all scores of a word are added up beside each other.
            for (word, row) in self.key.chunks_exact(hidden).enumerate() {
                for (column, key) in keys.chunks_exact_mut(room).zip(&row[part.clone()]) {
                    column[word] = *key;
                }
            }
            let rows = self.query.chunks_exact(hidden);
            for (query, attended) in rows.zip(self.attended.chunks_exact_mut(hidden)) {
                scores.fill(0.0);
                for (query, column) in query[part.clone()].iter().zip(keys.chunks_exact(room)) {
                    let query = query * scale;
                    for (score, key) in scores.iter_mut().zip(column) {
                        *score += query * key;
                    }
                }
                let scores = &mut scores[..words];
                let largest = scores.iter().copied().fold(f32::MIN, f32::max);
                for score in &mut *scores {
                    *score = exponential(*score - largest);
                }
                let share = 1.0 / sum(scores, |score| score);
                let values = self.value.chunks_exact(hidden);
                let attended = &mut attended[part.clone()];
                for (score, value) in scores.iter().zip(values) {
                    let share = score * share;
                    for (attended, value) in attended.iter_mut().zip(&value[part.clone()]) {
                        *attended += share * value;
                    }
                }
            }
        }
    }
}

/// The Gaussian error linear unit: `x` times the share of a normal distribution below it.
pub(crate) fn gelu(values: &mut [f32]) {
    Arch::new().dispatch(|| {
        for value in values {
            let x = *value;
            let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
            // Abramowitz and Stegun 7.1.26: right to seven digits.
            let t = 1.0 / (1.0 + 0.327_591_1 * z);
            let series = ((((1.061_405_4 * t - 1.453_152_1) * t) + 1.421_413_8) * t - 0.284_496_72)
                * t
                + 0.254_829_6;
            let beyond = series * t * exponential(-z * z);
            *value = 0.5 * (x + x.abs() * (1.0 - beyond));
        }
    });
}

/// The mean of rows, made as long as one.
pub(crate) fn direction(rows: &[f32], width: usize) -> Vec<f32> {
    let mut direction = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        add(&mut direction, row);
    }
    let length = sum(&direction, |value| value * value).sqrt();
    if length > 0.0 {
        direction.iter_mut().for_each(|value| *value /= length);
    }
    direction
}

#[inline(always)]
fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (lanes, rest) = values.as_chunks::<LANES>();
    for lanes in lanes {
        for (sum, value) in sums.iter_mut().zip(lanes) {
            *sum += of(*value);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|value| of(*value)).sum::<f32>()
}

/// `e` to a power of 0 or less, without a branch or a call: the whole powers of two go into the
/// exponent, the rest into a short series.
#[inline(always)]
fn exponential(power: f32) -> f32 {
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
