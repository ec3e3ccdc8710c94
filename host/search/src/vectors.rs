//! Quantised vectors of passages in memory, one byte per dimension, by key of their text. Adding rows does not disturb
//! readers: rows are stored in blocks, and full blocks are shared.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use crate::dot;

/// An int8 vector; multiply by `scale` to get the original values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuantisedVector {
    pub(crate) scale: f32,
    pub(crate) values: Vec<i8>,
}

/// Rows of vectors with the keys of their texts.
#[derive(Clone, Default)]
pub(crate) struct Vectors {
    dimensions: usize,
    blocks: Vec<Arc<VectorBlock>>,
    rows: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

#[derive(Clone)]
struct VectorBlock {
    keys: Vec<u64>,
    scales: Vec<f32>,
    values: Vec<i8>,
}

/// Rows per block.
const BLOCK_ROWS: usize = 4096;

/// With fewer rows a second thread costs more than it saves.
const THREAD_ROWS: usize = 4 * BLOCK_ROWS;

/// More threads would only compete for memory bandwidth.
const MOST_THREADS: usize = 4;

impl QuantisedVector {
    /// Quantises a vector; values that are not finite count as 0.
    pub(crate) fn new(vector: &[f32]) -> Self {
        let largest = vector
            .iter()
            .filter(|value| value.is_finite())
            .fold(0.0f32, |largest, value| largest.max(value.abs()));
        let scale = largest / 127.0;
        let values = vector
            .iter()
            .map(|value| {
                if scale > 0.0 && value.is_finite() {
                    (value / scale).round() as i8
                } else {
                    0
                }
            })
            .collect();
        Self { scale, values }
    }
}

impl Vectors {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            ..Self::default()
        }
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self.blocks.split_last() {
            Some((last, full)) => full.len() * BLOCK_ROWS + last.keys.len(),
            None => 0,
        }
    }

    pub(crate) fn row(&self, key: u64) -> Option<u32> {
        self.rows.get(&key).copied()
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        self.rows.contains_key(&key)
    }

    /// Adds a row unless its text has one; returns false if the dimensions differ.
    pub(crate) fn add(
        &mut self,
        key: u64,
        scale: f32,
        values: impl ExactSizeIterator<Item = i8>,
    ) -> bool {
        if values.len() != self.dimensions {
            return false;
        }
        if self.contains(key) {
            return true;
        }
        let row = self.len();
        if row.is_multiple_of(BLOCK_ROWS) {
            self.blocks.push(Arc::new(VectorBlock {
                keys: Vec::new(),
                scales: Vec::new(),
                values: Vec::new(),
            }));
        }
        let Some(last) = self.blocks.last_mut() else {
            return false;
        };
        let block = Arc::make_mut(last);
        block.keys.push(key);
        block.scales.push(scale);
        block.values.extend(values);
        self.rows.insert(key, row as u32);
        true
    }

    /// Returns every row: key, scale and values.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, f32, &[i8])> {
        self.blocks.iter().flat_map(|block| {
            let values = block.values.chunks_exact(self.dimensions.max(1));
            let rows = block.keys.iter().zip(&block.scales).zip(values);
            rows.map(|((key, scale), values)| (*key, *scale, values))
        })
    }

    /// Returns the rows of the wanted texts.
    pub(crate) fn only(&self, wanted: impl Fn(u64) -> bool) -> Self {
        let mut only = Self::new(self.dimensions);
        for (key, scale, values) in self.rows().filter(|(key, ..)| wanted(*key)) {
            only.add(key, scale, values.iter().copied());
        }
        only
    }

    /// Returns the cosine similarity of each row to a vector.
    pub(crate) fn closeness(&self, to: &QuantisedVector) -> Vec<f32> {
        let mut closeness = vec![0.0; self.len()];
        if to.values.len() != self.dimensions || self.dimensions == 0 {
            return closeness;
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(MOST_THREADS).min(self.len() / THREAD_ROWS + 1);
        let blocks = self.blocks.len().div_ceil(threads).max(1);
        let parts = self.blocks.chunks(blocks);
        let mut parts = parts.zip(closeness.chunks_mut(blocks * BLOCK_ROWS));
        let own = parts.next();
        std::thread::scope(|scope| {
            for (blocks, closeness) in parts {
                scope.spawn(move || measure(blocks, to, closeness));
            }
            if let Some((blocks, closeness)) = own {
                measure(blocks, to, closeness);
            }
        });
        closeness
    }
}

fn measure(blocks: &[Arc<VectorBlock>], to: &QuantisedVector, closeness: &mut [f32]) {
    let values: Vec<i16> = to.values.iter().map(|value| i16::from(*value)).collect();
    let mut closeness = closeness.iter_mut();
    for block in blocks {
        let rows = block.values.chunks_exact(values.len());
        let mut places = block.scales.iter().zip(&mut closeness);
        dot::dot_each(rows, &values, |product| {
            if let Some((scale, place)) = places.next() {
                *place = product as f32 * scale * to.scale;
            }
        });
    }
}

/// An identity hasher: keys are already evenly distributed.
#[derive(Default, Clone)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closeness_is_the_cosine_of_what_was_put_in() {
        // More than one block and more than one thread.
        let count = 2 * THREAD_ROWS + 77;
        let vector = |number: usize| -> Vec<f32> {
            let raw: Vec<f32> = (0..24)
                .map(|place| ((number * 31 + place * 17) % 101) as f32 - 50.0)
                .collect();
            let length = raw.iter().map(|value| value * value).sum::<f32>().sqrt();
            raw.iter().map(|value| value / length).collect()
        };
        let mut vectors = Vectors::new(24);
        for number in 0..count {
            let quantised = QuantisedVector::new(&vector(number));
            assert!(vectors.add(number as u64, quantised.scale, quantised.values.into_iter()));
        }
        assert_eq!((vectors.len(), vectors.rows().count()), (count, count));
        assert!(!vectors.add(u64::MAX, 1.0, [1i8; 23].into_iter()));
        let question = vector(5);
        let closeness = vectors.closeness(&QuantisedVector::new(&question));
        for number in [
            0,
            1,
            5,
            BLOCK_ROWS - 1,
            BLOCK_ROWS,
            THREAD_ROWS + 3,
            count - 1,
        ] {
            let row = vectors.row(number as u64).unwrap() as usize;
            let pairs = vector(number).into_iter().zip(&question);
            let exact: f32 = pairs.map(|(left, right)| left * right).sum();
            assert!((closeness[row] - exact).abs() < 0.02, "{number}");
        }
        let some = vectors.only(|key| key % 2 == 0);
        assert_eq!(
            (some.len(), some.contains(2), some.contains(3)),
            (count.div_ceil(2), true, false)
        );
    }

    #[test]
    fn what_is_no_number_counts_as_nothing() {
        for vector in [&[0.0; 4], &[f32::NAN; 4], &[f32::INFINITY; 4]] {
            assert_eq!(QuantisedVector::new(vector).values, [0; 4]);
        }
        assert_eq!(
            QuantisedVector::new(&[1.0, f32::NAN, -1.0]).values,
            [127, 0, -127]
        );
    }
}
