//! Sums of products of whole numbers, which is nearly all of the work of a model. Weights lie in the
//! order they are read and every line of them is used for several words. A processor that multiplies
//! and adds pairs of 16-bit numbers in one instruction is asked to do that by name: written as plain
//! loops this takes three times as long.

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// Outputs that a line has weights of.
pub(crate) const LINE_OUTPUTS: usize = 32;

/// The weights between a pair of inputs and some outputs; as long as what processors read at once.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Line([i8; 2 * LINE_OUTPUTS]);

impl Default for Line {
    fn default() -> Self {
        Self([0; 2 * LINE_OUTPUTS])
    }
}

impl Line {
    /// Sets the weights of one of its outputs.
    pub(crate) fn put(&mut self, output: usize, pair: [i8; 2]) {
        self.0[2 * output..2 * output + 2].copy_from_slice(&pair);
    }

    pub(crate) fn to_bytes(self) -> [u8; 2 * LINE_OUTPUTS] {
        self.0.map(|weight| weight as u8)
    }

    pub(crate) fn from_bytes(bytes: &[u8; 2 * LINE_OUTPUTS]) -> Self {
        Self(bytes.map(|byte| byte as i8))
    }
}

/// Words whose sums are kept at hand together: as many as there are places for.
const BLOCK_WORDS: usize = 6;

/// What is multiplied.
#[derive(Clone, Copy)]
pub(crate) struct Factors<'a> {
    /// Pairs of inputs.
    pub(crate) pairs: usize,
    pub(crate) outputs: usize,
    /// For the first outputs a line for each pair, then for the next.
    pub(crate) lines: &'a [Line],
    /// The pairs of a word, then of the next.
    pub(crate) words: &'a [[i16; 2]],
}

/// Multiplies and adds up. Gives the number of a word, that of an output, and the sums of the word
/// from that output on; what goes beyond the last output means nothing.
pub(crate) fn each(factors: Factors<'_>, give: impl FnMut(usize, usize, &[i32])) {
    #[cfg(target_arch = "x86_64")]
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => return simd.vectorize(|| walk(simd, factors, give)),
        pulp::Arch::V3(simd) => return simd.vectorize(|| walk(simd, factors, give)),
        _ => {}
    }
    walk(Plain, factors, give);
}

/// How a processor does it, for as many outputs of a line as its registers have room for.
trait Processor: Copy {
    /// Weights as they are multiplied.
    type Weights: Copy;
    /// Of one word.
    type Sums: Copy;
    /// Outputs at a time.
    const OUTPUTS: usize;

    fn nothing(self) -> Self::Sums;
    /// The weights of outputs from `first` on.
    fn weights(self, line: &Line, first: usize) -> Self::Weights;
    fn add(self, sums: Self::Sums, weights: Self::Weights, pair: [i16; 2]) -> Self::Sums;
    fn store(self, sums: Self::Sums, places: &mut [i32; LINE_OUTPUTS]);
}

#[inline(always)]
fn walk<P: Processor>(
    processor: P,
    factors: Factors<'_>,
    mut give: impl FnMut(usize, usize, &[i32]),
) {
    let Factors { pairs, words, .. } = factors;
    if pairs == 0 {
        return;
    }
    // Blocks of the same size rather than full ones and a small rest.
    let count = words.len() / pairs;
    let block = count.div_ceil(count.div_ceil(BLOCK_WORDS).max(1)).max(1);
    let mut sums = [[0; LINE_OUTPUTS]; BLOCK_WORDS];
    for (number, lines) in factors.lines.chunks_exact(pairs).enumerate() {
        let left = factors.outputs.saturating_sub(number * LINE_OUTPUTS);
        for first in (0..left.min(LINE_OUTPUTS)).step_by(P::OUTPUTS) {
            for (place, words) in words.chunks(block * pairs).enumerate() {
                let of_block = words.len() / pairs;
                match of_block {
                    1 => multiply::<P, 1>(processor, lines, first, words, &mut sums),
                    2 => multiply::<P, 2>(processor, lines, first, words, &mut sums),
                    3 => multiply::<P, 3>(processor, lines, first, words, &mut sums),
                    4 => multiply::<P, 4>(processor, lines, first, words, &mut sums),
                    5 => multiply::<P, 5>(processor, lines, first, words, &mut sums),
                    _ => multiply::<P, 6>(processor, lines, first, words, &mut sums),
                }
                for (word, sums) in sums.iter().enumerate().take(of_block) {
                    let output = number * LINE_OUTPUTS + first;
                    give(place * block + word, output, &sums[..P::OUTPUTS]);
                }
            }
        }
    }
}

/// Some outputs of some words.
#[inline(always)]
fn multiply<P: Processor, const WORDS: usize>(
    processor: P,
    lines: &[Line],
    first: usize,
    words: &[[i16; 2]],
    places: &mut [[i32; LINE_OUTPUTS]; BLOCK_WORDS],
) {
    let pairs = lines.len();
    let words: [&[[i16; 2]]; WORDS] =
        std::array::from_fn(|word| &words[word * pairs..(word + 1) * pairs]);
    let mut sums = [processor.nothing(); WORDS];
    for (pair, line) in lines.iter().enumerate() {
        let weights = processor.weights(line, first);
        for (sums, word) in sums.iter_mut().zip(&words) {
            *sums = processor.add(*sums, weights, word[pair]);
        }
    }
    for (sums, places) in sums.into_iter().zip(places) {
        processor.store(sums, places);
    }
}

/// Any processor.
#[derive(Clone, Copy)]
struct Plain;

impl Processor for Plain {
    type Weights = [[i32; 2]; 8];
    type Sums = [i32; 8];
    const OUTPUTS: usize = 8;

