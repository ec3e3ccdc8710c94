//! Every target on its committed seeds, and on a bounded number of inputs that are made from its seeds by a few edits.
//! The inputs are the same in each run; with `ACRETA_TEST_FUZZ`, the number of inputs, they are new ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use acreta_fuzzing::{TARGETS, committed, seeds};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Texts with a meaning to some parser.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\"",
    b"\\",
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"=",
    b"#",
    b"---\n",
    b"```\n",
    b"<a-b>",
    b"</a-b>",
    b"> ",
    b"| a |",
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551615",
    b"\\ud800",
    b"\\u0000",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\xf3\xa0\x80\x81",
    b"<<<<<<< ours\n",
    b"password=",
    b"eyJ",
    b"../",
    b"\x1e",
    b"\x1f",
    b"\x1a",
];

/// One change to an input.
#[derive(Debug, Clone)]
enum Edit {
    Replace(Index, u8),
    Remove(Index, usize),
    Insert(Index, &'static [u8]),
    Repeat(Index, usize, usize),
    /// Continues with the rest of another seed.
    Splice(Index, Index, Index),
}

impl Edit {
    fn apply(&self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let place = |at: &Index| at.index(input.len() + 1);
        match self {
            Edit::Replace(at, byte) => match input.len() {
                0 => input.push(*byte),
                length => input[at.index(length)] = *byte,
            },
            Edit::Remove(at, length) => {
                let start = place(at);
                input.drain(start..input.len().min(start + length));
            }
            Edit::Insert(at, piece) => {
                let start = place(at);
                input.splice(start..start, piece.iter().copied());
            }
            Edit::Repeat(at, length, times) => {
                let start = place(at);
                let part = input[start..input.len().min(start + length)].repeat(*times);
                input.splice(start..start, part);
            }
            Edit::Splice(at, which, from) => {
                let other = which.get(seeds);
                let start = place(at);
                input.truncate(start);
                input.extend(&other[from.index(other.len() + 1)..]);
            }
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let index = any::<Index>;
    prop_oneof![
        (index(), any::<u8>()).prop_map(|(at, byte)| Edit::Replace(at, byte)),
        (index(), 1..64_usize).prop_map(|(at, length)| Edit::Remove(at, length)),
        (index(), prop::sample::select(PIECES)).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (index(), 1..64_usize, 1..40_usize)
            .prop_map(|(at, length, times)| Edit::Repeat(at, length, times)),
        (index(), index(), index()).prop_map(|(at, which, from)| Edit::Splice(at, which, from)),
    ]
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(name: &str, cases: usize) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    for seed in committed(&root(), name) {
        (target.run)(&seed);
    }
    let seeds = seeds(&root(), name);
    assert!(!seeds.is_empty(), "fuzz/seeds/{name} is empty");
    let cases = acreta_testing::count("ACRETA_TEST_FUZZ", cases);
    let config = ProptestConfig {
        cases: u32::try_from(cases).unwrap(),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let made = (any::<Index>(), prop::collection::vec(edit(), 1..6));
    let mut runner = match std::env::var_os("ACRETA_TEST_FUZZ") {
        Some(_) => TestRunner::new(config),
        None => {
            let same = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
            TestRunner::new_with_rng(config, same)
        }
    };
    let result = runner.run(&made, |(seed, edits)| {
        let mut input = seed.get(&seeds).clone();
        for edit in &edits {
            edit.apply(&mut input, &seeds);
        }
        (target.run)(&input);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
}

macro_rules! targets {
    ($($name:ident: $cases:literal,)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $cases);
        })*

        #[test]
        fn every_target_is_tested_and_can_be_fuzzed() {
            let tested = BTreeSet::from([$(stringify!($name)),*]);
            let known: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(tested, known);
            for name in known {
                let file = root().join(format!("fuzz/fuzz_targets/{name}.rs"));
                let text = std::fs::read_to_string(&file).unwrap();
                assert!(text.contains(&format!("acreta_fuzzing::{name}(data)")), "{file:?}");
            }
        }
    };
}

targets! {
    adapters: 300,
    archive: 300,
    boundary: 150,
    config: 150,
    grants: 300,
    import: 500,
    journal: 300,
    memory_file: 1000,
    plugin: 500,
    plugin_lock: 500,
    redactor: 300,
    sidecar: 1000,
    typed: 500,
}
