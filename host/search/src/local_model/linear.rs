//! Quantised linear layers. Weights are int8 with a scale per output; activations are int16 with a scale per token, as
//! precise as an int32 accumulator allows. This reads a quarter of the bytes of f32 and computes several products per
//! instruction, with nearly the same embeddings.

use super::float_types;
use super::gemm::{self, GemmOperands, TILE_OUTPUTS, WeightTile};
use super::layer_ops;

/// An int8 weight matrix (outputs × inputs), packed in the order in which the GEMM kernel reads it.
pub(crate) struct QuantisedWeights {
    outputs: usize,
    inputs: usize,
    /// One scale per output.
    scales: Vec<f32>,
    /// Panels of [`TILE_OUTPUTS`] outputs; within a panel, one tile for each pair of inputs.
    tiles: Vec<WeightTile>,
}

/// A linear layer: weights and bias.
pub(crate) struct Linear {
    weight: QuantisedWeights,
    bias: Vec<f32>,
}

/// Int16 activations, the input of a linear layer.
pub(crate) struct QuantisedActivations {
    inputs: usize,
    /// One scale per token.
    scales: Vec<f32>,
    /// The inputs of each token, in pairs.
    pairs: Vec<[i16; 2]>,
}

/// Largest magnitude of a quantised weight.
const WEIGHT: i32 = i8::MAX as i32;

/// With more inputs, activations would have less than 8 bits.
const MOST_INPUTS: usize = 1 << 16;

impl QuantisedWeights {
    /// Quantises `outputs` rows of `inputs` numbers.
    pub(crate) fn new(weights: &[f32], outputs: usize, inputs: usize) -> Self {
        let pairs = inputs.div_ceil(2);
        let mut tiles = vec![WeightTile::default(); outputs.div_ceil(TILE_OUTPUTS) * pairs];
        let mut scales = Vec::with_capacity(outputs);
        let mut rounded = vec![0; 2 * pairs];
        for (output, row) in weights.chunks_exact(inputs.max(1)).enumerate() {
            scales.push(layer_ops::quantise_row(row, WEIGHT, &mut rounded));
            let first = output / TILE_OUTPUTS * pairs;
            let (rounded, _) = rounded.as_chunks::<2>();
            for (tile, pair) in tiles[first..].iter_mut().zip(rounded) {
                tile.put(output % TILE_OUTPUTS, pair.map(|value| value as i8));
            }
        }
        Self {
            outputs,
            inputs,
            scales,
            tiles,
        }
    }

    /// Appends scales and tiles.
    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.scales.iter().flat_map(|scale| scale.to_le_bytes()));
        bytes.extend(self.tiles.iter().flat_map(|tile| tile.to_bytes()));
    }

    /// Reads scales and tiles from the front; returns `None` if there are not enough bytes.
    pub(crate) fn take(outputs: usize, inputs: usize, bytes: &mut &[u8]) -> Option<Self> {
        let scales = float_types::take(&[outputs], bytes)?;
        let count = outputs
            .div_ceil(TILE_OUTPUTS)
            .checked_mul(inputs.div_ceil(2))?;
        let (tiles, rest) = bytes.split_at_checked(count.checked_mul(size_of::<WeightTile>())?)?;
        *bytes = rest;
        let (tiles, _) = tiles.as_chunks();
        Some(Self {
            outputs,
            inputs,
            scales,
            tiles: tiles.iter().map(WeightTile::from_bytes).collect(),
        })
    }
}

impl Linear {
    /// Returns an error if the layer has too many inputs for the accumulator.
    pub(crate) fn new(weight: QuantisedWeights, bias: Vec<f32>) -> Result<Self, String> {
        let inputs = weight.inputs;
        if inputs > MOST_INPUTS {
            return Err(format!(
                "a linear layer has {inputs} inputs (limit: {MOST_INPUTS})"
            ));
        }
        Ok(Self { weight, bias })
    }

    pub(crate) fn outputs(&self) -> usize {
        self.weight.outputs
    }

