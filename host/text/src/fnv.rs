//! FNV-1a hash: the same on every machine and compiler, and fast for short words. Not cryptographic.

use std::hash::Hasher;

/// The hasher; also for hash tables whose keys are trusted.
#[derive(Debug, Clone, Copy)]
pub struct Fnv(u64);

const PRIME: u64 = 0x0100_0000_01b3;

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Hashes some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> u64 {
        let mut hash = Self::default();
        hash.write(bytes.as_ref());
        hash.finish()
    }

    /// Adds a number, little-endian on every machine.
    pub fn add_number(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_published_ones() {
        assert_eq!(Fnv::of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv::of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Fnv::of(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
