//! Compressed sessions: the same events as from the plain file, whatever happened to the bytes.

use std::io::Write;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, read, sessions};
use adapter_codex::Codex;

use crate::support::{Home, fixture, message, meta, put, read_whole, session};

const PACKED: &str = "019e9000-7005";

#[test]
fn a_compressed_session_tells_what_the_plain_one_tells() {
    let home = Home::new();
    for part in ["019ed99c-0a11", "019ee400-5003", "4b825dc6-42cb"] {
        let plain = fixture(part);
        let bytes = std::fs::read(&plain).unwrap();
        for level in [1, 3, 19] {
            let mut encoder = zstd::Encoder::new(Vec::new(), level).unwrap();
            encoder.include_checksum(level == 3).unwrap();
            encoder.write_all(&bytes).unwrap();
            let packed = encoder.finish().unwrap();
            let path = home.write("rollout.jsonl.zst", &packed);
            let (known, expected) = (session(&path), session(&plain));
            assert_eq!(known.id, expected.id);
            assert_eq!(known.updated_ms, expected.updated_ms);
            let told = read_whole(&path);
            let plain = read_whole(&plain);
            assert_eq!(told.texts(), plain.texts(), "{part} at {level}");
            let ids = |told: &ReadResult| -> Vec<String> {
                told.events.iter().map(|event| event.id.clone()).collect()
            };
            assert_eq!(ids(&told), ids(&plain));
        }
    }
}

#[test]
fn it_is_read_whole_and_once() {
    let home = Home::new();
    let path = home.write("a.jsonl.zst", &std::fs::read(fixture(PACKED)).unwrap());
    let known = session(&path);
    let (told, cursor) = read::<Codex>(&known, &START);
    assert_eq!(told.events.len(), 4);
    let (again, same) = read::<Codex>(&known, &cursor);
    assert_eq!((again.events.len(), &same), (0, &cursor));
    put(&path, &zstd::encode_all(&*b"{}\n".repeat(9), 3).unwrap());
    let failure = Codex::read(&known, &cursor, &mut ReadResult::default());
    assert_eq!(failure.unwrap_err().code, "invalid-cursor");
}

#[test]
fn the_content_says_whether_a_file_is_compressed_never_the_name() {
    let home = Home::new();
    let packed = std::fs::read(fixture(PACKED)).unwrap();
    assert_eq!(session(&home.write("a.jsonl", &packed)).agent, "codex");
    let plain = std::fs::read(fixture("019ed99c-0a11")).unwrap();
    assert_eq!(session(&home.write("b.jsonl.zst", &plain)).agent, "codex");
    let other = zstd::encode_all(&b"just a text\n"[..], 3).unwrap();
    assert_eq!(
        sessions::<Codex>(&home.write("c.jsonl.zst", &other)).len(),
        0
    );
}

#[test]
fn damage_ends_the_session_and_is_reported() {
    let home = Home::new();
    let mut lines = vec![meta("")];
    // Words that hardly repeat, so that the file has many blocks of the same size.
    let mut word = 1_u64;
    lines.extend((0..20_000).map(|_| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        message("user", &format!("{word:016x}{:016x}", word.rotate_left(17)))
    }));
    let packed = zstd::encode_all(lines.join("\n").as_bytes(), 3).unwrap();
    let mut flipped = packed.clone();
    flipped[packed.len() / 2] ^= 0x40;
    let mut longer = packed.clone();
    longer.extend_from_slice(b"more");
    let cut = packed[..packed.len() / 10 * 9].to_vec();
    for (name, bytes, expected) in [
        ("cut", cut, "the compressed file is damaged from here on"),
        (
            "longer",
            longer,
            "the compressed file goes on behind its end",
        ),
    ] {
        let told = read_whole(&home.write("a.jsonl.zst", &bytes));
        assert!(
            told.messages().contains(&expected),
            "{name}: {:?}",
            told.messages()
        );
        assert!(told.events.len() > 1000, "{name}");
    }
    // The end of the decoded text is lost with the damage; of a short file that is everything.
    let path = home.write("a.jsonl.zst", &packed[..1000]);
    let failure = Codex::sessions(&path.to_string_lossy()).unwrap_err();
    assert_eq!(failure.code, "unreadable");
    // A flipped bit may also give other words, but nothing worse.
    let path = home.write("a.jsonl.zst", &flipped);
    for known in Codex::sessions(&path.to_string_lossy()).unwrap_or_default() {
        read::<Codex>(&known, &START);
    }
}

#[test]
fn a_bomb_is_given_up() {
    // 600 MiB of filler after a valid first line.
    let home = Home::new();
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder
        .write_all(format!("{}\n", meta("")).as_bytes())
        .unwrap();
    let blank = vec![b' '; 1024 * 1024];
    for _ in 0..600 {
        encoder.write_all(&blank).unwrap();
    }
    let packed = encoder.finish().unwrap();
    assert!(packed.len() < 100_000);
    let told = read_whole(&home.write("a.jsonl.zst", &packed));
    assert!(
        told.messages()
            .contains(&"the compressed file holds too much")
    );
    assert_eq!(told.events.len(), 0);
}

#[test]
fn a_window_that_would_not_fit_is_refused() {
    let home = Home::new();
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(27).unwrap();
    encoder
        .write_all(format!("{}\n", meta("")).as_bytes())
        .unwrap();
    let packed = encoder.finish().unwrap();
    let path = home.write("a.jsonl.zst", &packed);
    let failure = Codex::sessions(&path.to_string_lossy()).unwrap_err();
    assert_eq!(failure.message, "the compressed file cannot be decoded");
}
