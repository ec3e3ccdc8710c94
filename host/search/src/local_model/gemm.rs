//! Int8 × int16 matrix multiplication kernels (GEMM) for AVX-512, AVX2 and portable code, with int32 accumulators. This
//! is nearly all of the work of a model. Weights are packed in the order in which they are read, and each tile is
//! reused for several tokens. The x86 kernels call the multiply-add instruction explicitly: auto-vectorised loops take
//! three times as long.

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// Outputs per tile.
pub(crate) const TILE_OUTPUTS: usize = 32;

/// Weights of [`TILE_OUTPUTS`] outputs for one pair of inputs; one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct WeightTile([i8; 2 * TILE_OUTPUTS]);

impl Default for WeightTile {
    fn default() -> Self {
        Self([0; 2 * TILE_OUTPUTS])
    }
}

impl WeightTile {
    /// Sets the weights of one output.
    pub(crate) fn put(&mut self, output: usize, pair: [i8; 2]) {
        self.0[2 * output..2 * output + 2].copy_from_slice(&pair);
    }

    pub(crate) fn to_bytes(self) -> [u8; 2 * TILE_OUTPUTS] {
        self.0.map(|weight| weight as u8)
    }

    pub(crate) fn from_bytes(bytes: &[u8; 2 * TILE_OUTPUTS]) -> Self {
        Self(bytes.map(|byte| byte as i8))
    }
}

/// Number of tokens whose accumulators fit in registers.
const BLOCK_TOKENS: usize = 6;

/// Operands of a matrix multiplication.
#[derive(Clone, Copy)]
pub(crate) struct GemmOperands<'a> {
    /// Number of input pairs.
    pub(crate) pairs: usize,
    pub(crate) outputs: usize,
    /// Panels of [`TILE_OUTPUTS`] outputs; within a panel, one tile per input pair.
    pub(crate) tiles: &'a [WeightTile],
    /// Quantised inputs in pairs, token after token.
    pub(crate) activations: &'a [[i16; 2]],
}

/// Multiplies, and calls `give` with a token, a first output and the sums from that output on. Sums beyond the last
/// output are padding.
pub(crate) fn gemm(operands: GemmOperands<'_>, give: impl FnMut(usize, usize, &[i32])) {
    #[cfg(target_arch = "x86_64")]
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => return simd.vectorize(|| multiply_tiles(simd, operands, give)),
        pulp::Arch::V3(simd) => return simd.vectorize(|| multiply_tiles(simd, operands, give)),
        _ => {}
    }
    multiply_tiles(Portable, operands, give);
}

/// A micro-kernel for one instruction set, which computes [`Kernel::OUTPUTS`] outputs of a tile at a time.
trait Kernel: Copy {
    /// Weights in registers.
    type LoadedWeights: Copy;
    /// Accumulators of one token.
    type Accumulator: Copy;
    /// Outputs computed at a time.
    const OUTPUTS: usize;

    fn zero(self) -> Self::Accumulator;
    /// Loads the weights of outputs from `first` on.
    fn weights(self, tile: &WeightTile, first: usize) -> Self::LoadedWeights;
    fn multiply_add(
        self,
        sums: Self::Accumulator,
        weights: Self::LoadedWeights,
        pair: [i16; 2],
    ) -> Self::Accumulator;
    fn store(self, sums: Self::Accumulator, output: &mut [i32; TILE_OUTPUTS]);
}

