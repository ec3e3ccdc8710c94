//! Checks on files that are not the agent's: the adapter claims none and does not break.

use super::super::{Outcome, Reason, ensure};
use super::{Folder, Subject};

/// Texts of many formats that no agent writes.
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

pub(super) fn foreign<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let folder = subject.empty()?;
    for (name, text) in FOREIGN {
        unclaimed(subject, &folder, name, text.as_bytes())?;
    }
    let mut count = FOREIGN.len();
    for (folder, fixture) in subject.strangers()? {
        for file in &fixture.files {
            let claimed = subject.sessions(&folder, file)?.unwrap_or_default();
            ensure(claimed.is_empty(), "an empty list, or a failure", || {
                format!("{} sessions in `{}/{file}`", claimed.len(), fixture.name)
            })?;
            count += 1;
        }
    }
    Ok(format!("{count} files left alone"))
}

pub(super) fn empty<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let folder = subject.empty()?;
    for name in ["empty.jsonl", "empty.json", "empty.db", "empty"] {
        unclaimed(subject, &folder, name, b"")?;
    }
    Ok("left alone".to_owned())
}

pub(super) fn binary<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let folder = subject.empty()?;
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
        unclaimed(subject, &folder, name, bytes)?;
    }
    Ok(format!("{} files left alone", files.len()))
}

const NOISE_BYTES: usize = 64 * 1024;

pub(super) fn huge_line<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let folder = subject.empty()?;
    let mut line = b"{\"kind\":\"door\",\"state\":\"".to_vec();
    line.resize(HUGE_BYTES, b'a');
    unclaimed(subject, &folder, "unfinished.jsonl", &line)?;
    line.truncate(HUGE_BYTES / 8);
    line.extend(b"\"}\n");
    unclaimed(subject, &folder, "finished.jsonl", &line)?;
    Ok("left alone".to_owned())
}

const HUGE_BYTES: usize = 32 * 1024 * 1024;

pub(super) fn missing<S: Subject>(subject: &S) -> Outcome<S::Error> {
    let folder = subject.empty()?;
    let found = subject.sessions(&folder, "gone.jsonl")?;
    let count = found.as_ref().map_or(0, Vec::len);
    ensure(count == 0, "a failure or an empty list", || {
        format!("{count} sessions in a file that is not there")
    })?;
    Ok(match found {
        Ok(_) => "an empty list".to_owned(),
        Err(failure) => format!("failed with `{}`", failure.code),
    })
}

/// Checks that no session was found. A failure counts like an empty list.
fn unclaimed<S: Subject>(
    subject: &S,
    folder: &S::Folder,
    file: &str,
    bytes: &[u8],
) -> Result<(), Reason<S::Error>> {
    folder.write(file, bytes)?;
    let claimed = subject.sessions(folder, file)?.unwrap_or_default();
    ensure(claimed.is_empty(), "an empty list, or a failure", || {
        format!("{} sessions in `{file}`", claimed.len())
    })
}