    /// Returns the outputs for each token.
    pub(crate) fn apply(&self, activations: &QuantisedActivations) -> Vec<f32> {
        let weight = &self.weight;
        debug_assert_eq!(activations.inputs, weight.inputs);
        let mut outputs = vec![0.0; activations.scales.len() * weight.outputs];
        let operands = GemmOperands {
            pairs: weight.inputs.div_ceil(2),
            outputs: weight.outputs,
            tiles: &weight.tiles,
            activations: &activations.pairs,
        };
        gemm::gemm(operands, |token, first, sums| {
            let scale = activations.scales[token];
            let outputs = &mut outputs[token * weight.outputs..(token + 1) * weight.outputs];
            let weights = weight.scales[first..].iter().zip(&self.bias[first..]);
            let places = outputs[first..].iter_mut().zip(weights);
            for ((place, (weight, bias)), sum) in places.zip(sums) {
                *place = *sum as f32 * (scale * weight) + bias;
            }
        });
        outputs
    }
}

impl QuantisedActivations {
    /// Quantises rows of `inputs` numbers.
    pub(crate) fn new(state: &[f32], inputs: usize) -> Self {
        // The largest magnitude for which the accumulator cannot overflow.
        let most = (i32::MAX / WEIGHT / inputs.max(1) as i32).min(i32::from(i16::MAX));
        let pairs = inputs.div_ceil(2);
        let tokens = state.len() / inputs.max(1);
        let mut rounded = vec![[0; 2]; tokens * pairs];
        let places = rounded.chunks_exact_mut(pairs.max(1));
        let scales = state
            .chunks_exact(inputs.max(1))
            .zip(places)
            .map(|(row, places)| layer_ops::quantise_row(row, most, places.as_flattened_mut()))
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

    /// Returns pseudo-random numbers between -1 and 1.
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
        // Shapes with and without padding of tiles and pairs.
        for (words, inputs, outputs) in [
            (1, 1, 1),
            (2, 8, 24),
            (7, 33, 31),
            (13, 96, 65),
            (25, 384, 96),
        ] {
            let weights = numbers(inputs * outputs, 1);
            let (bias, state) = (numbers(outputs, 2), numbers(words * inputs, 3));
            let packed = QuantisedWeights::new(&weights, outputs, inputs);
            let linear = Linear::new(packed, bias.clone()).unwrap();
            let given = linear.apply(&QuantisedActivations::new(&state, inputs));
            assert_eq!(given.len(), words * outputs);
            for (word, row) in state.chunks(inputs).enumerate() {
                for (output, weights) in weights.chunks(inputs).enumerate() {
                    let products = row.iter().zip(weights);
                    let exact: f64 = products
                        .map(|(left, right)| f64::from(*left) * f64::from(*right))
                        .sum();
                    let exact = exact + f64::from(bias[output]);
                    let error = (f64::from(given[word * outputs + output]) - exact).abs();
                    // Rounding errors of weights are up to 1/254 each, and cancel out.
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
                let packed = QuantisedWeights::new(&vec![sign; inputs], 1, inputs);
                let linear = Linear::new(packed, vec![0.0]).unwrap();
                let given = linear.apply(&QuantisedActivations::new(&vec![1.0; inputs], inputs));
                let expected = sign * inputs as f32;
                assert!((given[0] - expected).abs() < expected.abs() * 1e-5);
            }
        }
        let packed = QuantisedWeights::new(&[], 0, MOST_INPUTS + 1);
        assert!(Linear::new(packed, Vec::new()).is_err());
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let output = |weight: f32, input: f32| {
            let linear =
                Linear::new(QuantisedWeights::new(&[weight, 1.0], 1, 2), vec![0.0]).unwrap();
            linear.apply(&QuantisedActivations::new(&[input, 0.5], 2))[0]
        };
        for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!output(strange, 1.0).is_finite());
            assert!(!output(1.0, strange).is_finite());
        }
        assert_eq!(output(0.0, 0.0), 0.5);
        assert!((output(1e-42, 1e-42) - 0.5).abs() < 1e-3);
    }
}
