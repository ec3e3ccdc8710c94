//! Bad input costs only itself and a diagnostic, never a failure, a crash or much memory.

use std::io::{self, Cursor as Bytes, Read, Seek, SeekFrom};

use acreta_sdk::adapter::{Cursor, Event, Failure, Sink};

use crate::support::{START, any_session, fixture, line, read, read_whole};

#[test]
fn damage_costs_only_itself() {
    let deep_list = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_object = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let table: &[(&str, &[u8], &[&str])] = &[
        ("an empty line", b"", &[]),
        ("blank", b" \t ", &[]),
        ("text", b"hello", &["not a JSON object"]),
        ("a list", b"[1]", &["not a JSON object"]),
        ("deep lists", deep_list.as_bytes(), &["not a JSON object"]),
        (
            "deep objects",
            deep_object.as_bytes(),
            &["a record without a type"],
        ),
        (
            "an open string",
            b"{\"type\":\"user",
            &["the line ends inside a string"],
        ),
        (
            "an open object",
            b"{\"type\":\"user\",",
            &["the object is not closed"],
        ),
        (
            "a missing comma",
            b"{\"type\":\"user\" \"uuid\":\"x\"}",
            &["not valid JSON"],
        ),
        ("a missing value", b"{\"type\":}", &["not valid JSON"]),
        ("zeroes", &[0; 512], &["bytes of zero between the records"]),
        (
            "binary",
            b"\x89PNG\r\x1a\0\0\x0dIHDR\xff\xfe",
            &["not a JSON object"],
        ),
        (
            "an unknown type",
            b"{\"type\":\"x\"}",
            &["records of the unknown type `x`"],
        ),
        ("bookkeeping", b"{\"type\":\"api-request\"}", &[]),
        ("its blobs", b"{\"type\":\"api-request-blob\"}", &[]),
        ("its shape", b"{\"type\":\"api-request-shape\"}", &[]),
        ("tools", b"{\"type\":\"tools-used\"}", &[]),
        ("costs", b"{\"type\":\"cost-state\"}", &[]),
        (
            "a message that is none",
            b"{\"type\":\"user\",\"message\":[]}",
            &["a record of the conversation without a message"],
        ),
    ];
    for (name, damage, expected) in table {
        let mut file = line("a", "before").into_bytes();
        file.push(b'\n');
        let start = file.len() as u64;
        file.extend_from_slice(damage);
        let end = file.len() as u64;
        file.push(b'\n');
        file.extend_from_slice(line("b", "after").as_bytes());
        let told = read_whole(&file);
        assert_eq!(
            told.texts(),
            [("user", "text", "before"), ("user", "text", "after")],
            "{name}"
        );
        assert_eq!(told.messages(), *expected, "{name}");
        for (_, from, to, _) in &told.diagnostics {
            assert_eq!((*from, *to), (start, end), "{name}");
        }
    }
}

#[test]
fn depth_inside_a_record_costs_nothing() {
    let deep = format!("{}{}", "[{\"a\":".repeat(50_000), "}]".repeat(50_000));
    let skipped = line("a", "kept").replacen('{', &format!("{{\"toolUseResult\":{deep},"), 1);
    let input = format!(
        "{{\"type\":\"assistant\",\"uuid\":\"b\",\"message\":{{\"content\":[{{\"type\":\"tool_use\",\
         \"id\":\"c\",\"name\":\"X\",\"input\":{deep}}}]}}}}"
    );
    let content =
        format!("{{\"type\":\"user\",\"uuid\":\"d\",\"message\":{{\"content\":[{deep}]}}}}");
    let told = read_whole(format!("{skipped}\n{input}\n{content}\n").as_bytes());
    assert_eq!(told.texts()[0], ("user", "text", "kept"));
    assert_eq!(
        told.texts()[1],
        ("assistant", "tool-call", &*deep[..256 * 1024].to_owned())
    );
    assert_eq!(told.events.len(), 2);
    assert!(told.diagnostics.is_empty(), "{:?}", told.messages());
}

