//! Sources that grow, shrink, are compressed, or expand far too much.

use std::io::{Read, Write};

use acreta_session_archive::{RescueAs, RescueError, RescueLimits, RescueSource};

use crate::support::{TestTree, noise, token};

#[test]
fn what_is_appended_meanwhile_is_left_for_later() {
    let tree = TestTree::new();
    let path = tree.write("root/s.jsonl", "first\n");
    let reader = tree.directory("root").open_reader("s.jsonl").unwrap();
    tree.write("root/s.jsonl", "first\nsecond\n");
    let source = RescueSource {
        path: &path,
        bytes: Some(reader.size()),
        reader,
    };
    let limits = RescueLimits::default();
    let stored = tree
        .archive()
        .store_source("claude", source, RescueAs::Trace, &limits)
        .unwrap();
    assert_eq!(stored.raw_bytes, 6);
    assert_eq!(tree.read(&stored.digest), b"first\n");
}

#[test]
fn a_file_that_shrinks_is_tried_again() {
    let long = noise(300_000, 2);
    for (before, after) in [("first\nsecond\n", "fir"), (long.as_str(), "")] {
        let tree = TestTree::new();
        let path = tree.write("root/s.jsonl", before);
        let reader = tree.directory("root").open_reader("s.jsonl").unwrap();
        tree.write("root/s.jsonl", after);
        let source = RescueSource {
            path: &path,
            bytes: Some(reader.size()),
            reader,
        };
        let limits = RescueLimits::default();
        let error = tree
            .archive()
            .store_source("claude", source, RescueAs::Trace, &limits)
            .unwrap_err();
        assert!(error.is_retryable());
        let message = format!(
            "`{path}` changed while it was read: {} of {} bytes were read",
            after.len(),
            before.len()
        );
        assert_eq!(error.to_string(), message);
        assert!(tree.names("archive/claude").is_empty());
    }
}

#[test]
fn a_compressed_session_is_the_session() {
    let tree = TestTree::new();
    let text = format!("{{\"text\":\"{}\"}}\n", token()).repeat(3_000);
    let plain = tree.store(&text).unwrap();
    // In several frames, as appending to a compressed file produces.
    let (first, second) = text.as_bytes().split_at(70_001);
    let mut packed = zstd::stream::encode_all(first, 3).unwrap();
    packed.extend(zstd::stream::encode_all(second, 19).unwrap());
    let compressed = tree.store(packed).unwrap();
    assert!(compressed.was_there);
    assert_eq!(compressed.digest, plain.digest);
    assert_eq!(compressed.raw_bytes, text.len() as u64);
    assert_eq!(compressed.redactions.of("github-token"), 3_000);
}

#[test]
fn short_and_empty_files_are_sessions_too() {
    for text in ["", "x", "(\u{b5}/", "\n"] {
        let tree = TestTree::new();
        let stored = tree.store(text).unwrap();
        assert_eq!(tree.read(&stored.digest), text.as_bytes());
    }
}

#[test]
fn a_bomb_is_stopped_by_what_it_holds() {
    let tree = TestTree::new();
    let frame = zstd::stream::encode_all(std::io::repeat(b' ').take(8 << 20), 3).unwrap();
    let bomb = tree.write("bomb.jsonl.zst", frame.repeat(32));
    let plain = tree.write("plain.jsonl", vec![b' '; 3 << 20]);
    let limits = |content_bytes, ratio, unsuspicious_bytes| RescueLimits {
        content_bytes,
        ratio,
        unsuspicious_bytes,
    };
    type Check = fn(&RescueError) -> bool;
    let too_large: Check = |error| matches!(error, RescueError::TooLarge { .. });
    let is_bomb: Check = |error| matches!(error, RescueError::Bomb { .. });
    let cases = [
        (&bomb, limits(2 << 20, 1_000, 1 << 30), too_large),
        (&bomb, limits(1 << 40, 1_000, 2 << 20), is_bomb),
        (&plain, limits(2 << 20, 1_000, 1 << 30), too_large),
    ];
    for (source, limits, check) in cases {
        let archive = tree.archive();
        let error = archive
            .store("claude", source, RescueAs::Trace, &limits)
            .unwrap_err();
        assert!(check(&error), "{source}: {error:?}");
        assert!(error.to_string().contains(source.as_str()), "{error}");
        assert!(tree.names("archive/claude").is_empty());
    }

    // Reading archived content has the same limit.
    let archive = tree.archive();
    let wide = RescueLimits::default();
    let digest = archive
        .store("claude", &plain, RescueAs::Trace, &wide)
        .unwrap()
        .digest;
    for (limits, check) in [
        (limits(2 << 20, 1_000, 1 << 30), too_large),
        (limits(1 << 40, 1_000, 2 << 20), is_bomb),
    ] {
        let mut reader = archive.open("claude", &digest, &limits).unwrap();
        let error = std::io::copy(&mut reader, &mut std::io::sink()).unwrap_err();
        assert!(check(&error.downcast().unwrap()));
    }
    let mut reader = archive.open("claude", &digest, &wide).unwrap();
    assert_eq!(
        std::io::copy(&mut reader, &mut std::io::sink()).unwrap(),
        3 << 20
    );
}

#[test]
fn compressed_garbage_is_not_archived() {
    let tree = TestTree::new();
    let whole = zstd::stream::encode_all(noise(9_000, 4).as_bytes(), 3).unwrap();
    let mut wide = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    // A window of 128 MiB, more than the decoder may allocate.
    wide.window_log(27).unwrap();
    wide.write_all(b"x").unwrap();
    let wide = wide.finish().unwrap();
    let half = whole[..whole.len() / 2].to_vec();
    let garbage = [&whole[..4], &[0xff; 200]].concat();
    for source in [half, garbage, wide] {
        let path = tree.path("source.jsonl");
        let error = tree.store(&source).unwrap_err();
        assert!(
            matches!(error, RescueError::Undecodable { .. }),
            "{error:?}"
        );
        assert_eq!(
            error.to_string(),
            format!("`{path}` cannot be decompressed")
        );
        assert!(std::error::Error::source(&error).is_some());
        assert!(tree.names("archive/claude").is_empty());
    }
}