#[inline(always)]
fn multiply_tiles<K: Kernel>(
    kernel: K,
    operands: GemmOperands<'_>,
    mut give: impl FnMut(usize, usize, &[i32]),
) {
    let GemmOperands {
        pairs, activations, ..
    } = operands;
    if pairs == 0 {
        return;
    }
    // Blocks of equal size instead of full ones and a small remainder.
    let count = activations.len() / pairs;
    let block = count.div_ceil(count.div_ceil(BLOCK_TOKENS).max(1)).max(1);
    let mut sums = [[0; TILE_OUTPUTS]; BLOCK_TOKENS];
    for (number, tiles) in operands.tiles.chunks_exact(pairs).enumerate() {
        let left = operands.outputs.saturating_sub(number * TILE_OUTPUTS);
        for first in (0..left.min(TILE_OUTPUTS)).step_by(K::OUTPUTS) {
            for (place, activations) in activations.chunks(block * pairs).enumerate() {
                let of_block = activations.len() / pairs;
                match of_block {
                    1 => micro_kernel::<K, 1>(kernel, tiles, first, activations, &mut sums),
                    2 => micro_kernel::<K, 2>(kernel, tiles, first, activations, &mut sums),
                    3 => micro_kernel::<K, 3>(kernel, tiles, first, activations, &mut sums),
                    4 => micro_kernel::<K, 4>(kernel, tiles, first, activations, &mut sums),
                    5 => micro_kernel::<K, 5>(kernel, tiles, first, activations, &mut sums),
                    _ => micro_kernel::<K, 6>(kernel, tiles, first, activations, &mut sums),
                }
                for (token, sums) in sums.iter().enumerate().take(of_block) {
                    let output = number * TILE_OUTPUTS + first;
                    give(place * block + token, output, &sums[..K::OUTPUTS]);
                }
            }
        }
    }
}

/// Computes [`Kernel::OUTPUTS`] outputs for a block of tokens.
#[inline(always)]
fn micro_kernel<K: Kernel, const TOKENS: usize>(
    kernel: K,
    tiles: &[WeightTile],
    first: usize,
    activations: &[[i16; 2]],
    output: &mut [[i32; TILE_OUTPUTS]; BLOCK_TOKENS],
) {
    let pairs = tiles.len();
    let activations: [&[[i16; 2]]; TOKENS] =
        std::array::from_fn(|token| &activations[token * pairs..(token + 1) * pairs]);
    let mut sums = [kernel.zero(); TOKENS];
    for (pair, tile) in tiles.iter().enumerate() {
        let weights = kernel.weights(tile, first);
        for (sums, token) in sums.iter_mut().zip(&activations) {
            *sums = kernel.multiply_add(*sums, weights, token[pair]);
        }
    }
    for (sums, output) in sums.into_iter().zip(output) {
        kernel.store(sums, output);
    }
}

/// The portable kernel.
#[derive(Clone, Copy)]
struct Portable;

impl Kernel for Portable {
    type LoadedWeights = [[i32; 2]; 8];
    type Accumulator = [i32; 8];
    const OUTPUTS: usize = 8;

    #[inline(always)]
    fn zero(self) -> Self::Accumulator {
        [0; 8]
    }

    #[inline(always)]
    fn weights(self, tile: &WeightTile, first: usize) -> Self::LoadedWeights {
        let place = |output: usize| 2 * (first + output);
        std::array::from_fn(|output| {
            [tile.0[place(output)], tile.0[place(output) + 1]].map(i32::from)
        })
    }

