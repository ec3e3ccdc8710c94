//! Little-endian encoding of numbers and texts. Reading past the end returns zeros: input has passed a checksum, so
//! only a faulty writer could cause it.

#[derive(Debug, Default)]
pub(crate) struct ByteWriter {
    bytes: Vec<u8>,
}

impl ByteWriter {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
        }
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn i64(&mut self, value: i64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// Writes a text prefixed with its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn done(self) -> Vec<u8> {
        self.bytes
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Positions at record `index` of a table with records of `width` bytes.
    pub(crate) fn record(table: &'a [u8], index: u32, width: usize) -> Self {
        let start = index as usize * width;
        Self {
            bytes: table.get(start..start + width).unwrap_or_default(),
        }
    }

    pub(crate) fn raw(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    pub(crate) fn skip(&mut self, count: usize) {
        self.raw(count);
    }

    pub(crate) fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub(crate) fn i64(&mut self) -> i64 {
        i64::from_le_bytes(self.array())
    }

    pub(crate) fn text(&mut self) -> &'a str {
        let length = self.u32() as usize;
        std::str::from_utf8(self.raw(length)).unwrap_or_default()
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.raw(N).try_into().unwrap_or([0; N])
    }
}