#[test]
fn characters_that_are_none_are_replaced() {
    const REPLACED: &[&str] = &["characters that are not valid were replaced"];
    let table: &[(&[u8], &str, &[&str])] = &[
        (b"caf\xc3\xa9", "café", &[]),
        (br"caf\u00e9 \ud83d\ude00", "café 😀", &[]),
        (br"a\ud800b", "a\u{fffd}b", REPLACED),
        (br"a\udc00\ud800", "a\u{fffd}\u{fffd}", REPLACED),
        (br"a\ud83dx", "a\u{fffd}x", REPLACED),
        (br"a\u12", "a\u{fffd}u12", REPLACED),
        (br"a\qb", "a\u{fffd}qb", REPLACED),
        (b"a\xff\xfeb", "a\u{fffd}\u{fffd}b", REPLACED),
        (b"tab\tand\x01", "tab\tand\u{1}", &[]),
    ];
    for (raw, expected, messages) in table {
        let mut file = b"{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"".to_vec();
        file.extend_from_slice(raw);
        file.extend_from_slice(b"\"}}\n");
        let told = read_whole(&file);
        assert_eq!(told.texts(), [("user", "text", *expected)], "{raw:?}");
        assert_eq!(told.messages(), *messages, "{raw:?}");
    }
}

#[test]
fn a_byte_order_mark_and_other_line_breaks_are_passed_over() {
    let (first, second) = (line("a", "one"), line("b", "two"));
    let told = read_whole(format!("\u{feff}{first}\r\n\r\n{second}\r\n").as_bytes());
    assert_eq!(
        told.texts(),
        [("user", "text", "one"), ("user", "text", "two")]
    );
    assert!(told.diagnostics.is_empty(), "{:?}", told.messages());
    let origins: Vec<_> = told.events.iter().map(|event| event.origin.start).collect();
    assert_eq!(origins, [3, first.len() as u64 + 7]);
}

#[test]
fn zeroes_in_front_of_a_record_do_not_hide_it() {
    let mut file = vec![0; 4096];
    file.extend_from_slice(line("a", "survived").as_bytes());
    let told = read_whole(&file);
    assert_eq!(told.texts(), [("user", "text", "survived")]);
    assert_eq!(told.diagnostics.len(), 1);
    assert_eq!(told.events[0].origin.start, 4096);
}

#[test]
fn any_bytes_at_all_are_survived() {
    let bytes = fixture("tool-results.jsonl");
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..20 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let place = random as usize % damaged.len();
            damaged[place] = (random >> 32) as u8;
        }
        let (told, cursor) = read(&any_session(), Bytes::new(&damaged), &START);
        assert!(cursor.offset <= damaged.len() as u64);
        assert!(told.diagnostics.len() <= 101);
        let _either = adapter_claude::sessions("/claude/x.jsonl", Bytes::new(&damaged)).unwrap();
    }
}

#[test]
fn many_diagnostics_are_counted() {
    let told = read_whole("nonsense\n".repeat(1000).as_bytes());
    assert_eq!(told.diagnostics.len(), 101);
    let (record, start, end, message) = &told.diagnostics[100];
    assert_eq!((&**record, &**message), ("", "and 900 more"));
    assert_eq!((*start, *end), (900, 8999));
}

#[test]
fn an_object_over_too_many_lines_is_one_diagnostic() {
    let spread = format!("{{\n{}}}\n", "  \"a\": 1,\n".repeat(5000));
    let told = read_whole(format!("{spread}{}\n", line("a", "after")).as_bytes());
    assert_eq!(told.texts(), [("user", "text", "after")]);
    assert_eq!(
        told.messages(),
        ["the object is spread over too many lines"]
    );
    assert_eq!(told.diagnostics[0].2, spread.len() as u64 - 1);
}

