//! Operations between the linear layers: quantisation, layer norm, attention, GELU and pooling. Plain loops that the
//! compiler vectorises, compiled once per instruction set.

use pulp::{Arch, Simd, WithSimd};

/// Number of parallel accumulators, which avoids waiting for each addition.
const LANES: usize = 16;

/// Adding this to a number between -2^22 and 2^22 rounds it, and leaves the integer in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// Adds one slice to another, element by element.
pub(crate) fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

/// Quantises a row to integers of magnitude `most` (at most 2^15) and returns the scale. The scale is not finite if the
/// row contains NaN or infinity.
pub(crate) fn quantise_row(row: &[f32], most: i32, places: &mut [i16]) -> f32 {
    Arch::new().dispatch(|| {
        // As bits, magnitudes sort like integers, with NaN last.
        let sizes = row.iter().map(|value| value.abs().to_bits());
        let largest = f32::from_bits(sizes.fold(0, u32::max));
        let scale = largest / most as f32;
        let inverse = most as f32 / largest;
        // All values are practically zero.
        let inverse = if inverse.is_finite() { inverse } else { 0.0 };
        for (place, value) in places.iter_mut().zip(row) {
            let bits = (value * inverse + ROUND).to_bits();
            *place = bits.wrapping_sub(ROUND.to_bits()) as i16;
        }
        scale
    })
}

/// Layer norm: scales each row to mean 0 and deviation 1, then applies weight and bias.
pub(crate) struct LayerNorm<'a> {
    pub(crate) rows: &'a mut [f32],
    pub(crate) weight: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) epsilon: f32,
}

impl LayerNorm<'_> {
    pub(crate) fn run(self) {
        Arch::new().dispatch(self);
    }
}

// Not a closure: one of this size would be compiled only for the baseline instruction set.
impl WithSimd for LayerNorm<'_> {
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

/// Multi-head self-attention over the tokens of one text. Each head uses its own part of a row.
pub(crate) struct Attention<'a> {
    /// Projected rows of the text's tokens.
    pub(crate) query: &'a [f32],
    pub(crate) key: &'a [f32],
    pub(crate) value: &'a [f32],
    /// Output; must be zeroed.
    pub(crate) attended: &'a mut [f32],
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
}

impl Attention<'_> {
    pub(crate) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let hidden = self.hidden;
        let width = hidden / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let words = self.attended.len() / hidden;
        // Padded with zeros to whole lanes.
        let room = words.next_multiple_of(LANES);
        let mut keys = vec![0.0; width * room];
        let mut scores = vec![0.0; room];
        for start in (0..hidden).step_by(width) {
            let part = start..start + width;
            // Transposed keys, so that all scores of a token are accumulated in parallel.
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

/// GELU activation: `x` times the standard normal distribution function of `x`.
pub(crate) fn gelu(values: &mut [f32]) {
    Arch::new().dispatch(|| {
        for value in values {
            let x = *value;
            let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
            // Abramowitz and Stegun 7.1.26, accurate to seven digits.
            let t = 1.0 / (1.0 + 0.327_591_1 * z);
            let series = ((((1.061_405_4 * t - 1.453_152_1) * t) + 1.421_413_8) * t - 0.284_496_72)
                * t
                + 0.254_829_6;
            let beyond = series * t * exponential(-z * z);
            *value = 0.5 * (x + x.abs() * (1.0 - beyond));
        }
    });
}

/// Mean pooling with L2 normalisation.
pub(crate) fn mean_pooled(rows: &[f32], width: usize) -> Vec<f32> {
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

/// Computes `e` to a power of at most 0 without branches or calls: powers of two go into the exponent, the rest into a
/// short series.
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