    #[inline(always)]
    fn nothing(self) -> Self::Sums {
        [0; 8]
    }

    #[inline(always)]
    fn weights(self, line: &Line, first: usize) -> Self::Weights {
        let place = |output: usize| 2 * (first + output);
        std::array::from_fn(|output| {
            [line.0[place(output)], line.0[place(output) + 1]].map(i32::from)
        })
    }

    #[inline(always)]
    fn add(self, mut sums: Self::Sums, weights: Self::Weights, pair: [i16; 2]) -> Self::Sums {
        let [one, other] = pair.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum += weights[0] * one + weights[1] * other;
        }
        sums
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums, places: &mut [i32; LINE_OUTPUTS]) {
        places[..8].copy_from_slice(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
impl Processor for V3 {
    type Weights = [std::arch::x86_64::__m256i; 2];
    type Sums = [std::arch::x86_64::__m256i; 2];
    const OUTPUTS: usize = 16;

    #[inline(always)]
    fn nothing(self) -> Self::Sums {
        [self.avx._mm256_setzero_si256(); 2]
    }

    #[inline(always)]
    fn weights(self, line: &Line, first: usize) -> Self::Weights {
        let halves: [[[i8; 16]; 2]; 2] = pulp::cast(line.0);
        let half = halves[first / Self::OUTPUTS];
        half.map(|bytes| self.avx2._mm256_cvtepi8_epi16(pulp::cast(bytes)))
    }

    #[inline(always)]
    fn add(self, sums: Self::Sums, weights: Self::Weights, pair: [i16; 2]) -> Self::Sums {
        let pair = self.avx._mm256_set1_epi32(pulp::cast(pair));
        std::array::from_fn(|part| {
            let products = self.avx2._mm256_madd_epi16(weights[part], pair);
            self.avx2._mm256_add_epi32(sums[part], products)
        })
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums, places: &mut [i32; LINE_OUTPUTS]) {
        let sums: [i32; 16] = pulp::cast(sums);
        places[..16].copy_from_slice(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
impl Processor for V4 {
    type Weights = [std::arch::x86_64::__m512i; 2];
    type Sums = [std::arch::x86_64::__m512i; 2];
    const OUTPUTS: usize = 32;

    #[inline(always)]
    fn nothing(self) -> Self::Sums {
        [self.avx512f._mm512_setzero_si512(); 2]
    }

    #[inline(always)]
    fn weights(self, line: &Line, _: usize) -> Self::Weights {
        let halves: [[i8; 32]; 2] = pulp::cast(line.0);
        halves.map(|bytes| self.avx512bw._mm512_cvtepi8_epi16(pulp::cast(bytes)))
    }

    #[inline(always)]
    fn add(self, sums: Self::Sums, weights: Self::Weights, pair: [i16; 2]) -> Self::Sums {
        let pair = self.avx512f._mm512_set1_epi32(pulp::cast(pair));
        std::array::from_fn(|part| {
            let products = self.avx512bw._mm512_madd_epi16(weights[part], pair);
            self.avx512f._mm512_add_epi32(sums[part], products)
        })
    }

    #[inline(always)]
    fn store(self, sums: Self::Sums, places: &mut [i32; LINE_OUTPUTS]) {
        *places = pulp::cast(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: usize = 37;

    fn lines(panels: usize) -> Vec<Line> {
        (0..panels * PAIRS)
            .map(|line| {
                let mut values = Line::default();
                for output in 0..LINE_OUTPUTS {
                    let value = |seed: usize| ((line * 71 + output * 13 + seed) % 255) as u8 as i8;
                    values.put(output, [value(0), value(100)]);
                }
                values
            })
            .collect()
    }

    fn words(count: usize) -> Vec<[i16; 2]> {
        (0..count * PAIRS)
            .map(|pair| [pair * 7919 % 65_535, pair * 104_729 % 65_535])
            .map(|pair| pair.map(|value| value as u16 as i16))
            .collect()
    }

    /// All sums, one number at a time.
    fn expected(lines: &[Line], words: &[[i16; 2]]) -> Vec<i32> {
        let mut sums = Vec::new();
        for word in words.chunks(PAIRS) {
            for lines in lines.chunks(PAIRS) {
                sums.extend((0..LINE_OUTPUTS).map(|output| {
                    let pairs = lines.iter().zip(word);
                    pairs
                        .map(|(line, pair)| {
                            let weight = |part: usize| i32::from(line.0[2 * output + part]);
                            weight(0) * i32::from(pair[0]) + weight(1) * i32::from(pair[1])
                        })
                        .sum::<i32>()
                }));
            }
        }
        sums
    }

    fn walked<P: Processor>(processor: P, lines: &[Line], words: &[[i16; 2]]) -> Vec<i32> {
        let outputs = lines.len() / PAIRS * LINE_OUTPUTS;
        let mut all = vec![0; words.len() / PAIRS * outputs];
        let factors = Factors {
            pairs: PAIRS,
            outputs,
            lines,
            words,
        };
        walk(processor, factors, |word, output, sums| {
            let start = word * outputs + output;
            all[start..start + sums.len()].copy_from_slice(sums);
        });
        all
    }

    #[test]
    fn every_processor_gives_the_same_sums() {
        let lines = lines(3);
        for count in (0..=14).chain([25, 64]) {
            let words = words(count);
            let expected = expected(&lines, &words);
            assert_eq!(walked(Plain, &lines, &words), expected, "{count}");
            #[cfg(target_arch = "x86_64")]
            {
                if let Some(simd) = V3::try_new() {
                    assert_eq!(walked(simd, &lines, &words), expected, "{count}");
                }
                if let Some(simd) = V4::try_new() {
                    assert_eq!(walked(simd, &lines, &words), expected, "{count}");
                }
            }
        }
    }
}
