//! Sessions: the values that an adapter hands to the host, and the archives that are read back.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use acreta_fs::Directory;
use acreta_fs::faults::Recorder;
use acreta_redact::Redactor;
use acreta_session_archive::{
    RawArchive, RescueAs, RescueLimits, RescueSource, TraceArchive, TraceFile, TraceLimits,
};
use acreta_types::{Attrs, Event, EventSink, Origin, TraceReader};
use camino::Utf8Path;

use crate::input::{Scratch, first, text_of};
use crate::text::TOKEN;

static REDACTOR: LazyLock<Arc<Redactor>> =
    LazyLock::new(|| Arc::new(Redactor::new(&[]).expect("no entries")));

/// Values that cross the boundary to a plugin: whatever events say, the trace holds as many, each under its own id and
/// within bounds, none with the token, and reading gives them back.
pub fn boundary(data: &[u8]) {
    let text = text_of(data);
    let mut events: Vec<Event> = text.split('\u{1e}').map(event).collect();
    for event in &mut events {
        for field in fields(event) {
            // A token cannot be typed by mutation alone.
            *field = field.replace('\u{1a}', TOKEN);
        }
    }
    let scratch = Scratch::new();
    let archive = TraceArchive::new(&directory(&scratch));
    let agent = events[0].origin.record.clone();
    let session = events[0].id.clone();
    let limits = TraceLimits {
        event_text_bytes: 4096,
        ..TraceLimits::default()
    };
    let mut writer = archive
        .write(&agent, &session, Arc::clone(&REDACTOR), limits.clone())
        .unwrap_or_else(|error| panic!("`{agent}` and `{session}` name no file: {error:?}"));
    let count = events.len();
    for (number, event) in events.iter().enumerate() {
        writer.diagnose(&event.id, number as u64, 0, &event.text);
    }
    writer.emit(events).expect("events within the limits");
    let pending = writer.finish().expect("a complete trace");
    let mark = pending.mark();
    let mut trace = pending.open().expect("a trace that was just written");
    let read = all(&mut trace);
    assert_eq!((trace.count(), read.len()), (count as u64, count));
    let ids: BTreeSet<&str> = read.iter().map(|event| &*event.id).collect();
    assert_eq!(ids.len(), count, "{read:?}");
    for event in &read {
        let found = trace.resolve(&event.id).expect("a readable trace");
        assert_eq!(found.as_ref(), Some(event));
        assert!(
            event.id.len() <= 300 && event.text.len() <= 4096,
            "{event:?}"
        );
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
        assert!(event.kind.bytes().all(is_plain), "{event:?}");
        for field in fields(&mut event.clone()) {
            assert!(!field.contains(TOKEN), "{event:?}");
        }
    }
    let stats = format!("{:?}", pending.stats());
    assert!(!stats.contains(TOKEN), "{stats}");
    pending.keep().expect("space for a small file");
    let mut kept = archive
        .open(&agent, &session)
        .expect("a trace that was kept");
    assert_eq!(all(&mut kept), read);
    let more = archive.resume(&agent, &session, Arc::clone(&REDACTOR), limits, mark);
    let more = more
        .expect("a readable trace")
        .expect("a trace of this length");
    let again = more.finish().expect("a complete trace");
    assert_eq!(again.mark(), mark);
    assert_eq!(all(&mut again.open().expect("a readable trace")), read);
}

/// Makes an event of a text: its fields are between separators, and numbers are read from them.
fn event(text: &str) -> Event {
    let mut parts = text.split('\u{1f}');
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (id, record, role, kind, text) = (next(), next(), next(), next(), next());
    let number = |text: &str| text.trim().parse::<u64>().unwrap_or(u64::MAX);
    let mut attrs = Attrs::default();
    let rest: Vec<String> = parts.map(str::to_owned).collect();
    for pair in rest.chunks(2) {
        attrs.push(&*pair[0], pair.get(1).cloned().unwrap_or_default());
    }
    Event {
        origin: Origin {
            start: number(&id),
            end: number(&record),
            record,
        },
        at_ms: (!kind.is_empty()).then(|| number(&text)),
        id,
        role,
        kind,
        text,
        attrs,
    }
}

fn fields(event: &mut Event) -> impl Iterator<Item = &mut String> {
    let attrs = event.attrs.0.iter_mut();
    let attrs = attrs.flat_map(|(name, value)| [name, value]);
    [
        &mut event.id,
        &mut event.origin.record,
        &mut event.role,
        &mut event.kind,
        &mut event.text,
    ]
    .into_iter()
    .chain(attrs)
}

fn all(trace: &mut TraceFile) -> Vec<Event> {
    let mut events = Vec::new();
    trace.rewind();
    loop {
        let page = trace.next(512).expect("a readable trace");
        if page.is_empty() {
            return events;
        }
        events.extend(page);
    }
}

/// Archives: what is stored comes back without the token, and damaged files are errors. The first byte picks whether the
/// rest is stored, or is a file of the archive, or a trace.
pub fn archive(data: &[u8]) {
    let (pick, data) = first(data);
    let scratch = Scratch::new();
    match pick % 3 {
        0 => stored(&scratch, data),
        1 => {
            let digest = acreta_store::digest(data);
            let name = format!("archive/claude/{digest}.zst");
            scratch.write(&name, data);
            if let Ok(mut reader) =
                RawArchive::new(&directory(&scratch)).open("claude", &digest, &limits())
            {
                let mut content = Vec::new();
                if reader.read_to_end(&mut content).is_ok() {
                    assert_eq!(acreta_store::digest(&content), digest);
                }
                assert!(content.len() as u64 <= limits().content_bytes);
            }
        }
        _ => {
            scratch.write("archive/claude/s.jsonl", data);
            let path = scratch.utf8().join("archive/claude/s.jsonl");
            let Ok(mut trace) = TraceFile::open_path(&path, Arc::new(Recorder::new())) else {
                return;
            };
            let mut read = 0;
            while let Ok(page) = trace.next(64)
                && !page.is_empty()
            {
                read += page.len() as u64;
                for event in page {
                    let _ = trace.resolve(&event.id);
                    let found = trace.find(acreta_text::head(&event.text, 8), 4);
                    assert!(found.is_ok_and(|found| found.len() <= 4) || read < trace.count());
                }
            }
            assert!(read <= trace.count());
            let _ = trace.find("crane", 10);
        }
    }
}

fn stored(scratch: &Scratch, data: &[u8]) {
    let archive = RawArchive::new(&directory(scratch));
    let is_packed = data.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    let planted = [data, b"\n", TOKEN.as_bytes(), b"\n", data].concat();
    let content = if is_packed { data } else { &planted };
    let source = RescueSource {
        path: Utf8Path::new("s.jsonl"),
        reader: content,
        bytes: None,
    };
    let rescue = RescueAs::Raw(&REDACTOR);
    let Ok(stored) = archive.store_source("claude", source, rescue, &limits()) else {
        assert!(is_packed, "{data:?} was not stored");
        return;
    };
    let mut reader = archive
        .open("claude", &stored.digest, &RescueLimits::default())
        .expect("content that was just stored");
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("redacted text");
    assert!(!text.contains(TOKEN), "{text:?}");
    assert_eq!(acreta_store::digest(&text), stored.digest);
}

fn directory(scratch: &Scratch) -> Directory {
    let path = scratch.utf8().join("archive");
    Directory::open_or_create(&path, Arc::new(Recorder::new())).expect("a folder of its own")
}

fn limits() -> RescueLimits {
    RescueLimits {
        content_bytes: 1 << 20,
        ratio: 100,
        unsuspicious_bytes: 1 << 18,
    }
}
