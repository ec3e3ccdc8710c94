//! Float formats of weights, and their conversion to f32.

use safetensors::Dtype;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FloatType {
    Single,
    Half,
    Brain,
}

impl FloatType {
    /// Returns `None` for types other than f32, f16 and bf16.
    pub(crate) fn of(kind: Dtype) -> Option<Self> {
        match kind {
            Dtype::F32 => Some(Self::Single),
            Dtype::F16 => Some(Self::Half),
            Dtype::BF16 => Some(Self::Brain),
            _ => None,
        }
    }

    /// Returns the size of one number.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Half | Self::Brain => 2,
        }
    }

    /// Decodes little-endian numbers; ignores an incomplete one at the end.
    pub(crate) fn decoded(self, bytes: &[u8]) -> Vec<f32> {
        let halves = || {
            let (halves, _) = bytes.as_chunks::<2>();
            halves.iter().map(|half| u16::from_le_bytes(*half))
        };
        match self {
            Self::Single => {
                let (numbers, _) = bytes.as_chunks::<4>();
                let numbers = numbers.iter();
                numbers.map(|number| f32::from_le_bytes(*number)).collect()
            }
            Self::Half => halves().map(half).collect(),
            Self::Brain => halves()
                .map(|brain| f32::from_bits(u32::from(brain) << 16))
                .collect(),
        }
    }
}

/// Reads f32 numbers of this shape from the front; returns `None` if there are not enough bytes.
pub(crate) fn take(shape: &[usize], bytes: &mut &[u8]) -> Option<Vec<f32>> {
    let count = shape
        .iter()
        .try_fold(4usize, |count, side| count.checked_mul(*side))?;
    let (numbers, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(FloatType::Single.decoded(numbers))
}

/// Converts an IEEE 754 half: one sign bit, five exponent bits, ten fraction bits.
fn half(half: u16) -> f32 {
    /// Two to the power of the difference of the exponent biases.
    const BIAS: f32 = f32::from_bits((127 + 127 - 15) << 23);
    let fraction = u32::from(half & 0x7fff) << 13;
    let size = if half & 0x7c00 == 0x7c00 {
        f32::from_bits(fraction | 0x7f80_0000)
    } else {
        // Also correct for subnormal numbers.
        f32::from_bits(fraction) * BIAS
    };
    if half & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_were() {
        let half = |bits: u16| FloatType::Half.decoded(&bits.to_le_bytes())[0];
        let cases = [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65_504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (bits, expected) in cases {
            assert_eq!(half(bits).to_bits(), f32::to_bits(expected), "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan());
        assert_eq!(
            FloatType::Brain.decoded(&[0x80, 0x3f, 0x20, 0xc1]),
            [1.0, -10.0]
        );
        let single = [1.5f32.to_le_bytes(), (-0.1f32).to_le_bytes()].concat();
        assert_eq!(FloatType::Single.decoded(&single), [1.5, -0.1]);
    }
}
