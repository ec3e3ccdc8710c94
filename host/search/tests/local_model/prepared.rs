//! The model cache: used on the second load, ignored if it does not match.

use std::time::Duration;

use acreta_search::SentenceModel;
use camino::Utf8PathBuf;

use crate::toy::{Toy, file, tensors};

/// A toy whose files are old enough that their stamps are not racy.
fn settled() -> Toy {
    let toy = Toy::new();
    std::thread::sleep(Duration::from_millis(40));
    toy
}

fn prepared_file(toy: &Toy) -> Utf8PathBuf {
    let folder = toy.folder.join("cache/models");
    let mut entries = folder.read_dir_utf8().unwrap();
    entries.next().unwrap().unwrap().into_path()
}

fn bytes(path: &Utf8PathBuf) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "damages the cache from outside")]
fn write(path: &Utf8PathBuf, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

/// Returns the cache file with another digest in its header, and a valid checksum.
fn with_another_digest(bytes: &[u8]) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[24..24 + length]).unwrap();
    header["digest"] = vec![7; 32].into();
    let header = serde_json::to_vec(&header).unwrap();
    let data = &bytes[24 + length..bytes.len() - 4];
    let length = (header.len() as u64).to_le_bytes();
    let mut other = [&bytes[..16], &length, &header, data].concat();
    other.extend(crc32fast::hash(&other).to_le_bytes());
    other
}

#[test]
fn the_second_load_comes_from_the_cache_and_gives_the_same_vectors() {
    let toy = settled();
    let texts = ["heron", "fishes owl", "nothing it knows"];
    let plain = toy.model();
    let first = toy.cached();
    assert!(!first.is_quick());
    assert_eq!(
        first.vectors(&texts).unwrap(),
        plain.vectors(&texts).unwrap()
    );
    let second = toy.cached();
    assert!(second.is_quick());
    assert_eq!(
        second.vectors(&texts).unwrap(),
        plain.vectors(&texts).unwrap()
    );
    assert_eq!(second.identity().unwrap(), plain.identity().unwrap());

    let path = prepared_file(&toy);
    write(&path, &with_another_digest(&bytes(&path)));
    assert_eq!(toy.cached().identity().unwrap().digest, [7; 32]);
}

#[test]
fn a_changed_model_is_read_again() {
    let toy = settled();
    toy.cached().check().unwrap();
    let path = prepared_file(&toy);
    write(&path, &with_another_digest(&bytes(&path)));
    let mut others = tensors("");
    others
        .get_mut("embeddings.LayerNorm.bias")
        .unwrap()
        .1
        .fill(0.25);
    toy.put("model.safetensors", file(&others));
    assert_eq!(
        toy.cached().identity().unwrap(),
        toy.model().identity().unwrap()
    );
}

#[test]
fn a_damaged_cache_counts_as_none() {
    let toy = settled();
    toy.cached().check().unwrap();
    let path = prepared_file(&toy);
    let whole = bytes(&path);
    let expected = toy.model().vectors(&["heron"]).unwrap();
    let mut cases = vec![Vec::new(), b"something else".to_vec(), vec![0xff; 100]];
    for cut in [1, 16, 20, 24, 100, whole.len() / 2, whole.len() - 1] {
        cases.push(whole[..cut].to_vec());
    }
    for place in (0..whole.len()).step_by(61) {
        let mut flipped = whole.clone();
        flipped[place] ^= 0x10;
        cases.push(flipped);
    }
    for case in cases {
        write(&path, &case);
        assert_eq!(toy.cached().vectors(&["heron"]).unwrap(), expected);
    }
}