#[test]
fn long_texts_are_cut_at_a_character() {
    let told = read_whole(line("a", &"é".repeat(200_000)).as_bytes());
    let event = &told.events[0];
    assert_eq!(event.text.len(), 256 * 1024);
    let truncated = event.attrs.iter().find(|(key, _)| key == "truncated_bytes");
    assert_eq!(truncated.map(|(_, value)| &**value), Some("137856"));
}

#[test]
fn batches_are_neither_long_nor_heavy() {
    let mut file = String::new();
    for number in 0..2000 {
        let text = "x".repeat(if number % 2 == 0 { 10 } else { 900 });
        file.push_str(&format!("{}\n", line(&number.to_string(), &text)));
    }
    let told = read_whole(file.as_bytes());
    assert_eq!(told.events.len(), 2000);
    let (last, full) = told.batches.split_last().unwrap();
    assert!(last.0 <= 256);
    for (events, bytes) in full {
        assert!(
            *events == 256 || (64 * 1024..65 * 1024).contains(bytes),
            "{events} {bytes}"
        );
    }
}

#[test]
fn a_sink_that_refuses_ends_the_read() {
    struct Full;
    impl Sink for Full {
        fn emit(&mut self, _: Vec<Event>) -> Result<(), Failure> {
            let (code, message) = ("limit".to_owned(), "used up".to_owned());
            Err(Failure {
                code,
                message,
                retryable: false,
            })
        }
        fn diagnose(&mut self, _: &str, _: u64, _: u64, _: &str) {}
    }
    let file = fixture("split-message.jsonl");
    let failed = adapter_claude::read(&any_session(), Bytes::new(file), &START, &mut Full);
    assert_eq!(failed.unwrap_err().code, "limit");
}

/// A good line, a line of 256 MiB, a good line; holds no more than a chunk in memory.
struct Giant {
    head: Vec<u8>,
    tail: Vec<u8>,
    at: u64,
}

const GIANT: u64 = 256 * 1024 * 1024;

impl Giant {
    fn size(&self) -> u64 {
        self.head.len() as u64 + GIANT + self.tail.len() as u64
    }
}

impl Read for Giant {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let (head, at) = (self.head.len() as u64, self.at);
        let part: &[u8] = if at < head {
            &self.head[at as usize..]
        } else if at < head + GIANT {
            let count = room.len().min((head + GIANT - at) as usize);
            room[..count].fill(b'x');
            self.at += count as u64;
            return Ok(count);
        } else {
            &self.tail[((at - head - GIANT) as usize).min(self.tail.len())..]
        };
        let count = part.len().min(room.len());
        room[..count].copy_from_slice(&part[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Giant {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(offset) => offset,
            SeekFrom::End(offset) => self.size().saturating_add_signed(offset),
            SeekFrom::Current(offset) => self.at.saturating_add_signed(offset),
        };
        Ok(self.at)
    }
}

#[test]
fn a_giant_line_is_skipped_and_the_next_one_read() {
    let head = format!("{}\n", line("a", "before")).into_bytes();
    let tail = format!("\n{}\n", line("b", "after")).into_bytes();
    let start = head.len() as u64;
    let mut giant = Giant { head, tail, at: 0 };
    let known = adapter_claude::sessions("/claude/x.jsonl", &mut giant).unwrap();
    assert_eq!(known.len(), 1);
    let (told, cursor) = read(&any_session(), &mut giant, &START);
    assert_eq!(
        told.texts(),
        [("user", "text", "before"), ("user", "text", "after")]
    );
    assert_eq!(told.messages(), ["the line is too long"]);
    assert_eq!(
        (told.diagnostics[0].1, told.diagnostics[0].2),
        (start, start + GIANT)
    );
    assert_eq!(cursor.offset, giant.size());
    let again = Cursor {
        offset: cursor.offset,
        state: cursor.state,
    };
    assert!(read(&any_session(), &mut giant, &again).0.events.is_empty());
}