    #[inline(always)]
    fn multiply_add(
        self,
        mut sums: Self::Accumulator,
        weights: Self::LoadedWeights,
        pair: [i16; 2],
    ) -> Self::Accumulator {
        let [one, other] = pair.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum += weights[0] * one + weights[1] * other;
        }
        sums
    }

    #[inline(always)]
    fn store(self, sums: Self::Accumulator, output: &mut [i32; TILE_OUTPUTS]) {
        output[..8].copy_from_slice(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel for V3 {
    type LoadedWeights = [std::arch::x86_64::__m256i; 2];
    type Accumulator = [std::arch::x86_64::__m256i; 2];
    const OUTPUTS: usize = 16;

    #[inline(always)]
    fn zero(self) -> Self::Accumulator {
        [self.avx._mm256_setzero_si256(); 2]
    }

    #[inline(always)]
    fn weights(self, tile: &WeightTile, first: usize) -> Self::LoadedWeights {
        let halves: [[[i8; 16]; 2]; 2] = pulp::cast(tile.0);
        let half = halves[first / Self::OUTPUTS];
        half.map(|bytes| self.avx2._mm256_cvtepi8_epi16(pulp::cast(bytes)))
    }

    #[inline(always)]
    fn multiply_add(
        self,
        sums: Self::Accumulator,
        weights: Self::LoadedWeights,
        pair: [i16; 2],
    ) -> Self::Accumulator {
        let pair = self.avx._mm256_set1_epi32(pulp::cast(pair));
        std::array::from_fn(|part| {
            let products = self.avx2._mm256_madd_epi16(weights[part], pair);
            self.avx2._mm256_add_epi32(sums[part], products)
        })
    }

    #[inline(always)]
    fn store(self, sums: Self::Accumulator, output: &mut [i32; TILE_OUTPUTS]) {
        let sums: [i32; 16] = pulp::cast(sums);
        output[..16].copy_from_slice(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel for V4 {
    type LoadedWeights = [std::arch::x86_64::__m512i; 2];
    type Accumulator = [std::arch::x86_64::__m512i; 2];
    const OUTPUTS: usize = 32;

    #[inline(always)]
    fn zero(self) -> Self::Accumulator {
        [self.avx512f._mm512_setzero_si512(); 2]
    }

    #[inline(always)]
    fn weights(self, tile: &WeightTile, _: usize) -> Self::LoadedWeights {
        let halves: [[i8; 32]; 2] = pulp::cast(tile.0);
        halves.map(|bytes| self.avx512bw._mm512_cvtepi8_epi16(pulp::cast(bytes)))
    }

    #[inline(always)]
    fn multiply_add(
        self,
        sums: Self::Accumulator,
        weights: Self::LoadedWeights,
        pair: [i16; 2],
    ) -> Self::Accumulator {
        let pair = self.avx512f._mm512_set1_epi32(pulp::cast(pair));
        std::array::from_fn(|part| {
            let products = self.avx512bw._mm512_madd_epi16(weights[part], pair);
            self.avx512f._mm512_add_epi32(sums[part], products)
        })
    }

    #[inline(always)]
    fn store(self, sums: Self::Accumulator, output: &mut [i32; TILE_OUTPUTS]) {
        *output = pulp::cast(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: usize = 37;

    fn tiles(panels: usize) -> Vec<WeightTile> {
        (0..panels * PAIRS)
            .map(|tile| {
                let mut values = WeightTile::default();
                for output in 0..TILE_OUTPUTS {
                    let value = |seed: usize| ((tile * 71 + output * 13 + seed) % 255) as u8 as i8;
                    values.put(output, [value(0), value(100)]);
                }
                values
            })
            .collect()
    }

    fn activations(count: usize) -> Vec<[i16; 2]> {
        (0..count * PAIRS)
            .map(|pair| [pair * 7919 % 65_535, pair * 104_729 % 65_535])
            .map(|pair| pair.map(|value| value as u16 as i16))
            .collect()
    }

    /// Reference implementation.
    fn expected(tiles: &[WeightTile], activations: &[[i16; 2]]) -> Vec<i32> {
        let mut sums = Vec::new();
        for token in activations.chunks(PAIRS) {
            for tiles in tiles.chunks(PAIRS) {
                sums.extend((0..TILE_OUTPUTS).map(|output| {
                    let pairs = tiles.iter().zip(token);
                    pairs
                        .map(|(tile, pair)| {
                            let weight = |part: usize| i32::from(tile.0[2 * output + part]);
                            weight(0) * i32::from(pair[0]) + weight(1) * i32::from(pair[1])
                        })
                        .sum::<i32>()
                }));
            }
        }
        sums
    }

    fn run_kernel<K: Kernel>(
        kernel: K,
        tiles: &[WeightTile],
        activations: &[[i16; 2]],
    ) -> Vec<i32> {
        let outputs = tiles.len() / PAIRS * TILE_OUTPUTS;
        let mut all = vec![0; activations.len() / PAIRS * outputs];
        let operands = GemmOperands {
            pairs: PAIRS,
            outputs,
            tiles,
            activations,
        };
        multiply_tiles(kernel, operands, |token, output, sums| {
            let start = token * outputs + output;
            all[start..start + sums.len()].copy_from_slice(sums);
        });
        all
    }

    #[test]
    fn every_kernel_gives_the_same_sums() {
        let tiles = tiles(3);
        for count in (0..=14).chain([25, 64]) {
            let activations = activations(count);
            let expected = expected(&tiles, &activations);
            assert_eq!(
                run_kernel(Portable, &tiles, &activations),
                expected,
                "{count}"
            );
            #[cfg(target_arch = "x86_64")]
            {
                if let Some(simd) = V3::try_new() {
                    assert_eq!(run_kernel(simd, &tiles, &activations), expected, "{count}");
                }
                if let Some(simd) = V4::try_new() {
                    assert_eq!(run_kernel(simd, &tiles, &activations), expected, "{count}");
                }
            }
        }
    }
}
