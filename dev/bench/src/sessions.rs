//! The bench of the index of sessions: `sessions [COUNT]`. Builds it from generated sessions, beside an index of the same texts by
//! tantivy alone, with its own words and nothing but the text stored; then asks both the same questions.

use std::io::Write;
use std::time::{Duration, Instant};

use acreta_search::{IndexedSession, SessionHead, SessionIndex, SessionPassage, SessionQuery};
use camino::Utf8Path;
use serde_json::json;
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{STORED, Schema, TEXT};
use tantivy::{Index, TantivyDocument};

use crate::Outcome;
use crate::search::memory::peak_mb;

pub(crate) const USAGE: &str = "sessions [COUNT]";

/// Number of sessions, of events in each, and of questions.
const SESSIONS: usize = 2_000;
const EVENTS: usize = 40;
const QUESTIONS: usize = 200;

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let count = match words {
        ["sessions"] => SESSIONS,
        ["sessions", count] => match count.parse() {
            Ok(count) => count,
            Err(_) => return Some(Err(format!("`{count}` is not a number").into())),
        },
        _ => return None,
    };
    Some(bench(count))
}

fn bench(count: usize) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let root = Utf8Path::from_path(folder.path()).ok_or("a folder with a name in UTF-8")?;
    let sessions: Vec<IndexedSession> = (0..count).map(session).collect();
    let texts = || sessions.iter().flat_map(|session| &session.passages);
    let bytes: usize = texts().map(|passage| passage.text.len()).sum();
    let megabytes = bytes as f64 / 1e6;

    let ours = root.join("ours");
    let memory = Memory::start();
    let start = Instant::now();
    let index = SessionIndex::open(&ours)?;
    index.update(sessions.iter().cloned(), &[])?;
    let built = start.elapsed();
    let memory = memory.peak_mb();

    let plain_folder = root.join("plain");
    std::fs::create_dir(&plain_folder)?;
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", TEXT | STORED);
    let plain_memory = Memory::start();
    let start = Instant::now();
    let plain = Index::create_in_dir(&plain_folder, schema.build())?;
    let mut writer = plain.writer_with_num_threads::<TantivyDocument>(1, 50_000_000)?;
    for passage in texts() {
        let mut document = TantivyDocument::new();
        document.add_text(text, &passage.text);
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let plain_built = start.elapsed();
    let plain_memory = plain_memory.peak_mb();

    let questions: Vec<String> = (0..QUESTIONS)
        .map(|number| question(number, count))
        .collect();
    let mut found = 0;
    let mut times = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let query = SessionQuery {
            text: question.clone(),
            sessions: 10,
            passages: 3,
            ..SessionQuery::default()
        };
        let start = Instant::now();
        let answer = index.search(&query)?;
        times.push(start.elapsed());
        let wanted = id(target(number, count));
        found += usize::from(answer.first().is_some_and(|first| first.head.id == wanted));
    }
    let reader = plain.reader()?;
    let parser = QueryParser::for_index(&plain, vec![text]);
    let mut plain_times = Vec::new();
    for question in &questions {
        let start = Instant::now();
        let (query, _) = parser.parse_query_lenient(question);
        let searcher = reader.searcher();
        let best = searcher.search(&query, &TopDocs::with_limit(30).order_by_score())?;
        for (_, address) in best {
            let _: TantivyDocument = searcher.doc(address)?;
        }
        plain_times.push(start.elapsed());
    }

    let speed = |time: Duration| megabytes / time.as_secs_f64();
    let (p50, p95) = percentiles(&mut times);
    let (plain_p50, plain_p95) = percentiles(&mut plain_times);
    let sizes = [&ours, &plain_folder].map(|folder| size(folder) as f64 / 1e6);
    println!("{count} sessions, {megabytes:.1} MB of text");
    println!("              MB/s   MB on disk   MB of memory   p50 ms   p95 ms   first hit");
    println!(
        "sessions   {:>7.1} {:>12.1} {memory:>14.0} {p50:>8.2} {p95:>8.2}   {found} of {QUESTIONS}",
        speed(built),
        sizes[0]
    );
    println!(
        "tantivy    {:>7.1} {:>12.1} {plain_memory:>14.0} {plain_p50:>8.2} {plain_p95:>8.2}",
        speed(plain_built),
        sizes[1]
    );
    let result = json!({
        "bench": "sessions", "sessions": count, "megabytes": megabytes,
        "build_mb_s": speed(built), "build_ratio": speed(built) / speed(plain_built),
        "size_ratio": sizes[0] / megabytes, "memory_mb": memory, "p50_ms": p50, "p95_ms": p95,
        "p50_ratio": p50 / plain_p50.max(1e-6), "first_hit": found, "questions": QUESTIONS,
    });
    println!("{result}");
    Ok(())
}

/// Peak of this process's memory from a moment on, beyond what it had then.
struct Memory {
    before: f64,
}

impl Memory {
    fn start() -> Self {
        // Has the system count the peak anew.
        let peak = std::fs::OpenOptions::new()
            .write(true)
            .open("/proc/self/clear_refs");
        let _ = peak.and_then(|mut peak| peak.write_all(b"5"));
        Self { before: peak_mb() }
    }

    fn peak_mb(self) -> f64 {
        peak_mb() - self.before
    }
}

fn percentiles(times: &mut [Duration]) -> (f64, f64) {
    times.sort_unstable();
    let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1e3;
    (at(50), at(95))
}

fn size(folder: &Utf8Path) -> u64 {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(entry.path()),
        found => found.map_or(0, |found| found.len()),
    });
    sizes.sum()
}

fn id(number: usize) -> String {
    format!("session-{number}")
}

fn session(number: usize) -> IndexedSession {
    let passages = (0..EVENTS).map(|event| {
        let (role, words) = match event % 4 {
            0 => ("user", 30),
            1 => ("assistant", 60),
            2 => ("assistant", 20),
            _ => ("tool", 200),
        };
        let mut text = sentence(number * EVENTS + event, words);
        if event == 4 {
            // What only this session is about.
            text.push_str(&format!(
                " the {} of {}",
                name(number),
                name(number * 7 + 3)
            ));
        }
        SessionPassage {
            event: format!("e{event}"),
            role: role.to_owned(),
            kind: "text".to_owned(),
            at_ms: Some((number * EVENTS + event) as u64 * 1_000),
            text,
            ..SessionPassage::default()
        }
    });
    IndexedSession {
        usage: String::new(),
        head: SessionHead {
            agent: "claude".to_owned(),
            id: id(number),
            version: "1".to_owned(),
            project: Some(format!("/src/project-{}", number % 20)),
            ..SessionHead::default()
        },
        passages: passages.collect(),
    }
}

/// The session that a question is about.
fn target(question: usize, count: usize) -> usize {
    question * 7_919 % count
}

fn question(number: usize, count: usize) -> String {
    let target = target(number, count);
    format!("{} {}", name(target), name(target * 7 + 3))
}

/// Words by number, some of them far more frequent than others, as in texts.
fn sentence(seed: usize, words: usize) -> String {
    let mut state = seed as u64 + 1;
    let mut text = String::new();
    for _ in 0..words {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 40) as f64 / (1_u64 << 24) as f64;
        let rank = (share.powi(3) * 30_000.0) as usize;
        text.push_str(&name(rank));
        text.push(' ');
    }
    text
}

/// A pronounceable word for a number.
fn name(number: usize) -> String {
    const STARTS: [&str; 16] = [
        "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu",
        "ze",
    ];
    let mut rest = number + 16;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(STARTS[rest % 16]);
        rest /= 16;
    }
    word
}
