//! Bench of recall within a session: the time that an agent waits for a hook, compared with the bare start of the
//! process in the same run. Prints a table, then one line of JSON.

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Outcome;
use crate::search::generate::{GeneratedMemory, memory};
use crate::serve::home::Home;
use crate::serve::times::{Times, rounded, timed};

pub(crate) const USAGE: &str = "  recall [--memories N] [--rounds N] [--model FOLDER]";

struct Options {
    binary: PathBuf,
    memories: u64,
    rounds: u64,
    /// Folder of a sentence model; empty for search by words only.
    model: String,
}

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let ["recall", rest @ ..] = words else {
        return None;
    };
    let options = parse(rest)?;
    Some(bench(&options))
}

fn parse(mut rest: &[&str]) -> Option<Options> {
    let mut options = Options {
        binary: PathBuf::new(),
        memories: 10_000,
        rounds: 60,
        model: String::new(),
    };
    while let [name, value, more @ ..] = rest {
        match *name {
            "--binary" => options.binary = PathBuf::from(value),
            "--memories" => options.memories = value.parse().ok()?,
            "--rounds" => options.rounds = value.parse().ok()?,
            "--model" => options.model = (*value).to_owned(),
            _ => return None,
        }
        rest = more;
    }
    let is_whole = rest.is_empty() && !options.binary.as_os_str().is_empty();
    is_whole.then_some(options)
}

/// Memories, and a few more, that get vectors whenever the index is updated.
const REFRESHED: u64 = 200;

/// A measured hook, and its input in a round.
struct MeasuredHook {
    name: &'static str,
    hook: &'static str,
    said: fn(&GeneratedMemory) -> Value,
}

const WAYS: [MeasuredHook; 4] = [
    MeasuredHook {
        name: "a prompt that a memory bears on",
        hook: "prompt",
        said: |made| json!({ "prompt": format!("How do we do this: {}?", made.title) }),
    },
    MeasuredHook {
        name: "a prompt that none bears on",
        hook: "prompt",
        said: |made| json!({ "prompt": format!("Please paint the {} green", word(made)) }),
    },
    MeasuredHook {
        name: "`continue`",
        hook: "prompt",
        said: |_| json!({ "prompt": "continue" }),
    },
    MeasuredHook {
        name: "an edit",
        hook: "edit",
        said: |made| json!({ "tool_input": { "file_path": format!("src/{}.rs", word(made)) } }),
    },
];

fn bench(options: &Options) -> Outcome<()> {
    let config = format!("[search]\nmodel = {:?}\n", options.model);
    let home = Home::new(&options.binary, &config)?;
    for number in 0..options.memories {
        write(&home, number)?;
    }
    // A search updates the index.
    home.acreta(&["memory", "search", "anything"])?;
    if !options.model.is_empty() {
        for _ in 0..options.memories / REFRESHED + 2 {
            home.acreta(&["hook", "refresh"])?;
        }
    }
    let (mut started, mut times) = (Vec::new(), vec![Vec::new(); WAYS.len()]);
    let mut told = vec![0_u64; WAYS.len()];
    for round in 0..options.rounds {
        let made = memory(round * 97 % options.memories);
        let (version, took) = timed(|| home.acreta(&["--version"]));
        version?;
        started.push(took);
        for (number, ((way, times), told)) in WAYS.iter().zip(&mut times).zip(&mut told).enumerate()
        {
            // As agents name their sessions.
            let session = format!("00000000-0000-4000-8000-{number:04x}{round:08x}");
            let (took, is_told) = ask(&home, way, &session, &made)?;
            times.push(took);
            *told += u64::from(is_told);
        }
    }
    let started = Times::new(started);
    let start = started.percentile(50);
    println!("{} memories, {} rounds", options.memories, options.rounds);
    println!(
        "{:<34} {:>9} {:>9} {:>9} {:>9}",
        "", "p50 ms", "p95 ms", "× start", "told"
    );
    println!(
        "{:<34} {start:>9.1} {:>9.1} {:>9.1}",
        "`acreta --version`",
        started.percentile(95),
        1.0
    );
    let mut figures = serde_json::Map::new();
    for ((way, times), told) in WAYS.iter().zip(times).zip(told) {
        let times = Times::new(times);
        let (p50, p95) = (times.percentile(50), times.percentile(95));
        println!(
            "{:<34} {p50:>9.1} {p95:>9.1} {:>9.1} {told:>9}",
            way.name,
            p50 / start
        );
        figures.insert(
            way.name.to_owned(),
            json!({ "p50_ms": rounded(p50), "p95_ms": rounded(p95), "starts": rounded(p50 / start),
                "told": told }),
        );
    }
    println!(
        "{}",
        json!({ "memories": options.memories, "start_p50_ms": rounded(start), "recall": figures })
    );
    Ok(())
}

/// Measures how long an agent waits for the answer to one call, and whether the answer has text.
fn ask(
    home: &Home,
    way: &MeasuredHook,
    session: &str,
    made: &GeneratedMemory,
) -> Outcome<(Duration, bool)> {
    let mut said = (way.said)(made);
    said["session_id"] = json!(session);
    said["cwd"] = json!(home.project());
    let (output, took) = timed(|| -> Outcome<_> {
        let mut hook = home
            .command(&["hook", way.hook, "--agent", "claude"])
            .env("ACRETA_HOOK_WAIT_MS", "60000")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = hook.stdin.take().ok_or("no stdin")?;
        stdin.write_all(said.to_string().as_bytes())?;
        drop(stdin);
        Ok(hook.wait_with_output()?)
    });
    Ok((took, !output?.stdout.is_empty()))
}

/// Writes a memory of a person's statement that names a file.
fn write(home: &Home, number: u64) -> Outcome<()> {
    let made = memory(number);
    let (id, title) = (format!("01K7J4KP6Z{:016}", number * 7_919), &made.title);
    let body = format!("{} See src/{}.rs.", made.body, word(&made));
    let day = "2026-06-01T10:00:00Z";
    let text = format!(
        "---\nid: {id}\ntitle: {title}\nkind: pitfall\ncreated: {day}\nupdated: {day}\nsource: person\n\
         confidence: 0.8\ntags: []\nrelated: []\n---\n\n{body}\n"
    );
    let name = format!("project/.acreta/memory/learnings/20260601-{number}.md");
    home.write(&name, &text)?;
    let time = 1_780_300_800_000_u64;
    let contribution = json!({
        "agent": "person", "session_id": format!("s{number}"), "run_id": "bench", "events": 1,
        "last_ms": time, "newest_ms": time, "created_ms": time,
        "candidate": {
            "type": "learning", "kind": "pitfall", "title": title, "body": body, "confidence": 0.8,
            "tags": [],
        },
        "evidence": [{
            "event_id": "e1", "record": "", "start": 0, "end": 0, "role": "user", "at_ms": time,
            "quote": body,
        }],
    });
    let evidence = json!({ "id": id, "contributions": [contribution] });
    let path = format!("project/.acreta/meta/evidence/{id}.json");
    home.write(&path, &evidence.to_string())
}

fn word(made: &GeneratedMemory) -> &str {
    made.title.split(' ').next_back().unwrap_or_default()
}
