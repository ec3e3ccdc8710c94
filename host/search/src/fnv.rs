//! FNV-1a: a number for some bytes, the same on every machine and with every compiler. Not a secret
//! and not a proof: whoever needs one compares digests.

pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.add(bytes);
        hash.number()
    }

    pub(crate) fn add_number(&mut self, number: u64) {
        self.add(&number.to_le_bytes());
    }

    pub(crate) fn number(&self) -> u64 {
        self.0
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
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
