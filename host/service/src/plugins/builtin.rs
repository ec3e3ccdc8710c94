//! The plugins in the binary: compressed, with their digests, and with the description of each adapter, so that no
//! adapter has to be compiled to find out whether its agent is installed. A test compares the descriptions with those
//! of the adapters.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use acreta_types::Description;

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// A component embedded in the binary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Builtin {
    pub(crate) id: &'static str,
    /// SHA-256 of the component, in hex.
    pub(crate) digest: &'static str,
    /// Size of the component in bytes.
    pub(crate) size: usize,
    /// The component, compressed with zstd.
    packed: &'static [u8],
}

impl Builtin {
    pub(crate) fn component(self) -> Vec<u8> {
        zstd::bulk::decompress(self.packed, self.size).expect("the build script packed it")
    }
}

pub(crate) fn find(id: &str) -> Option<Builtin> {
    BUILTIN.iter().find(|builtin| builtin.id == id).copied()
}

pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|builtin| builtin.id)
}

/// Returns the descriptions of the built-in adapters by id, as of the build of the binary.
pub fn descriptions() -> &'static BTreeMap<String, Description> {
    static DESCRIPTIONS: LazyLock<BTreeMap<String, Description>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../descriptions.json"))
            .expect("a test reads the same file")
    });
    &DESCRIPTIONS
}
