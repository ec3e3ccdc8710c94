//! Files that are not the agent's: nothing is claimed, and nothing breaks.

use camino::Utf8Path;

use super::AdapterBench;
use crate::bench::{Outcome, Reason, ensure};
use crate::record::root_of;
use crate::stage::Staged;

/// Text of all sorts that no agent writes.
const FOREIGN: &[(&str, &str)] = &[
    (
        "notes.md",
        "# Shopping\n\n- bread\n- milk\n\n> said the user: buy bread\n",
    ),
    ("numbers.csv", "day,count\n2026-01-01,4\n2026-01-02,7\n"),
    (
        "package.json",
        "{\"name\": \"harbour\", \"version\": \"1.0.0\", \"private\": true}\n",
    ),
    (
        "events.jsonl",
        "{\"kind\": \"door\", \"state\": \"open\"}\n{\"kind\": \"door\", \"state\": \"shut\"}\n",
    ),
    ("list.json", "[1, 2, 3]\n"),
    ("deep.json", "{\"a\": {\"b\": {\"c\": [{\"d\": null}]}}}\n"),
    (
        "session.log",
        "2026-01-01T00:00:00Z INFO started\n2026-01-01T00:00:01Z INFO stopped\n",
    ),
];

pub(super) fn foreign(bench: &AdapterBench) -> Outcome {
    let staged = stage(bench)?;
    for (name, text) in FOREIGN {
        unclaimed(bench, &staged, name, text.as_bytes())?;
    }
    Ok(format!("{} files left alone", FOREIGN.len()))
}

pub(super) fn empty(bench: &AdapterBench) -> Outcome {
    let staged = stage(bench)?;
    for name in ["empty.jsonl", "empty.json", "empty.db", "empty"] {
        unclaimed(bench, &staged, name, b"")?;
    }
    Ok("left alone".to_owned())
}

pub(super) fn binary(bench: &AdapterBench) -> Outcome {
    let staged = stage(bench)?;
    let mut noise = Vec::with_capacity(NOISE_BYTES);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    while noise.len() < NOISE_BYTES {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        noise.extend(random.to_le_bytes());
    }
    let mut database = b"SQLite format 3\0".to_vec();
    database.extend(&noise);
    let files: [(&str, &[u8]); 5] = [
        ("noise.jsonl", &noise),
        ("noise.json", &noise),
        ("noise.db", &database),
        ("zeros.jsonl", &[0; 4096]),
        (
            "half.jsonl",
            b"{\"type\":\"user\",\"text\":\"\xff\xfe\xc3\x28\"}\n",
        ),
    ];
    for (name, bytes) in files {
        unclaimed(bench, &staged, name, bytes)?;
    }
    Ok(format!("{} files left alone", files.len()))
}

const NOISE_BYTES: usize = 64 * 1024;

pub(super) fn huge_line(bench: &AdapterBench) -> Outcome {
    let staged = stage(bench)?;
    let mut line = b"{\"kind\":\"door\",\"state\":\"".to_vec();
    line.resize(HUGE_BYTES, b'a');
    unclaimed(bench, &staged, "unfinished.jsonl", &line)?;
    line.truncate(HUGE_BYTES / 8);
    line.extend(b"\"}\n");
    unclaimed(bench, &staged, "finished.jsonl", &line)?;
    Ok("left alone".to_owned())
}

const HUGE_BYTES: usize = 32 * 1024 * 1024;

pub(super) fn missing(bench: &AdapterBench) -> Outcome {
    let staged = stage(bench)?;
    let found = bench.sessions(&staged, Utf8Path::new("gone.jsonl"))?;
    let count = found.as_ref().map_or(0, Vec::len);
    ensure(count == 0, "a failure or an empty list", || {
        format!("{count} sessions in a file that is not there")
    })?;
    Ok(match found {
        Ok(_) => "an empty list".to_owned(),
        Err(failure) => format!("failed with `{}`", failure.code),
    })
}

fn stage(bench: &AdapterBench) -> Result<Staged, Reason> {
    let described = bench.describe()?;
    Ok(Staged::empty(
        &bench.bench.scratch,
        root_of(Some(&described)),
    )?)
}

/// A failure is as good as an empty list.
fn unclaimed(
    bench: &AdapterBench,
    staged: &Staged,
    name: &str,
    bytes: &[u8],
) -> Result<(), Reason> {
    let file = Utf8Path::new(name);
    staged.write(file, bytes)?;
    let claimed = bench.sessions(staged, file)?.unwrap_or_default();
    ensure(claimed.is_empty(), "an empty list, or a failure", || {
        format!("{} sessions in `{name}`", claimed.len())
    })
}
