//! Linear steps in whole numbers. Weights have eight bits and a scale for each output; what goes in is
//! rounded for each word, as finely as a sum of 32 bits can hold. So a step reads a quarter of the
//! bytes and takes several products at once, and the vectors of texts stay where they were.

use super::numbers;
use super::rows;
use super::sums::{self, Factors, LINE_OUTPUTS, Line};

/// Weights, outputs by inputs, in the order they are read.
pub(crate) struct Packed {
    outputs: usize,
    inputs: usize,
    /// By output.
    scales: Vec<f32>,
    /// Some outputs after others, of these pairs of inputs after each other.
    lines: Vec<Line>,
}

/// A step: weights, and what is added to each output.
pub(crate) struct Linear {
    weight: Packed,
    bias: Vec<f32>,
}

/// Words that go through a step.
pub(crate) struct Rounded {
    inputs: usize,
    /// By word.
    scales: Vec<f32>,
    /// The inputs of a word, in pairs.
    pairs: Vec<[i16; 2]>,
}

/// What weights are rounded to.
const WEIGHT: i32 = i8::MAX as i32;

/// More and inputs would have to be rounded to less than a byte.
const MOST_INPUTS: usize = 1 << 16;

impl Packed {
    /// Of `outputs` rows of `inputs` numbers.
    pub(crate) fn new(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        let pairs = inputs.div_ceil(2);
        let mut lines = vec![Line::default(); outputs.div_ceil(LINE_OUTPUTS) * pairs];
        let mut scales = Vec::with_capacity(outputs);
        let mut rounded = vec![0; 2 * pairs];
        for (output, row) in weights.chunks_exact(inputs.max(1)).enumerate() {
            scales.push(rows::rounded(row, WEIGHT, &mut rounded));
            let first = output / LINE_OUTPUTS * pairs;
            let (rounded, _) = rounded.as_chunks::<2>();
            for (line, pair) in lines[first..].iter_mut().zip(rounded) {
                line.put(output % LINE_OUTPUTS, pair.map(|value| value as i8));
            }
        }
        Self {
            outputs,
            inputs,
            scales,
            lines,
        }
    }

    /// Appends scales and lines.
    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.scales.iter().flat_map(|scale| scale.to_le_bytes()));
        bytes.extend(self.lines.iter().flat_map(|line| line.to_bytes()));
    }

    /// Takes scales and lines off the front; `None` if there are not enough bytes.
    pub(crate) fn take(outputs: usize, inputs: usize, bytes: &mut &[u8]) -> Option<Self> {
        let scales = numbers::take(&[outputs], bytes)?;
        let count = outputs
            .div_ceil(LINE_OUTPUTS)
            .checked_mul(inputs.div_ceil(2))?;
        let (lines, rest) = bytes.split_at_checked(count.checked_mul(size_of::<Line>())?)?;
        *bytes = rest;
        let (lines, _) = lines.as_chunks();
        Some(Self {
            outputs,
            inputs,
            scales,
            lines: lines.iter().map(Line::from_bytes).collect(),
        })
    }
}

impl Linear {
    /// The sentence says what does not fit.
    pub(crate) fn new(weight: Packed, bias: Vec<f32>) -> Result<Self, String> {
        let inputs = weight.inputs;
        if inputs > MOST_INPUTS {
            return Err(format!("one of its steps has {inputs} inputs"));
        }
        Ok(Self { weight, bias })
    }

    pub(crate) fn outputs(&self) -> usize {
        self.weight.outputs
    }

    /// The outputs of each word.
    pub(crate) fn apply(&self, words: &Rounded) -> Vec<f32> {
        let weight = &self.weight;
        debug_assert_eq!(words.inputs, weight.inputs);
        let mut outputs = vec![0.0; words.scales.len() * weight.outputs];
        let factors = Factors {
            pairs: weight.inputs.div_ceil(2),
            outputs: weight.outputs,
            lines: &weight.lines,
            words: &words.pairs,
        };
        sums::each(factors, |word, first, sums| {
            let scale = words.scales[word];
            let outputs = &mut outputs[word * weight.outputs..(word + 1) * weight.outputs];
            let weights = weight.scales[first..].iter().zip(&self.bias[first..]);
            let places = outputs[first..].iter_mut().zip(weights);
            for ((place, (weight, bias)), sum) in places.zip(sums) {
                *place = *sum as f32 * (scale * weight) + bias;
            }
        });
        outputs
    }
}

impl Rounded {
    /// Of rows of so many numbers.
    pub(crate) fn new(state: &[f32], inputs: usize) -> Self {
        // What fits, if every product were as large as can be.
        let most = (i32::MAX / WEIGHT / inputs.max(1) as i32).min(i32::from(i16::MAX));
        let pairs = inputs.div_ceil(2);
        let words = state.len() / inputs.max(1);
        let mut rounded = vec![[0; 2]; words * pairs];
        let places = rounded.chunks_exact_mut(pairs.max(1));
        let scales = state
            .chunks_exact(inputs.max(1))
            .zip(places)
            .map(|(row, places)| rows::rounded(row, most, places.as_flattened_mut()))
            .collect();
        Self {
            inputs,
            scales,
            pairs: rounded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that look like chance.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn outputs_are_near_the_exact_ones() {
        // Shapes that fill lines and pairs, and such that do not.
        for (words, inputs, outputs) in [
            (1, 1, 1),
            (2, 8, 24),
            (7, 33, 31),
            (13, 96, 65),
            (25, 384, 96),
        ] {
            let weights = numbers(inputs * outputs, 1);
            let (bias, state) = (numbers(outputs, 2), numbers(words * inputs, 3));
            let packed = Packed::new(&weights, outputs, inputs);
            let linear = Linear::new(packed, bias.clone()).unwrap();
            let given = linear.apply(&Rounded::new(&state, inputs));
            assert_eq!(given.len(), words * outputs);
            for (word, row) in state.chunks(inputs).enumerate() {
                for (output, weights) in weights.chunks(inputs).enumerate() {
                    let products = row.iter().zip(weights);
                    let exact: f64 = products
                        .map(|(left, right)| f64::from(*left) * f64::from(*right))
                        .sum();
                    let exact = exact + f64::from(bias[output]);
                    let error = (f64::from(given[word * outputs + output]) - exact).abs();
                    // Rounding errors of weights are up to 1/254 each, and cancel each other out.
                    let allowed = 3.0 / 254.0 * (inputs as f64).sqrt();
                    assert!(error < allowed, "{words} {inputs} {outputs}: {error}");
                }
            }
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        for inputs in [384, 1536, 65_536] {
            for sign in [1.0, -1.0] {
                let packed = Packed::new(&vec![sign; inputs], 1, inputs);
                let linear = Linear::new(packed, vec![0.0]).unwrap();
                let given = linear.apply(&Rounded::new(&vec![1.0; inputs], inputs));
                let expected = sign * inputs as f32;
                assert!((given[0] - expected).abs() < expected.abs() * 1e-5);
            }
        }
        let packed = Packed::new(&[], 0, MOST_INPUTS + 1);
        assert!(Linear::new(packed, Vec::new()).is_err());
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let output = |weight: f32, input: f32| {
            let linear = Linear::new(Packed::new(&[weight, 1.0], 1, 2), vec![0.0]).unwrap();
            linear.apply(&Rounded::new(&[input, 0.5], 2))[0]
        };
        for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!output(strange, 1.0).is_finite());
            assert!(!output(1.0, strange).is_finite());
        }
        assert_eq!(output(0.0, 0.0), 0.5);
        assert!((output(1e-42, 1e-42) - 0.5).abs() < 1e-3);
    }
}
