//! A fake adapter of an agent that does not exist: a line that names it, then a line per event.

use acreta_plugin_dev::Plugin;
use acreta_types::{
    Adapter, AdapterRoot, Attrs, Call, Cursor, Description, Event, Job, Origin, PluginFault,
    PluginInfo, Preopen, Role, Session, SharedSink,
};
use std::sync::Arc;

use crate::support::{Vice, fails, trap};

pub(crate) const SESSION: &str = "\
{\"agent\":\"fable\",\"session\":\"s1\"}
{\"id\":\"a\",\"role\":\"user\",\"text\":\"use tabs, because we always did; and a rather long line it is\"}
{\"id\":\"b\",\"role\":\"assistant\",\"text\":\"done\"}
{\"id\":\"c\",\"role\":\"user\",\"text\":\"thank you \u{e4}\u{f6}\u{fc} for it, that was quick\"}
";

pub(crate) const CASE: &str = "\
what = \"a short session\"
role = \"adapter\"
input = [\"input/projects/one.jsonl\"]
";

pub(crate) const FILES: &[(&str, &str)] =
    &[("case.toml", CASE), ("input/projects/one.jsonl", SESSION)];

pub(crate) struct Fable(Vice);

pub(crate) fn adapter(vice: &'static str) -> Plugin {
    Plugin::Adapter(Arc::new(Fable(Vice::new(Role::Adapter, vice))))
}

const MARK: &[u8] = b"{\"agent\":\"fable\"";

impl Fable {
    fn bytes(&self, roots: &[Preopen], path: &str) -> Result<Vec<u8>, PluginFault> {
        let host = roots.iter().find_map(|root| {
            let rest = path.strip_prefix(&root.guest)?.strip_prefix('/')?;
            Some(root.host.join(rest))
        });
        let host = host.ok_or_else(|| fails("not-granted"))?;
        std::fs::read(host).map_err(|_| fails("io"))
    }

    fn found(&self, roots: &[Preopen], path: &str) -> Result<Vec<Session>, PluginFault> {
        let bytes = self.bytes(roots, path).map_err(|fault| {
            if self.0.is("missing-file") {
                trap("no such file")
            } else {
                fault
            }
        })?;
        let is_own = bytes.starts_with(MARK);
        if self.0.is("empty-file") && bytes.is_empty() {
            return Err(trap("index out of bounds"));
        }
        if self.0.is("binary-file") && std::str::from_utf8(&bytes).is_err() {
            return Err(trap("not UTF-8"));
        }
        if self.0.is("huge-line") && bytes.len() > 1 << 24 {
            return Err(PluginFault::Limit {
                limit: "memory_bytes",
                allowed: 1,
                used: 2,
            });
        }
        if self.0.is("finds-sessions") || !(is_own || self.0.is("foreign-file")) {
            return Ok(Vec::new());
        }
        let session = Session {
            id: "s1".to_owned(),
            agent: if self.0.is("session-fields/agent") {
                "other".to_owned()
            } else {
                "fable".to_owned()
            },
            path: if self.0.is("session-fields/path") {
                "/home/someone/one.jsonl".to_owned()
            } else {
                path.to_owned()
            },
            project_dir: None,
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision: match self.0.is("rewritten-file") {
                true => bytes.len().to_string(),
                false => format!("{}{}", revision(&bytes), self.0.drift("sessions-stable")),
            },
            attrs: Attrs::default(),
        };
        if self.0.is("session-fields/twice") {
            return Ok(vec![session.clone(), session]);
        }
        if self.0.is("session-fields/id") {
            let id = String::new();
            return Ok(vec![Session { id, ..session }]);
        }
        if self.0.is("session-fields/revision") {
            let revision = String::new();
            return Ok(vec![Session {
                revision,
                ..session
            }]);
        }
        Ok(vec![session])
    }

    /// Emits whole lines from the cursor on, and stops before an unfinished one.
    fn tell(&self, bytes: &[u8], from: &Cursor, sink: &SharedSink) -> Result<Cursor, PluginFault> {
        if self.0.is("damaged-bytes") && std::str::from_utf8(bytes).is_err() {
            return Err(trap("not UTF-8"));
        }
        let mut start = match self.0.is("cursor-forward") && from.offset > 0 {
            true => usize::MAX - from.offset as usize,
            false => from.offset as usize,
        };
        let before = bytes
            .get(..start)
            .filter(|before| sum(before) == from.state);
        if before.is_none() && from.offset > 0 {
            if self.0.is("shrunken-file") {
                return Ok(from.clone());
            }
            return Err(fails("invalid-cursor"));
        }
        if self.0.is("cursor-at-end") {
            start = 0;
        }
        let mut sink = sink.lock().unwrap();
        while start < bytes.len() {
            let end = match bytes[start..].iter().position(|byte| *byte == b'\n') {
                Some(length) => start + length + 1,
                None if self.0.is("grows") => bytes.len(),
                None => break,
            };
            let line = &bytes[start..end];
            let mut event = self.event(line, start);
            if self.0.is("late-copies")
                && let Some(event) = &mut event
                && bytes.ends_with(b"quick\"}\n")
            {
                event.attrs.push("copied_from", "s0");
            }
            match event {
                Some(event) if !self.0.is("tells-something") => {
                    sink.emit(vec![event]).map_err(PluginFault::Failed)?;
                }
                Some(_) => {}
                None if line.starts_with(MARK) || self.0.is("damaged-line/silent") => {}
                None if self.0.is("damaged-line/fatal") => return Err(fails("bad-line")),
                None if self.0.is("damaged-line/ends") => {
                    sink.diagnose("", start as u64, end as u64, "the rest is left out");
                    start = bytes.len();
                    break;
                }
                None if self.0.is("tells-something") => {}
                None => sink.diagnose("", start as u64, end as u64, "is no JSON"),
            }
            start = end;
        }
        Ok(Cursor {
            offset: match self.0.is("cursor-forward") {
                true => (usize::MAX - start) as u64,
                false => start as u64,
            },
            state: sum(&bytes[..start.min(bytes.len())]),
        })
    }

    fn event(&self, line: &[u8], start: usize) -> Option<Event> {
        let value: serde_json::Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(_) if self.0.is("grows") => {
                serde_json::json!({"id": "half", "role": "user", "text": ""})
            }
            Err(_) => return None,
        };
        let field = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let end = start + line.len();
        let far = if self.0.is("origins/outside") {
            1_000_000
        } else {
            0
        };
        let mut origin = Origin {
            record: field("id")?,
            start: start as u64,
            end: (end + far) as u64,
        };
        if self.0.is("origins/none") {
            origin = Origin::default();
        }
        Some(Event {
            id: match self.0.is("event-fields/twice") {
                true => "same".to_owned(),
                false => field("id")?,
            },
            origin,
            role: match self.0.is("event-fields/role") {
                true => "wizard".to_owned(),
                false => field("role")?,
            },
            kind: match self.0.is("event-fields/kind") {
                true => "song".to_owned(),
                false => "text".to_owned(),
            },
            at_ms: None,
            text: format!("{}{}", field("text")?, self.0.drift("read-stable")),
            attrs: Attrs::default(),
        })
    }
}

/// Differs for different bytes.
pub(crate) fn revision(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(7, |sum: u32, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(*byte))
    });
    format!("{}-{sum:08x}", bytes.len())
}

/// A short checksum of the bytes before a cursor.
fn sum(bytes: &[u8]) -> Vec<u8> {
    let add = |sum: u32, byte: &u8| sum.wrapping_mul(31).wrapping_add(u32::from(*byte));
    match bytes {
        [] => Vec::new(),
        bytes => bytes.iter().fold(7, add).to_le_bytes().to_vec(),
    }
}

impl Adapter for Fable {
    fn info(&self) -> &PluginInfo {
        self.0.info()
    }

    fn describe(&self, _job: &Job) -> Call<Description> {
        let pick = |vice: &str, bad: &str, good: &str| match self.0.is(vice) {
            true => bad.to_owned(),
            false => good.to_owned(),
        };
        let root = AdapterRoot {
            name: pick("root-names/name", "../up", "fable"),
            candidates: vec![pick("root-names/place", "/", "~/.fable/sessions")],
            patterns: vec![pick("root-names/pattern", "../*.jsonl", "**/*.jsonl")],
            reason: pick(
                "root-reasons/hidden",
                "trust\u{202e}me",
                &pick(
                    "root-reasons/empty",
                    " ",
                    "Sessions are read to learn from them.",
                ),
            ),
        };
        let mut attrs = Attrs::default();
        attrs.push("drift", self.0.drift("describe-stable"));
        let roots = match () {
            () if self.0.is("no-roots") => Vec::new(),
            () if self.0.is("root-names/nowhere") => {
                let candidates = Vec::new();
                vec![AdapterRoot { candidates, ..root }]
            }
            () if self.0.is("root-names/twice") => vec![root.clone(), root],
            () => vec![root],
        };
        let description = Description {
            agent: pick("agent-name", "My Agent!", "fable"),
            roots,
            attrs,
        };
        self.0.call(match self.0.is("describe") {
            true => Err(fails("not-granted")),
            false => Ok(description),
        })
    }

    fn sessions(&self, _job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        self.0.call(self.found(roots, path))
    }

    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        job.log.write("fable", "debug", "reading");
        if self.0.is("the-clock") {
            job.log
                .write("fable", "info", &format!("it is {}", job.now_ms));
        }
        if self.0.is("host-paths") {
            job.log.write("fable", "info", roots[0].host.as_str());
        }
        if self.0.is("a-failure") {
            return self.0.call(Err(fails("too-old")));
        }
        let bytes = self.bytes(roots, &session.path);
        self.0
            .call(bytes.and_then(|bytes| self.tell(&bytes, from, &sink)))
    }
}
